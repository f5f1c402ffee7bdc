/**
 * What every engine must do, whatever it stores passages in. One suite, run
 * on each: `describeEngine("memory", async () => memoryEngine())`.
 */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Passage } from "../../src/model/passage.js";
import type { SpaceId } from "../../src/model/space.js";
import type {
  Answer,
  Engine,
  EngineQuery,
  NewestQuery,
  PassageFilter,
  Stretch,
} from "../../src/recall/index/engine.js";
import { partitionOf, type OpenPartition, type PartitionId } from "../../src/recall/index/partitions.js";
import { questionOf, type Question } from "../../src/recall/question.js";
import { WEIGHTS } from "../../src/recall/weights.js";
import { NOON, putTexts, said, scope } from "./passage-samples.js";
import { epochMs, DAY_MS, noonOf, type Day } from "../../src/model/time.js";

/** A number as a word of its own. */
const spelt = (index: number): string =>
  [...String(index)].map((digit) => "bcdfghjklm"[Number(digit)]).join("") + "z";

export function describeEngine(name: string, open: () => Promise<Engine>): void {
  describe(`the ${name} engine`, () => {
    let engine: Engine;
    beforeEach(async () => {
      engine = await open();
    });
    afterEach(() => engine.close());

    const put = (path: string, texts: readonly string[], more: Partial<Passage> = {}): Promise<void> =>
      putTexts(engine, path, texts, more);
    const ask = async (
      text: string,
      filter: PassageFilter = {},
      partitions?: readonly OpenPartition[],
      most = 1000,
    ): Promise<Answer> =>
      engine.search({
        partitions: partitions ?? (await engine.partitions()),
        question: inItsOwnWords(text),
        filter,
        most,
      });
    /** In the order of their ids: what is found, not how it ranks. */
    const texts = async (text: string, filter?: PassageFilter): Promise<string[]> => {
      const { hits } = await ask(text, filter);
      const passages = hits.map(({ passage }) => passage);
      return passages.sort((a, b) => (a.id < b.id ? -1 : 1)).map((passage) => passage.text);
    };

    test("as of a day shows no summary that tells of a later one", async () => {
      const of = (kind: "day_summary" | "month_summary", day: string, last: string, id: string): Passage =>
        said(`tea ${day}`, { path: "s.md", id, kind, day, saidAt: noonOf(last as Day) });
      await engine.upsert("s.md", "1", [
        of("day_summary", "2025-06-05", "2025-06-05", "1"),
        of("day_summary", "2025-06-06", "2025-06-06", "2"),
        of("month_summary", "2025-06", "2025-06-20", "3"),
        said("tea said", { path: "s.md", id: "4", day: "2025-06-05", saidAt: noonOf("2025-06-05" as Day) }),
      ]);
      const asOf = async (day: string): Promise<string[]> => texts("tea", { asOf: { day: day as Day } });
      expect(await asOf("2025-06-04")).toEqual([]);
      expect(await asOf("2025-06-05")).toEqual(["tea 2025-06-05", "tea said"]);
      expect(await asOf("2025-06-19")).toEqual(["tea 2025-06-05", "tea 2025-06-06", "tea said"]);
      expect(await asOf("2025-06-20")).toEqual([
        "tea 2025-06-05",
        "tea 2025-06-06",
        "tea 2025-06",
        "tea said",
      ]);
    });

    test("finds nothing in an empty index", async () => {
      expect(await texts("tea")).toEqual([]);
      expect(await engine.size()).toEqual({ files: 0, passages: 0, partitions: 0 });
    });

    test("finds one passage among one", async () => {
      await put("a.md", ["The cat sleeps on the warm router."]);
      expect(await texts("where does the cat sleep?")).toEqual(["The cat sleeps on the warm router."]);
    });

    test("finds Chinese by word, by character and in traditional writing", async () => {
      await put("a.md", ["年糕喜欢吃三文鱼", "我们周五部署到生产环境", "电脑坏了"]);
      expect(await texts("年糕爱吃什么鱼？")).toEqual(["年糕喜欢吃三文鱼"]);
      expect(await texts("鱼")).toEqual(["年糕喜欢吃三文鱼"]);
      expect(await texts("電腦")).toEqual(["电脑坏了"]);
    });

    test("counts in the order of the question", async () => {
      await put("a.md", ["tea tea coffee", "water"], { speaker: "Ana" });
      const { hits, statistics } = await ask("coffee tea milk");
      expect(hits).toHaveLength(1);
      expect(statistics).toEqual({
        passages: 2,
        length: 4,
        windows: 2,
        documentFrequencies: [1, 1, 0],
        speakers: ["Ana"],
      });
    });

    test("ranks what says more of the question higher, and gives as many as it is asked for", async () => {
      await put("a.md", ["black tea", "tea with milk and sugar", "milk", "black tea with milk"]);
      const question = inItsOwnWords("black tea with milk");
      const partitions = await engine.partitions();
      const { hits } = await engine.search({ partitions, question, filter: {}, most: 2 });
      expect(hits.map(({ passage }) => passage.text)).toEqual(["black tea with milk", "black tea"]);
      expect(hits[0]?.score).toBeGreaterThan(hits[1]?.score ?? 1);
    });

    test("finds an answer by what was said before it, in its own session only", async () => {
      const turn = (text: string, session: string, sequence: number): Passage =>
        said(text, { path: "a.md", id: text, session, sequence });
      await engine.upsert("a.md", "1", [
        turn("Where do you keep the spare key?", "s1", 0),
        turn("Under the blue flower pot.", "s1", 1),
        turn("I see.", "s2", 1),
      ]);
      expect(await texts("where is the spare key")).toEqual([
        "Under the blue flower pot.",
        "Where do you keep the spare key?",
      ]);
      await engine.upsert("a.md", "2", [
        turn("Under the blue flower pot.", "s1", 1),
        turn("I see.", "s2", 1),
      ]);
      expect(await texts("where is the spare key")).toEqual([]);
    });

    test("knows the neighbours of a day that moved to another file", async () => {
      const turn = (path: string, text: string, sequence: number): Passage =>
        said(text, { path, id: text, session: "s1", sequence });
      const day = (path: string): Passage[] => [
        turn(path, "Where do you keep the spare key?", 0),
        turn(path, "Under the blue flower pot.", 1),
      ];
      await engine.upsert("a.md", "1", day("a.md"));
      await engine.upsert("archive/a.md", "1", day("archive/a.md"));
      await engine.remove("a.md");
      const { hits } = await ask("where is the spare key");
      expect(hits.map(({ passage }) => passage.id)).toEqual([
        "archive/a.md#Where do you keep the spare key?",
        "archive/a.md#Under the blue flower pot.",
      ]);
    });

    test("counts the whole corpus whatever the filter lets through", async () => {
      await put("a.md", ["tea one", "tea two"], { session: "s1" });
      await put("b.md", ["tea three"], { session: "s2" });
      const { hits, statistics } = await ask("tea", { session: "s2" });
      expect(hits.map(({ passage }) => passage.text)).toEqual(["tea three"]);
      expect(statistics).toMatchObject({ passages: 3, documentFrequencies: [3] });
    });

    test("filters by kind, user, session and period", async () => {
      await engine.upsert("a.md", "1", [
        said("tea old", {
          path: "a.md",
          id: "1",
          session: "s1",
          day: "2025-06-10",
          saidAt: epochMs(NOON - 5 * DAY_MS),
        }),
        said("tea new", { path: "a.md", id: "2", session: "s2" }),
        said("tea of Ana", { path: "a.md", id: "3", user: "ana" }),
        said("tea in June", { path: "a.md", id: "4", kind: "month_summary", day: "2025-06" }),
      ]);
      const day = (text: string): Day => text as Day;
      expect(await texts("tea", { kinds: ["month_summary"] })).toEqual(["tea in June"]);
      expect(await texts("tea", { user: "ana" })).toEqual(["tea of Ana"]);
      expect(await texts("tea", { session: "s1" })).toEqual(["tea old"]);
      expect(await texts("tea", { to: { day: day("2025-06-10") } })).toEqual(["tea old", "tea in June"]);
      expect(await texts("tea", { from: { day: day("2025-06-11") }, kinds: ["message"] })).toEqual([
        "tea new",
        "tea of Ana",
      ]);
      expect(await texts("tea", { from: { day: day("2025-07-01") } })).toEqual([]);
      expect(await texts("tea", { to: { at: epochMs(NOON - 1) } })).toEqual(["tea old"]);
    });

    test("a file that is indexed again replaces itself", async () => {
      await put("a.md", ["first tea", "second tea"]);
      await put("a.md", ["second tea", "third tea"]);
      expect((await texts("tea")).sort()).toEqual(["second tea", "third tea"]);
      expect(await engine.size()).toEqual({ files: 1, passages: 2, partitions: 1 });
      expect((await ask("tea")).statistics.documentFrequencies).toEqual([2]);
    });

    test("a passage that only moved has its new lines", async () => {
      await engine.upsert("a.md", "1", [said("tea", { path: "a.md", lines: [3, 4] })]);
      await engine.upsert("a.md", "2", [said("tea", { path: "a.md", lines: [9, 10] })]);
      expect((await ask("tea")).hits[0]?.passage.lines).toEqual([9, 10]);
      expect((await engine.passagesAt("a.md"))[0]?.lines).toEqual([9, 10]);
    });

    test("a passage whose user changed moves to the other partition", async () => {
      await engine.upsert("a.md", "1", [said("tea", { path: "a.md", user: "ana" })]);
      await engine.upsert("a.md", "2", [said("tea", { path: "a.md", user: "bo" })]);
      expect((await engine.partitions()).map(({ belonging }) => belonging.user)).toEqual(["bo"]);
    });

    test("partitions that are scrubbed answer as before, and take what is written then", async () => {
      await put("a.md", ["lemon tea", "green tea"], { scope: scope("a") });
      await put("b.md", ["lemon cake"], { scope: scope("b") });
      await put("a.md", ["lemon tea"], { scope: scope("a") });
      const partitions = await engine.partitions();
      await engine.scrub(partitions.map(({ id }) => id));
      expect(await texts("green")).toEqual([]);
      expect((await texts("lemon")).sort()).toEqual(["lemon cake", "lemon tea"]);
      await put("a.md", ["lemon tea", "green lemon"], { scope: scope("a") });
      expect(await texts("green")).toEqual(["green lemon"]);
      expect(await engine.size()).toMatchObject({ files: 2, passages: 3 });
      const ofA = (await engine.partitions()).filter(({ belonging }) => belonging.scope === "a");
      await engine.scrub(
        ofA.map(({ id }) => id),
        true,
      );
      const stamps = await engine.stamps();
      expect([stamps.get("a.md") ?? "", stamps.get("b.md")]).toEqual(["", "lemon cake"]);
      expect(await texts("lemon")).toEqual(["lemon cake"]);
    });

    test("what is removed is gone from search, counts, stamps and partitions", async () => {
      await put("a.md", ["tea"]);
      await engine.remove("a.md");
      await engine.remove("never-there.md");
      expect(await texts("tea")).toEqual([]);
      expect(await engine.size()).toEqual({ files: 0, passages: 0, partitions: 0 });
      expect([...(await engine.stamps())]).toEqual([]);
      expect(await engine.partitions()).toEqual([]);
      expect(await engine.passagesAt("a.md")).toEqual([]);
    });

    test("remembers the stamp of a file without passages", async () => {
      await put("a.md", []);
      expect(await engine.stamps()).toEqual(new Map([["a.md", ""]]));
    });

    test("opens only the partitions it is told to, and counts only behind them", async () => {
      await put("a.md", ["tea in main"]);
      await put("b.md", ["tea in work", "more tea in work"], { scope: scope("work") });
      const main = partitionOf(said("")).id;
      const { hits, statistics } = await ask("tea", {}, [{ id: main }]);
      expect(hits.map(({ passage }) => passage.text)).toEqual(["tea in main"]);
      expect(statistics).toMatchObject({ passages: 1, documentFrequencies: [1] });
      expect((await ask("tea", {}, [])).hits).toEqual([]);
      expect(
        (await ask("tea", {}, [{ id: "no such partition" as PartitionId }, { id: main }])).hits,
      ).toHaveLength(1);
    });

    test("what is of many sessions stands in one partition, and of it one session can be asked", async () => {
      const fact = (text: string, session: string | undefined, more: Partial<Passage> = {}): Passage => {
        const { session: _main, ...passage } = said(text, { path: "a.jsonl", id: text, ...more });
        return { ...passage, level: "session", ...(session === undefined ? {} : { session }) };
      };
      await engine.upsert("a.jsonl", "1", [
        fact("green tea", "s1", { speaker: "Ana", sequence: 0 }),
        fact("black tea", "s2", { speaker: "Bo", sequence: 1 }),
        fact("a cup", "s1", { speaker: "Ana", sequence: 1 }),
        fact("mint tea of no session", undefined),
        fact("white tea", "s2", { user: "ana" }),
      ]);
      const partitions = await engine.partitions();
      expect(partitions).toHaveLength(2);
      const { id } = partitionOf(fact("", "s1"));
      const whole = await ask("tea", {}, [{ id }]);
      expect(whole.statistics).toMatchObject({
        passages: 4,
        documentFrequencies: [3],
        speakers: ["Ana", "Bo"],
      });
      const part = await ask("tea", {}, [{ id, session: "s1" }]);
      expect(part.hits.map(({ passage }) => passage.text)).toEqual(["green tea", "a cup"]);
      expect(part.statistics).toEqual({
        passages: 2,
        length: 3,
        windows: 2,
        documentFrequencies: [1],
        speakers: ["Ana"],
      });
      expect((await ask("tea", { session: "s2" }, [{ id, session: "s1" }])).hits).toEqual([]);
      const other = { ...part.statistics, passages: 0, length: 0, windows: 0, speakers: [] };
      for (const session of ["", "s3"])
        expect(await ask("tea", {}, [{ id, session }])).toEqual({
          statistics: { ...other, documentFrequencies: [0] },
          hits: [],
        });
      await put("b.md", ["tea in main"], { session: "s1" });
      // What is of scope level has no parts: nothing of it is open to a question for one.
      expect((await ask("tea", {}, [{ id: partitionOf(said("")).id, session: "s1" }])).hits).toEqual([]);
      await engine.upsert("a.jsonl", "2", [fact("black tea", "s1")]);
      expect((await ask("tea", {}, [{ id, session: "s1" }])).hits).toHaveLength(1);
      expect((await ask("tea", {}, [{ id, session: "s2" }])).hits).toEqual([]);
    });

    test("one session's part answers as if nothing else stood in its partition", async () => {
      const SPACE = "space" as SpaceId;
      const word = fc.constantFrom("tea", "cat", "rain", "garden", "年糕");
      const fact = fc.record({
        text: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" ")),
        session: fc.constantFrom("s1", "s2", "s3"),
        speaker: fc.constantFrom("Ana", "Bo"),
        near: fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 1, max: 3 })),
      });
      const facts = fc.array(fact, { minLength: 1, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(facts, facts, fc.boolean(), async (before, now, isLarge) => {
          const [shared, alone] = [await open(), await open()];
          const vectors = new Map<string, readonly number[]>();
          const passages = (made: typeof now): Passage[] =>
            made.map(({ near, ...more }, index) => {
              vectors.set(more.text, near);
              return said(more.text, {
                ...more,
                path: "a",
                id: String(index),
                level: "session",
                sequence: index,
              });
            });
          const embed = async (each: Engine): Promise<void> => {
            const waiting = await each.unembedded(SPACE, 5000);
            const units = waiting.map(({ partition, key, passage }) => ({
              partition,
              key,
              values: vectors.get(passage.text),
            }));
            await each.embed(SPACE, units);
          };
          const ask = (each: Engine, partitions: readonly OpenPartition[]): Promise<Answer> =>
            each.search({
              partitions,
              question: inItsOwnWords("tea 年糕 rain"),
              filter: {},
              most: 20,
              vector: { space: SPACE, values: [1, 0.5], weight: 0.5 },
            });
          const { id } = partitionOf(said("", { level: "session" }));
          const asked = [{ id, session: "s1" }];
          await shared.upsert("a", "1", passages(before));
          // So many that of the whole partition only the best would be looked at.
          const crowd = Array.from({ length: isLarge ? 1100 : 0 }, (_, at) =>
            said("tea rain", { path: "b", id: String(at), level: "session", session: "s4" }),
          );
          vectors.set("tea rain", [1, 1]);
          await shared.upsert("b", "1", crowd);
          await ask(shared, asked);
          await shared.upsert("a", "2", passages(now));
          await embed(shared);
          const own = passages(now).filter(({ session }) => session === "s1");
          await alone.upsert("a", "1", own);
          await embed(alone);
          const [found, expected] = [await ask(shared, asked), await ask(alone, [{ id }])];
          expect(found.statistics).toEqual(expected.statistics);
          expect(found.hits.map(({ passage }) => passage)).toEqual(
            expected.hits.map(({ passage }) => passage),
          );
          for (const [at, { score }] of found.hits.entries())
            expect(score).toBeCloseTo(expected.hits[at]?.score ?? -1, 9);
          await Promise.all([shared.close(), alone.close()]);
        }),
        { numRuns: 25 },
      );
    });

    test("in a large part others take the place of no candidate", async () => {
      const crowd = (session: string, text: string): Passage[] =>
        Array.from({ length: 1050 }, (_, at) =>
          said(`${text} ${spelt(at)}`, { path: session, id: String(at), level: "session", session }),
        );
      const own = crowd("s1", "tea in the kitchen of a house by the river");
      const alone = await open();
      await alone.upsert("s1", "1", own);
      await engine.upsert("s1", "1", own);
      await engine.upsert("s2", "1", crowd("s2", "tea"));
      const { id } = partitionOf(said("", { level: "session" }));
      const found = await ask("tea", {}, [{ id, session: "s1" }], 20);
      expect(found.hits).toHaveLength(20);
      expect(found).toEqual(
        await alone.search({ partitions: [{ id }], question: inItsOwnWords("tea"), filter: {}, most: 20 }),
      );
      await alone.close();
    });

    test("words that are names of things in JavaScript are only words", async () => {
      await put("a.md", ["the constructor and __proto__ of toString", "hasOwnProperty"]);
      for (const word of ["constructor", "__proto__", "toString", "hasOwnProperty"])
        expect(await texts(word)).toHaveLength(1);
    });

    test("the newest come without a question, whole moments at a time, back from any moment", async () => {
      const day = (n: number): Partial<Passage> => ({ saidAt: epochMs(NOON + n * DAY_MS) });
      await put("a.md", ["one"], day(1));
      await put("b.md", ["two"], { ...day(2), kind: "event" });
      await put("c.md", ["two too"], { ...day(2), user: "ana" });
      await put("d.md", ["three"], { ...day(3), scope: scope("other") });
      const partitions = await engine.partitions();
      const newest = async (more: Partial<NewestQuery>): Promise<string[]> =>
        (await engine.newest({ partitions, filter: {}, most: 1, ...more })).map(({ text }) => text).sort();
      expect(await newest({})).toEqual(["three"]);
      expect(await newest({ most: 2 })).toEqual(["three", "two", "two too"]);
      expect(await newest({ most: 9 })).toEqual(["one", "three", "two", "two too"]);
      expect(await newest({ until: epochMs(NOON + 2 * DAY_MS) })).toEqual(["one", "two", "two too"]);
      expect(await newest({ until: epochMs(NOON) })).toEqual([]);
      expect(await newest({ filter: { kinds: ["event"] } })).toEqual(["two"]);
      expect(await newest({ filter: { user: "ana" }, most: 5 })).toEqual(["two too"]);
      expect(await newest({ partitions: [], most: 9 })).toEqual([]);
      const inSession = (session: string): Partial<Passage> => ({ level: "session", session });
      await put("e.md", ["of s1"], { ...day(4), ...inSession("s1") });
      await put("f.md", ["of s2"], { ...day(5), ...inSession("s2") });
      const { id } = partitionOf(said("", inSession("s1")));
      expect(await newest({ partitions: [{ id, session: "s1" }], most: 9 })).toEqual(["of s1"]);
      expect(await newest({ partitions: [{ id }], most: 9 })).toEqual(["of s1", "of s2"]);
    });

    test("passagesAt gives a file's passages in their order", async () => {
      await put("a.md", ["b", "a", "c"]);
      expect((await engine.passagesAt("a.md")).map(({ text }) => text)).toEqual(["b", "a", "c"]);
    });

    test("passagesAt gives a stretch of a file, of the partitions that are open, the first of it", async () => {
      await put("a.md", ["b", "a", "c"]);
      await put("b.md", ["of ana"], { user: "ana" });
      const { id } = partitionOf(said(""));
      const textsAt = async (path: string, which: Partial<Stretch>): Promise<string[]> => {
        const stretch = { from: 1, to: Infinity, most: 9, partitions: [id], ...which };
        return (await engine.passagesAt(path, stretch)).map(({ text }) => text);
      };
      const [first] = await engine.passagesAt("a.md");
      expect(await textsAt("a.md", {})).toEqual(["b", "a", "c"]);
      expect(await textsAt("a.md", { most: 2 })).toEqual(["b", "a"]);
      expect(await textsAt("a.md", { to: first?.lines[1] ?? 0 })).toContain("b");
      expect(await textsAt("a.md", { from: 1_000_000 })).toEqual([]);
      expect(await textsAt("a.md", { partitions: [] })).toEqual([]);
      expect(await textsAt("b.md", {})).toEqual([]);
    });

    test("pathsIn gives the files of which something stands in a partition", async () => {
      await put("a.md", ["b"]);
      await put("b.md", ["of ana"], { user: "ana" });
      const [own, anas] = [partitionOf(said("")).id, partitionOf(said("", { user: "ana" })).id];
      expect(await engine.pathsIn([own])).toEqual(["a.md"]);
      expect([...(await engine.pathsIn([own, anas]))].sort()).toEqual(["a.md", "b.md"]);
      expect(await engine.pathsIn([])).toEqual([]);
    });

    test("finds the same in a large file after many edits, and nothing that was edited away", async () => {
      const large = Array.from(
        { length: 700 },
        (_, index) => `tea ${spelt(index)} store ${spelt(index % 7)}`,
      );
      await put("a.md", large);
      await put("b.md", ["tea apart"]);
      expect(await texts("tea")).toHaveLength(701);
      await put(
        "a.md",
        large.map((text, index) => (index % 3 === 0 ? text : `coffee ${index}`)),
      );
      expect(await texts("tea")).toHaveLength(235);
      expect(await texts(spelt(101))).toEqual([]);
      expect((await ask("tea coffee")).statistics).toMatchObject({
        passages: 701,
        documentFrequencies: [235, 466],
      });
      await put("a.md", large);
      expect((await ask(`tea ${spelt(3)}`)).statistics.documentFrequencies).toEqual([701, 100]);
    });

    test("in a large corpus those that hold the rare words are found, with their neighbours", async () => {
      for (let file = 0; file < 3; file++) {
        await engine.upsert(
          `${file}.md`,
          "1",
          Array.from({ length: 1000 }, (_, index) =>
            said(`tea ${file === 1 && index === 7 ? "jasmine" : "black"}`, {
              path: `${file}.md`,
              id: String(index),
              sequence: file * 100_000 + index,
            }),
          ),
        );
      }
      const { hits } = await ask("jasmine tea", {}, undefined, 100);
      expect(hits[0]?.passage.text).toBe("tea jasmine");
      expect(hits.map(({ passage }) => passage.id)).toContain("1.md#8");
      expect(hits).toHaveLength(100);
      // Where only common words are asked for, some of all that match.
      expect((await ask("tea", {}, undefined, 100)).hits).toHaveLength(100);
      expect((await ask("tea", {}, undefined, 5)).hits).toHaveLength(5);
    });

    test("searches while writing see a file whole, before or after", async () => {
      await put(
        "a.md",
        Array.from({ length: 300 }, (_, index) => `old ${index}`),
      );
      const writing = put(
        "a.md",
        Array.from({ length: 400 }, (_, index) => `new ${index}`),
      );
      for (let turn = 0; turn < 20; turn++) {
        const found = await texts("old new");
        const [old, fresh] = ["old", "new"].map(
          (word) => found.filter((text) => text.startsWith(word)).length,
        );
        expect([`${old} ${fresh}`]).toEqual([fresh === 0 ? "300 0" : "0 400"]);
      }
      await writing;
      expect(await texts("new")).toHaveLength(400);
    });

    test("after any edits it is what a fresh index of the same files is", async () => {
      const word = fc.constantFrom("tea", "cat", "rain", "年糕", "部署");
      const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
      const belongs = fc.record({
        user: fc.constantFrom("ana", "bo"),
        scope: fc.constantFrom("main", "group:x").map(scope),
      });
      const edit = fc.record({
        path: fc.constantFrom("a.md", "b.md", "c.md"),
        passages: fc.option(fc.array(fc.record({ text, belongs }), { maxLength: 5 }), { nil: undefined }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(edit, { maxLength: 12 }), async (edits) => {
          const [edited, fresh] = [await open(), await open()];
          const last = new Map<string, Passage[]>();
          for (const { path, passages } of edits) {
            const now = passages?.map(({ text, belongs }, index) =>
              said(text, { ...belongs, path, id: String(index) }),
            );
            if (now === undefined) await edited.remove(path);
            else await edited.upsert(path, "x", now);
            if (now === undefined) last.delete(path);
            else last.set(path, now);
          }
          for (const [path, passages] of [...last].reverse()) await fresh.upsert(path, "x", passages);
          const query = {
            partitions: await fresh.partitions(),
            question: inItsOwnWords("tea 年糕 rain"),
            filter: {},
            most: 100,
          };
          expect(await edited.partitions()).toEqual(await fresh.partitions());
          expect(await edited.size()).toEqual(await fresh.size());
          expect(await edited.search(query)).toEqual(await fresh.search(query));
          await Promise.all([edited.close(), fresh.close()]);
        }),
        { numRuns: 40 },
      );
    });

    describe("vectors", () => {
      const SPACE = "space" as SpaceId;
      const embedAll = async (vectorOf: (text: string) => readonly number[] | undefined): Promise<number> => {
        const waiting = await engine.unembedded(SPACE, 1000);
        await engine.embed(
          SPACE,
          waiting.map(({ partition, key, passage }) => ({ partition, key, values: vectorOf(passage.text) })),
        );
        return waiting.length;
      };
      const east = (text: string): readonly number[] => (text.includes("puppy") ? [1, 0.1] : [-0.3, 1]);
      const near = async (
        text: string,
        more: Partial<EngineQuery> = {},
        values: readonly number[] = [1, 0],
      ): Promise<string[]> => {
        const { hits } = await engine.search({
          partitions: await engine.partitions(),
          question: inItsOwnWords(text),
          filter: {},
          most: 10,
          vector: { space: SPACE, values, weight: 0.5 },
          ...more,
        });
        return hits.map(({ passage }) => passage.text);
      };

      test("what has none is told, is found by it once it has one, and is not told again", async () => {
        await put("a.md", ["a puppy came", "the budget went"]);
        expect(await engine.unembedded(SPACE, 1)).toHaveLength(1);
        expect(await embedAll(east)).toBe(2);
        expect(await embedAll(east)).toBe(0);
        expect([...(await engine.spaces())]).toEqual([[SPACE, 2]]);
        expect((await near("a dog"))[0]).toBe("a puppy came");
        expect(await near("budget", { ranking: "vector" })).toEqual(["a puppy came"]);
        expect([...(await near("budget", { ranking: "rrf" }))].sort()).toEqual([
          "a puppy came",
          "the budget went",
        ]);
      });

      test("it goes with its passage, stays with what is alike, and a changed passage has none", async () => {
        await put("a.md", ["a puppy came", "the budget went"]);
        await embedAll(east);
        await put("a.md", ["another line", "the budget went", "a puppy came"]);
        const waiting = await engine.unembedded(SPACE, 10);
        expect(waiting.map(({ passage }) => passage.text)).toContain("another line");
        await engine.remove("a.md");
        expect([...(await engine.spaces()).values()].reduce((sum, count) => sum + count, 0)).toBe(0);
        expect(await near("a dog")).toEqual([]);
      });

      test("what changed meanwhile gets none, and an unknown partition or key does no harm", async () => {
        await put("a.md", ["a puppy came"]);
        const waiting = await engine.unembedded(SPACE, 10);
        await put("a.md", ["a kitten came"]);
        await engine.embed(
          SPACE,
          waiting.map(({ partition, key }) => ({ partition, key, values: [1, 0] })),
        );
        await engine.embed(SPACE, [{ partition: "nowhere" as PartitionId, key: "1", values: [1, 0] }]);
        expect(await engine.unembedded(SPACE, 10)).toHaveLength(1);
        expect(await near("a dog")).toEqual([]);
      });

      test("a passage that gets none is not told again; a space that is forgotten is gone", async () => {
        await put("a.md", ["喜欢茶", "a puppy came"]);
        expect(await embedAll((text) => (text.includes("茶") ? undefined : [1, 0]))).toBe(2);
        expect(await embedAll(east)).toBe(0);
        await engine.forgetSpace(SPACE);
        expect([...(await engine.spaces())]).toEqual([]);
        expect(await near("a dog")).toEqual([]);
      });

      test("a filter and a partition hold for what is near as for what is said", async () => {
        await put("a.md", ["a puppy came"], { session: "s1" });
        await put("b.md", ["my puppy slept"], { session: "s2" });
        await embedAll(east);
        expect(await near("a dog", { filter: { session: "s2" } })).toEqual(["my puppy slept"]);
        expect(await near("a dog", { filter: { session: "nobody" } })).toEqual([]);
        expect(await near("a dog", { partitions: [] })).toEqual([]);
      });

      test("a question of another size finds by its words", async () => {
        await put("a.md", ["a puppy came"]);
        await embedAll(east);
        expect(await near("puppy", {}, [1, 0, 0])).toEqual(["a puppy came"]);
        expect(await near("dog", {}, [])).toEqual([]);
      });
    });
  });
}

/** Engines count what they are asked: without the words of other languages that say the same. */
function inItsOwnWords(text: string): Question {
  const weights = { ...WEIGHTS, question: { ...WEIGHTS.question, meaning: 0, alikeWithin: 0 } };
  return questionOf(text, [], { weights });
}
