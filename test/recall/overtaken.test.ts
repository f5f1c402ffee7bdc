import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Viewer, viewerAt } from "../../src/model/address.js";
import type { Hit, Passage } from "../../src/model/passage.js";
import { DAY_MS, epochMs, zoneOf, type Day } from "../../src/model/time.js";
import { memoryEngine } from "../../src/recall/index/memory.js";
import { atOnce } from "../../src/model/steps.js";
import { latestFirst } from "../../src/recall/standing.js";
import { recall, type RecallOptions } from "../../src/recall/recall.js";
import { termsOf } from "../../src/text/terms.js";
import { NOON, said, scope } from "./passage-samples.js";

const zone = zoneOf("UTC");
const QUESTION = "How much is the mooring deposit?";

/** Said so many days before the day of the samples. */
function before(days: number, text: string, more: Partial<Passage> = {}): Passage {
  const saidAt = epochMs(NOON - days * DAY_MS);
  const day = zone.dayOf(saidAt);
  return said(text, { path: `memory/${day}-day.md`, saidAt, day, ...more });
}

const FIRST = before(20, "The mooring deposit is €400.");
const LATER = before(5, "The mooring deposit is €550.");

const hitsOf = (...passages: Passage[]): Hit[] =>
  passages.map((passage, place) => ({ passage, score: 0.6 - place / 100, parts: {} }));
const told = (hits: readonly Hit[]): [string, string | undefined][] =>
  hits.map(({ passage, overtaken }) => [passage.text, overtaken?.on]);
const asked = (passages: Passage[], question = QUESTION): [string, string | undefined][] =>
  told(atOnce(latestFirst(hitsOf(...passages), termsOf(question))));

describe("of two statements on one matter", () => {
  test("the later stands first, as good as the earlier, which says when it was overtaken", () => {
    const [first, second] = atOnce(latestFirst(hitsOf(FIRST, LATER), termsOf(QUESTION)));
    expect(first?.passage).toBe(LATER);
    expect(first?.score).toBe(0.6);
    expect(first?.parts["later"]).toBeCloseTo(0.01);
    expect(first?.overtaken).toBeUndefined();
    expect(second).toMatchObject({
      passage: FIRST,
      score: 0.6,
      overtaken: { on: "2025-06-10", by: LATER.id },
    });
  });

  test("in Chinese", () => {
    const [earlier, later] = [before(9, "装修预算是三万元"), before(2, "装修预算现在涨到四万元")];
    expect(asked([earlier, later], "装修预算是多少？")).toEqual([
      [later.text, undefined],
      [earlier.text, "2025-06-13"],
    ]);
  });

  test("of three the last overtakes both", () => {
    const middle = before(10, "The mooring deposit is €480.");
    expect(asked([FIRST, middle, LATER])).toEqual([
      [LATER.text, undefined],
      [FIRST.text, "2025-06-10"],
      [middle.text, "2025-06-10"],
    ]);
  });

  test("a decision overtakes one that it changes", () => {
    const earlier = before(20, "We decided to use MongoDB for the session store.");
    const later = before(3, "We decided to move to Postgres instead of MongoDB for the session store.");
    expect(asked([earlier, later], "What do we use as session store?")[0]).toEqual([later.text, undefined]);
  });
});

describe("nothing is overtaken", () => {
  test.each<[string, Partial<Passage>]>([
    ["by another user", { user: "mallory" }],
    ["by another speaker", { speaker: "Bruno" }],
    ["by what an agent proposes", { trust: "agent", role: "agent" }],
    ["by a tool", { trust: "tool", role: "tool" }],
    ["by a document", { trust: "document", kind: "document" }],
  ])("%s", (_who, more) => {
    const later = before(5, LATER.text, more);
    expect(asked([FIRST, later])).toEqual([
      [FIRST.text, undefined],
      [later.text, undefined],
    ]);
  });

  test("by what was said at the same time, or earlier", () => {
    const same = before(20, LATER.text);
    expect(asked([FIRST, same]).map(([, on]) => on)).toEqual([undefined, undefined]);
    expect(asked([LATER, before(30, FIRST.text)])[0]).toEqual([LATER.text, undefined]);
  });

  test("where the matter is not asked for", () => {
    expect(asked([FIRST, LATER], "Who repaired the mast?")).toEqual([
      [FIRST.text, undefined],
      [LATER.text, undefined],
    ]);
  });

  test("where the later one says something else", () => {
    const other = before(5, "The engine service costs €550.");
    expect(asked([FIRST, other])).toEqual([
      [FIRST.text, undefined],
      [other.text, undefined],
    ]);
  });
});

test("everything else keeps its order, nothing is lost and nothing comes twice", () => {
  const amount = fc.integer({ min: 1, max: 4 }).map((hundreds) => hundreds * 100);
  const matter = fc.constantFrom("mooring deposit", "boat survey fee", "engine service price");
  const one = fc.record({
    days: fc.integer({ min: 0, max: 40 }),
    text: fc.oneof(
      fc.tuple(matter, amount).map(([what, euros]) => `The ${what} is €${euros}.`),
      fc.constantFrom("The tea is cold.", "It rains in Lisbon."),
    ),
    user: fc.constantFrom("local", "mallory"),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), (all) => {
      const hits = hitsOf(
        ...all.map(({ days, text, user }, id) => before(days, text, { user, id: String(id) })),
      );
      const ordered = atOnce(
        latestFirst(hits, termsOf("mooring deposit boat survey fee engine service price")),
      );
      const ids = (some: readonly Hit[]): string[] => some.map(({ passage }) => passage.id);
      expect([...ids(ordered)].sort()).toEqual([...ids(hits)].sort());
      const overtaking = new Set(ordered.flatMap(({ overtaken }) => overtaken?.by ?? []));
      const untouched = ({ passage }: Hit): boolean => !overtaking.has(passage.id);
      expect(ids(ordered.filter(untouched))).toEqual(ids(hits.filter(untouched)));
      for (const [place, { passage, overtaken }] of ordered.entries()) {
        if (overtaken === undefined) continue;
        const later = ordered.findIndex((other) => other.passage.id === overtaken.by);
        expect(later).toBeLessThan(place);
        expect(ordered[later]?.passage.saidAt).toBeGreaterThan(passage.saidAt);
        expect(ordered[later]?.passage.user).toBe(passage.user);
      }
    }),
  );
});

describe("a search", () => {
  const LOCAL: Viewer = viewerAt({ user: "local", scope: scope("main"), session: "main" });

  async function search(passages: readonly Passage[], options: RecallOptions = {}): Promise<Hit[]> {
    const engine = memoryEngine();
    for (const passage of passages) await engine.upsert(passage.path, "1", [passage]);
    const settings = { min_score: 0.2, limit: 10 };
    const { hits } = await recall({ engine, zone, now: () => NOON, settings }, QUESTION, LOCAL, options);
    return hits;
  }
  const memory = [FIRST, LATER, before(12, "The mast is made of spruce.")];

  test("tells what was overtaken", async () => {
    expect(told(await search(memory))).toEqual([
      [LATER.text, undefined],
      [FIRST.text, "2025-06-10"],
    ]);
  });

  test("as of a day before the later statement shows the earlier as it stood", async () => {
    expect(told(await search(memory, { asOf: { day: "2025-06-01" as Day } }))).toEqual([
      [FIRST.text, undefined],
    ]);
  });

  test("is not told of what its viewer may not read", async () => {
    const foreign = before(5, LATER.text, { user: "mallory" });
    expect(told(await search([FIRST, foreign]))).toEqual([[FIRST.text, undefined]]);
  });
});
