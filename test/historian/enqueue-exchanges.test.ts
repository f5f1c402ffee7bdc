/** What is found in rounds of which nobody said what is worth keeping. */
import { expect, test } from "vitest";
import { MAIN_SCOPE, viewerAt } from "../../src/model/address.js";
import type { Finding } from "../../src/model/found.js";
import type { JobOutcome } from "../../src/model/work.js";
import type { ExtractJob } from "../../src/llm/jobs/extract.js";
import type { JobResult } from "../../src/llm/jobs/registry.js";
import { systemClock } from "../../src/platform/clock.js";
import type { CursorEntry } from "../../src/protocol/cursors.js";
import { parseRecords } from "../../src/protocol/records.js";
import { instant, said } from "../support/archive-desk.js";
import { addDocument } from "../../src/service/documents.js";
import { openStage, type Stage } from "../support/stage.js";

const NOW = "2026-03-02T12:00:00Z";
const lin = { user: "lin", speaker: "Lin Yue" };

/** A question and its answer, in the minute. */
const round = (minute: number, text: string, more: Record<string, unknown> = lin): object[] => {
  const at = (seconds: string): string => `2026-03-02T10:${String(minute).padStart(2, "0")}:${seconds}Z`;
  return [
    said(`q-${minute}`, at("00"), text, more),
    { ...said(`a-${minute}`, at("30"), "I see.", more), role: "agent", speaker: "Mo" },
  ];
};

type Options = NonNullable<Parameters<typeof openStage>[1]>;

async function worked(files: Record<string, unknown>, options: Options = {}): Promise<Stage> {
  const stage = await openStage(files, { clock: systemClock(instant(NOW)), ...options });
  await stage.supervisor.start({ watch: false, work: true });
  await stage.supervisor.idle();
  await stage.supervisor.settled();
  return stage;
}

const ofScope = (stage: Stage): ReturnType<typeof parseRecords> =>
  parseRecords(stage.read("memory/records/2026-03.jsonl"));
const ofUser = (stage: Stage, user = "lin"): ReturnType<typeof parseRecords> =>
  parseRecords(stage.read(`memory/records/users/${user}.jsonl`));
const cursors = (stage: Stage): CursorEntry[] =>
  (JSON.parse(stage.read("queue/cursors.json")) as { conversations: CursorEntry[] }).conversations;
const waiting = (stage: Stage): string[] =>
  Object.keys(stage.disk.files()).filter((path) => path.startsWith("/w/queue/pending/"));

/** Says these of every conversation it is asked about, and keeps the questions. */
function finding(...findings: Finding[]): { extract: Options["extract"]; asked: ExtractJob[] } {
  const asked: ExtractJob[] = [];
  const extract = async (job: ExtractJob): Promise<JobOutcome<JobResult>> => {
    asked.push(job);
    const wanted = findings.filter(({ kind }) => job.wants.includes(kind));
    return { to: "done", usage: [], result: { kind: "extract", id: job.id, by: "m", findings: wanted } };
  };
  return { extract, asked };
}

test("what somebody says of themselves becomes theirs, a fact stays in its conversation, and both are found", async () => {
  const stage = await worked({
    "history.json": [
      ...round(1, "I love hand-pulled noodles. Please remember that invoices go to Wen on Fridays."),
      ...round(3, "Good."),
    ],
  });
  expect(ofUser(stage)).toMatchObject([
    {
      kind: "fact",
      level: "user",
      user: "lin",
      text: "Lin Yue(lin) loves hand-pulled noodles.",
      sources: ["q-1"],
      trust: "human",
      at: instant("2026-03-02T10:01:00Z"),
    },
  ]);
  expect(ofScope(stage)).toMatchObject([
    { kind: "fact", level: "session", session: "main", user: "lin", sources: ["q-1"], trust: "human" },
  ]);
  expect(stage.read("memory/profiles/users/lin.md")).toContain("Loves hand-pulled noodles");
  const find = async (query: string, session: string): Promise<string[]> => {
    const viewer = viewerAt({ user: "lin", scope: MAIN_SCOPE, session });
    const { hits } = await stage.supervisor.search.find(query, viewer, { kinds: ["fact"] });
    return hits.map(({ passage }) => passage.text);
  };
  expect(await find("invoices", "main")).toEqual(["Invoices go to Wen on Fridays."]);
  expect(await find("invoices", "other")).toEqual([]);
  expect(await find("noodles", "other")).toEqual(["Lin Yue(lin) loves hand-pulled noodles."]);
  const chen = viewerAt({ user: "chen", scope: MAIN_SCOPE, session: "main" });
  expect((await stage.supervisor.search.find("noodles invoices", chen)).hits).toEqual([]);
});

test("what is found in a text that somebody handed over is trusted as a document's", async () => {
  const handed = round(1, "Please remember that invoices go to Wen on Fridays.").map((message) => ({
    ...message,
    scene: "document",
  }));
  const { extract, asked } = finding({ kind: "fact", text: "Invoices go to Wen on Fridays.", from: [1] });
  const stage = await worked({ "history.json": [...handed, ...round(3, "Good.")] }, { extract: extract! });
  expect(ofScope(stage)).toMatchObject([{ kind: "fact", sources: ["q-1"], trust: "document" }]);
  // They are not shown as the user's own words either.
  expect(asked[0]?.utterances[0]).toMatchObject({ role: "system", name: "Lin Yue" });
});

test("a text that somebody handed over says nothing of them", async () => {
  const handed = { ...lin, scene: "document" };
  const [question, answer] = round(1, "Look at this.");
  const [page] = round(2, "My birthday is 3 May. I love ferries.", handed);
  const stage = await worked({ "history.json": [question, page, answer, ...round(5, "Good.")] });
  expect(stage.read("memory/records/users/lin.jsonl")).toBe("");
  expect(stage.read("memory/records/2026-03.jsonl")).toBe("");
  expect(stage.read("memory/profiles/users/lin.md")).toBe("");
});

test.each(["tool", "document"])(
  "what a %s says is nobody's trait, though a model gives it as one",
  async (whose) => {
    const [question, answer] = round(1, "I like the trams.");
    const [told] = round(2, "I like X.");
    const foreign = { ...told, ...(whose === "tool" ? { role: "tool" } : { scene: "document" }) };
    const { extract } = finding(
      { kind: "trait", text: "Lin Yue(lin) likes X.", from: [2] },
      { kind: "trait", text: "Lin Yue(lin) likes Y.", from: [] },
      { kind: "trait", text: "Lin Yue(lin) likes the trams.", from: [1] },
    );
    const stage = await worked(
      { "history.json": [question, foreign, answer, ...round(5, "Good.")] },
      { extract: extract! },
    );
    expect(ofUser(stage).map(({ text }) => text)).toEqual(["Lin Yue(lin) likes the trams."]);
    expect(stage.read("memory/profiles/users/lin.md")).not.toMatch(/ [XY]\b/);
  },
);

test("each round is looked at once, whatever comes later and however often memd starts", async () => {
  const { extract, asked } = finding();
  const options = { extract: extract!, clock: systemClock(instant(NOW)) };
  const stage = await worked({ "history.json": [...round(1, "One."), ...round(2, "Two.")] }, options);
  expect(asked.map(({ utterances }) => utterances.map(({ text }) => text))).toEqual([
    ["One.", "I see.", "Two.", "I see."],
  ]);
  const list = [...round(1, "One."), ...round(2, "Two."), ...round(3, "Three.")];
  stage.write("history.json", list);
  stage.supervisor.changed();
  await stage.supervisor.idle();
  expect(asked).toHaveLength(2);
  expect(asked[1]?.utterances.map(({ text }) => text)).toEqual(["Three.", "I see."]);
  await stage.supervisor.stop();
  const again = finding();
  const left = Object.fromEntries(
    Object.entries(stage.disk.files()).map(([path, text]) => [path.replace("/w/", ""), text]),
  );
  await worked(left, { ...options, extract: again.extract! });
  expect(again.asked).toEqual([]);
});

test("an open stretch survives a restart, and is told as one when it has its rounds", async () => {
  const settings = { historian: { stretch_rounds: 3 } };
  const first = await worked({ "history.json": [...round(1, "One."), ...round(2, "Two.")] }, { settings });
  expect(cursors(first)).toMatchObject([{ through: { id: "a-2" }, stretch: { rounds: 2 } }]);
  await first.supervisor.stop();
  const { extract, asked } = finding({ kind: "episode", text: "Lin Yue(lin) counted to three.", from: [] });
  const second = await worked(
    {
      // What was looked at before has left history.json.
      "history.json": round(3, "Three."),
      "queue/cursors.json": first.read("queue/cursors.json"),
    },
    { settings, extract: extract! },
  );
  expect(asked).toMatchObject([{ wants: ["trait", "fact", "episode", "foresight"] }]);
  expect(asked[0]?.earlier.map(({ text }) => text)).toEqual(["One.", "I see.", "Two.", "I see."]);
  expect(ofScope(second)).toMatchObject([
    { kind: "episode", level: "scope", sources: ["q-1", "a-1", "q-2", "a-2", "q-3", "a-3"] },
  ]);
  expect(cursors(second)).toMatchObject([{ stretch: { rounds: 0, said: [] } }]);
});

test("killed between the job and the cursor, the job tells how far it was", async () => {
  const { extract, asked } = finding();
  const [question, answer] = round(1, "One.");
  const line = ({ id, role, text, createdAt }: Record<string, string>): object => ({
    id,
    role,
    name: "Lin Yue",
    text,
    at: createdAt,
  });
  await worked(
    {
      "history.json": [...round(1, "One."), ...round(2, "Two.")],
      "queue/pending/2026-03-02T10-01-30-000Z-rounds-0a1b2c3d.json": {
        version: 1,
        kind: "rounds",
        createdAt: "2026-03-02T10:01:30.000Z",
        user: "lin",
        scope: "main",
        session: "main",
        wants: ["trait", "fact"],
        earlier: [],
        said: [line(question as Record<string, string>), line(answer as Record<string, string>)],
      },
    },
    { extract: extract! },
  );
  expect(asked.map(({ utterances }) => utterances[0]?.text)).toEqual(["One.", "Two."]);
});

test("foresights are open until their day, and then expired", async () => {
  const settings = { historian: { stretch_rounds: 1 } };
  const stage = await worked(
    { "history.json": round(1, "I'm going to fly to Oslo on Monday of next week.") },
    { settings },
  );
  expect(ofScope(stage).filter(({ kind }) => kind === "foresight")).toMatchObject([
    { level: "scope", validFrom: instant("2026-03-02T10:01:00Z"), validTo: instant("2026-03-10T12:00:00Z") },
  ]);
  const { markdown } = await stage.supervisor.prompt.compose({
    user: "lin",
    scope: MAIN_SCOPE,
    session: "main",
  });
  expect(markdown).toContain(
    "Expected: 2026-03-02 10:01 Lin Yue(lin) is going to fly to Oslo on 2026-03-09.",
  );
});

test("what does not stand alone is sent back, and left out when that does not help", async () => {
  const { extract } = finding(
    { kind: "fact", text: "She sold it yesterday.", from: [1] },
    { kind: "fact", text: "Lin Yue(lin) sold the van(v-7).", from: [1] },
    { kind: "fact", text: "Lin Yue(lin) sold the van.", from: [1] },
  );
  const stage = await worked({ "history.json": round(1, "I sold the van.") }, { extract: extract! });
  expect(ofScope(stage).map(({ text }) => text)).toEqual(["Lin Yue(lin) sold the van."]);
  expect(stage.events.map(({ event }) => event)).toContain("gate_failed");
});

test("no question about one round is asked twice when only the profile failed", async () => {
  const { extract, asked } = finding({ kind: "trait", text: "Lin Yue(lin) likes tea.", from: [1] });
  let profiles = 0;
  const stage = await worked(
    { "history.json": round(1, "I like tea.") },
    {
      extract: extract!,
      profile: async () => {
        profiles += 1;
        return { to: "unavailable", reason: "down", usage: [] };
      },
    },
  );
  expect(waiting(stage)).toHaveLength(1);
  expect(JSON.parse(stage.read((waiting(stage)[0] ?? "").replace("/w/", "")))).toMatchObject({
    error: "down",
    found: [{ kind: "trait", text: "Lin Yue(lin) likes tea.", isAbsolute: true, sources: ["q-1"] }],
  });
  expect([asked.length, profiles]).toEqual([1, 1]);
});

test("turned off nothing is looked at, turned on again what history.json still holds is", async () => {
  const off = await worked(
    { "history.json": round(1, "I love noodles.") },
    { settings: { cognitive: { enabled: false } } },
  );
  expect(off.read("queue/cursors.json")).toBe("");
  await off.supervisor.stop();
  const on = await worked({ "history.json": off.read("history.json") });
  expect(ofUser(on)).toHaveLength(1);
  const none = await worked(
    { "history.json": round(1, "I love noodles.") },
    { settings: { historian: { extract: false } } },
  );
  expect(ofUser(none)).toEqual([]);
});

test("nothing is looked for in a group, and two users of one session are looked at apart", async () => {
  const { extract, asked } = finding();
  const at = { scope: "group:g" };
  await worked(
    {
      "history.json": [
        ...round(1, "I love noodles.", { ...lin, ...at }),
        ...round(2, "Mine.", lin),
        ...round(3, "Theirs.", { user: "chen", speaker: "Chen" }),
      ],
    },
    { extract: extract! },
  );
  expect(asked.map(({ user, utterances }) => [user, utterances[0]?.text])).toEqual([
    ["lin", "Mine."],
    ["chen", "Theirs."],
  ]);
});

test("what contradicts an older record stands beside it, and only what holds is shown", async () => {
  const stage = await worked({
    "history.json": [],
    "queue/pending/a.json": turn("10:00", "Lin Yue lives in Porto."),
    "queue/pending/b.json": turn("11:00", "Lin Yue lives in Lisbon."),
  });
  expect(ofScope(stage)).toMatchObject([
    { id: "a_1", supersededBy: "b_1" },
    { id: "b_1", supersedes: "a_1" },
  ]);
  const { markdown } = await stage.supervisor.prompt.compose({
    user: "lin",
    scope: MAIN_SCOPE,
    session: "main",
  });
  expect(markdown).toContain("Lisbon");
  expect(markdown).not.toContain("lives in Porto");
  const viewer = viewerAt({ user: "lin", scope: MAIN_SCOPE, session: "main" });
  const { hits } = await stage.supervisor.search.find("where does Lin Yue live", viewer, {
    kinds: ["event"],
  });
  expect(hits.map(({ passage, standing }) => [passage.text, standing])).toEqual([
    ["Lin Yue lives in Lisbon.", undefined],
    ["Lin Yue lives in Porto.", "superseded"],
  ]);
});

function turn(clock: string, observation: string): object {
  const createdAt = `2026-03-02T${clock}:00Z`;
  const where = { user: "lin", scope: "main", session: "main" };
  return { version: 1, kind: "end", createdAt, ...where, observations: [observation] };
}

test("a document gives facts and episodes of its own scope, and loses them with its text", async () => {
  const { extract, asked } = finding(
    { kind: "fact", text: "The night ferry of the Harbor line leaves at 23:40.", from: [1] },
    { kind: "trait", text: "Nobody asked for this.", from: [1] },
  );
  const stage = await worked({}, { extract: extract! });
  const { supervisor } = stage;
  await addDocument(supervisor, { text: "The night ferry leaves at 23:40.", id: "ferry", title: "Ferry" });
  await supervisor.idle();
  expect(asked).toMatchObject([
    { of: "document", wants: ["fact", "episode"], utterances: [{ name: "Ferry", role: "system" }] },
  ]);
  const file = "memory/scopes/main%3Adocs/records/2026-03.jsonl";
  const [record] = parseRecords(stage.read(file));
  expect(record).toMatchObject({
    kind: "fact",
    level: "scope",
    scope: "main:docs",
    user: "local",
    trust: "document",
    sources: [expect.stringMatching(/^document:ferry@/)],
  });
  const local = viewerAt({ user: "local", scope: MAIN_SCOPE, session: "main" });
  const facts = async (): Promise<string[]> => {
    const { hits } = await supervisor.search.find("night ferry", local, { kinds: ["fact"] });
    return hits.map(({ passage }) => passage.text);
  };
  expect(await facts()).toEqual([record?.text]);
  const chen = viewerAt({ user: "chen", scope: MAIN_SCOPE, session: "main" });
  expect((await supervisor.search.find("night ferry", chen)).hits).toEqual([]);
  await addDocument(supervisor, { text: "The line is closed.", id: "ferry", title: "Ferry" });
  await supervisor.idle();
  expect(parseRecords(stage.read(file)).map(({ sources }) => sources)).toEqual([
    [expect.not.stringMatching(record?.sources[0] ?? "")],
  ]);
});

test("who is called by another name in another language is the same person", async () => {
  const stage = await worked({
    "history.json": [
      ...round(1, "I love hand-pulled noodles."),
      ...round(3, "我对芒果过敏。", { user: "lin", speaker: "林悦", session: "zh" }),
    ],
  });
  const profile = stage.read("memory/profiles/users/lin.md");
  expect(profile).toContain("Loves hand-pulled noodles");
  expect(profile).toContain("对芒果过敏");
});
