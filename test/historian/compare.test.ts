/** What becomes of records that are alike. */
import { expect, test } from "vitest";
import { Likeness, pairKey, pairsToAsk, settled, type Verdicts } from "../../src/historian/compare.js";
import type { ScopeId } from "../../src/model/address.js";
import type { MemoryRecord, RecordId } from "../../src/model/record.js";
import { zoneOf } from "../../src/model/time.js";
import type { Verdict } from "../../src/model/found.js";
import { instant } from "../support/archive-desk.js";

const zone = zoneOf("UTC");
const record = (id: string, text: string, more: Partial<MemoryRecord> = {}): MemoryRecord => ({
  id: id as RecordId,
  kind: "fact",
  level: "user",
  scope: "main" as ScopeId,
  user: "lin",
  text,
  at: instant("2026-03-02T12:00:00Z"),
  recordedAt: instant("2026-03-02T12:00:00Z"),
  isAbsolute: true,
  sources: [],
  trust: "human",
  ...more,
});
const shelf = (...records: MemoryRecord[]): Likeness<MemoryRecord> => {
  const known = new Likeness<MemoryRecord>(
    ({ id }) => id,
    ({ text }) => text,
  );
  for (const one of records) known.put(one);
  return known;
};
const saying = (older: MemoryRecord, newer: MemoryRecord, verdict: Verdict): Verdicts =>
  new Map([[pairKey(older, newer), verdict]]);

const home = record("a", "Lin Yue(lin) lives in Porto.");
const moved = record("b", "Lin Yue(lin) lives in Lisbon.", { at: instant("2026-03-09T12:00:00Z") });

test("a provider is asked about what is alike, and not about what is the same", () => {
  expect(pairsToAsk([moved], shelf(home), zone)).toEqual([{ older: home, newer: moved }]);
  expect(pairsToAsk([{ ...home, id: "c" as RecordId }], shelf(home), zone)).toEqual([]);
  expect(pairsToAsk([record("d", "The kiln was sold to a museum.")], shelf(home), zone)).toEqual([]);
});

test("nothing of another user, level, scope or session is ever asked about", () => {
  for (const other of [
    { user: "chen" },
    { level: "scope" as const },
    { kind: "event" as const },
    { level: "session" as const, session: "s" },
  ])
    expect(pairsToAsk([{ ...moved, ...other }], shelf(home), zone)).toEqual([]);
  const [one, two] = ["s", "t"].map((session) => ({ ...home, level: "session" as const, session }));
  expect(pairsToAsk([{ ...moved, ...two, id: moved.id }], shelf(one!), zone)).toEqual([]);
});

test("what contradicts an older one stands beside it, linked both ways", () => {
  const lines = settled([moved], shelf(home), zone, saying(home, moved, { is: "contradicts" }));
  expect(lines).toMatchObject([
    { id: "b", supersedes: "a" },
    { id: "a", text: home.text, supersededBy: "b", supersededAt: moved.at },
  ]);
  // It is compared no more: what holds now is.
  const known = shelf(...lines);
  expect(pairsToAsk([record("e", "Lin Yue(lin) lives in Braga.")], known, zone)).toMatchObject([
    { older: { id: "b" } },
  ]);
});

test("what was so before is superseded by what was told before it", () => {
  const lines = settled([home], shelf(moved), zone, saying(moved, home, { is: "contradicts" }));
  expect(lines).toMatchObject([
    { id: "a", supersededBy: "b", supersededAt: moved.at },
    { id: "b", supersedes: "a" },
  ]);
});

test("what is the same is the older one once more, with what both say", () => {
  const again = record("c", "Lin Yue(lin) has lived in Porto since 2019.", { sources: ["m9" as never] });
  const text = "Lin Yue(lin) has lived in Porto since 2019.";
  const lines = settled([again], shelf(home), zone, saying(home, again, { is: "same", text }));
  expect(lines).toMatchObject([{ id: "a", text, sources: ["m9"] }]);
  expect(lines).toHaveLength(1);
});

test.each([
  ["The boat of the harbor master lies at berth a19.", "The boat of the harbor master lies at berth b19."],
  ["港口主管的那条蓝色的船停在泊位A19那里。", "港口主管的那条蓝色的船停在泊位B19那里。"],
])("a name with a number in it is another where its letters are: %s", (text, other) => {
  const [older, newer] = [record("a", text), record("b", other)];
  expect(settled([newer], shelf(older), zone)).toMatchObject([{ id: "b", text: other }]);
  // In another case it is the same.
  const louder = record(
    "c",
    text.replace(/a19/i, (berth) => berth.toUpperCase()),
  );
  expect(settled([louder], shelf(older), zone)).toMatchObject([{ id: "a" }]);
});

test("things that happened on two days happened twice, whatever is said of them", () => {
  const [one, two] = [home, moved].map((of) => ({ ...of, kind: "event" as const, level: "scope" as const }));
  const lines = settled([two!], shelf(one!), zone, saying(one!, two!, { is: "same" }));
  expect(lines).toEqual([two]);
});

test("an answer about another text than the one that stands now is none", () => {
  const changed = { ...home, text: "Lin Yue(lin) lives in Porto, in a boat." };
  const lines = settled([moved], shelf(changed), zone, saying(home, moved, { is: "contradicts" }));
  expect(lines).toEqual([moved]);
});

test("what was made to stand alone is not replaced by the words that it was made of", () => {
  const asSaid = { ...home, text: "She lives there.", isAbsolute: false };
  expect(settled([asSaid], shelf(home), zone)).toEqual([]);
  expect(settled([home], shelf(asSaid), zone)).toEqual([home]);
});

test.each(["tool", "document"] as const)(
  "what a %s says overtakes no person's word and is not made one with it; a person's word overtakes it",
  (trust) => {
    const printed = { ...moved, trust };
    expect(settled([printed], shelf(home), zone, saying(home, printed, { is: "contradicts" }))).toEqual([
      printed,
    ]);
    const same = { is: "same", text: "Lin Yue(lin) lives in Porto." } as const;
    expect(settled([printed], shelf(home), zone, saying(home, printed, same))).toEqual([printed]);
    const earlier = { ...home, trust };
    expect(
      settled([moved], shelf(earlier), zone, saying(earlier, moved, { is: "contradicts" })),
    ).toMatchObject([
      { id: "b", supersedes: "a" },
      { id: "a", supersededBy: "b" },
    ]);
    // Nor where the person's word is the newcomer and the older day.
    expect(settled([home], shelf(printed), zone, saying(printed, home, { is: "contradicts" }))).toEqual([
      home,
    ]);
  },
);

test("what a model puts for both names nobody whom neither names", () => {
  const again = record("c", "Lin Yue(lin) has lived in Porto since 2019.");
  const text = "Lin Yue(lin) and Wei(wei) share the key k-4711.";
  const lines = settled([again], shelf(home), zone, saying(home, again, { is: "same", text }));
  expect(lines).toMatchObject([{ id: "a", text: again.text }]);
});
