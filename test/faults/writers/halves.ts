/**
 * A host that writes in place and is stopped at a byte: at every one of them the
 * half is never taken for an empty file, never overwritten, its whole messages
 * are in the journal, and when the rest arrives nothing is there twice.
 */
import { salvage } from "../../../src/protocol/read-list.js";
import { rewriteMemory } from "../../../src/protocol/memory-file.js";
import { openDesk, said, type Desk } from "../../support/archive-desk.js";

const NOW = "2026-02-20T12:00:00Z";
const AT = "2026-02-19T10:00:00Z";
/** Braces, quotes and escapes inside of texts, an object within a message, letters of several bytes. */
const MESSAGES = [
  said("a", AT, 'first: "{" and \\" and }]', { session: "trip" }),
  said("b", AT, '第二条 {"role": "user"', { tool: { name: "look", callId: "c1", input: { text: "inner" } } }),
  said("c", AT, "third\nline"),
];
const LIST = JSON.stringify(MESSAGES, null, 1);
const DROP = JSON.stringify({ role: "user", text: 'a {drop} with "quotes"', createdAt: AT });
const MEMORY = "# Facts\n\n- lives in Aarhus\n- likes 茶\n- has a cat\n";

/** It is short: the short form, too, shall meet more of it than its beginning. */
const MEMORY_STEP = 7;

export interface Stopped {
  bytes: Record<"history.json" | "inbox.json" | "drop" | "memory.md" | "late save of memory.md", number>;
  failures: string[];
}

export async function stopAtEveryByte(step: number): Promise<Stopped> {
  const failures: string[] = [];
  const bytes = { "history.json": 0, "inbox.json": 0, drop: 0, "memory.md": 0, "late save of memory.md": 0 };
  for (const cut of cutsOf(LIST, step)) {
    for (const file of ["history.json", "inbox.json"] as const) {
      await listStopped(file, cut, failures);
      bytes[file]++;
    }
  }
  for (const cut of cutsOf(DROP, step)) {
    await dropStopped(cut, failures);
    bytes.drop++;
  }
  for (const cut of cutsOf(MEMORY, Math.min(step, MEMORY_STEP))) {
    await memoryStopped(cut, failures);
    await lateSaveStopped(cut, failures);
    bytes["memory.md"]++;
    bytes["late save of memory.md"]++;
  }
  return { bytes, failures };
}

/** Every prefix that is not the whole, the empty one too. */
function* cutsOf(text: string, step: number): Generator<Buffer> {
  const whole = Buffer.from(text);
  for (let length = 0; length < whole.length; length += step) yield whole.subarray(0, length);
}

/** In place, byte for byte: a half may end within a letter. */
async function put(desk: Desk, file: string, bytes: Uint8Array): Promise<void> {
  await desk.disk.unlink(`/w/${file}`);
  const out = await desk.disk.create(`/w/${file}`);
  await out?.write(bytes);
  await out?.close();
}

async function listStopped(
  file: "history.json" | "inbox.json",
  cut: Buffer,
  failures: string[],
): Promise<void> {
  const desk = await openDesk({ now: NOW, files: { "history.json": [], "inbox.json": [] } });
  const what = `halves: ${file} stopped at byte ${cut.length}`;
  await put(desk, file, cut);
  await desk.disk.makeDir("/w/inbox.d");
  desk.write("inbox.d/waits.json", { role: "user", text: "waits", createdAt: AT });
  await patiently(desk, () => desk.archive.look());
  await patiently(desk, () => desk.pass());
  if (!cut.equals(Buffer.from((await desk.disk.read(`/w/${file}`)) ?? [])))
    failures.push(`${what} was overwritten`);
  const whole = salvage(cut.toString()).map((message) => (message as { id: string }).id);
  const journal = journalOf(desk);
  for (const id of whole)
    if (!journal.includes(`"id":"${id}"`)) failures.push(`${what}: ${id} is not in the journal`);
  if (cut.length > 0 && desk.files("conflicts/").length === 0)
    failures.push(`${what} has no copy in conflicts/`);
  desk.write(file, LIST);
  await patiently(desk, () => desk.pass());
  await patiently(desk, () => desk.pass());
  const other = file === "history.json" ? "inbox.json" : "history.json";
  const ids = (name: string): string =>
    (JSON.parse(desk.read(name)) as { id: string }[]).map(({ id }) => id).join();
  const blocks = desk.blocks().map(({ block }) => block.filed.message.id);
  if (ids(file) !== "a,b,c,waits") failures.push(`${what}: with the rest it holds ${ids(file)}`);
  if (ids(other) !== "waits") failures.push(`${what}: ${other} holds ${ids(other)}`);
  if (blocks.sort().join() !== "a,b,c,waits") failures.push(`${what}: archived are ${blocks.join()}`);
}

async function dropStopped(cut: Buffer, failures: string[]): Promise<void> {
  const desk = await openDesk({ now: NOW, files: { "history.json": [], "inbox.json": [] } });
  const what = `halves: a drop stopped at byte ${cut.length}`;
  await desk.disk.makeDir("/w/inbox.d");
  await put(desk, "inbox.d/one.json", cut);
  for (let looks = 0; looks < 3; looks++) await desk.archive.look();
  if (!cut.equals(Buffer.from((await desk.disk.read("/w/inbox.d/one.json")) ?? [])))
    failures.push(`${what} was touched`);
  if (desk.read("history.json") !== "[]" || desk.read("inbox.json") !== "[]")
    failures.push(`${what} was taken in`);
  desk.write("inbox.d/one.json", DROP);
  await desk.pass();
  await desk.pass();
  const blocks = desk.blocks().map(({ block }) => block.filed.message.id);
  if (blocks.join() !== "one" || desk.history().length !== 1)
    failures.push(`${what}: archived are ${blocks.join()}`);
}

/** memd wants to add a line all the while. */
async function memoryStopped(cut: Buffer, failures: string[]): Promise<void> {
  const desk = await openDesk({ now: NOW, files: { "memory.md": MEMORY } });
  const { writer, workspace, clock } = desk.archive.context;
  await put(desk, "memory.md", cut);
  const adding = rewriteMemory(writer, workspace, clock, (text) => `${text}- fact\n`).catch(
    (error: unknown) => failures.push(`halves: memory.md stopped at byte ${cut.length}: ${String(error)}`),
  );
  await desk.clock.advance(900);
  if (!cut.equals(Buffer.from((await desk.disk.read("/w/memory.md")) ?? [])))
    failures.push(`halves: memory.md stopped at byte ${cut.length} was rewritten`);
  desk.write("memory.md", MEMORY);
  await patiently(desk, () => adding);
  if (desk.read("memory.md") !== `${MEMORY}- fact\n`)
    failures.push(`halves: memory.md stopped at byte ${cut.length} ends as another`);
}

/** The editor has the file open that memd replaced. */
async function lateSaveStopped(cut: Buffer, failures: string[]): Promise<void> {
  const desk = await openDesk({ now: NOW, files: { "memory.md": MEMORY } });
  const what = `halves: a late save of memory.md stopped at byte ${cut.length}`;
  await desk.clock.advance(2000);
  const { writer, workspace, clock } = desk.archive.context;
  await rewriteMemory(writer, workspace, clock, (text) => `${text}- fact\n`);
  await desk.archive.look();
  const [old = ""] = desk.files(".memd/displaced/").filter((file) => !file.endsWith(".base"));
  await put(desk, old, cut);
  await desk.archive.look();
  await desk.clock.advance(900);
  await desk.archive.look();
  if (desk.read("memory.md") !== `${MEMORY}- fact\n`) failures.push(`${what} was merged`);
  desk.write(old, MEMORY.replace("cat", "dog"));
  for (let looks = 0; looks < 4; looks++) {
    await desk.archive.look();
    await desk.clock.advance(1000);
  }
  if (desk.read("memory.md") !== `${MEMORY.replace("cat", "dog")}- fact\n`)
    failures.push(`${what} ends as another`);
}

function journalOf(desk: Desk): string {
  return desk
    .files("journal/")
    .map((file) => desk.read(file))
    .join("");
}

/** Lets time pass while memd waits for a file to become whole. */
async function patiently(desk: Desk, work: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = work().finally(() => (isOver = true));
  while (!isOver) await desk.clock.advance(250);
  await end;
}
