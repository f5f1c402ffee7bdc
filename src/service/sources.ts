/**
 * The files of the memory as whoever asks may read them: off the index, which knows of each stretch whose
 * it is, and has neither secrets nor what is private. A file of others is as one that is not there.
 */
import type { Viewer } from "../model/address.js";
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import { foundOf, type Listed } from "../model/found.js";
import { basename, shortHash } from "../platform/files.js";
import { type FoundFile, placeOf } from "../recall/walk.js";
import { characterBorder } from "../text/sentences.js";
import { estimateTokens, tokenPrefixLength } from "../text/tokens.js";
import { type Filed, filedSince } from "./journal-source.js";
import type { Memd } from "./memd.js";
import type { AnswerOf, ParsedOf } from "./operations.js";
import type { Part, Source } from "./operations/sources.js";
import { linesInCopy, withOriginals } from "./originals.js";

const SOURCES_LISTED = 200;
const TOKENS_READ = 4000;
/** Of a file so many stretches are looked at, of up to 16,000 characters each. */
const MOST_PARTS = 1000;

const KINDS = {
  memory: "memory",
  verbatim: "day",
  summary: "summary",
  records: "records",
  user_records: "records",
  profile: "profile",
  document: "document",
} as const satisfies Record<FoundFile["kind"], Source["kind"]>;

/** In this order, each the newest first. */
const ORDER: readonly (readonly Source["kind"][])[] = [
  ["memory"],
  ["profile"],
  ["summary", "day"],
  ["document"],
  ["records"],
  ["journal"],
];

/** `memory.md` and profiles first, then what is newest. */
export async function listSources(
  memd: Memd,
  viewer: Viewer,
  { limit = SOURCES_LISTED }: ParsedOf<"listSources">,
): Promise<AnswerOf<"listSources">> {
  await memd.caughtUp();
  const sources = (await memd.search.paths(viewer)).map(sourceAt);
  return { sources: sources.sort(inOrder).slice(0, limit) };
}

/** Throws `source_unknown` for what is not there, or nothing of it is the viewer's to read. */
export async function readSource(
  memd: Memd,
  viewer: Viewer,
  asked: ParsedOf<"readSource">,
): Promise<AnswerOf<"readSource">> {
  await memd.caughtUp();
  const { path, from = 1, to = Number.MAX_SAFE_INTEGER, offset = 0, max_tokens: most = TOKENS_READ } = asked;
  const room = { offset, most };
  const lines = { path, from, to };
  const read = (await readLines(memd, viewer, lines, room)) ?? (await readMoved(memd, viewer, lines, room));
  // Which lines there are of a file that somebody may not read is as little told as that it is there.
  if (read === undefined) throw unknown(path, from, to);
  return read;
}

interface Room {
  offset: number;
  most: number;
}

interface LinesOf {
  path: string;
  from: number;
  to: number;
}

async function readLines(
  memd: Memd,
  viewer: Viewer,
  { path, from, to }: LinesOf,
  room: Room,
): Promise<AnswerOf<"readSource"> | undefined> {
  const found = await memd.search.read(path, viewer, { from, to, most: MOST_PARTS });
  if (found.length === 0) return undefined;
  const parts = (await withOriginals(memd, found)).map(partOf);
  return { path, kind: sourceAt(path).kind, ...stretchOf(parts, { from, ...room }) };
}

/** What stands elsewhere than where it was named: a message that has its day by now, a file of the owner's in its copy. */
async function readMoved(
  memd: Memd,
  viewer: Viewer,
  lines: LinesOf,
  room: Room,
): Promise<AnswerOf<"readSource"> | undefined> {
  const filed = await filedSince(memd, viewer, { path: lines.path, line: lines.from });
  if (filed !== undefined) return readMessage(memd, viewer, filed, room);
  const copied = await linesInCopy(memd, lines);
  return copied && readLines(memd, viewer, copied, room);
}

/** In its day, which may have more before it than is read at once. */
async function readMessage(
  memd: Memd,
  viewer: Viewer,
  { path, messageId }: Filed,
  { offset, most }: Room,
): Promise<AnswerOf<"readSource">> {
  for (let from = 1; ;) {
    const found = await memd.search.read(path, viewer, {
      from,
      to: Number.MAX_SAFE_INTEGER,
      most: MOST_PARTS,
    });
    const parts = found.map(partOf).filter(({ messageIds }) => messageIds.some((id) => id === messageId));
    const [first] = parts;
    if (first !== undefined)
      return { path, kind: "day", ...stretchOf(parts, { from: first.lines[0], offset, most }) };
    const last = found.at(-1)?.passage.lines[1];
    if (last === undefined || last < from) throw unknown(path, 1, Number.MAX_SAFE_INTEGER);
    from = last + 1;
  }
}

function unknown(path: string, from: number, to: number): MemdError {
  const lines = from === 1 && to === Number.MAX_SAFE_INTEGER ? "" : " on these lines";
  return new MemdError("source_unknown", `There is nothing to read in ${path}${lines}.`);
}

function partOf(listed: Listed): Part {
  const { lines, text } = listed.passage;
  return { ...foundOf(listed), lines, revision: shortHash(text) };
}

/** `offset`: characters that were read before of what stands on line `from`. */
function stretchOf(
  parts: readonly Part[],
  { from, offset, most }: Room & { from: number },
): Pick<AnswerOf<"readSource">, "parts" | "next"> {
  const read: Part[] = [];
  let [passed, tokens] = [offset, most];
  for (const [index, part] of parts.entries()) {
    const skipped = part.lines[0] <= from ? Math.min(passed, part.text.length) : 0;
    passed -= skipped;
    const rest = part.text.slice(skipped);
    const taken = tokens > 0 ? tokenPrefixLength(rest, tokens) : 0;
    if (taken < rest.length || (index === MOST_PARTS - 1 && parts.length === MOST_PARTS)) {
      const end = characterBorder(rest, taken);
      if (end > 0) read.push({ ...part, text: rest.slice(0, end) });
      const [line] = part.lines;
      const beside = parts.slice(0, index).filter(({ lines }) => lines[0] <= line && lines[1] >= line);
      const before = beside.reduce((chars, { text }) => chars + text.length, 0);
      return { parts: read, next: { from: line, offset: before + skipped + end } };
    }
    if (rest !== "") read.push({ ...part, text: rest });
    tokens -= estimateTokens(rest);
  }
  return { parts: read };
}

/** What a path alone tells of a file. */
export function sourceAt(path: string): Source {
  const kind = placeOf(path)?.kind;
  const date = kind === "verbatim" || kind === "summary" ? dateOf(path) : undefined;
  return defined({ path, kind: kind === undefined ? "journal" : KINDS[kind], date });
}

/** Of `2026-03-07-the-boat.md` and `2026-03.md`. */
function dateOf(path: string): string | undefined {
  return /^\d{4}-\d{2}(?:-\d{2})?/.exec(basename(path))?.[0];
}

function inOrder(one: Source, other: Source): number {
  const place = ({ kind }: Source): number => ORDER.findIndex((kinds) => kinds.includes(kind));
  return (
    place(one) - place(other) ||
    (other.date ?? "").localeCompare(one.date ?? "") ||
    (one.path < other.path ? -1 : 1)
  );
}
