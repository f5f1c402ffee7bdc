/**
 * `bench records --data DIR --sample 100 --seed N`: what memd remembers of a set by itself. The set is
 * imported as a person would, with the built-in provider, until nothing is owed any more; of the records
 * that stand then a sample is printed, each with the messages that it comes from, for reading; and the
 * profiles that they gave.
 *
 * What the conversations' people are called is theirs: each is a user of their own.
 */
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { MemoryRecord } from "../src/model/record.js";
import { bulletsIn } from "../src/historian/profile.js";
import { parseRecords } from "../src/protocol/records.js";
import { randomOf } from "../test/faults/random.js";
import { startDaemon } from "./search/daemon.js";

const BINARY = path.resolve(import.meta.dirname, "../bin/memd.js");
const BATCH = 500;
const WORKED_WITHIN_MS = 20 * 60_000;
const LOOK_MS = 500;

interface Line {
  id: string;
  conversation: string;
  session: string;
  role: string;
  speaker: string;
  text: string;
  createdAt: string;
}

export async function benchRecords(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const data = path.resolve(process.env["MEMD_BENCH_DATA"] ?? ".", options.get("data") ?? "locomo-dev");
  const most = Number(options.get("sample") ?? 100);
  const seed = Number(options.get("seed") ?? 1);
  const lines = (await fs.readFile(path.join(data, "messages.jsonl"), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-records-"));
  const root = path.join(home, "workspace");
  try {
    await promisify(execFile)(process.execPath, [BINARY, "init", root], {
      env: { ...process.env, HOME: home },
    });
    await remembered(home, root, lines);
    const records = await recordsIn(root);
    const kept = options.get("keep");
    if (kept !== undefined) await fs.cp(root, kept, { recursive: true });
    const byId = new Map(lines.map((line) => [idOf(line), line]));
    return {
      messages: lines.length,
      records: records.length,
      per_1000: Math.round((10_000 * records.length) / lines.length) / 10,
      kinds: Object.fromEntries(
        ["trait", "fact", "foresight", "episode", "event"].map((kind) => [
          kind,
          records.filter((record) => kindOf(record) === kind).length,
        ]),
      ),
      strangers: {
        records: records.flatMap((record) => {
          const told = record.sources.map((id) => byId.get(id)).filter((line) => line !== undefined);
          const strange = strangersIn(record.text, told.map(saidIn));
          return strange.length === 0 ? [] : [{ text: record.text, strange }];
        }),
        summaries: await strangersInSummaries(root, lines),
      },
      profiles: await profilesIn(root),
      sample: sampled(records, most, seed).map((record) => ({
        kind: kindOf(record),
        text: record.text,
        at: new Date(record.at).toISOString().slice(0, 10),
        from: record.sources.flatMap((id) => {
          const line = byId.get(id);
          return line === undefined ? [] : [`${line.createdAt.slice(0, 10)} ${line.speaker}: ${line.text}`];
        }),
      })),
    };
  } finally {
    await fs.rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Ids are of one conversation. */
function idOf({ conversation, id }: Line): string {
  return `${conversation}-${id}`.replaceAll(/[^\w-]+/g, "-");
}

async function remembered(home: string, root: string, lines: readonly Line[]): Promise<void> {
  const daemon = await startDaemon(home, root);
  try {
    for (let at = 0; at < lines.length; at += BATCH) {
      const messages = lines.slice(at, at + BATCH).map((line) => ({
        id: idOf(line),
        role: line.role,
        text: line.text,
        createdAt: line.createdAt,
        scope: line.conversation.replaceAll(/[^\w-]+/g, "-"),
        session: line.session,
        ...(line.role === "user" &&
          line.speaker !== "user" && {
            speaker: line.speaker,
            user: `${line.conversation}-${line.speaker.toLowerCase()}`.replaceAll(/[^\w-]+/g, "-"),
          }),
      }));
      await daemon.ask("POST", "/import", { messages, more: at + BATCH < lines.length });
    }
    for (const late = Date.now() + WORKED_WITHIN_MS; Date.now() < late;) {
      const { imported, queue } = await daemon.ask<{
        imported?: { left: number };
        queue?: { pending: number; processing: number };
      }>("GET", "/status");
      if ((imported?.left ?? 0) + (queue?.pending ?? 0) + (queue?.processing ?? 0) === 0) break;
      await new Promise((done) => setTimeout(done, LOOK_MS));
    }
  } finally {
    await daemon.stop();
  }
}

async function recordsIn(root: string): Promise<MemoryRecord[]> {
  const folder = path.join(root, "memory");
  const names = (await fs.readdir(folder, { recursive: true })).filter(
    (name) => name.includes("records") && name.endsWith(".jsonl"),
  );
  const files = await Promise.all(names.sort().map((name) => fs.readFile(path.join(folder, name), "utf8")));
  return files.flatMap((text) => parseRecords(text)).filter(({ supersededAt }) => supersededAt === undefined);
}

function saidIn({ speaker, text, createdAt, conversation }: Line): string {
  const user = `${conversation}-${speaker.toLowerCase()}`;
  return `${createdAt} ${speaker} ${user.replaceAll(/[^\w-]+/g, "-")} ${text}`;
}

/** Names and numbers of a text that stand in none of its sources; a date may follow from a time that is told there. */
function strangersIn(text: string, sources: readonly string[]): string[] {
  const told = new Set(sources.flatMap((source) => source.toLowerCase().match(WORD) ?? []));
  const tellsTime = sources.some((source) => RELATIVE.test(source));
  const words = text.match(/\b\d{4}-\d{2}(?:-\d{2})?(?!\d)|[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? [];
  return words.filter((word, at) => {
    if (/^(?:\d{4}-\d{2}|(?:19|20)\d\d$)/.test(word))
      return !tellsTime && !sources.some((source) => source.includes(word));
    const isName = /^\p{Lu}/u.test(word) && at > 0;
    return (
      (isName || /\d/.test(word)) && !(word.toLowerCase().match(WORD) ?? []).every((one) => told.has(one))
    );
  });
}
const WORD = /[\p{L}\p{N}]+/gu;
const RELATIVE =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|this|since|now|recently|lately|currently|these days|right now|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|\d{1,2}(?:st|nd|rd|th)|january|february|march|april|may|june|july|august|september|october|november|december|(?:in|on|by) \w+ \d)\b|[今昨明前后]天|[上下这本]个?[周月]|[去今明]年|周[一二三四五六日]|最近|现在/i;

/** Lines of summaries, each against all that was said in its scope. */
async function strangersInSummaries(root: string, lines: readonly Line[]): Promise<object> {
  const files = (await fs.readdir(path.join(root, "memory"), { recursive: true })).filter((name) =>
    /summary\/[\d-]+\.md$/.test(name),
  );
  const scopes = new Map<string, string[]>();
  for (const line of lines) {
    const scope = line.conversation.replaceAll(/[^\w-]+/g, "-");
    scopes.set(scope, [...(scopes.get(scope) ?? []), saidIn(line)]);
  }
  const told = new Map([...scopes].map(([scope, said]) => [scope, [said.join("\n")]]));
  const strange: string[] = [];
  let bullets = 0;
  for (const name of files) {
    const scope = /scopes\/([^/]+)\//.exec(name)?.[1] ?? "";
    const text = await fs.readFile(path.join(root, "memory", name), "utf8");
    for (const [, bullet = ""] of text.matchAll(/^- (?:\S+) (.+)$/gm)) {
      bullets++;
      if (strangersIn(bullet, told.get(decodeURIComponent(scope)) ?? []).length > 0) strange.push(bullet);
    }
  }
  return { bullets, strange };
}

async function profilesIn(root: string): Promise<Record<string, string[]>> {
  const folder = path.join(root, "memory/profiles/users");
  const names = await fs.readdir(folder).catch(() => []);
  const profiles = await Promise.all(
    names
      .sort()
      .map(async (name) => [name, bulletsIn(await fs.readFile(path.join(folder, name), "utf8"))] as const),
  );
  return Object.fromEntries(profiles);
}

function kindOf({ kind, level }: MemoryRecord): string {
  return kind === "fact" && level === "user" ? "trait" : kind;
}

function sampled<T>(all: readonly T[], most: number, seed: number): T[] {
  const random = randomOf(seed);
  return all
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ one }) => one);
}
