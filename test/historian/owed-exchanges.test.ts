/** What is owed of an import: looked at as any exchange is, when nothing of today waits. */
import { expect, test } from "vitest";
import type { JobOutcome } from "../../src/model/work.js";
import type { IncomingMessage, MessageId } from "../../src/model/message.js";
import { DAY_MS, epochMs, isoOf, MINUTE_MS, SECOND_MS } from "../../src/model/time.js";
import type { ExtractJob } from "../../src/llm/jobs/extract.js";
import type { JobResult } from "../../src/llm/jobs/registry.js";
import { systemClock } from "../../src/platform/clock.js";
import type { CursorEntry } from "../../src/protocol/cursors.js";
import { parseRecords } from "../../src/protocol/records.js";
import { instant, said } from "../support/archive-desk.js";
import { openStage, type Stage } from "../support/stage.js";

const NOW = instant("2026-03-02T12:00:00Z");
const LAST_YEAR = instant("2025-03-02T09:00:00Z");

type Options = NonNullable<Parameters<typeof openStage>[1]>;

async function opened(files: Record<string, unknown> = {}, options: Options = {}): Promise<Stage> {
  const stage = await openStage({ "history.json": [], ...files }, { clock: systemClock(NOW), ...options });
  await stage.supervisor.start({ watch: false, work: true });
  return stage;
}

/** So many exchanges of a conversation, two minutes apart. */
function talk(session: string, exchanges: number, from: number = LAST_YEAR): IncomingMessage[] {
  return Array.from({ length: exchanges }, (_, number): IncomingMessage[] => {
    const at = (seconds: number): string =>
      isoOf(epochMs(from + number * 2 * MINUTE_MS + seconds * SECOND_MS));
    const id = (role: string): MessageId => `${role}-${session}-${number}` as MessageId;
    const text = `${session} says ${number}.`;
    return [
      { id: id("q"), role: "user", text, session, createdAt: at(0) },
      { id: id("a"), role: "agent", text: "I see.", session, createdAt: at(20) },
    ];
  }).flat();
}

/** Keeps what it was asked about: the words of people. Each is a fact. */
function listening(): { extract: NonNullable<Options["extract"]>; asked: string[][]; heard: () => string[] } {
  const asked: string[][] = [];
  const extract = async (job: ExtractJob): Promise<JobOutcome<JobResult>> => {
    const spoken = job.utterances.filter(({ role }) => role === "user").map(({ text }) => text);
    asked.push(spoken);
    const findings = job.utterances.flatMap(({ role, text }, index) =>
      role === "user"
        ? [{ kind: "fact" as const, text: `Noted: ${text}`, from: [job.earlier.length + index + 1] }]
        : [],
    );
    return { to: "done", usage: [], result: { kind: "extract", id: job.id, by: "m", findings } };
  };
  return { extract, asked, heard: () => asked.flat() };
}

const expected = (session: string, exchanges: number): string[] =>
  Array.from({ length: exchanges }, (_, number) => `${session} says ${number}.`);
const cursors = (stage: Stage): CursorEntry[] =>
  (JSON.parse(stage.read("queue/cursors.json")) as { conversations: CursorEntry[] }).conversations;
const filesOf = (stage: Stage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(stage.disk.files()).flatMap(([path, text]) =>
      path.startsWith("/w/") ? [[path.replace("/w/", ""), text]] : [],
    ),
  );
const waiting = (stage: Stage): string[] =>
  Object.keys(stage.disk.files()).filter((path) => /^\/w\/queue\/(pending|processing)\//.test(path));

test("every exchange that was imported is looked at once, however often memd starts and the import is made", async () => {
  const { extract, asked, heard } = listening();
  const stage = await opened({}, { extract, settings: { worker: { max_processes: 1 } } });
  const past = [...talk("a", 20), ...talk("b", 3, LAST_YEAR + DAY_MS)];
  await stage.supervisor.importMessages(past);
  await stage.supervisor.finished();
  expect(heard()).toEqual([...expected("a", 20), ...expected("b", 3)]);
  // In stretches, as they would have been at the time.
  expect(asked.map((texts) => texts.length)).toEqual([8, 8, 4, 3]);
  expect(stage.supervisor.historian.owed.progress).toEqual({ exchanges: 23, left: 0 });
  expect(parseRecords(stage.read("memory/records/2026-03.jsonl"))).toHaveLength(23);
  await stage.supervisor.importMessages(past);
  await stage.supervisor.finished();
  await stage.supervisor.stop();
  const again = listening();
  const second = await opened(filesOf(stage), { extract: again.extract });
  await second.supervisor.finished();
  expect(heard()).toHaveLength(23);
  expect(again.asked).toEqual([]);
});

test("of years that are owed only what is about to be worked stands in the queue; the rest is a cursor", async () => {
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  const { extract, heard } = listening();
  const stage = await opened({}, { extract: (job) => held.then(() => extract(job)) });
  for (let month = 0; month < 12; month++)
    await stage.supervisor.importMessages(talk(`s${month}`, 30, LAST_YEAR + month * 20 * DAY_MS));
  await stage.supervisor.idle();
  expect(waiting(stage).length).toBeLessThanOrEqual(12);
  expect(stage.supervisor.historian.owed.progress).toMatchObject({ exchanges: 360 });
  answer();
  await stage.supervisor.finished();
  expect(heard()).toHaveLength(360);
  expect(new Set(heard()).size).toBe(360);
  expect(waiting(stage)).toEqual([]);
  expect(cursors(stage)).toHaveLength(12);
  expect(cursors(stage).every(({ of, stretch }) => of === "import" && stretch.said.length === 0)).toBe(true);
});

test("what is said today is worked before the years that are owed", async () => {
  const { extract, heard } = listening();
  const off = await opened({}, { settings: { cognitive: { enabled: false } } });
  for (let month = 0; month < 12; month++)
    await off.supervisor.importMessages(talk(`s${month}`, 10, LAST_YEAR + month * 20 * DAY_MS));
  await off.supervisor.idle();
  await off.supervisor.stop();
  const today = said("q-today", "2026-03-02T11:00:00Z", "Said today.");
  const stage = await opened({ ...filesOf(off), "history.json": [today] }, { extract });
  await stage.supervisor.finished();
  expect(heard()[0]).toBe("Said today.");
  expect(heard()).toHaveLength(121);
  // The oldest first, of those.
  expect(heard()[1]).toBe("s0 says 0.");
});

test("a conversation goes on where an import is made again later, and what came before it is looked at too", async () => {
  const { extract, heard } = listening();
  const stage = await opened({}, { extract });
  const all = talk("a", 6);
  for (const part of [all.slice(4, 8), all.slice(8), all.slice(0, 4)]) {
    await stage.supervisor.importMessages(part);
    await stage.supervisor.finished();
  }
  expect(heard().toSorted()).toEqual(expected("a", 6));
  expect(stage.supervisor.historian.owed.progress.left).toBe(0);
});

test("what was imported and stands in history.json as well is looked at once", async () => {
  const { extract, heard } = listening();
  const stage = await opened({}, { extract });
  const past = talk("main", 3);
  await stage.supervisor.importMessages(past);
  stage.write("history.json", [...past, said("new", "2026-03-02T11:30:00Z", "New.")]);
  stage.supervisor.changed();
  await stage.supervisor.finished();
  expect(heard().toSorted()).toEqual(["New.", ...expected("main", 3)]);
});

test("half of a day's tokens is for what is said that day", async () => {
  const { extract, heard } = listening();
  const spent = {
    at: isoOf(NOW),
    role: "historian",
    feature: "x",
    model: "m",
    tokensIn: 60,
    tokensOut: 0,
    ms: 1,
  };
  const usage = `${JSON.stringify({ ...spent, tokensCached: 0, outcome: "ok" })}\n`;
  const stage = await opened(
    { "logs/usage.jsonl": usage },
    { extract, settings: { llm: { daily_tokens: 100 } } },
  );
  await stage.supervisor.importMessages(talk("a", 2));
  stage.write("history.json", [said("q", "2026-03-02T11:00:00Z", "Said today.")]);
  stage.supervisor.changed();
  await stage.supervisor.finished();
  expect(heard()).toEqual(["Said today."]);
  expect(stage.supervisor.historian.owed.progress).toEqual({ exchanges: 2, left: 2, oldestAt: LAST_YEAR });
});

test.each([
  ["a cursor", "rename", "cursors.json", 0],
  ["the second job of a conversation", "link", "-past-", 1],
] as const)(
  "where the disk refuses %s, that is made up for before anything is worked, and nothing is worked twice",
  async (_what, refused, file, after) => {
    const { extract, heard } = listening();
    const stage = await opened({}, { extract });
    let times = 0;
    stage.disk.before((operation, ...paths) => {
      if (operation !== refused || !paths.some((path) => path.includes(file))) return;
      times += 1;
      if (times > after && times <= after + 2) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    });
    await stage.supervisor.importMessages(talk("a", 20));
    for (let tries = 0; heard().length < 20 && tries < 6; tries++) {
      stage.supervisor.wake();
      await stage.supervisor.finished().catch(() => undefined);
    }
    expect(times).toBeGreaterThan(after + 2);
    expect(heard()).toEqual(expected("a", 20));
  },
);
