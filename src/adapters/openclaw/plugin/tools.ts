/**
 * `memory_search` and `memory_get`, with the names, the arguments and the answers of OpenClaw's own. What memd found
 * in its own files is named `memd/…`; what stands in the agent's `MEMORY.md` and the like, by its own path.
 */
import { PASSAGE_KINDS } from "../../../model/passage.js";
import { messageOf } from "../../../model/errors.js";
import { type Fields, fieldsOf, listOf, objectsIn, stringOf } from "../../fields.js";
import { jsonResult, type Tool, type ToolResult } from "./api.js";
import { isMemoryFile, type MemoryFiles } from "./files.js";
import { type Memory, seatOf } from "./memory.js";
import type { Seat } from "./seat.js";

export const TOOL_NAMES = ["memory_search", "memory_get"] as const;

const OWN = "memd/";
const RESULTS = 10;
const MOST_RESULTS = 50;
/** Of what one hit shows. */
const SNIPPET_CHARS = 700;
const LINES_READ = 120;
/** Of what a search takes; asking memd has its own. */
const FOLLOWED_MS = 200;
const MOST_TOKENS = 4000;

export interface ToolParts {
  memory: Memory;
  files: MemoryFiles;
}

/** For one run of an agent. */
export function toolsFor(parts: ToolParts, seat: Seat): Tool[] {
  return [
    {
      name: "memory_search",
      label: "Memory Search",
      description:
        "Find what was said or noted before: every earlier conversation, MEMORY.md and memory/*.md, by words or meaning, with dates. Use it before you answer about prior work, decisions, dates, people, preferences or todos, and before you say that you do not know. `corpus=memory` leaves conversations out, `corpus=sessions` leaves all else out. Where the answer says disabled=true, tell the user that the memory cannot be reached.",
      parameters: {
        type: "object",
        properties: {
          query: { type: "string" },
          maxResults: { type: "integer", minimum: 1 },
          minScore: { type: "number" },
          corpus: { type: "string", enum: ["memory", "wiki", "all", "sessions"] },
        },
        required: ["query"],
      },
      execute: (_callId, given) => openly(() => search(parts, seat, fieldsOf(given)), unavailable),
    },
    {
      name: "memory_get",
      label: "Memory Get",
      description:
        "Read what stands at a path that memory_search named, from a line on: a day's conversation, MEMORY.md, memory/*.md. Long ones go on at nextFrom.",
      parameters: {
        type: "object",
        properties: {
          path: { type: "string" },
          from: { type: "integer", minimum: 1 },
          lines: { type: "integer", minimum: 1 },
          corpus: { type: "string", enum: ["memory", "wiki", "all"] },
        },
        required: ["path"],
      },
      execute: (_callId, given) => {
        const path = stringOf(fieldsOf(given)["path"]) ?? "";
        return openly(
          () => read(parts, seat, path, fieldsOf(given)),
          (error) => ({ path, text: "", disabled: true, error }),
        );
      },
    },
  ];
}

/** Whatever goes wrong is an answer too. */
async function openly(work: () => Promise<object>, failed: (why: string) => object): Promise<ToolResult> {
  try {
    return jsonResult(await work());
  } catch (error) {
    return jsonResult(failed(messageOf(error)));
  }
}

function unavailable(error: string): object {
  const warning = "The memory cannot be reached.";
  const action =
    "See `memd status` and `memd doctor`, start it with `memd start --detach`, then search again.";
  return { results: [], disabled: true, unavailable: true, error, warning, action };
}

async function search({ memory, files }: ToolParts, seat: Seat, given: Fields): Promise<object> {
  const query = stringOf(given["query"])?.trim() ?? "";
  const kinds = KINDS_OF[String(given["corpus"])];
  const limit = Math.min(wholeIn(given, "maxResults") ?? RESULTS, MOST_RESULTS);
  const least = typeof given["minScore"] === "number" ? given["minScore"] : 0;
  if (query === "" || kinds?.length === 0) return { results: [], provider: "memd" };
  const asked = { as: seatOf(seat), query, limit, ...(kinds !== undefined && { memory_types: kinds }) };
  // What the agent has just written down is found too; a first round over many files goes on by itself.
  await Promise.race([files.follow(seat), memory.clock.sleep(FOLLOWED_MS)]);
  const { hits } = await memory.ask("searchMemories", asked);
  const results = objectsIn(hits).flatMap(({ passage, score }) => {
    const found =
      Number(score) >= least ? resultOf(files, seat, fieldsOf(passage), Number(score)) : undefined;
    return found === undefined ? [] : [found];
  });
  return { results, provider: "memd", citations: "on" };
}

const NOT_SAID = PASSAGE_KINDS.filter((kind) => kind !== "message");
/** Nobody registers another corpus with memd. */
const KINDS_OF: Readonly<Record<string, readonly string[]>> = {
  memory: NOT_SAID,
  sessions: ["message"],
  wiki: [],
};

function resultOf(files: MemoryFiles, seat: Seat, passage: Fields, score: number): object | undefined {
  const path = stringOf(passage["path"]);
  const [first, last] = listOf(passage["lines"]).map(Number);
  if (path === undefined || first === undefined || last === undefined) return undefined;
  const own = files.ownPlace(seat.scope, path);
  const before = own?.linesBefore ?? 0;
  const lines = { startLine: Math.max(1, first - before), endLine: Math.max(1, last - before) };
  const source = passage["kind"] === "message" ? "sessions" : "memory";
  const shown = own?.path ?? `${OWN}${path}`;
  const range =
    lines.startLine === lines.endLine ? `L${lines.startLine}` : `L${lines.startLine}-L${lines.endLine}`;
  const citation = `${shown}#${range}`;
  return { path: shown, ...lines, score, snippet: snippetOf(passage), source, corpus: source, citation };
}

/** With the day and who said it: without them a model takes what was for what is. */
function snippetOf(passage: Fields): string {
  const who = stringOf(passage["speaker"]) ?? stringOf(passage["role"]);
  const text = (stringOf(passage["text"]) ?? "").trim();
  const cut = text.length > SNIPPET_CHARS ? `${text.slice(0, SNIPPET_CHARS).toWellFormed()}…` : text;
  const day = stringOf(passage["day"]) ?? "";
  return `${[day, who].filter((part) => part !== undefined && part !== "").join(" ")}: ${cut}`;
}

async function read({ memory, files }: ToolParts, seat: Seat, named: string, given: Fields): Promise<object> {
  const [path = ""] = named.split("#", 1);
  const from = wholeIn(given, "from") ?? 1;
  const lines = wholeIn(given, "lines") ?? LINES_READ;
  if (!path.startsWith(OWN)) {
    const text = await files.read(seat, path);
    if (text !== undefined) return stretchOf(path, text, from, lines);
    return isMemoryFile(path)
      ? { path, text: "" }
      : { path, text: "", error: "It is no file of the memory." };
  }
  const place = path.slice(OWN.length);
  const asked = { as: seatOf(seat), path: place, from, to: from + lines - 1, max_tokens: MOST_TOKENS };
  const { parts, next } = await memory.ask("readSource", asked);
  const read = objectsIn(parts);
  const text = read.map((part) => snippetWhole(part)).join("\n");
  const last = Math.max(from, ...read.map((part) => Number(listOf(part["lines"])[1] ?? from)));
  const goesOn = next === undefined ? {} : { truncated: true, nextFrom: Math.max(last + 1, from + 1) };
  return { path, text, from, lines: last - from + 1, ...goesOn };
}

function snippetWhole(part: Fields): string {
  const who = stringOf(part["speaker"]) ?? stringOf(part["role"]);
  const text = stringOf(part["text"]) ?? "";
  return who === undefined ? text : `${stringOf(part["date"]) ?? ""} ${who}: ${text}`;
}

function stretchOf(path: string, text: string, from: number, count: number): object {
  const lines = text.split(/\r?\n/);
  const read = lines.slice(from - 1, from - 1 + count);
  const next = from + read.length;
  const goesOn = next <= lines.length ? { truncated: true, nextFrom: next } : {};
  return { path, text: read.join("\n"), from, lines: read.length, ...goesOn };
}

function wholeIn(given: Fields, name: string): number | undefined {
  const value = given[name];
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}
