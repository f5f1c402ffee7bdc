/** The queue, worked: memos, observations that become records, and what goes wrong with a job. */
import { describe, expect, test } from "vitest";
import type { JobOutcome } from "../../src/model/work.js";
import type { AbsolutiseJob } from "../../src/llm/jobs/absolutise.js";
import type { JobResult } from "../../src/llm/jobs/registry.js";
import { MemdError } from "../../src/model/errors.js";
import { systemClock } from "../../src/platform/clock.js";
import { MAIN_SCOPE, type ScopeId, viewerAt } from "../../src/model/address.js";
import { parseRecords } from "../../src/protocol/records.js";
import { instant, said } from "../support/archive-desk.js";
import { endJob } from "../support/end-job.js";
import { openStage, type Stage } from "../support/stage.js";
import { handClock, type HandClock } from "../support/hand-clock.js";

const NOW = "2026-03-02T12:00:00Z";

const job = (more: object): object => endJob(NOW, more);

type Options = Parameters<typeof openStage>[1];

async function worked(files: Record<string, unknown>, options: Options = {}): Promise<Stage> {
  const stage = await openStage(files, { clock: systemClock(instant(NOW)), ...options });
  await stage.supervisor.start({ watch: false, work: true });
  await rested(stage);
  return stage;
}

/** Nothing is under way any more; of a clock that is driven by hand, some seconds pass. */
async function rested({ supervisor }: Stage): Promise<void> {
  const clock = supervisor.parts.clock as Partial<HandClock>;
  let isDone = false;
  const done = supervisor.idle().finally(() => (isDone = true));
  while (!isDone && clock.advance !== undefined) {
    await clock.advance(500);
    await new Promise((soon) => setTimeout(soon, 5));
  }
  await done;
  await supervisor.settled();
}

const files = ({ disk }: Stage, under: string): string[] =>
  Object.keys(disk.files())
    .filter((path) => path.startsWith(`/w/${under}/`))
    .map((path) => path.slice(`/w/${under}/`.length))
    .sort();
const records = (stage: Stage, file = "memory/records/2026-03.jsonl"): ReturnType<typeof parseRecords> =>
  parseRecords(stage.read(file));
const names = (stage: Stage): string[] => stage.events.map(({ event }) => event);

const refusing = (outcome: object): ((job: AbsolutiseJob) => Promise<JobOutcome<JobResult>>) => {
  return async () => ({ usage: [], ...outcome }) as unknown as JobOutcome<JobResult>;
};

test("a memo is folded, observations become events that are found and shown, and the job is gone", async () => {
  const stage = await worked({
    "history.json": [
      said("q-1", "2026-03-02T11:59:00Z", "I moved to Porto yesterday", { user: "lin", speaker: "Lin Yue" }),
    ],
    "queue/pending/a.json": job({ memo: "Noted the move.", observations: ["I moved to Porto yesterday."] }),
  });
  expect(files(stage, "queue/pending")).toEqual([]);
  expect(JSON.parse(stage.read("memory/memos.json"))).toMatchObject({
    memos: [{ id: "a", user: "lin", text: "Noted the move." }],
  });
  expect(records(stage)).toMatchObject([
    {
      id: "a_1",
      kind: "event",
      level: "scope",
      user: "lin",
      text: "Lin Yue(lin) moved to Porto on 2026-03-01.",
      isAbsolute: true,
      sources: ["q-1"],
      trust: "agent",
      at: instant("2026-03-01T12:00:00Z"),
    },
  ]);
  const lin = viewerAt({ user: "lin", scope: MAIN_SCOPE, session: "main" });
  const { hits } = await stage.supervisor.search.find("Porto", lin, { kinds: ["event"] });
  expect(hits.map(({ passage }) => [passage.text, passage.said])).toEqual([
    ["Lin Yue(lin) moved to Porto on 2026-03-01.", "I moved to Porto yesterday."],
  ]);
  const { markdown } = await stage.supervisor.prompt.compose({
    user: "lin",
    scope: MAIN_SCOPE,
    session: "main",
  });
  expect(markdown).toContain("- 2026-03-02 12:00 Noted the move.");
  // Once: it has become a trait of hers.
  expect(markdown.match(/moved to Porto on 2026-03-01/gi)).toHaveLength(1);
});

test("a job of a memo alone leaves nothing else behind, and a memo is folded once", async () => {
  const stage = await worked({
    "queue/pending/b.json": job({ memo: "Second.", createdAt: "2026-03-02T11:00:00Z" }),
    "queue/pending/a.json": job({ memo: "First.", createdAt: "2026-03-02T10:00:00Z" }),
    "memory/memos.json": {
      memos: [
        { id: "b", at: "2026-03-02T11:00:00Z", scope: "main", session: "main", text: "Second." },
        "kept",
      ],
      note: "kept too",
    },
  });
  expect(files(stage, "queue")).toEqual([]);
  const { memos, note } = JSON.parse(stage.read("memory/memos.json")) as { memos: unknown[]; note: string };
  expect(memos.map((memo) => (memo as { text?: string }).text ?? memo)).toEqual([
    "First.",
    "Second.",
    "kept",
  ]);
  expect(note).toBe("kept too");
});

test("what does not stand alone is kept, marked, and told", async () => {
  const stage = await worked({ "queue/pending/a.json": job({ observations: ["She sold the van."] }) });
  expect(records(stage)).toMatchObject([{ text: "She sold the van.", isAbsolute: false }]);
  expect(stage.events).toContainEqual(
    expect.objectContaining({ event: "gate_failed", job: "a", reason: "say who is meant instead of “She”" }),
  );
});

test("what is no job goes to failed with its words, and holds up nobody", async () => {
  const clock = handClock(instant(NOW));
  const stage = await worked(
    {
      "queue/pending/a.json": '{"half": ',
      "queue/pending/b.json": job({ observations: ["Lin likes tea."] }),
    },
    { clock },
  );
  expect(records(stage)).toHaveLength(1);
  await clock.advance(3000);
  await rested(stage);
  expect(files(stage, "queue/pending")).toEqual([]);
  expect(JSON.parse(stage.read("queue/failed/a.json"))).toEqual({
    error: "it is not JSON",
    payload: '{"half": ',
  });
});

test("what a killed memd had under way is worked again, and doubles nothing", async () => {
  const observations = ["Lin likes tea.", "Wei likes coffee."];
  const first = await worked({ "queue/pending/a.json": job({ memo: "Did it.", observations }) });
  const stage = await worked({
    ...Object.fromEntries(
      ["memory/records/2026-03.jsonl", "memory/memos.json"].map((file) => [file, first.read(file)]),
    ),
    "queue/processing/a.json": job({ memo: "Did it.", observations }),
  });
  expect(names(stage)).toContain("jobs_recovered");
  expect(stage.read("memory/records/2026-03.jsonl")).toBe(first.read("memory/records/2026-03.jsonl"));
  expect(stage.read("memory/memos.json")).toBe(first.read("memory/memos.json"));
  expect(files(stage, "queue")).toEqual([]);
});

test("a model that cannot be had is waited for, and that is no try", async () => {
  let isDown = true;
  const clock = handClock(instant(NOW));
  const stage = await worked(
    {
      "queue/pending/a.json": job({ memo: "At once.", observations: ["x"] }),
      "queue/pending/b.json": job({ session: "other", observations: ["y"] }),
    },
    {
      clock,
      absolutise: async ({ kind, id, texts }) =>
        isDown
          ? { to: "unavailable", reason: "503", usage: [] }
          : {
              to: "done",
              usage: [],
              result: { kind, id, by: "m", texts: texts.map(({ text }) => `Lin said ${text}.`) },
            },
    },
  );
  expect(JSON.parse(stage.read("memory/memos.json"))).toMatchObject({ memos: [{ text: "At once." }] });
  expect(files(stage, "queue/pending")).toEqual(["a.json", "b.json"]);
  for (let hour = 0; hour < 60; hour++) await clock.advance(60_000);
  await rested(stage);
  expect(JSON.parse(stage.read("queue/pending/a.json"))).not.toHaveProperty("attempts");
  isDown = false;
  await clock.advance(120_000);
  await rested(stage);
  expect(
    records(stage)
      .map(({ text }) => text)
      .sort(),
  ).toEqual(["Lin said x.", "Lin said y."]);
  expect(files(stage, "queue")).toEqual([]);
});

test("names and ids that the prompt told cost one call, each message is told once, and who says it with their id", async () => {
  const asked: AbsolutiseJob[] = [];
  const harbor = { scope: "group:harbor", session: "main" };
  const before = said("m-1", "2026-03-02T11:58:00Z", "Wen is my boss", {
    ...harbor,
    user: "lin",
    speaker: "Lin Yue",
  });
  const reply = said("m-2", "2026-03-02T11:59:00Z", "I agree", { ...harbor, user: "wen", speaker: "Wen Li" });
  const question = said("m-3", "2026-03-02T11:59:30Z", "We moved", {
    ...harbor,
    user: "lin",
    speaker: "Lin Yue",
  });
  const stage = await worked(
    {
      "history.json": [before, reply, question],
      "inbox.json": [before],
      "queue/pending/a.json": job({ ...harbor, observations: ["They moved."] }),
    },
    {
      absolutise: async (work) => {
        asked.push(work);
        const texts = ["Lin Yue(lin) and Wen Li(wen) moved on 2026-03-02."];
        return { to: "done", usage: [], result: { kind: work.kind, id: work.id, by: "m", texts } };
      },
    },
  );
  expect(asked).toHaveLength(1);
  expect(asked[0]?.source).toBe("We moved");
  expect(asked[0]?.recent.map(({ name, text }) => `${name}: ${text}`)).toEqual([
    "Lin Yue(lin): Wen is my boss",
    "Wen Li(wen): I agree",
  ]);
  const [first] = records(stage, "memory/scopes/group%3Aharbor/records/2026-03.jsonl");
  expect(first).toMatchObject({
    text: "Lin Yue(lin) and Wen Li(wen) moved on 2026-03-02.",
    said: "They moved.",
    isAbsolute: true,
  });
});

test("after it was tried again three times a job has failed: what was observed stands as it was said", async () => {
  const clock = handClock(instant(NOW));
  const stage = await worked(
    {
      "queue/pending/a.json": job({ observations: ["Lin likes tea."] }),
      "queue/pending/b.json": job({ observations: ["Lin likes jazz."] }),
    },
    { clock, absolutise: refusing({ to: "failed", reason: "no good" }) },
  );
  const second = (): { attempts: number; notBefore?: string } =>
    JSON.parse(stage.read("queue/pending/a.json")) as never;
  expect(second()).toMatchObject({
    attempts: 1,
    error: "no good",
    notBefore: expect.stringMatching(/^2026-03-02T12:00:3/),
  });
  // The next one of the conversation waits behind it.
  expect(JSON.parse(stage.read("queue/pending/b.json"))).not.toHaveProperty("attempts");
  for (let tries = 0; tries < 20; tries++) {
    await clock.advance(150_000);
    await rested(stage);
  }
  expect(JSON.parse(stage.read("queue/failed/a.json"))).toMatchObject({
    observations: ["Lin likes tea."],
    attempts: 4,
    error: "no good",
  });
  expect(records(stage)).toMatchObject([
    { id: "a_1", text: "Lin likes tea.", isAbsolute: false },
    { id: "b_1", text: "Lin likes jazz.", isAbsolute: false },
  ]);
});

test("a disk that is full strands no job: with room it is worked", async () => {
  const clock = handClock(instant(NOW));
  const room = { isFull: false };
  const stage = await openStage(
    { "queue/pending/a.json": job({ observations: ["Lin likes tea."] }) },
    {
      clock,
      absolutise: async ({ kind, id }) => {
        room.isFull = true;
        return { to: "done", usage: [], result: { kind, id, by: "m", texts: ["Lin likes tea."] } };
      },
      guard: async () => {
        if (room.isFull) throw new MemdError("disk_full", "No room.");
      },
    },
  );
  await stage.supervisor.start({ watch: false, work: true });
  await expect(stage.supervisor.idle()).rejects.toMatchObject({ code: "disk_full" });
  expect(files(stage, "queue")).toEqual(["processing/a.json"]);
  room.isFull = false;
  const done = (): boolean => files(stage, "queue").length === 0;
  for (let step = 0; step < 200 && !done(); step++) {
    room.isFull = false;
    await clock.advance(1000);
  }
  expect(records(stage)).toHaveLength(1);
  expect(files(stage, "queue")).toEqual([]);
});

test("switched off, memos go on and observations wait; on again, they are worked", async () => {
  const given = { "queue/pending/a.json": job({ memo: "Noted.", observations: ["Lin likes tea."] }) };
  const off = await worked(given, { settings: { cognitive: { enabled: false } } });
  expect(JSON.parse(off.read("memory/memos.json"))).toMatchObject({ memos: [{ text: "Noted." }] });
  expect(files(off, "queue/pending")).toEqual(["a.json"]);
  expect(files(off, "memory/records")).toEqual([]);
  const on = await worked({ ...given, "memory/memos.json": off.read("memory/memos.json") });
  expect(records(on)).toHaveLength(1);
  expect(on.read("memory/memos.json")).toBe(off.read("memory/memos.json"));
});

describe("profiles", () => {
  const observing = (text: string, more: object = {}): object => job({ observations: [text], ...more });
  const profile = "memory/profiles/users/lin.md";
  const bullets = (stage: Stage): string[] => stage.read(profile).match(/^- [A-Z].*$/gm) ?? [];

  test("grow from what was observed of the sender, are shown in the prompt, and keep their older versions", async () => {
    const stage = await worked({ "queue/pending/a.json": observing("lin likes oolong.") });
    expect(stage.read(profile)).toMatch(
      /entity_id: lin\n[\s\S]*source_event_id: a\n[\s\S]*- Likes oolong \(2026-03-02\)\n$/,
    );
    stage.write("queue/pending/b.json", observing("lin plays the violin."));
    await rested(stage);
    expect(bullets(stage)).toEqual(["- Plays the violin (2026-03-02)", "- Likes oolong (2026-03-02)"]);
    expect(files(stage, "memory/profiles/history/users/lin")).toHaveLength(1);
    const lin = { user: "lin", scope: MAIN_SCOPE, session: "main" };
    expect((await stage.supervisor.prompt.compose(lin)).markdown).toContain(
      "- Plays the violin (2026-03-02)",
    );
    const wei = { user: "wei", scope: MAIN_SCOPE, session: "main" };
    expect((await stage.supervisor.prompt.compose(wei)).markdown).not.toContain("violin");
  });

  test("a line that a person wrote between two merges stays as it is", async () => {
    const stage = await worked({ "queue/pending/a.json": observing("lin likes oolong.") });
    stage.write(
      profile,
      stage.read(profile).replace("Likes oolong (2026-03-02)", "Likes oolong, and only oolong"),
    );
    stage.write("queue/pending/b.json", observing("lin plays the violin."));
    await rested(stage);
    expect(bullets(stage)).toEqual(["- Likes oolong, and only oolong", "- Plays the violin (2026-03-02)"]);
  });

  test("of five versions at most the older ones are kept, and one that was merged is not merged again", async () => {
    const stage = await worked({ "queue/pending/a0.json": observing("lin likes tea.") });
    for (let n = 1; n <= 8; n++) {
      stage.write(`queue/pending/a${n}.json`, observing(`lin likes tea number ${n} of all.`));
      await rested(stage);
    }
    expect(files(stage, "memory/profiles/history/users/lin")).toHaveLength(5);
    const before = stage.read(profile);
    stage.write("queue/pending/a8.json", observing("lin likes tea number 8 of all."));
    await rested(stage);
    expect(stage.read(profile)).toBe(before);
  });

  test("a target that fails is tried again without the other, and the records stay as they are", async () => {
    const clock = handClock(instant(NOW));
    let groupFails = true;
    const asked: string[] = [];
    const stage = await worked(
      {
        "queue/pending/a.json": observing("Priya(priya) likes tea.", {
          user: "priya",
          scope: "group:harbor",
        }),
      },
      {
        clock,
        profile: async (work) => {
          asked.push(work.entity);
          if (groupFails && work.entity === "group") return { to: "failed", reason: "no good", usage: [] };
          return {
            to: "done",
            usage: [],
            result: { kind: "profile", id: work.id, by: "m", tags: [], bullets: ["Likes tea"] },
          };
        },
      },
    );
    expect(JSON.parse(stage.read("queue/pending/a.json"))).toMatchObject({
      attempts: 1,
      done: ["user:priya"],
    });
    groupFails = false;
    await clock.advance(60_000);
    await rested(stage);
    expect(asked).toEqual(["user", "group", "group"]);
    expect(stage.read("memory/profiles/groups/harbor.md")).toContain("- Likes tea");
    expect(files(stage, "queue")).toEqual([]);
    const found = records(stage, "memory/scopes/group%3Aharbor/records/2026-03.jsonl");
    expect(found.map(({ isAbsolute }) => isAbsolute)).toEqual([true, true]);
  });
});

test("the same thing observed twice is one record with both sources", async () => {
  const stage = await worked({
    "history.json": [said("q-1", "2026-03-02T11:59:00Z", "tea!", { user: "lin" })],
    "queue/pending/a.json": job({ observations: ["Lin Yue drinks oolong in the morning."] }),
    "queue/pending/b.json": job({
      observations: ["Lin Yue drinks oolong in the morning"],
      session: "second",
    }),
  });
  const found = records(stage);
  expect(found).toHaveLength(1);
  expect(found[0]?.sources).toEqual(["q-1"]);
});

test("in a group both sides are kept, and a search shows one", async () => {
  const scope = "group:harbor" as ScopeId;
  const stage = await worked({
    "queue/pending/a.json": job({ scope, user: "priya", observations: ["Priya(priya) steers the ferry."] }),
  });
  const found = records(stage, "memory/scopes/group%3Aharbor/records/2026-03.jsonl");
  expect(found.map(({ perspective }) => perspective)).toEqual(["group", "sender"]);
  const viewer = viewerAt({ user: "chen", scope, session: "main" });
  expect((await stage.supervisor.search.find("ferry", viewer)).hits).toHaveLength(1);
  const other = viewerAt({ user: "priya", scope: MAIN_SCOPE, session: "main" });
  expect((await stage.supervisor.search.find("ferry", other)).hits).toEqual([]);
});

test("a person's line between two jobs is seen, and a record that they deleted stays away", async () => {
  const stage = await worked({
    "queue/pending/a.json": job({ observations: ["Lin Yue drinks oolong in the morning."] }),
  });
  stage.write("memory/records/2026-03.jsonl", "");
  stage.write("queue/pending/b.json", job({ observations: ["Wei drinks coffee."] }));
  await rested(stage);
  expect(records(stage).map(({ id }) => id)).toEqual(["b_1"]);
});
