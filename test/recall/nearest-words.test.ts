/** A word that nobody says is taken for the one of its family that somebody does, or for the nearest. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Address, viewerAt } from "../../src/model/address.js";
import type { Passage } from "../../src/model/passage.js";
import { zoneOf } from "../../src/model/time.js";
import { indexThreads } from "../../src/platform/package-root.js";
import type { Engine } from "../../src/recall/index/engine.js";
import { memoryEngine } from "../../src/recall/index/memory.js";
import { threadsIn } from "../../src/recall/index/open.js";
import { sqliteEngine } from "../../src/recall/index/sqlite/sqlite.js";
import { withNearest } from "../../src/recall/nearest-words.js";
import { questionOf } from "../../src/recall/question.js";
import { recall, type Recalled } from "../../src/recall/recall.js";
import { WEIGHTS } from "../../src/recall/weights.js";
import { dictionaryIn } from "../../src/text/dictionary.js";
import { tempDir } from "../support/temp-dir.js";
import { bytesOf, EVERYDAY } from "../support/words.js";
import { NOON, putTexts } from "./passage-samples.js";

const LIN: Address = { user: "lin", scope: "main" as never, session: "main" };
const words = { ...EVERYDAY, dictionary: dictionaryIn(bytesOf("hike\t远足\nrefrigerat\t冰箱\n")) };

const ENGINES: readonly [string, () => Promise<Engine>][] = [
  ["memory", async () => memoryEngine()],
  [
    "sqlite",
    async () => {
      const threads = threadsIn(indexThreads()).of(tempDir());
      return sqliteEngine({ threads, onLost: () => undefined });
    },
  ],
];

describe.each(ENGINES)("asked of the %s engine", (_name, open) => {
  let engine: Engine;
  beforeEach(async () => {
    engine = await open();
  });
  afterEach(() => engine.close());

  const put = (path: string, texts: readonly string[], more: Partial<Passage> = {}): Promise<void> =>
    putTexts(engine, path, texts, { user: "lin", ...more });
  const ask = (query: string, viewer = LIN): Promise<Recalled> =>
    recall(
      {
        engine,
        zone: zoneOf("UTC"),
        now: () => NOON,
        settings: { min_score: 0.2, limit: 5 },
        words: () => words,
      },
      query,
      viewerAt(viewer),
    );
  const found = async (query: string): Promise<string[]> =>
    (await ask(query)).hits.map(({ passage }) => passage.text);

  test("a word of which only the beginning is typed finds what begins so, where nothing else does", async () => {
    await put("a.md", ["Naxos in May.", "The ferry to Naxos leaves at nine.", "We went sailing."]);
    const { hits, warnings } = await ask("nax");
    expect(hits.map(({ passage }) => passage.text).sort()).toEqual([
      "Naxos in May.",
      "The ferry to Naxos leaves at nine.",
    ]);
    expect(warnings).toEqual(['Did you mean "Naxos"? Nothing says "nax".']);
    expect(await found("ferry nax")).toEqual(["The ferry to Naxos leaves at nine."]);
    expect(await found("nxa")).toEqual([]);
    expect(await found("n")).toEqual([]);
  });

  test("what begins so and is not open to who asks is not told", async () => {
    await put("a.md", ["Naxos in May."], { level: "user", user: "mia" });
    await put("b.md", ["We went sailing."], { level: "user", user: "lin" });
    expect((await ask("nax")).warnings).toEqual([]);
  });

  test("a slip of a finger finds what was meant, and says what that was", async () => {
    await put("a.md", ["We moved to Postgres in May.", "The violin teacher comes on Tuesday."]);
    const { hits, warnings } = await ask("posgres");
    expect(hits[0]?.passage.text).toBe("We moved to Postgres in May.");
    expect(warnings).toEqual([`Did you mean "Postgres"? Nothing says "posgres".`]);
    expect((await found("vioiln"))[0]).toContain("violin");
  });

  test("of two that are as near the one that is said more often is meant", async () => {
    await put("a.md", ["The bolt is loose.", "The boat leaves.", "The boat is late."]);
    expect((await found("boot"))[0]).toContain("boat");
  });

  test("a long word may have two slips", async () => {
    await put("a.md", ["Ask the anaesthesiologist about it.", "Bread and tea."]);
    expect((await found("anestesiologist"))[0]).toContain("anaesthesiologist");
  });

  test("another word of the family is found", async () => {
    await put("a.md", ["I am allergic to peanuts.", "Bread and tea."]);
    const { hits, warnings } = await ask("any allergy?");
    expect(hits[0]?.passage.text).toBe("I am allergic to peanuts.");
    expect(warnings).toEqual([`Did you mean "allergic"? Nothing says "allergy".`]);
  });

  test("where only a word of the family is said it counts as the one that was asked for", async () => {
    await put("a.md", ["I am allergic to peanuts.", "Bread and tea."]);
    const [hit] = (await ask("any allergy?")).hits;
    const [same] = (await ask("allergic?")).hits;
    expect(hit?.score).toBeCloseTo(same?.score ?? 0, 1);
  });

  test("what is said is taken for nothing else", async () => {
    await put("a.md", ["The boot is wet.", "The boat leaves.", "The boat is late."]);
    const { hits, warnings } = await ask("boot");
    expect(hits.map(({ passage }) => passage.text)).toEqual(["The boot is wet."]);
    expect(warnings).toEqual([]);
  });

  test("a word of the dictionary is no slip", async () => {
    await put("a.md", ["She bought a bike.", "Bread and tea."]);
    expect(await ask("hike")).toEqual({ hits: [], warnings: [] });
  });

  test("what another language says stands, and nothing near is taken for it", async () => {
    await put("a.md", ["冰箱坏了", "The refrigeratr song plays."]);
    const { hits, warnings } = await ask("refrigerator");
    expect(hits[0]?.passage.text).toBe("冰箱坏了");
    expect(warnings).toEqual([]);
  });

  test("of a word that only somebody else says, or says in another session, nothing is known", async () => {
    await put("a.md", ["The boat leaves at nine.", "Bread and tea."]);
    const queries = ["boot", "bot", "allergy", "anestesiologist", "boats tea"];
    const before = await Promise.all(queries.map((query) => ask(query)));
    await put("b.md", ["boot boot bot allergic anaesthesiologist"], { user: "mo" });
    await put("c.md", ["bot allergy anaesthesiologist boots"], { level: "session", session: "s-2" });
    await put("d.md", ["bot allergy anaesthesiologist boots"], { scope: "group:a" as never });
    expect(await Promise.all(queries.map((query) => ask(query)))).toEqual(before);
  });
});

test("what is longer than any word is no slip: nothing is made of it", async () => {
  const asked: number[] = [];
  const near = await withNearest({
    question: questionOf(`where did ${"posgres".repeat(500)} go`, []),
    frequencies: [],
    vocabulary: {
      frequencies: (terms) => {
        asked.push(terms.length);
        return Promise.resolve(terms.map(() => 0));
      },
      beginning: () => Promise.resolve([]),
    },
    words: { dictionary: () => [] },
    shares: WEIGHTS.question,
  });
  expect(near).toBeUndefined();
  expect(asked).toEqual([]);
});
