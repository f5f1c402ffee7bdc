import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mayRead, OWNER, type Viewer, viewerAt } from "../../src/model/address.js";
import type { Passage } from "../../src/model/passage.js";
import { spaceId } from "../../src/model/space.js";
import { DAY_MS, epochMs, noonOf, zoneOf, type Day, type EpochMs } from "../../src/model/time.js";
import { memoryEngine } from "../../src/recall/index/memory.js";
import type { RecallModels } from "../../src/recall/models.js";
import { recall, type Recalled, type RecallOptions } from "../../src/recall/recall.js";
import { NOON, said, scope } from "./passage-samples.js";
import { EVERYDAY } from "../support/words.js";

const LOCAL: Viewer = viewerAt({ user: "local", scope: scope("main"), session: "main" });

async function ask(
  passages: readonly Passage[],
  query: string,
  viewer: Viewer = LOCAL,
  options: RecallOptions = {},
  models?: RecallModels,
): Promise<Recalled> {
  const engine = memoryEngine();
  const byPath = new Map<string, Passage[]>();
  for (const passage of passages) byPath.set(passage.path, [...(byPath.get(passage.path) ?? []), passage]);
  for (const [path, ofPath] of byPath) await engine.upsert(path, "1", ofPath);
  if (models !== undefined)
    await engine.embed(
      TOY_SPACE,
      (await engine.unembedded(TOY_SPACE, Infinity)).map(({ partition, key, passage }) => ({
        partition,
        key,
        values: toyVector(passage.text),
      })),
    );
  return recall(
    {
      engine,
      zone: zoneOf("UTC"),
      now: () => NOON,
      settings: { min_score: 0.2, limit: 10 },
      words: () => EVERYDAY,
      ...(models && { models }),
    },
    query,
    viewer,
    options,
  );
}

/** Counts letters: enough to have a centre, and neighbours. */
function toyVector(text: string): number[] {
  return Array.from(
    { length: 8 },
    (_, index) => 1 + [...text].filter((c) => c.charCodeAt(0) % 8 === index).length,
  );
}

const TOY_SPACE = spaceId({ model: "toy", revision: "", dimensions: 8 });
const TOY_MODEL: RecallModels = {
  vectorOf: async (query) => ({ vector: { space: TOY_SPACE, values: toyVector(query), weight: 0.5 } }),
};

test("where most is told in the question's language, what the other tells has its place for a prompt", async () => {
  const talk = Array.from({ length: 30 }, (_, at) => said(`第${at}号线上街口，那条老街买礼物。`));
  const answer = said("The gift was a film camera.", { role: "agent" });
  const found = await ask([...talk, answer], "线上街口那条老街买的礼物", LOCAL, {
    limit: 10,
    paraphrased: true,
  });
  expect(found.hits.map(({ passage }) => passage.text).slice(0, 3)).toContain(answer.text);
});

describe("what no longer holds", () => {
  const day = (text: string): Day => text as Day;
  const moved = [
    said("Lin lives in Porto.", { kind: "fact", supersededAt: NOON, knownAt: epochMs(NOON - 30 * DAY_MS) }),
    said("Lin lives in Lisbon now, no longer where she was.", { kind: "fact", knownAt: NOON }),
  ];

  test("ranks behind what does, and is marked", async () => {
    const { hits } = await ask(moved, "Where does Lin live? Porto");
    expect(hits.map(({ passage, standing }) => [passage.text.slice(0, 20), standing])).toEqual([
      ["Lin lives in Lisbon ", undefined],
      ["Lin lives in Porto.", "superseded"],
    ]);
  });

  test("held before it was superseded, and what came later was not known", async () => {
    const past = moved.map((passage) => ({
      ...passage,
      saidAt: epochMs(NOON - 30 * DAY_MS),
      day: "2025-05-16",
    }));
    const { hits } = await ask(past, "Where does Lin live?", LOCAL, { asOf: { day: day("2025-06-01") } });
    expect(hits.map(({ passage, standing }) => [passage.text, standing])).toEqual([
      ["Lin lives in Porto.", undefined],
    ]);
  });

  test("an expected thing expires when its time is over", async () => {
    const trip = said("Lin travels to Kyoto in May.", { kind: "foresight", validTo: epochMs(NOON - DAY_MS) });
    expect((await ask([trip], "Kyoto")).hits[0]?.standing).toBe("expired");
    const then = { asOf: { at: epochMs(NOON - 2 * DAY_MS) } };
    const told = { ...trip, saidAt: epochMs(NOON - 9 * DAY_MS), day: "2025-06-06" };
    expect((await ask([told], "Kyoto", LOCAL, then)).hits[0]?.standing).toBeUndefined();
  });
});

const texts = ({ hits }: Recalled): string[] => hits.map(({ passage }) => passage.text);

describe("what is found", () => {
  test("the only memory there is", async () => {
    expect(texts(await ask([said("The cat is called 年糕.")], "What is the cat called?"))).toEqual([
      "The cat is called 年糕.",
    ]);
  });

  test("a word that every passage has", async () => {
    const all = ["tea in the morning", "tea at noon", "tea at night"].map((text) => said(text));
    expect((await ask(all, "tea")).hits).toHaveLength(3);
  });

  test("Chinese questions of one word, mixed and traditional ones", async () => {
    const all = ["年糕喜欢吃三文鱼", "上次部署用了 Cloudflare Workers", "电脑的屏幕坏了"].map((text) =>
      said(text),
    );
    expect(texts(await ask(all, "鱼"))[0]).toBe("年糕喜欢吃三文鱼");
    expect(texts(await ask(all, "我们是怎么部署的？"))[0]).toBe("上次部署用了 Cloudflare Workers");
    expect(texts(await ask(all, "cloudflare 部署"))[0]).toBe("上次部署用了 Cloudflare Workers");
    expect(texts(await ask(all, "電腦螢幕"))[0]).toBe("电脑的屏幕坏了");
  });

  test("by who said it", async () => {
    const all = [said("I moved to Lisbon.", { speaker: "Ana" }), said("It rains.", { speaker: "Bo" })];
    expect(texts(await ask(all, "Ana"))).toEqual(["I moved to Lisbon."]);
  });

  test("nothing for an empty or a wordless question", async () => {
    expect((await ask([said("tea")], "")).hits).toEqual([]);
    expect((await ask([said("tea")], "?? … 🎉")).hits).toEqual([]);
  });

  test("a question that shares one content word with a passage never comes back empty", async () => {
    const words = fc.constantFrom(
      "tea",
      "violin",
      "retry",
      "rain",
      "violin",
      "年糕",
      "部署",
      "青岛",
      "电脑",
      "医生",
    );
    const text = fc.array(words, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 8 }), text, async (stored, question) => {
        const all = stored.map((content, index) => said(content.join("，"), { id: String(index) }));
        const shares = stored.some((content) => content.some((word) => question.includes(word)));
        const { hits } = await ask(all, question.join(" "));
        if (shares) expect(hits.length).toBeGreaterThan(0);
        else expect(hits).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test("a word is found by what says the same in the other language, behind what says it itself", async () => {
    const [zh, en, other] = [said("明天部署到正式环境"), said("We deploy tomorrow"), said("tea at four")];
    const first = async (all: Passage[], query: string): Promise<string | undefined> =>
      (await ask(all, query)).hits[0]?.passage.text;
    expect(await first([zh, other], "deploy")).toBe(zh.text);
    expect(await first([en, other], "部署")).toBe(en.text);
    expect(await first([zh, en, other], "deploy")).toBe(en.text);
    expect(await first([zh, en, other], "部署")).toBe(zh.text);
  });

  test("scores lie between 0 and 1 and fall", async () => {
    const all = ["tea", "tea tea tea", "tea and violin", "violin lessons in Lisbon"].map((text) =>
      said(text),
    );
    const scores = (await ask(all, "tea violin")).hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const score of scores) expect(score > 0 && score <= 1).toBe(true);
  });

  test("what shares only common words stays below the floor while something better is there", async () => {
    const small = Array.from({ length: 30 }, (_, index) =>
      said(`a long day number ${index} with many other things`),
    );
    const found = texts(
      await ask([...small, said("the violin lesson of the day")], "violin lesson with Marco on that day"),
    );
    expect(found).toEqual(["the violin lesson of the day"]);
  });
});

test("of a query that is longer than any question the head is looked for, and it says so", async () => {
  const all = [said("the violin lesson"), said("a heron by the lock")];
  const long = await ask(all, `violin ${"x".repeat(4000)} heron`);
  expect(texts(long)).toEqual(["the violin lesson"]);
  expect(long.warnings).toEqual(["Only the first 4,000 characters of the query were looked for."]);
  expect((await ask(all, "violin")).warnings).toEqual([]);
});

describe("partitions", () => {
  test("somebody else's conversation in the same place is not found, a group's is by its members", async () => {
    const all = [
      said("secret tea", { user: "ana" }),
      said("group tea", { user: "ana", scope: scope("group:x") }),
    ];
    expect(texts(await ask(all, "tea"))).toEqual([]);
    expect(
      texts(await ask(all, "tea", viewerAt({ user: "bo", scope: scope("group:x"), session: "s" }))),
    ).toEqual(["group tea"]);
    expect((await ask(all, "tea", OWNER)).hits).toHaveLength(2);
  });

  test("memory.md is for the owner's own conversations, not for groups", async () => {
    const note = said("prefers tea", { kind: "memory", level: "owner", path: "memory.md" });
    expect((await ask([note], "tea")).hits).toHaveLength(1);
    expect(
      (await ask([note], "tea", viewerAt({ user: "local", scope: scope("group:x"), session: "s" }))).hits,
    ).toEqual([]);
    expect(
      (await ask([note], "tea", viewerAt({ user: "ana", scope: scope("main"), session: "s" }))).hits,
    ).toEqual([]);
  });

  test("a scope's documents are read with it", async () => {
    const page = said("tea manual", { scope: scope("work:docs"), user: "local" });
    expect(
      texts(await ask([page], "tea", viewerAt({ user: "local", scope: scope("work"), session: "s" }))),
    ).toEqual(["tea manual"]);
    expect(texts(await ask([page], "tea"))).toEqual([]);
  });

  test("no filter opens a partition", async () => {
    const all = [said("secret tea", { user: "ana", session: "s1" })];
    for (const options of [
      { user: "ana" },
      { session: "s1" },
      { scope: "main" },
      { kinds: ["message"] as const },
      { minScore: 0 },
    ]) {
      expect((await ask(all, "tea", LOCAL, options)).hits).toEqual([]);
    }
  });

  const someone = fc.constantFrom("local", "ana", "bo");
  const place = fc.constantFrom("main", "work", "work:docs", "group:x").map(scope);
  const session = fc.constantFrom("s1", "s2");
  const level = fc.constantFrom("owner" as const, "user" as const, "scope" as const, "session" as const);
  const content = fc.array(fc.constantFrom("tea", "rain", "violin", "年糕"), { minLength: 1, maxLength: 3 });
  const passage = fc
    .record({ user: fc.option(someone, { nil: undefined }), scope: place, session, level, content })
    .map(({ content, user, ...belonging }) => {
      const one: Passage = said(content.join(" "), belonging);
      if (user === undefined) delete one.user;
      else one.user = user;
      return one;
    });
  const viewer = fc.record({ user: someone, scope: place, session }).map(viewerAt);

  test.each<[string, RecallModels | undefined, RecallOptions]>([
    ["by words", undefined, {}],
    ["by words and meaning", TOY_MODEL, {}],
    ["by meaning alone", TOY_MODEL, { mode: "vector" }],
  ])(
    "%s nobody gets a foreign hit, and what is behind other partitions changes neither hits nor scores",
    async (_how, models, mode) => {
      await fc.assert(
        fc.asyncProperty(fc.array(passage, { maxLength: 25 }), viewer, async (drawn, reader) => {
          const all = drawn.map((one, index) => ({ ...one, id: `f${index}.md#1`, path: `f${index}.md` }));
          const readable = all.filter((one) => mayRead(reader, one));
          const options = { ...mode, limit: 100 };
          const found = await ask(all, "tea 年糕", reader, options, models);
          for (const { passage } of found.hits) expect(mayRead(reader, passage)).toBe(true);
          expect(found).toEqual(await ask(readable, "tea 年糕", reader, options, models));
        }),
        { numRuns: 150 },
      );
    },
  );
});

describe("filters", () => {
  const early = said("tea early", { day: "2025-06-01", saidAt: epochMs(NOON - 14 * DAY_MS) });
  const late = said("tea late", { day: "2025-06-15", session: "other" });

  test("by period, and a reversed one is turned with a warning", async () => {
    const [from, to] = [{ day: "2025-06-10" as Day }, { day: "2025-06-20" as Day }];
    expect(await ask([early, late], "tea", LOCAL, { from, to })).toMatchObject({
      hits: [{ passage: { text: "tea late" } }],
      warnings: [],
    });
    const turned = await ask([early, late], "tea", LOCAL, { from: to, to: from });
    expect(texts(turned)).toEqual(["tea late"]);
    expect(turned.warnings).toHaveLength(1);
  });

  test("as of a day, what was said later is no hit and no neighbour", async () => {
    const turns = [
      said("I put it behind the shed.", {
        id: "1",
        day: "2025-06-01",
        saidAt: epochMs(NOON - 14 * DAY_MS),
        sequence: 0,
      }),
      said("The violin, you mean?", { id: "2", sequence: 1 }),
    ];
    expect(texts(await ask(turns, "violin"))).toEqual(["The violin, you mean?", "I put it behind the shed."]);
    expect(texts(await ask(turns, "violin", LOCAL, { asOf: { day: "2025-06-10" as Day } }))).toEqual([]);
    expect(texts(await ask(turns, "shed", LOCAL, { asOf: { day: "2025-06-10" as Day } }))).toEqual([
      "I put it behind the shed.",
    ]);
  });

  describe("as of a moment, a summary is known once the last day it covers is over", () => {
    const covers = (...days: string[]): { covers: NonNullable<Passage["covers"]> } => ({
      covers: days.map((day) => ({ day: day as Day, hash: "0123456789abcdef" })),
    });
    const ofDay = said("Violin lessons began.", {
      kind: "day_summary",
      path: "memory/summary/2025-06-05.md",
      day: "2025-06-05",
      saidAt: noonOf("2025-06-05" as Day),
      ...covers("2025-06-05"),
    });
    const ofMonth = said("Violin lessons began and ended.", {
      kind: "month_summary",
      path: "memory/summary/2025-06.md",
      day: "2025-06",
      saidAt: noonOf("2025-06-12" as Day),
      ...covers("2025-06-05", "2025-06-12"),
    });
    const asOf = async (bound: { day: Day } | { at: EpochMs }): Promise<string[]> =>
      texts(await ask([ofDay, ofMonth], "violin lessons", LOCAL, { asOf: bound }));
    const at = (instant: string): { at: EpochMs } => ({ at: epochMs(Date.parse(instant)) });

    test("by days", async () => {
      expect(await asOf({ day: "2025-06-04" as Day })).toEqual([]);
      // The month that stands for this day is not known yet.
      expect(await asOf({ day: "2025-06-05" as Day })).toEqual([ofDay.text]);
      expect(await asOf({ day: "2025-06-11" as Day })).toEqual([ofDay.text]);
      expect(await asOf({ day: "2025-06-12" as Day })).toEqual([ofMonth.text]);
    });

    test("by instants", async () => {
      expect(await asOf(at("2025-06-05T23:59:59Z"))).toEqual([]);
      expect(await asOf(at("2025-06-06T00:00:00Z"))).toEqual([ofDay.text]);
      expect(await asOf(at("2025-06-12T18:00:00Z"))).toEqual([ofDay.text]);
      expect(await asOf(at("2025-06-13T00:00:00Z"))).toEqual([ofMonth.text]);
    });
  });

  test("by session, kind, scope and number", async () => {
    const work = said("tea at work", { scope: scope("work") });
    expect(texts(await ask([early, late], "tea", LOCAL, { session: "other" }))).toEqual(["tea late"]);
    expect(texts(await ask([early, late], "tea", LOCAL, { kinds: ["memory"] }))).toEqual([]);
    expect(texts(await ask([early, work], "tea", OWNER, { scope: "work" }))).toEqual(["tea at work"]);
    expect((await ask([early, late], "tea", LOCAL, { limit: 1 })).hits).toHaveLength(1);
  });
});

describe("order", () => {
  test("of two alike the newer is first, however old it is to the other half-life", async () => {
    const old = said("tea with Ana", {
      saidAt: epochMs(NOON - 90 * DAY_MS),
      path: "memory/archive/2025-03/a.md",
    });
    const fresh = said("tea with Bob", { path: "memory/z.md" });
    expect(texts(await ask([old, fresh], "tea"))).toEqual(["tea with Bob", "tea with Ana"]);
  });

  test("memory.md does not age", async () => {
    const note = said("tea with Ana", {
      kind: "memory",
      level: "owner",
      path: "memory.md",
      saidAt: epochMs(0),
    });
    const [hit] = (await ask([note], "tea")).hits;
    expect(hit?.parts["recency"]).toBeUndefined();
  });

  test("equal hits stand as memory.md, recent, archive, and then by id", async () => {
    const at = epochMs(0);
    const all = [
      said("tea four", { path: "memory/archive/2025-01/a.md", saidAt: at }),
      said("tea three", { path: "memory/b.md", saidAt: at }),
      said("tea two", { path: "memory/a.md", saidAt: at }),
      said("tea one", { path: "memory.md", kind: "memory", level: "owner", saidAt: at }),
    ];
    expect(texts(await ask(all, "tea"))).toEqual(["tea one", "tea two", "tea three", "tea four"]);
  });

  test("a text said twice is one hit, the same words by another speaker are another", async () => {
    const all = [
      said("I am allergic to peanuts.", { speaker: "Ana", id: "1" }),
      said("I am allergic to PEANUTS", { speaker: "Ana", id: "2" }),
      said("I am allergic to peanuts.", { speaker: "Bo", id: "3" }),
      said("I am not allergic to peanuts.", { speaker: "Ana", id: "4" }),
    ];
    expect((await ask(all, "peanuts")).hits).toHaveLength(3);
  });

  test("the same files in another order of reading give the same answer", async () => {
    const all = ["tea a", "tea b", "rain c", "tea rain d"].map((text, index) =>
      said(text, { path: `${index}.md` }),
    );
    expect(await ask([...all].reverse(), "tea rain")).toEqual(await ask(all, "tea rain"));
  });
});

describe("weak matches", () => {
  test("stand at .1 at most when nothing reaches the floor, and can be ruled out", async () => {
    const all = [said("tea"), ...Array.from({ length: 5 }, (_, index) => said(`rain ${index}`))];
    const question = "quantum chromodynamics lagrangian renormalisation, rain?";
    const { hits } = await ask(all, question);
    expect(hits).toHaveLength(5);
    for (const { score } of hits) expect(score).toBeLessThanOrEqual(0.1);
    expect((await ask(all, question, LOCAL, { minScore: 0.2 })).hits).toEqual([]);
  });
});
