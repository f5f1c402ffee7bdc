import fc from "fast-check";
import { expect, test } from "vitest";
import { countsOf, type Exchange, grouped } from "../../../src/llm/builtin/cohesion.js";

const SUBJECTS = {
  ferry: "The ferry to Karlsund leaves the harbor, the captain checks the tide and the deck".split(" "),
  garden: "Tomatoes need compost, the greenhouse seedlings want watering and less shade soil".split(" "),
  渡船: ["码头的渡船", "船长看潮水", "甲板要刷漆", "票价涨了", "航线改了"],
} as const;
type Subject = keyof typeof SUBJECTS;

const SMALL_TALK = ["thanks, great", "good idea", "sounds nice", "好的，谢谢"];

/** So many rounds about a subject, as the chances fall. */
function talk(subject: Subject, count: number, seed: number): Exchange<string>[] {
  const words = SUBJECTS[subject];
  return Array.from({ length: count }, (_unused, at) => {
    const said = Array.from(
      { length: 6 },
      (_word, place) => words[(seed + at * 5 + place * 3) % words.length],
    );
    const text = `${said.join(" ")}. ${SMALL_TALK[(seed + at) % SMALL_TALK.length] ?? ""}`;
    return { keys: [`${subject}-${seed}-${at}`], text, tokens: 30 };
  });
}

const subjectOf = (key: string): string => key.split("-")[0] ?? "";

test("conversations that were told in turns come apart by what they are about", () => {
  const told = [0, 1, 2, 3].flatMap((turn) =>
    (Object.keys(SUBJECTS) as Subject[]).flatMap((subject) => talk(subject, 10, turn * 7)),
  );
  const groups = grouped(told, [], 10_000);
  for (const { pieces } of groups) {
    const subjects = pieces.flat().map(subjectOf);
    const most = Math.max(
      ...Object.keys(SUBJECTS).map((each) => subjects.filter((one) => one === each).length),
    );
    expect(most / subjects.length).toBeGreaterThan(0.9);
  }
  expect(groups.length).toBeLessThanOrEqual(6);
});

test("what comes later joins the topic that it is about, and a new subject begins its own", () => {
  const pieces = (subject: Subject): ReturnType<typeof countsOf>[] =>
    [0, 1, 2].map((turn) =>
      countsOf(
        talk(subject, 10, turn * 7)
          .map(({ text }) => text)
          .join("\n"),
      ),
    );
  const standing = (["ferry", "渡船"] as const).map((id) => ({
    id: id,
    pieces: pieces(id),
    tokens: 900,
  }));
  const groups = grouped([...talk("garden", 10, 3), ...talk("ferry", 10, 21)], standing, 10_000);
  const keysOf = (topic: string | undefined): string[] =>
    groups.filter((group) => group.topic === topic).flatMap(({ pieces: held }) => held.flat());
  expect(keysOf("ferry").filter((key) => subjectOf(key) === "ferry").length).toBeGreaterThanOrEqual(8);
  expect(keysOf(undefined).filter((key) => subjectOf(key) === "garden").length).toBeGreaterThanOrEqual(8);
  expect(keysOf("渡船")).toEqual([]);
  expect(groups.flatMap(({ topic, words }) => (topic === undefined ? words : []))).toContain("tomato");
});

test("every round is in one piece of one group, in its order, and no group that is put together is too large", () => {
  const round = fc.record({
    text: fc.oneof(
      fc.lorem({ maxCount: 6 }),
      fc.constantFrom("", "好的", "渡船 码头", "\ud83d", "ferry tide"),
    ),
    tokens: fc.integer({ min: 1, max: 60 }),
  });
  const topic = fc.record({
    pieces: fc.array(fc.lorem(), { maxLength: 3 }),
    tokens: fc.integer({ min: 0, max: 150 }),
  });
  fc.assert(
    fc.property(fc.array(round, { maxLength: 40 }), fc.array(topic, { maxLength: 4 }), (told, topics) => {
      const rounds = told.map((each, at) => ({ ...each, keys: [at * 2, at * 2 + 1] }));
      const standing = topics.map(({ pieces, tokens }, id) => ({ id, tokens, pieces: pieces.map(countsOf) }));
      const groups = grouped(rounds, standing, 100);
      const keys = groups.flatMap(({ pieces }) => pieces.flat());
      expect(keys.toSorted((a, b) => a - b)).toEqual(rounds.flatMap((each) => each.keys));
      for (const { topic: id, pieces } of groups) {
        for (const piece of pieces) expect(piece).toEqual(piece.map((_key, at) => (piece[0] ?? 0) + at));
        const tokens = rounds
          .filter((each) => pieces.flat().includes(each.keys[0] ?? -1))
          .reduce((sum, each) => sum + each.tokens, standing.find((one) => one.id === id)?.tokens ?? 0);
        if (pieces.length > 1 || id !== undefined) expect(tokens).toBeLessThanOrEqual(100);
      }
      expect(new Set(groups.flatMap(({ topic: id }) => id ?? [])).size).toBe(
        groups.filter(({ topic: id }) => id !== undefined).length,
      );
    }),
    { numRuns: 300 },
  );
});

test("who speaks is a word of it", () => {
  const of = (speaker: string, seed: number): Exchange<string>[] =>
    Array.from({ length: 8 }, (_unused, at) => ({
      keys: [`${speaker}-${seed}-${at}`],
      text: `${speaker}: what a day, ${SMALL_TALK[(at + seed) % 4] ?? ""}, see you`,
      tokens: 10,
    }));
  const groups = grouped(
    [0, 1, 2].flatMap((turn) => [...of("Marisol", turn), ...of("Okonkwo", turn)]),
    [],
    1000,
  );
  for (const { pieces } of groups) expect(new Set(pieces.flat().map(subjectOf)).size).toBe(1);
});
