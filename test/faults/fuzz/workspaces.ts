/**
 * A whole workspace with one damaged file: the archive starts on it, looks,
 * writes and starts again. What stands elsewhere is untouched, what stands in
 * the damaged file arrives, and nothing unreadable is overwritten.
 */
import { readJournal } from "../../../src/protocol/journal.js";
import { parseListBytes } from "../../../src/protocol/read-list.js";
import { parseVerbatim } from "../../../src/protocol/verbatim.js";
import { dirname } from "../../../src/platform/files.js";
import { openDesk, type Desk } from "../../support/archive-desk.js";
import { put } from "./disk.js";
import { given, mustBe, type Case, type Kind, type Outcome } from "./kind.js";
import type { Rng } from "./seed.js";
import { messageOf } from "./words.js";
import { memoryDisk } from "../../support/memory-disk.js";

export const WORKSPACES: readonly Kind[] = [
  { name: "workspace", share: 0.25, perCase: 4, make: workspaceCase },
];

const NOW = "2026-02-10T12:00:00Z";
const DAYS = ["2026-02-10", "2026-02-08", "2026-01-20", "2025-11-03"] as const;
const FRESH = {
  id: "fresh",
  role: "user",
  text: "said while it was broken",
  createdAt: "2026-02-10T11:00:00Z",
};

interface Said {
  id: string;
  text: string;
  /** In JSON, as it stands in history.json. */
  piece: string;
}

async function workspaceCase(rng: Rng): Promise<Case> {
  const messages = Array.from({ length: 3 + rng.int(5) }, (_none, n) =>
    messageOf(rng, n, { id: `m${n}`, private: false, createdAt: `${rng.pick(DAYS)}T0${n}:00:00.000Z` }),
  );
  const history = JSON.stringify(messages.slice(1), null, rng.pick([0, 2]));
  const inbox = JSON.stringify({ messages: messages.slice(0, 1) });
  const desk = await openDesk({ now: NOW, files: { "history.json": history, "inbox.json": inbox } });
  await desk.pass();
  const files = { ...desk.disk.files(), "/w/inbox.d/waits.json": JSON.stringify(messages[1]) };
  // What memd put aside of its own rewriting is no part of what a start finds.
  const paths = Object.keys(files).filter((path) => !path.startsWith("/w/.memd/"));
  const lists = ["/w/history.json", "/w/inbox.json"] as const;
  const target = rng.oneIn(3) ? rng.pick(lists) : rng.pick(paths as [string, ...string[]]);
  const said = messages.map(saidIn);
  return {
    whole: Buffer.from((files as Record<string, string>)[target] ?? ""),
    try: (input) => live(files, target, input, said),
  };
}

function saidIn(raw: Record<string, unknown>): Said {
  return { id: String(raw["id"]), text: String(raw["text"]), piece: JSON.stringify(raw) };
}

async function live(
  files: Readonly<Record<string, string>>,
  target: string,
  input: Uint8Array,
  said: readonly Said[],
): Promise<Outcome> {
  const desk = await openOn(files);
  await put(desk.disk, target, input);
  await put(desk.disk, "/w/inbox.d/fresh.json", Buffer.from(JSON.stringify(FRESH)));
  await pumped(desk, desk.restart());
  await pumped(desk, desk.pass());

  const there = await everySaid(desk);
  const text = new TextDecoder().decode(input);
  mustBe("dropped", there.has(`fresh\n${FRESH.text}`), "a drop beside the damage is nowhere");
  // Journal and days each have every message: one damaged file cannot lose any.
  for (const { id, text: words } of said)
    mustBe("dropped", there.has(`${id}\n${words}`) || isIn(text, words), `${id} is nowhere: ${words}`);
  const unreadable = await isUnreadable(target, input);
  await mustStand(desk, target, input, unreadable);

  const before = settledFiles(desk);
  await pumped(desk, desk.restart());
  await pumped(desk, desk.pass());
  mustBe("changed", settledFiles(desk) === before, "a second start and pass change something");
  return unreadable ? "refused" : "parsed";
}

async function openOn(files: Readonly<Record<string, string>>): Promise<Desk> {
  const disk = memoryDisk();
  for (const [path, content] of Object.entries(files)) {
    await disk.makeDir(dirname(path));
    disk.writeInPlace(path, content);
  }
  return openDesk({ now: NOW, disk });
}

/** Time goes on while the archive waits for somebody's unfinished write. */
async function pumped(desk: Desk, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const ended = work.finally(() => (isDone = true));
  ended.catch(() => undefined);
  while (!isDone) await desk.clock.advance(250);
  await ended;
}

/** Id and text of every message of the journal and of the verbatim days that can be read. */
async function everySaid(desk: Desk): Promise<Set<string>> {
  const there = new Set<string>();
  for await (const { entry } of readJournal(desk.disk, { root: "/w" }))
    if (entry.op === "message") there.add(`${entry.filed.message.id}\n${entry.filed.message.text}`);
  for (const path of desk.files("memory/")) {
    const file = (await given(() => parseVerbatim(desk.read(path))))?.value;
    for (const { filed } of file?.blocks ?? []) there.add(`${filed.message.id}\n${filed.message.text}`);
  }
  return there;
}

/** A damaged copy of what is nowhere else still says it: it stands, for a person. */
function isIn(text: string, words: string): boolean {
  return text.includes(words) || text.includes(JSON.stringify(words).slice(1, -1));
}

async function isUnreadable(target: string, input: Uint8Array): Promise<boolean> {
  if (/^\/w\/(?:history|inbox)\.json$/.test(target)) return (await parseListBytes(input)).is !== "list";
  if (!target.endsWith(".md")) return false;
  const read = await given(() => {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(input);
    } catch {
      throw new SyntaxError("not UTF-8 text");
    }
  });
  return read === undefined || (await given(() => parseVerbatim(read.value))) === undefined;
}

/** Unreadable, it stands as it is; a list has a copy in conflicts/ too. */
async function mustStand(desk: Desk, target: string, input: Uint8Array, unreadable: boolean): Promise<void> {
  if (!unreadable) return;
  const now = (await desk.disk.read(target)) ?? new Uint8Array();
  const stands = Buffer.compare(now, input) === 0;
  const copied = await hasCopy(desk, input);
  const isSummary = target.includes("/summary/");
  mustBe("dropped", stands || copied || isSummary, `${target} is unreadable and was overwritten`);
  const isList = target.endsWith(".json") && input.byteLength > 0;
  mustBe("dropped", !isList || copied, `${target} is unreadable and has no copy`);
}

async function hasCopy(desk: Desk, input: Uint8Array): Promise<boolean> {
  for (const path of desk.files("conflicts/")) {
    const copy = await desk.disk.read(`/w/${path}`);
    if (copy !== undefined && Buffer.compare(copy, input) === 0) return true;
  }
  return false;
}

function settledFiles(desk: Desk): string {
  const files = Object.entries(desk.disk.files()).filter(([path]) => !path.startsWith("/w/.memd/"));
  return JSON.stringify(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}
