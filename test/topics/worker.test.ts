/** Topics in a running memd: what is kept, what the prompt shows, what becomes of bad answers. */
import { describe, expect, test } from "vitest";
import { type Address, LOCAL_ADDRESS, type ScopeId } from "../../src/model/address.js";
import type { JobOutcome } from "../../src/model/work.js";
import type { JobResult, TopicJob } from "../../src/llm/jobs/registry.js";
import type { TopicSplitJob } from "../../src/llm/jobs/topic-split.js";
import { parseTopicMessages } from "../../src/protocol/topic-events.js";
import {
  archiveTopic,
  listTopics,
  mergeTopics,
  renameTopic,
  reviewTopics,
  showTopic,
  splitTopic,
} from "../../src/service/topics.js";
import { FAILED_OFTEN } from "../../src/topics/failures.js";
import { statusOf } from "../../src/service/status.js";
import { instant, said } from "../support/archive-desk.js";
import { openStage, type Stage } from "../support/stage.js";
import { talkOf } from "../support/topic-talk.js";
import { handClock } from "../support/hand-clock.js";

const NOW = "2026-03-02T12:00:00Z";
const ON = { topics: { enabled: true, window_tokens: 2000 } };
const WITH_MODEL = { ...ON, llm: { provider: "openai", models: { summary: "m" } } };

const TALK = [
  ...talkOf("ferry", 30, "2026-02-25T10:00:00Z"),
  ...talkOf("tea", 30, "2026-02-27T10:00:00Z"),
  ...talkOf("python", 30, "2026-03-01T10:00:00Z"),
];

type Options = Parameters<typeof openStage>[1];

async function opened(files: Record<string, unknown>, options: Options = {}): Promise<Stage> {
  const clock = handClock(instant(NOW));
  const stage = await openStage(files, { clock, settings: ON, ...options });
  await stage.supervisor.start({ watch: false, work: true });
  await rested(stage);
  return stage;
}

async function rested({ supervisor }: Stage): Promise<void> {
  await supervisor.idle();
  await supervisor.settled();
}

async function asks(stage: Stage, text: string, id = `ask-${text}`): Promise<string> {
  stage.write("inbox.json", [said(id, NOW, text)]);
  await stage.supervisor.settled();
  return stage.read("teller/prompt.md");
}

/** In how many files each message of the conversation stands. */
function placesOf(stage: Stage): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const [path, text] of Object.entries(stage.disk.files())) {
    if (!/\/topics\/(?:.*\/)?(?!events)[a-z0-9]+\.jsonl$/.test(path)) continue;
    for (const id of parseTopicMessages(text).messages.keys())
      places.set(id, [...(places.get(id) ?? []), path]);
  }
  return places;
}

function eachOnce(stage: Stage, ids: readonly string[]): void {
  const places = placesOf(stage);
  for (const id of ids) expect(places.get(id) ?? [], id).toHaveLength(1);
}

const idsOf = (talk: readonly Record<string, unknown>[]): string[] => talk.map(({ id }) => id as string);
const eventsOf = (stage: Stage): string[] => stage.events.map(({ event }) => event);

function sectionOf(prompt: string, title: string): string {
  return prompt.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? "";
}

describe("with the built-in provider", () => {
  test("who says that they told it before is asked which topic, where none surely is it", async () => {
    const stage = await opened({ "history.json": TALK });
    const unsure = sectionOf(
      await asks(stage, "I told you before about the module and the harbour, remember?"),
      "Topics",
    );
    expect(unsure).toContain("Ask which:");
    expect(unsure.match(/^- .+ \(2026-[\d-]+; memory\/topics\/[a-z0-9]+\.md\)$/gm)?.length).toBeGreaterThan(
      1,
    );
    const known = sectionOf(
      await asks(stage, "Which cabin does the ferry to Naxos have?", "known"),
      "Topics",
    );
    expect(known).not.toContain("Ask which:");
  });

  test("a topic is called by the things that were spoken of in it", async () => {
    const stage = await opened({ "history.json": TALK });
    const { topics } = await listTopics(stage.supervisor, LOCAL_ADDRESS, true);
    for (const { name } of topics) {
      expect(name.split(", ").length).toBeLessThanOrEqual(3);
      expect(name).not.toMatch(/goes|number|after/i);
    }
  });

  test("what is imported belongs to topics as well, years of it a few windows at a time, once however often it comes", async () => {
    const stage = await opened({});
    const past = [
      ...talkOf("ferry", 200, "2025-02-25T10:00:00Z"),
      ...talkOf("tea", 200, "2025-02-27T10:00:00Z"),
    ];
    await stage.supervisor.importMessages(past as never);
    await rested(stage);
    await stage.supervisor.importMessages(past as never);
    await rested(stage);
    eachOnce(stage, idsOf(past));
    const { topics, stats } = await listTopics(stage.supervisor, LOCAL_ADDRESS, true);
    expect(topics.length).toBeGreaterThan(1);
    expect(stats.unsplitTokens).toBeLessThan(ON.topics.window_tokens);
    const prompt = await asks(
      stage,
      "Which cabin does the ferry to Naxos have, and what is on its timetable?",
    );
    expect(sectionOf(prompt, "Topics")).toMatch(/\[ferry-\d+\] 2025-02-25 /);
  });

  test("memd status tells how many topics there are", async () => {
    const stage = await opened({ "history.json": TALK });
    const { topics } = await statusOf(stage.supervisor, "");
    expect(topics?.active).toBeGreaterThan(1);
    expect(topics?.unsplit).toBeGreaterThanOrEqual(20);
    expect(topics?.failing).toBeUndefined();
    const off = await opened({ "history.json": TALK }, { settings: {} });
    expect((await statusOf(off.supervisor, "")).topics).toBeUndefined();
  });

  test("until the first split the prompt is the same as without topics", async () => {
    const files = { "history.json": TALK.slice(0, 20), "inbox.json": [said("q", NOW, "And the ferry?")] };
    const [on, off] = [await opened(files), await opened(files, { settings: {} })];
    expect(on.read("teller/prompt.md")).toBe(off.read("teller/prompt.md"));
    expect(on.read("memory/topics/unsplit.jsonl").split("\n").filter(Boolean)).toHaveLength(21);
    expect(Object.keys(off.disk.files()).some((path) => path.includes("/topics/"))).toBe(false);
  });

  test("what is too long is split by what it is about, and every message stands in one place", async () => {
    const stage = await opened({ "history.json": TALK });
    eachOnce(stage, idsOf(TALK));
    const { topics } = await listTopics(stage.supervisor, LOCAL_ADDRESS, true);
    const living = topics.filter(({ messages }) => messages > 0);
    expect(living.length).toBeGreaterThan(1);
    for (const { id } of living) {
      const { said: held, name } = await showTopic(stage.supervisor, LOCAL_ADDRESS, id);
      expect(new Set(held.map((each) => each.id.split("-")[0])).size, name).toBe(1);
    }
    const last = idsOf(TALK).slice(-20);
    expect(last.every((id) => placesOf(stage).get(id)?.[0]?.endsWith("unsplit.jsonl"))).toBe(true);
    expect(eventsOf(stage)).toContain("topic_split");
  });

  test("the prompt shows the topic that is asked for, with ids and dates, and each message once", async () => {
    const stage = await opened({ "history.json": TALK });
    const prompt = await asks(
      stage,
      "Which cabin does the ferry to Naxos have, and what is on its timetable?",
    );
    const topics = sectionOf(prompt, "Topics");
    expect(topics).toMatch(/\[ferry-\d+\] 2026-02-25 \d\d:\d\d /);
    expect(topics).toMatch(/### .+ \(memory\/topics\/[a-z0-9]+\.md\)/);
    for (const { text } of TALK)
      expect(prompt.split(text as string).length - 1, text as string).toBeLessThanOrEqual(1);
    const history = sectionOf(prompt, "History");
    expect(history).toContain(TALK.at(-1)?.["text"]);
    expect(history).not.toContain(TALK[0]?.["text"]);
    const data = JSON.parse(stage.read("teller/prompt.json")) as {
      sections: { name: string; tokens: number; budgetTokens: number }[];
    };
    const byName = new Map(data.sections.map((section) => [section.name, section]));
    expect(byName.get("topics")?.budgetTokens).toBe(800);
    expect(byName.get("history")?.budgetTokens).toBe(1400);
    for (const { tokens, budgetTokens } of data.sections) expect(tokens).toBeLessThanOrEqual(budgetTokens);
  });

  test("each question is scored once, whoever asks for the prompt how often", async () => {
    const stage = await opened({ "history.json": TALK });
    await asks(stage, "How long must the oolong steep in the kettle?");
    for (let time = 0; time < 3; time++) await stage.supervisor.settled();
    const scored = eventsOf(stage).filter((event) => event === "topic_scored");
    expect(scored).toHaveLength(1);
    await asks(stage, "And the teapot for its leaves?");
    await stage.supervisor.settled();
    expect(eventsOf(stage).filter((event) => event === "topic_scored")).toHaveLength(2);
  });

  test("a host that writes history.json alone has its turns counted too, each once", async () => {
    const stage = await opened({ "history.json": TALK });
    const scored = (): number => eventsOf(stage).filter((event) => event === "topic_scored").length;
    expect(scored()).toBe(0);
    const history = [...TALK];
    for (const [at, text] of ["And the oolong?", "And its kettle?"].entries()) {
      history.push(
        said(`more-${at}`, NOW, text),
        said(`answer-${at}`, NOW, "It is fine.", { role: "agent" }),
      );
      stage.write("history.json", history);
      await rested(stage);
    }
    expect(scored()).toBe(2);
    // What waited is the same turn once it has been said.
    await asks(stage, "And the ferry?", "third");
    stage.write("history.json", [...history, said("third", NOW, "And the ferry?")]);
    stage.write("inbox.json", []);
    await rested(stage);
    expect(scored()).toBe(3);
  });

  test.each([
    ["I told you which cabin of the ferry to Naxos I want.", "ferry", "渡船"],
    ["你忘了吗？渡船在哪个码头，船票和客舱呢？", "渡船", "ferry"],
  ] as const)(
    "a sleeping topic wakes when somebody says that they told it before: %s",
    async (question, matter, other) => {
      const talk = [...talkOf("渡船", 30, "2026-02-20T10:00:00Z"), ...TALK];
      const settings = { topics: { ...ON.topics, least_active: 1 } };
      const stage = await opened({ "history.json": talk }, { settings });
      const stateOf = async (): Promise<string | undefined> => {
        const { topics } = await listTopics(stage.supervisor, LOCAL_ADDRESS, true);
        return topics.find(({ id }) => placesOf(stage).get(`${matter}-0`)?.[0]?.includes(id))?.state;
      };
      for (const each of ["oolong", "teapot", "kettle", "aroma"]) {
        await asks(stage, `Which ${each} suits the oolong, and how long must it steep in the teapot?`);
        await rested(stage);
      }
      expect(await stateOf()).toBe("dormant");
      const shown = sectionOf(await asks(stage, question), "Topics");
      expect(shown).toContain(`[${matter}-`);
      expect(shown).not.toContain(`[${other}-`);
      await rested(stage);
      expect(await stateOf()).toBe("active");
    },
  );

  test.each([
    ["渡船的船票和客舱？", "渡船"],
    ["The ferry's cabin?", "ferry"],
  ])("a short question is about its own words, whatever was said last: %s", async (question, matter) => {
    const talk = [...talkOf("渡船", 30, "2026-02-20T10:00:00Z"), ...TALK];
    const stage = await opened({ "history.json": talk });
    const [, first = ""] = sectionOf(await asks(stage, question), "Topics").split("### ");
    expect(first).toContain(`[${matter}-`);
  });

  test("what was archived is found by who asks for it, and by its dates", async () => {
    const stage = await opened({ "history.json": TALK });
    const { topics } = await listTopics(stage.supervisor, LOCAL_ADDRESS, false);
    const { said: first } = await showTopic(stage.supervisor, LOCAL_ADDRESS, topics[0]?.id ?? "");
    expect(first.length).toBeGreaterThan(0);
    for (const { id } of topics) await archiveTopic(stage.supervisor, LOCAL_ADDRESS, id);
    eachOnce(stage, idsOf(TALK));
    expect(
      Object.keys(stage.disk.files()).some((path) => /topics\/archived\/2026-03\/[a-z0-9]+\.md$/.test(path)),
    ).toBe(true);
    expect(sectionOf(await asks(stage, "Is there a cabin on the ferry to Naxos?"), "Topics")).toBe("");
    const none = await stage.supervisor.activateTopics(LOCAL_ADDRESS, "ferry cabin", {
      to: { day: "2026-01-01" as never },
    });
    expect(none).toEqual({ found: [], candidates: [] });
    const { found } = await stage.supervisor.activateTopics(
      LOCAL_ADDRESS,
      "the ferry with a cabin to Naxos",
      {},
    );
    expect(found[0]).toMatchObject({ woken: true, state: "active" });
    await stage.supervisor.settled();
    expect(sectionOf(stage.read("teller/prompt.md"), "Topics")).toContain("[ferry-");
    eachOnce(stage, idsOf(TALK));
  });

  test("where nothing surely knows of it the likeliest are named, with their dates", async () => {
    const stage = await opened({ "history.json": TALK });
    const { found, candidates } = await stage.supervisor.activateTopics(
      LOCAL_ADDRESS,
      "the captain whom nobody called, a violin, a marathon, a bakery and the kettle",
      {},
    );
    expect(found.every(({ score }) => score < 0.5)).toBe(true);
    expect(candidates.length).toBeGreaterThan(0);
    expect(candidates[0]?.dates).toMatch(/^2026-0\d-\d\d/);
    await expect(stage.supervisor.activateTopics(LOCAL_ADDRESS, "  ", {})).rejects.toMatchObject({
      code: "empty_query",
    });
  });

  test("a name and a brief that a person wrote stay", async () => {
    const stage = await opened({ "history.json": TALK });
    const [topic] = (await listTopics(stage.supervisor, LOCAL_ADDRESS, false)).topics;
    const file = topic?.file ?? "";
    const lines = stage.read(file).replace(/^name: .*$/m, "name: My crossing");
    stage.write(file, `${lines.slice(0, lines.indexOf("\n---\n") + 5)}\nI wrote this myself.\n`);
    const more = talkOf("渡船", 40, "2026-03-02T08:00:00Z");
    stage.write("history.json", [...TALK, ...more]);
    await rested(stage);
    await archiveTopic(stage.supervisor, LOCAL_ADDRESS, "My crossing");
    const shown = await showTopic(stage.supervisor, LOCAL_ADDRESS, topic?.id ?? "");
    expect(shown).toMatchObject({ name: "My crossing", brief: "I wrote this myself.", state: "archived" });
    await expect(
      renameTopic(stage.supervisor, LOCAL_ADDRESS, { topic: "my crossing", name: "Naxos", shown: "Ferry" }),
    ).rejects.toMatchObject({ code: "entry_changed" });
    const renamed = await renameTopic(stage.supervisor, LOCAL_ADDRESS, {
      topic: "my crossing",
      name: "# Naxos\n2026",
      shown: "My crossing",
    });
    expect(renamed.name).toBe("Naxos 2026");
    expect(stage.read(renamed.file)).toContain("I wrote this myself.");
  });

  test("topics are merged, divided and reviewed by hand, and no message is lost on the way", async () => {
    const stage = await opened({ "history.json": TALK });
    const { topics } = await listTopics(stage.supervisor, LOCAL_ADDRESS, false);
    const [one, other] = topics;
    const both = (one?.messages ?? 0) + (other?.messages ?? 0);
    const merged = await mergeTopics(stage.supervisor, LOCAL_ADDRESS, [other?.id ?? ""], one?.name ?? "");
    expect(merged.messages).toBe(both);
    eachOnce(stage, idsOf(TALK));
    const parts = await splitTopic(stage.supervisor, LOCAL_ADDRESS, merged.id);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.every(({ parent }) => parent === merged.id)).toBe(true);
    expect(parts.reduce((sum, { messages }) => sum + messages, 0)).toBe(both);
    eachOnce(stage, idsOf(TALK));
    await expect(
      mergeTopics(stage.supervisor, LOCAL_ADDRESS, [merged.id], parts[0]?.id ?? ""),
    ).rejects.toMatchObject({
      code: "value_invalid",
    });
    await expect(showTopic(stage.supervisor, LOCAL_ADDRESS, "../../x")).rejects.toMatchObject({
      code: "topic_unknown",
    });
    expect(await reviewTopics(stage.supervisor, LOCAL_ADDRESS)).toMatchObject({ archived: 0 });
  });

  test("what slept through a week of talk is archived at the hour of the review, also where memd was stopped then; who was away forgets nothing", async () => {
    const clock = handClock(instant(NOW));
    const settings = { topics: { ...ON.topics, least_active: 1 } };
    const stage = await opened({ "history.json": TALK }, { clock, settings });
    for (const each of ["kettle", "teapot", "aroma", "cup"]) {
      await asks(stage, `How long must the oolong steep in the ${each}, and which leaves for the roast?`);
      await rested(stage);
    }
    stage.write("inbox.json", []);
    await rested(stage);
    const { topics } = await listTopics(stage.supervisor, LOCAL_ADDRESS, false);
    const asleep = topics.filter(({ state }) => state === "dormant").map(({ id }) => id);
    expect(asleep.length).toBeGreaterThan(0);
    const again = async (from: Stage, at: string): Promise<Stage> => {
      await from.supervisor.stop();
      clock.set(instant(at));
      const files = Object.fromEntries(
        Object.entries(from.disk.files()).flatMap(([path, text]) =>
          path.startsWith("/w/") ? [[path.slice(3), text]] : [],
        ),
      );
      return opened(files, { clock, settings });
    };
    const statesOf = async ({ supervisor }: Stage) => {
      const { topics: after, stats } = await listTopics(supervisor, LOCAL_ADDRESS, true);
      return { stats, states: asleep.map((id) => after.find((topic) => topic.id === id)?.state) };
    };
    const back = await again(stage, "2026-03-30T09:00:00Z");
    expect(await statesOf(back)).toMatchObject({
      states: asleep.map(() => "dormant"),
      stats: { reviewedAt: "2026-03-30T09:00:00.000Z" },
    });
    const days = (from: number, to: number): object[] =>
      Array.from({ length: to - from + 1 }, (_each, at) => from + at).map((day) =>
        said(`day-${day}`, `2026-04-0${day}T08:00:00Z`, "Good morning."),
      );
    const tell = async (messages: readonly object[]): Promise<void> => {
      const history = JSON.parse(back.read("history.json")) as object[];
      back.write("history.json", [...history, ...messages]);
      await rested(back);
    };
    clock.set(instant("2026-04-07T09:00:00Z"));
    await tell(days(1, 6));
    await tell(days(7, 7));
    const late = await again(back, "2026-04-08T03:59:00Z");
    expect((await statesOf(late)).states).toEqual(asleep.map(() => "dormant"));
    const reviewed = await again(late, "2026-04-08T04:00:00Z");
    expect((await statesOf(reviewed)).states).toEqual(asleep.map(() => "archived"));
    eachOnce(reviewed, idsOf(TALK));
  });

  test("whose topics they are is a partition; a group has one set for all", async () => {
    const lin = talkOf("ferry", 90, "2026-02-25T10:00:00Z", { user: "lin" });
    const wei = talkOf("tea", 90, "2026-02-26T10:00:00Z", { user: "wei" });
    const group = talkOf("python", 90, "2026-02-27T10:00:00Z", { scope: "group:g" }).map((each, at) => ({
      ...each,
      user: at % 4 < 2 ? "lin" : "wei",
    }));
    const stage = await opened({ "history.json": [...lin, ...wei, ...group] });
    const of = async (user: string, scope: string): Promise<string[]> => {
      const viewer: Address = { user, scope: scope as ScopeId, session: "main" };
      const { topics } = await listTopics(stage.supervisor, viewer, true);
      const shown = await Promise.all(topics.map(({ id }) => showTopic(stage.supervisor, viewer, id)));
      return [...new Set(shown.flatMap((each) => each.said.map(({ id }) => id.split("-")[0] ?? "")))];
    };
    expect(await of("lin", "main")).toEqual(["ferry"]);
    expect(await of("wei", "main")).toEqual(["tea"]);
    expect(await of("local", "main")).toEqual([]);
    expect(await of("lin", "group:g")).toEqual(["python"]);
    expect(await of("wei", "group:g")).toEqual(["python"]);
    const prompt = (
      await stage.supervisor.prompt.compose({ user: "wei", scope: "main" as ScopeId, session: "main" })
    ).markdown;
    expect(prompt).not.toContain("ferry");
    expect(prompt).not.toContain("pytest");
  });

  test("what is forgotten is in no topic, no name and no brief any more", async () => {
    const talk = TALK.map((each) => ({ ...each, session: String(each["id"]).split("-")[0] }));
    const stage = await opened({ "history.json": talk });
    expect(stage.read("memory/topics/events.jsonl")).not.toBe("");
    await stage.supervisor.forget({ session: "ferry" }, false);
    const left = Object.entries(stage.disk.files()).filter(
      ([path, text]) => path.includes("/topics/") && /Naxos|ferry-/.test(text),
    );
    expect(left.map(([path]) => path)).toEqual([]);
    await rested(stage);
    eachOnce(
      stage,
      idsOf(talk).filter((id) => !id.startsWith("ferry")),
    );
    expect(
      Object.entries(stage.disk.files()).filter(
        ([path, text]) => path.includes("/topics/") && text.includes("Naxos"),
      ),
    ).toEqual([]);
  });

  test("a private message is in no topic", async () => {
    const stage = await opened({
      "history.json": [...TALK, said("hidden", NOW, "between us", { private: true })],
    });
    expect(placesOf(stage).has("hidden")).toBe(false);
    // Nor one that became private after it was taken, in a topic or in none.
    const history = TALK.map((each, at) =>
      at === 0 || at === TALK.length - 1 ? { ...each, private: true } : each,
    );
    stage.write("history.json", history);
    await rested(stage);
    eachOnce(stage, idsOf(TALK).slice(1, -1));
    expect(placesOf(stage).has("ferry-0")).toBe(false);
    expect(placesOf(stage).has("python-29")).toBe(false);
  });
});

const TOKENS_OF_ONE = 100;
const LONGEST_REST_MS = 31 * 60_000;

describe("with a model", () => {
  const windows =
    (told: (id: string) => object) =>
    (job: TopicJob): Promise<JobOutcome<JobResult>> | undefined =>
      job.kind === "topic_windows"
        ? Promise.resolve({
            to: "done",
            usage: [],
            result: {
              kind: "topic_windows",
              id: job.id,
              by: "m",
              windows: job.topics.map(({ id }) => ({ id, ...told(id) })) as never,
              tokens: job.topics.length * TOKENS_OF_ONE,
            },
          })
        : undefined;

  test("what windows say stands in the prompt: references, summary, the most relevant first", async () => {
    const stage = await opened(
      { "history.json": TALK },
      {
        settings: WITH_MODEL,
        topics: windows(() => ({ relevance: 0.9, refs: [1], summary: "They leave on Friday." })),
      },
    );
    await asks(stage, "What of the crossing?");
    await expect.poll(() => stage.read("teller/prompt.md")).toContain("They leave on Friday.");
    await rested(stage);
    expect(eventsOf(stage).filter((event) => event === "topic_scored")).toHaveLength(1);
    const lines = stage.read("memory/topics/events.jsonl").trim().split("\n");
    expect(lines.some((line) => line.includes('"scored"') && line.includes("0.9"))).toBe(true);
  });

  test("a search asks the index, then the windows of those it wakes alone: what others said is used again", async () => {
    const jobs: TopicJob[] = [];
    const answered = windows((id) => ({ relevance: 0.9, refs: [0], summary: `Topic ${id} knows.` }));
    const stage = await opened(
      { "history.json": TALK },
      {
        // All three have room in the prompt, whatever ids they have.
        settings: { ...WITH_MODEL, topics: { ...ON.topics, window_tokens: 2600 } },
        topics: (job) => {
          jobs.push(job);
          if (job.kind !== "topic_index") return answered(job);
          const found = job.topics.map(({ id }) => ({ id, level: "high" as const }));
          return Promise.resolve({
            to: "done",
            usage: [],
            result: { kind: job.kind, id: job.id, by: "m", found },
          });
        },
      },
    );
    const { topics } = await listTopics(stage.supervisor, LOCAL_ADDRESS, false);
    const [put, ...others] = topics.map(({ id }) => id);
    await archiveTopic(stage.supervisor, LOCAL_ADDRESS, put ?? "");
    await asks(stage, "What of the crossing?");
    await expect.poll(() => stage.read("teller/prompt.md")).toContain(`Topic ${others[0]} knows.`);
    await rested(stage);
    expect(stage.read("teller/prompt.md")).not.toContain(`Topic ${put} knows.`);
    const before = jobs.length;
    const { found } = await stage.supervisor.activateTopics(LOCAL_ADDRESS, "the crossing", {});
    expect(found.map(({ id }) => id)).toContain(put);
    const asked = jobs.slice(before).filter(({ kind }) => kind === "topic_index" || kind === "topic_windows");
    expect(asked.map(({ kind }) => kind)).toEqual(["topic_index", "topic_windows"]);
    expect(asked[1]).toMatchObject({ topics: [{ id: put }] });
    await rested(stage);
    for (const id of [put, ...others]) expect(stage.read("teller/prompt.md")).toContain(`Topic ${id} knows.`);
  });

  test("a window that fails counts as it did before; the turn goes on and the log says so", async () => {
    const stage = await opened(
      { "history.json": TALK },
      { settings: WITH_MODEL, topics: windows(() => ({ failed: "late" })) },
    );
    const prompt = await asks(stage, "Which cabin does the ferry to Naxos have?");
    expect(prompt).toContain("Which cabin does the ferry to Naxos have?");
    await expect
      .poll(
        () =>
          stage.events.filter(({ event, kind }) => event === "job_failed" && kind === "topic_windows").length,
      )
      .toBeGreaterThan(0);
    await rested(stage);
    expect(stage.read("teller/prompt.md")).toContain("Which cabin does the ferry to Naxos have?");
    eachOnce(stage, idsOf(TALK));
  });

  test.each([
    ["each window fails", windows(() => ({ failed: "500" }))],
    [
      "none can be had",
      (job: TopicJob) =>
        job.kind === "topic_windows"
          ? Promise.resolve({ to: "unavailable" as const, reason: "503", usage: [] })
          : undefined,
    ],
  ])(
    "where %s the prompt shows what it shows without a model, and the log says so once",
    async (_why, topics) => {
      const question = "Which cabin does the ferry to Naxos have, and what is on its timetable?";
      const without = await opened({ "history.json": TALK });
      const stage = await opened({ "history.json": TALK }, { settings: WITH_MODEL, topics });
      const quoted = (prompt: string): string[] =>
        (sectionOf(prompt, "Topics").match(/\[[a-z]+-\d+\]/g) ?? []).sort();
      const expected = quoted(await asks(without, question));
      expect(expected.length).toBeGreaterThan(0);
      await asks(stage, question);
      await rested(stage);
      expect(quoted(stage.read("teller/prompt.md"))).toEqual(expected);
      await asks(stage, "And the ferry back?");
      await rested(stage);
      const told = stage.events.filter(
        ({ event, kind }) => event === "job_failed" && kind === "topic_windows",
      );
      expect(told).toHaveLength(1);
    },
  );

  test("a window is asked once a turn, and all of them together cost a turn what it may cost", async () => {
    const jobs: Extract<TopicJob, { kind: "topic_windows" }>[] = [];
    const answered = windows(() => ({ relevance: 0.9, refs: [0], summary: "Known." }));
    const stage = await opened(
      { "history.json": TALK },
      {
        settings: { ...WITH_MODEL, topics: { ...ON.topics, turn_tokens: 1000 } },
        topics: (job) => {
          if (job.kind === "topic_windows") jobs.push(job);
          return answered(job);
        },
      },
    );
    await asks(stage, "What of the crossing?", "one");
    await rested(stage);
    for (let again = 0; again < 3; again++) {
      await stage.supervisor.activateTopics(LOCAL_ADDRESS, "the crossing", {});
      await rested(stage);
    }
    const asked = jobs.flatMap(({ topics }) => topics.map(({ id }) => id));
    expect(asked.length).toBeGreaterThan(1);
    expect(new Set(asked).size).toBe(asked.length);
    let left = 1000;
    for (const { turnTokens, topics } of jobs) {
      expect(turnTokens).toBe(left);
      left -= topics.length * TOKENS_OF_ONE;
    }
    await asks(stage, "And the tea?", "two");
    await rested(stage);
    expect(jobs.at(-1)?.turnTokens).toBe(1000);
  });

  test("a split that fails keeps up neither briefs nor the review, and after three failures words do it", async () => {
    const clock = handClock(instant(NOW));
    let asked = 0;
    let askedBefore: number | undefined;
    const stage = await openStage(
      { "history.json": TALK },
      {
        clock,
        settings: WITH_MODEL,
        topics: (job) => {
          if (job.kind !== "topic_split") return undefined;
          if (job.byWords === true) askedBefore ??= asked;
          if (job.byWords === true) return undefined;
          asked += 1;
          return Promise.resolve({ to: "failed", reason: "garbage", usage: [] });
        },
      },
    );
    await stage.supervisor.start({ watch: false, work: true });
    await rested(stage);
    expect(eventsOf(stage)).not.toContain("topic_split");
    for (let tries = 1; tries < FAILED_OFTEN + 1; tries++) {
      await clock.advance(LONGEST_REST_MS);
      await rested(stage);
    }
    expect(eventsOf(stage)).toContain("topic_split");
    expect(askedBefore).toBe(FAILED_OFTEN);
    // Once of splits and once of divisions.
    expect(
      stage.events.filter(({ event, kind }) => event === "job_failed" && kind === "topic_split").length,
    ).toBeLessThanOrEqual(2);
    const { topics } = await statusOf(stage.supervisor, "");
    expect(topics?.failing).toBe("garbage");
    eachOnce(stage, idsOf(TALK));
    const briefs = Object.entries(stage.disk.files()).filter(([path]) => /topics\/[a-z0-9]+\.md$/.test(path));
    expect(briefs.length).toBeGreaterThan(0);
  });

  test.each([
    [
      "invents messages and topics",
      (job: TopicSplitJob) => [
        { topic: "zzzzzz", name: "x", stretches: [[0, 1]] },
        { name: "Ferry", stretches: [[-1, 99_999, 0.5, ...job.utterances.keys()]] },
      ],
    ],
    ["omits most messages", () => [{ name: "Few", stretches: [[0, 1, 2, 3]] }]],
    [
      "names a topic as a path",
      (job: TopicSplitJob) => [{ name: "../../x", stretches: [[...job.utterances.keys()]] }],
    ],
    [
      "names everything twice",
      (job: TopicSplitJob) => [
        { name: "A", stretches: [[...job.utterances.keys()]] },
        { name: "B", stretches: [[...job.utterances.keys()]] },
      ],
    ],
    ["says nothing", () => []],
  ])("one that %s loses nothing", async (_what, groups) => {
    const stage = await opened(
      { "history.json": TALK },
      {
        settings: WITH_MODEL,
        topics: (job) =>
          job.kind === "topic_split"
            ? Promise.resolve({
                to: "done",
                usage: [],
                result: { kind: "topic_split", id: job.id, by: "m", groups: groups(job) as never },
              })
            : undefined,
      },
    );
    eachOnce(stage, idsOf(TALK));
    const outside = Object.keys(stage.disk.files()).filter(
      (path) => path.startsWith("/w/") && /x\.(?:md|jsonl)$/.test(path) && !path.includes("/topics/"),
    );
    expect(outside).toEqual([]);
    expect(Object.keys(stage.disk.files()).every((path) => !path.includes(".."))).toBe(true);
    expect(await asks(stage, "And now?")).toContain("And now?");
  });

  test("one that cannot be had leaves all as it is, and is asked again later", async () => {
    const asked: string[] = [];
    const stage = await opened(
      { "history.json": TALK },
      {
        settings: WITH_MODEL,
        topics: (job) => {
          asked.push(job.kind);
          return Promise.resolve({ to: "unavailable", reason: "503", usage: [] });
        },
      },
    );
    await asks(stage, "And now?");
    eachOnce(stage, idsOf(TALK));
    expect(await reviewTopics(stage.supervisor, LOCAL_ADDRESS)).toEqual({ merged: 0, archived: 0 });
    expect((await listTopics(stage.supervisor, LOCAL_ADDRESS, true)).stats.reviewedAt).toBe(
      "2026-03-02T12:00:00.000Z",
    );
    expect(asked.filter((kind) => kind === "topic_split")).toHaveLength(1);
    expect(stage.events.some(({ event, reason }) => event === "job_failed" && reason === "503")).toBe(true);
    const { sections } = JSON.parse(stage.read("teller/prompt.json")) as { sections: { name: string }[] };
    expect(sections.some(({ name }) => name === "topics")).toBe(false);
  });
});
