/** Summaries are made anew from their days, and what a person wrote stays. */
import { expect, test } from "vitest";
import type { SummaryJob, SummaryOutcome } from "../../src/llm/jobs/summary.js";
import type { AnswerOf } from "../../src/service/operations.js";
import { SERVED } from "../../src/service/runs.js";
import { said } from "../support/archive-desk.js";
import { openStage } from "../support/stage.js";

const MODEL = { llm: { provider: "openai", base_url: "http://127.0.0.1:9/v1", models: { summary: "m" } } };
const HISTORY = [
  said("a", "2025-12-03T10:00:00Z", "the boat was sold"),
  said("b", "2026-02-03T10:00:00Z", "the ferry was late"),
  said("c", "2026-02-04T10:00:00Z", "the ferry was on time"),
  said("d", "2026-02-19T10:00:00Z", "not summarised yet"),
];

async function memory(settings: object = MODEL) {
  let [by, isDown] = ["builtin", false];
  const jobs: SummaryJob[] = [];
  const answer = (job: SummaryJob): Promise<SummaryOutcome> => {
    jobs.push(job);
    const sections = job.sections.map(({ user, utterances, days, previous }) => ({
      ...(user === undefined ? {} : { user }),
      text: `${by}: ${[previous ?? "", ...days.map(({ text }) => text), ...utterances.map(({ text }) => text)].join(" ")}`,
    }));
    return Promise.resolve(
      isDown
        ? { to: "failed", reason: "no good", usage: [] }
        : { to: "done", usage: [], result: { kind: "summary", id: job.id, by, sections } },
    );
  };
  const stage = await openStage({ "history.json": HISTORY }, { answer, settings });
  const { supervisor: memd, disk } = stage;
  await memd.start({ watch: false, work: true });
  await memd.archiveNow();
  const summaries = (): Record<string, string> =>
    Object.fromEntries(
      Object.entries(disk.files()).flatMap(([file, text]) => {
        const name = /summary\/(.*)\.md$/.exec(file)?.[1];
        return name === undefined ? [] : [[name, text]];
      }),
    );
  const ask = async (asked: object = {}): Promise<AnswerOf<"resummarize">> => {
    const served = SERVED.find(({ name }) => name === "resummarize");
    const service = { memd, socket: "/none", stop: () => undefined };
    return (await served?.answer(service, asked)) as AnswerOf<"resummarize">;
  };
  jobs.length = 0;
  return {
    ...stage,
    jobs,
    ask,
    summaries,
    madeBy: (name: string) => (by = name),
    goDown: (down: boolean) => (isDown = down),
  };
}

test("what was made without a model is made anew from its days, once, and tells nothing twice", async () => {
  const { ask, summaries, madeBy, jobs } = await memory();
  expect(Object.keys(summaries()).sort()).toEqual(["2025-12", "2026-02-03", "2026-02-04"]);
  madeBy("m");
  const dry = await ask({ dryRun: true });
  expect(dry).toEqual({ again: expect.arrayContaining([]), kept: [] });
  expect(dry.again.map(({ date }) => date)).toEqual(["2025-12", "2026-02-03", "2026-02-04"]);
  expect(jobs).toEqual([]);
  expect((await ask()).report).toMatchObject({ made: 3, failed: [] });
  for (const text of Object.values(summaries())) {
    expect(text).toContain("by: m");
    expect(text).not.toContain("builtin");
  }
  expect(await ask()).toMatchObject({ again: [], report: { made: 0 } });
  expect((await ask({ all: true, time_from: "2026-02-04" })).again.map(({ date }) => date)).toEqual([
    "2026-02-04",
  ]);
  expect(
    (await ask({ all: true, time_to: "2025-12-15", dryRun: true })).again.map(({ date }) => date),
  ).toEqual(["2025-12"]);
  expect((await ask({ all: true, scope: "boats" })).again).toEqual([]);
});

test("what a person has edited stays word for word", async () => {
  const { ask, summaries, madeBy, write, supervisor: memd } = await memory();
  const edited = `${summaries()["2026-02-03"] ?? ""}\nMine.\n`;
  write("memory/summary/2026-02-03.md", edited);
  await memd.settled();
  madeBy("m");
  expect(await ask()).toMatchObject({ kept: [{ date: "2026-02-03", why: "edited" }], report: { made: 2 } });
  expect(summaries()["2026-02-03"]).toBe(edited);
});

test("a model that fails leaves the old one standing, and it is owed until there is a new one", async () => {
  const { ask, summaries, madeBy, goDown, supervisor: memd } = await memory();
  const before = summaries();
  madeBy("m");
  goDown(true);
  expect((await ask()).report?.failed).toHaveLength(3);
  for (const [name, text] of Object.entries(summaries()))
    expect(text.split("---").at(-1)).toBe(before[name]?.split("---").at(-1));
  goDown(false);
  expect(await memd.archiveNow()).toMatchObject({ made: 3 });
  expect(Object.values(summaries()).every((text) => text.includes("by: m"))).toBe(true);
});

test("without a model it says so, and changes nothing", async () => {
  const { ask, summaries } = await memory({});
  const before = summaries();
  await expect(ask()).rejects.toMatchObject({ code: "no_model" });
  expect(summaries()).toEqual(before);
  expect(await ask({ all: true })).toMatchObject({ report: { made: 3 } });
});
