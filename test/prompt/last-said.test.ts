/** Whatever becomes of history.json, the last twenty messages of the conversation stand in History. */
import { describe, expect, test } from "vitest";
import { prune, prunePlan } from "../../src/archive/prune.js";
import { parseInstant } from "../../src/model/time.js";
import { systemClock } from "../../src/platform/clock.js";
import { extractive, failing, instant, said } from "../support/archive-desk.js";
import { endJob } from "../support/end-job.js";
import { openStage, type Stage } from "../support/stage.js";
import { supervisorOn } from "../support/supervisor-in-memory.js";
import { talkOf } from "../support/topic-talk.js";
import { sectionOf } from "../context/given.js";

const NOW = "2026-02-20T12:00:00Z";
type Said = Record<string, unknown>;

/** One message a minute, question and answer in turn; `more` of each. */
function talk(count: number, from: string, more: object = {}): Said[] {
  const begins = parseInstant(from) ?? expect.fail();
  return Array.from({ length: count }, (_unused, index) => {
    const at = new Date(begins + index * 60_000).toISOString();
    const role = index % 2 === 0 ? "user" : "agent";
    return { ...said(`${from}/${index}`, at, `word ${index} of ${from}`), role, ...more };
  });
}

async function opened(
  files: Record<string, unknown>,
  options: Parameters<typeof openStage>[1] = {},
): Promise<Stage> {
  const stage = await openStage(files, options);
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.idle();
  return stage;
}

async function rewritten(stage: Stage, history: unknown): Promise<void> {
  stage.write("history.json", history);
  await stage.supervisor.settled();
}

/** What was settled stands in the days alone. */
async function archived(stage: Stage): Promise<void> {
  await stage.supervisor.archiveNow();
  await stage.supervisor.idle();
}

/** As after a restart, in a process of its own. */
async function promptAfterRestart(stage: Stage): Promise<string[]> {
  await stage.supervisor.stop();
  const next = supervisorOn(stage.disk, systemClock(instant(NOW)));
  await next.start({ watch: false, work: false });
  await next.settled();
  await next.stop();
  return shown(stage);
}

/** What History shows, oldest first. */
function shown(stage: Stage, folder = "teller"): string[] {
  const section = sectionOf(stage.read(`${folder}/prompt.md`), "History") ?? "";
  return section
    .split("\n")
    .slice(2)
    .map((line) => line.replace(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2} [^:]+: /, ""));
}

const texts = (messages: readonly Said[]): unknown[] => messages.map(({ text }) => text);
const lastOf = (messages: readonly Said[]): unknown[] => texts(messages.slice(-20));

describe("the last twenty messages stand in History, in order and whole", () => {
  test("on a first start with 320 old messages and 12 new ones", async () => {
    const history = [...talk(320, "2025-11-03T08:00:00Z"), ...talk(12, "2026-02-20T08:00:00Z")];
    const stage = await opened({ "history.json": history });
    expect(JSON.parse(stage.read("history.json"))).toHaveLength(200);
    expect(shown(stage)).toEqual(lastOf(history));
    expect(await promptAfterRestart(stage)).toEqual(lastOf(history));
  });

  test("while a model is down for days and 380 messages wait", async () => {
    const history = [...talk(180, "2026-02-03T08:00:00Z"), ...talk(200, "2026-02-11T08:00:00Z")];
    const stage = await opened({ "history.json": history }, { answer: failing });
    for (const day of ["2026-02-17", "2026-02-18", "2026-02-19"]) {
      const more = talk(4, `${day}T09:00:00Z`);
      history.push(...more);
      await rewritten(stage, [...(JSON.parse(stage.read("history.json")) as Said[]), ...more]);
      await archived(stage);
      expect(shown(stage)).toEqual(lastOf(history));
    }
    expect(JSON.parse(stage.read("history.json"))).toHaveLength(200);
    expect(await promptAfterRestart(stage)).toEqual(lastOf(history));
  });

  test("where most of the conversation was imported, before and between what the host has", async () => {
    const imported = [...talk(60, "2026-02-18T08:00:00Z"), ...talk(6, "2026-02-19T08:03:30Z")];
    const own = [...talk(4, "2026-02-19T08:00:00Z"), ...talk(4, "2026-02-20T08:00:00Z")];
    const stage = await opened({ "history.json": own });
    expect(shown(stage)).toEqual(texts(own));
    await stage.supervisor.importMessages(imported as never);
    await stage.supervisor.settled();
    const all = [...imported.slice(0, 60), ...own.slice(0, 4), ...imported.slice(60), ...own.slice(4)];
    expect(shown(stage)).toEqual(lastOf(all));
    expect(await promptAfterRestart(stage)).toEqual(lastOf(all));
  });

  test("where an import is newer than a long history", async () => {
    const own = talk(30, "2026-02-18T08:00:00Z");
    const imported = talk(5, "2026-02-19T08:00:00Z");
    const stage = await opened({ "history.json": own });
    await stage.supervisor.importMessages(imported as never);
    await stage.supervisor.settled();
    expect(shown(stage)).toEqual(lastOf([...own, ...imported]));
  });

  test("after a host has begun another file, has emptied it or taken it away, archived or not", async () => {
    const before = [...talk(12, "2026-02-09T08:00:00Z"), ...talk(18, "2026-02-19T08:00:00Z")];
    const fresh = talk(2, "2026-02-20T09:00:00Z");
    for (const isArchived of [false, true]) {
      const stage = await opened({ "history.json": before });
      if (isArchived) await archived(stage);
      await rewritten(stage, fresh);
      expect(shown(stage)).toEqual(lastOf([...before, ...fresh]));
      await rewritten(stage, []);
      expect(shown(stage)).toEqual(lastOf([...before, ...fresh]));
      await stage.disk.unlink("/w/history.json");
      await stage.supervisor.settled();
      expect(shown(stage)).toEqual(lastOf([...before, ...fresh]));
      expect(await promptAfterRestart(stage)).toEqual(lastOf([...before, ...fresh]));
    }
  });

  test("where the host lets go of all but its last few", async () => {
    const history = talk(40, "2026-02-19T08:00:00Z");
    const stage = await opened({ "history.json": history.slice(0, 30) });
    await rewritten(stage, history.slice(25));
    await rewritten(stage, history.slice(34));
    expect(shown(stage)).toEqual(lastOf(history));
  });

  test("where the file says the newest first", async () => {
    const history = talk(60, "2026-02-19T08:00:00Z");
    const stage = await opened({ "history.json": history.toReversed() });
    expect(shown(stage)).toEqual(lastOf(history));
  });

  test("where another conversation fills history.json", async () => {
    const quiet = talk(24, "2026-02-10T08:00:00Z", { session: "quiet" });
    const busy = talk(260, "2026-02-12T08:00:00Z", { session: "busy" });
    const stage = await opened({ "history.json": [...quiet, ...busy] });
    expect(JSON.parse(stage.read("history.json"))).toHaveLength(200);
    const question = { ...said("q", "2026-02-20T10:00:00Z", "and now?"), session: "quiet" };
    stage.write("inbox.json", [question]);
    await stage.supervisor.settled();
    expect(shown(stage, "teller/main/quiet")).toEqual(lastOf(quiet));
    expect(shown(stage)).toEqual(lastOf(quiet));
  });

  test('and in a window too, with `context.profile = "full"`', async () => {
    const before = talk(30, "2026-02-19T08:00:00Z");
    const fresh = talk(2, "2026-02-20T09:00:00Z");
    const settings = { context: { profile: "full" } };
    const stage = await opened({ "history.json": before }, { settings });
    await rewritten(stage, fresh);
    expect(shown(stage)).toEqual(lastOf([...before, ...fresh]));
  });
});

test("where the conversation is kept in topics, the last twenty stand in History all the same", async () => {
  const settings = { topics: { enabled: true, window_tokens: 2000 } };
  const history = [
    ...talkOf("ferry", 30, "2026-02-15T10:00:00Z"),
    ...talkOf("tea", 30, "2026-02-17T10:00:00Z"),
    ...talkOf("python", 30, "2026-02-19T10:00:00Z"),
  ];
  const stage = await opened({ "history.json": history }, { settings });
  const told = (): string[] =>
    texts(history).filter((text) => shown(stage).includes(String(text))) as string[];
  expect(stage.events.map(({ event }) => event)).toContain("topic_split");
  expect(told().slice(-20)).toEqual(lastOf(history));
  await archived(stage);
  await rewritten(stage, talk(1, "2026-02-20T09:00:00Z"));
  expect(told().slice(-19)).toEqual(texts(history.slice(-19)));
});

describe("what the host itself took out is not shown again", () => {
  test("after a rewind", async () => {
    for (const isArchived of [false, true]) {
      const history = talk(12, "2026-02-19T08:00:00Z");
      const stage = await opened({ "history.json": history });
      if (isArchived) await archived(stage);
      await rewritten(stage, history.slice(0, 6));
      expect(shown(stage)).toEqual(texts(history.slice(0, 6)));
      const again = talk(2, "2026-02-20T09:00:00Z");
      await rewritten(stage, [...history.slice(0, 6), ...again]);
      expect(shown(stage)).toEqual(texts([...history.slice(0, 6), ...again]));
      await archived(stage);
      expect(await promptAfterRestart(stage)).toEqual(texts([...history.slice(0, 6), ...again]));
    }
  });

  test("when an answer is given anew, the first one too, whose clock is behind", async () => {
    const question = said("q", "2026-02-20T09:00:05Z", "how high is the dam?");
    const answer = (id: string, text: string): Said => ({
      ...said(id, "2026-02-20T09:00:02Z", text),
      role: "agent",
    });
    const stage = await opened({ "history.json": [question, answer("a", "twelve metres")] });
    await archived(stage);
    await rewritten(stage, [question, answer("b", "forty metres")]);
    expect(shown(stage)).toEqual(["how high is the dam?", "forty metres"]);
    expect(await promptAfterRestart(stage)).toEqual(["how high is the dam?", "forty metres"]);
  });

  test("from the middle, while older and newer ones stay", async () => {
    const history = talk(10, "2026-02-19T08:00:00Z");
    const stage = await opened({ "history.json": history });
    await rewritten(stage, [...history.slice(0, 4), ...history.slice(6)]);
    expect(shown(stage)).toEqual(texts([...history.slice(0, 4), ...history.slice(6)]));
  });

  test("also once nothing older stands: in another file, after a restart, when the journal was pruned", async () => {
    const history = talk(12, "2026-02-17T08:00:00Z");
    const fresh = talk(2, "2026-02-20T09:00:00Z");
    const stage = await opened({ "history.json": history });
    await archived(stage);
    await rewritten(stage, [...history.slice(0, 6), ...history.slice(8)]);
    const { context } = stage.supervisor.archive;
    await prune(context, await prunePlan(context, new Set()));
    await rewritten(stage, fresh);
    const left = [...history.slice(0, 6), ...history.slice(8), ...fresh];
    expect(shown(stage)).toEqual(texts(left));
    expect(await promptAfterRestart(stage)).toEqual(texts(left));
  });

  test("unless it puts it back", async () => {
    const history = talk(8, "2026-02-19T08:00:00Z");
    const stage = await opened({ "history.json": history });
    await rewritten(stage, history.slice(0, 4));
    await rewritten(stage, history);
    await rewritten(stage, talk(1, "2026-02-20T09:00:00Z"));
    expect(shown(stage)).toEqual(texts([...history, ...talk(1, "2026-02-20T09:00:00Z")]));
  });

  test("though it was imported before the host had it", async () => {
    const history = talk(8, "2026-02-19T08:00:00Z");
    const stage = await opened({});
    await stage.supervisor.importMessages(history as never);
    await rewritten(stage, history);
    await rewritten(stage, history.slice(0, 6));
    expect(shown(stage)).toEqual(texts(history.slice(0, 6)));
    expect(await promptAfterRestart(stage)).toEqual(texts(history.slice(0, 6)));
  });

  test("but what memd let go of while a call waited for its result is", async () => {
    const settings = {
      history: {
        soft_limit_messages: 6,
        hard_limit_messages: 8,
        keep_newest_messages: 4,
        keep_today_messages: 0,
      },
    };
    const call = { name: "tides", callId: "c1" };
    const began = { ...said("call", "2026-02-18T08:00:00Z", "I look."), role: "agent", tool: call };
    const ended = {
      ...said("end", "2026-02-19T10:00:00Z", ""),
      role: "tool",
      tool: { ...call, result: "9" },
    };
    const between = talk(12, "2026-02-18T09:00:00Z");
    const stage = await opened({ "history.json": [began, ...between, ended] }, { settings });
    await archived(stage);
    const standing = JSON.parse(stage.read("history.json")) as Said[];
    expect(standing.map(({ id }) => id)).toContain("call");
    expect(standing.length).toBeLessThan(10);
    expect(shown(stage).slice(0, 13)).toEqual(["I look.", ...texts(between)]);
  });
});

describe("what is not to be shown", () => {
  const before = talk(16, "2026-02-19T08:00:00Z");
  const fresh = talk(2, "2026-02-20T09:00:00Z");

  test("private messages are looked past", async () => {
    const hidden = before.map((message, index) =>
      index > 4 && index < 12 ? { ...message, private: true } : message,
    );
    const open = hidden.filter((message) => !("private" in message));
    for (const isArchived of [false, true]) {
      const stage = await opened({ "history.json": hidden });
      if (isArchived) await archived(stage);
      await rewritten(stage, fresh);
      expect(shown(stage)).toEqual(texts([...open, ...fresh]));
    }
  });

  test("what has become private since it was archived", async () => {
    const stage = await opened({ "history.json": before });
    await archived(stage);
    await rewritten(stage, [{ ...before[0], private: true }, ...before.slice(1)]);
    await rewritten(stage, fresh);
    expect(shown(stage)).toEqual(texts([...before.slice(1), ...fresh]));
    await archived(stage);
    expect(await promptAfterRestart(stage)).toEqual(texts([...before.slice(1), ...fresh]));
  });

  test("what was forgotten, and what a person deleted; what they edited is shown as they wrote it", async () => {
    const stage = await opened({ "history.json": before });
    await archived(stage);
    await rewritten(stage, fresh);
    await stage.supervisor.forget({ id: String(before[15]?.["id"]) }, false);
    await stage.supervisor.settled();
    expect(shown(stage)).toEqual(texts([...before.slice(0, 15), ...fresh]));
    const path = Object.keys(stage.disk.files()).find((file) => file.includes("/memory/2026-02-19")) ?? "";
    const day = stage.read(path.slice("/w/".length));
    const block = /### 08:00:00 [\s\S]*?(?=### 08:01:00)/.exec(day)?.[0] ?? expect.fail();
    stage.write(path.slice("/w/".length), day.replace(block, "").replace("word 1 of", "word one of"));
    await stage.supervisor.settled();
    expect(shown(stage)).toEqual([
      String(before[1]?.["text"]).replace("word 1", "word one"),
      ...texts([...before.slice(2, 15), ...fresh]),
    ]);
  });

  test("what was said before its conversation was closed, after a restart too, in a group too", async () => {
    for (const scope of ["main", "group:harbor"]) {
      const place = { session: "s", scope, user: "lin" };
      const closed = before.map((message) => ({ ...message, ...place }));
      const after = { ...fresh[0], ...place };
      const stage = await opened({
        "history.json": closed,
        "queue/pending/a.json": endJob("2026-02-19T23:00:00Z", { ...place, close: true }),
      });
      await archived(stage);
      await rewritten(stage, []);
      await rewritten(stage, [after]);
      const folder = `teller/${encodeURIComponent(scope)}/s`;
      expect(shown(stage, folder)).toEqual(texts([after]));
      stage.write("queue/pending/b.json", endJob(NOW, { session: "other", user: "lin", close: true }));
      await stage.supervisor.idle();
      await stage.supervisor.stop();
      const next = supervisorOn(stage.disk, systemClock(instant(NOW)));
      await next.start({ watch: false, work: true });
      await rewritten({ ...stage, supervisor: next }, [after, { ...fresh[1], ...place }]);
      await next.stop();
      expect(shown(stage, folder)).toEqual(texts(fresh));
    }
  });

  test("what was said in another session, by another user or in another place", async () => {
    const others = [{ session: "other" }, { user: "wei" }, { scope: "shop" }];
    const strangers = others.flatMap((other, index) =>
      talk(8, `2026-02-19T1${index}:00:00Z`).map((message) => ({ ...message, ...other })),
    );
    const stage = await opened({ "history.json": [...before, ...strangers] });
    await stage.supervisor.importMessages(talk(8, "2026-02-19T20:00:00Z", { user: "wei" }) as never);
    await archived(stage);
    await rewritten(stage, fresh);
    expect(shown(stage)).toEqual(texts([...before, ...fresh]));
    stage.write("inbox.json", [{ ...said("q", NOW, "and here?"), session: "other" }]);
    await stage.supervisor.settled();
    expect(shown(stage, "teller/main/other")).toEqual(texts(strangers.slice(0, 8)));
  });

  test("input that was taken back", async () => {
    const stage = await opened({
      "history.json": before.slice(0, 4),
      "inbox.json": [said("q", NOW, "wait")],
    });
    stage.write("inbox.json", []);
    await stage.supervisor.settled();
    expect(shown(stage)).toEqual(texts(before.slice(0, 4)));
    await rewritten(stage, fresh);
    expect(shown(stage)).toEqual(texts([...before.slice(0, 4), ...fresh]));
  });
});

test("a host that writes only its inbox has what it has asked in History", async () => {
  const stage = await opened({ "inbox.json": [said("q", "2026-02-20T09:00:00Z", "is it high tide?")] });
  stage.write("inbox.json", [said("r", "2026-02-20T09:05:00Z", "and tomorrow?")]);
  await stage.supervisor.settled();
  expect(shown(stage)).toEqual(["is it high tide?"]);
});

test("a summary that fails does not keep the answer waiting: what History shows needs no model", async () => {
  const stage = await opened(
    { "history.json": talk(40, "2026-01-05T08:00:00Z") },
    { answer: (job) => (job.tier === "month" ? failing(job) : extractive(job)) },
  );
  await rewritten(stage, talk(1, "2026-02-20T09:00:00Z"));
  expect(shown(stage)).toHaveLength(20);
});
