import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { chinese, english } from "../../../bench/search/corpus.js";
import { questionsOf } from "../../../bench/search/questions.js";
import { OWNER, viewerAt } from "../../../src/model/address.js";
import type { Passage } from "../../../src/model/passage.js";
import { zoneOf } from "../../../src/model/time.js";
import { indexThreads } from "../../../src/platform/package-root.js";
import { startThread, type Thread } from "../../../src/platform/thread.js";
import type { Engine } from "../../../src/recall/index/engine.js";
import { memoryEngine } from "../../../src/recall/index/memory.js";
import { indexIn, threadsIn } from "../../../src/recall/index/open.js";
import {
  readerAnswer,
  writerAnswer,
  type ReaderMessage,
  type WriterMessage,
} from "../../../src/recall/index/sqlite/messages.js";
import { IndexReader } from "../../../src/recall/index/sqlite/reader.js";
import { byFolder, IndexThreads } from "../../../src/recall/index/sqlite/index-threads.js";
import { sqliteEngine } from "../../../src/recall/index/sqlite/sqlite.js";
import { IndexWriter } from "../../../src/recall/index/sqlite/writer.js";
import { openDatabase } from "../../../src/platform/sqlite.js";
import type { Partition } from "../../../src/recall/index/partitions.js";
import { questionOf } from "../../../src/recall/question.js";
import { recall } from "../../../src/recall/recall.js";
import { randomOf } from "../../faults/random.js";
import { describeEngine } from "../engine-conformance.js";
import { NOON, said, scope } from "../passage-samples.js";

const home = mkdtempSync(path.join(os.tmpdir(), "memd-index-"));
afterAll(() => rmSync(home, { recursive: true }));

let folders = 0;
const newFolder = (): string => path.join(home, String(++folders));

/** The same on this thread: opening is cheap, and every message is copied as it would be. */
function onThisThread(answer: (message: unknown) => unknown): Thread {
  return {
    ask: async (message) => structuredClone(answer(structuredClone(message))),
    isAlive: () => true,
    end: () => Promise.resolve(),
  };
}

const NEVER_MS = 600_000;

function openHere(folder: string, onLost: (partitions: number) => void = () => undefined): Promise<Engine> {
  const writing = byFolder(
    (name) => new IndexWriter(name),
    (writer, message) => writerAnswer(writer, message as WriterMessage),
  );
  const reading = byFolder(
    (name) => new IndexReader(name),
    (reader, message) => readerAnswer(reader, message as ReaderMessage),
  );
  const threads = new IndexThreads(
    {
      writer: () => onThisThread((message) => writing.answer(message)),
      reader: () => onThisThread((message) => reading.answer(message)),
    },
    NEVER_MS,
  );
  return sqliteEngine({ threads: threads.of(folder), onLost });
}

describeEngine("sqlite", () => openHere(newFolder()));

async function find(engine: Engine, text: string): Promise<string[]> {
  const partitions = await engine.partitions();
  const { hits } = await engine.search({ partitions, question: questionOf(text, []), filter: {}, most: 10 });
  return hits.map(({ passage }) => passage.text);
}

describe("an index that was closed", () => {
  let folder: string;
  let lost: number;
  const open = (): Promise<Engine> => openHere(folder, (partitions) => void (lost += partitions));
  beforeEach(async () => {
    folder = newFolder();
    lost = 0;
    const engine = await open();
    await engine.upsert("a.md", "1", [said("tea in main", { path: "a.md" })]);
    await engine.upsert("b.md", "1", [said("tea in work", { path: "b.md", scope: scope("work") })]);
    await engine.upsert("empty.md", "1", []);
    await engine.close();
  });

  test("is as it was when it is opened again", async () => {
    const engine = await open();
    expect(await find(engine, "tea")).toEqual(["tea in main", "tea in work"]);
    expect([...(await engine.stamps())].sort()).toEqual([
      ["a.md", "1"],
      ["b.md", "1"],
      ["empty.md", "1"],
    ]);
    expect(lost).toBe(0);
    await engine.close();
  });

  test("has one file for each partition, which goes with its last passage", async () => {
    const files = (): string[] => readdirSync(folder).filter((name) => name.endsWith(".sqlite"));
    expect(files()).toHaveLength(3);
    const engine = await open();
    await engine.remove("b.md");
    expect(files()).toHaveLength(2);
    await engine.close();
  });

  test.each([
    ["is no database", (file: string) => writeFileSync(file, "no database at all".repeat(500))],
    ["is empty", (file: string) => writeFileSync(file, "")],
    ["ends in the middle", (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 8192))],
    [
      "is damaged in the middle",
      (file: string) => writeFileSync(file, readFileSync(file).fill(0x58, 5000, 20_000)),
    ],
  ])("makes a file anew that %s", async (_what, damage) => {
    // Elsewhere, as for another process: in this one the closed connections hold the old files.
    const closed = folder;
    folder = newFolder();
    mkdirSync(folder);
    for (const name of readdirSync(closed).filter((each) => each.endsWith(".sqlite"))) {
      copyFileSync(path.join(closed, name), path.join(folder, name));
      damage(path.join(folder, name));
    }
    const engine = await open();
    await find(engine, "tea");
    const stamps = await engine.stamps();
    for (const name of ["a.md", "b.md"]) {
      if (stamps.get(name) === "1") continue;
      const text = name === "a.md" ? "tea in main" : "tea in work";
      await engine.upsert(name, "1", [
        said(text, { path: name, ...(name === "b.md" ? { scope: scope("work") } : {}) }),
      ]);
    }
    expect(await find(engine, "tea")).toEqual(["tea in main", "tea in work"]);
    await engine.close();
  });

  test("does without a file of another schema", async () => {
    const { openDatabase } = await import("../../../src/platform/sqlite.js");
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".sqlite"))) {
      const db = openDatabase(path.join(folder, name), "write", 1000);
      db.exec("PRAGMA user_version = 999");
      db.close();
    }
    const engine = await open();
    expect([...(await engine.stamps())]).toEqual([]);
    await engine.upsert("a.md", "1", [said("tea again", { path: "a.md" })]);
    expect(await find(engine, "tea")).toEqual(["tea again"]);
    await engine.close();
  });
});

test("a path whose partitions do not agree, as after a crash between two of them, is to be read again", async () => {
  const folder = newFolder();
  const engine = await openHere(folder);
  const both = [
    said("tea one", { path: "a.md", user: "ana" }),
    said("tea two", { path: "a.md", user: "bo", id: "2" }),
  ];
  await engine.upsert("a.md", "1", both);
  await engine.close();
  const { openDatabase } = await import("../../../src/platform/sqlite.js");
  const [first = ""] = readdirSync(folder).filter((name) => name.endsWith(".sqlite"));
  const db = openDatabase(path.join(folder, first), "write", 1000);
  db.exec("UPDATE files SET stamp = '0'");
  db.close();
  const again = await openHere(folder);
  expect(await again.stamps()).toEqual(new Map([["a.md", ""]]));
  await again.upsert("a.md", "2", both);
  expect(await again.stamps()).toEqual(new Map([["a.md", "2"]]));
  await again.close();
});

test("both engines give the same hits with the same scores, after every change", async () => {
  const word = fc.constantFrom("tea", "cat", "rain", "garden", "violin", "年糕", "部署", "喜欢");
  const passage = fc.record({
    text: fc.array(word, { minLength: 1, maxLength: 90 }).map((words) => words.join(" ")),
    user: fc.constantFrom("ana", "bo"),
    scope: fc.constantFrom("main", "group:x").map(scope),
    session: fc.constantFrom("s1", "s2", "s3"),
    level: fc.constantFrom("scope" as const, "session" as const),
    sequence: fc.nat(8),
    speaker: fc.constantFrom("Ana", "Bo"),
    role: fc.constantFrom("user" as const, "agent" as const),
  });
  const files = fc.array(fc.array(passage, { maxLength: 8 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(files, fc.array(word, { minLength: 1, maxLength: 4 }), async (made, words) => {
      const engines = [memoryEngine(), await openHere(newFolder())];
      const answers: unknown[][] = [];
      for (const engine of engines) {
        const parts = { engine, zone: zoneOf("UTC"), now: () => NOON, settings: { min_score: 0, limit: 10 } };
        const told: unknown[] = [];
        const viewers = ["s1", "s2"].map((session) =>
          viewerAt({ user: "ana", scope: scope("main"), session }),
        );
        const ask = async (): Promise<void> => {
          for (const viewer of [OWNER, ...viewers]) told.push(await recall(parts, words.join(" "), viewer));
        };
        for (const [file, passages] of made.entries()) {
          const at = `${file}.md`;
          // One place in a conversation for each: two at one place is a copy on its way out.
          const placed = passages.map((each, index) =>
            said(each.text, { ...each, path: at, id: String(index), sequence: file * 100 + index }),
          );
          await engine.upsert(at, "1", placed);
          await ask();
        }
        const [first = []] = made;
        const changed = first
          .slice(1)
          .map((each, index) =>
            said(`${each.text} tea`, { ...each, path: "0.md", id: String(index), sequence: index }),
          );
        await engine.upsert("0.md", "2", changed);
        await ask();
        await engine.remove("1.md");
        await ask();
        answers.push(told);
        await engine.close();
      }
      expect(answers[1]).toEqual(answers[0]);
    }),
    { numRuns: 60 },
  );
});

test("both engines give the same answers to two hundred questions of a large memory, also after much of it changed", async () => {
  const random = randomOf(3000);
  const languages = [english(random), chinese(random)] as const;
  const texts = Array.from({ length: 3000 }, (_, index) => languages[index % 3 === 2 ? 1 : 0].sentence(12));
  const questions = questionsOf(200, random);
  const fileOf = (file: number, change: (text: string, index: number) => string): Passage[] =>
    texts.slice(file * 1000, file * 1000 + 1000).map((text, index) =>
      said(change(text, index), {
        path: `${file}.md`,
        id: String(index),
        session: `${file}-${Math.floor(index / 20)}`,
        sequence: index,
        role: index % 2 === 0 ? "user" : "agent",
      }),
    );
  const answers: unknown[][] = [];
  for (const engine of [memoryEngine(), await openHere(newFolder())]) {
    const parts = { engine, zone: zoneOf("UTC"), now: () => NOON, settings: { min_score: 0, limit: 10 } };
    const told: unknown[] = [];
    const askAll = async (): Promise<void> => {
      for (const question of questions) told.push((await recall(parts, question, OWNER)).hits);
    };
    for (const file of [0, 1, 2])
      await engine.upsert(
        `${file}.md`,
        "1",
        fileOf(file, (text) => text),
      );
    await askAll();
    await engine.upsert(
      "1.md",
      "2",
      fileOf(1, (text, index) => (index % 3 === 0 ? (texts[index] ?? "") : text)),
    );
    await engine.remove("0.md");
    await askAll();
    answers.push(told);
    await engine.close();
  }
  expect(answers[0]?.filter((hits) => (hits as unknown[]).length === 10).length).toBeGreaterThan(300);
  expect(answers[1]).toEqual(answers[0]);
});

test("both engines give the same answers over texts of thousands of words", async () => {
  const random = randomOf(77);
  const language = english(random);
  const long = Array.from({ length: 8 }, (_, index) => ({
    text: Array.from({ length: 100 + 40 * index }, () => language.sentence(12)).join(" "),
    id: String(index),
  }));
  const questions = questionsOf(60, random);
  const answers: unknown[][] = [];
  for (const engine of [memoryEngine(), await openHere(newFolder())]) {
    const parts = { engine, zone: zoneOf("UTC"), now: () => NOON, settings: { min_score: 0, limit: 10 } };
    const passages = long.map(({ text, id }) => said(text, { path: "long.md", id, sequence: Number(id) }));
    await engine.upsert("long.md", "1", passages);
    const told: unknown[] = [];
    for (const question of questions) told.push((await recall(parts, question, OWNER)).hits);
    await engine.upsert("long.md", "2", passages.slice(3));
    for (const question of questions) told.push((await recall(parts, question, OWNER)).hits);
    answers.push(told);
    await engine.close();
  }
  expect(answers[0]?.filter((hits) => (hits as unknown[]).length > 0).length).toBeGreaterThan(60);
  expect(answers[1]).toEqual(answers[0]);
});

test("a word that was looked for often in vain is found once somebody has said it", async () => {
  const engine = await openHere(newFolder());
  await engine.upsert("a.md", "1", [said("quince jam", { path: "a.md" })]);
  const partitions = await engine.partitions();
  const unsaid = Array.from({ length: 500 }, (_, at) => `quu${at.toString(36)}`);
  for (let round = 0; round < 2; round++)
    expect(await engine.frequencies(partitions, ["quinc", ...unsaid])).toEqual([1, ...unsaid.map(() => 0)]);
  await engine.upsert("b.md", "1", [said("a quux for the quuff", { path: "b.md" })]);
  expect(await engine.frequencies(partitions, ["quinc", "quux", "quuff", "quuk"])).toEqual([1, 1, 1, 0]);
  expect(await engine.beginning(partitions, "qu")).toEqual(
    expect.arrayContaining(["quinc", "quux", "quuff"]),
  );
  await engine.upsert("c.md", "1", [said("quuk", { path: "c.md" })]);
  expect(await engine.beginning(partitions, "qu")).toContain("quuk");
  await engine.remove("b.md");
  expect(await engine.frequencies(partitions, ["quux", "quuk"])).toEqual([0, 1]);
  await engine.close();
});

test("what many writes left in pieces is put together while nobody asks, and finds the same", async () => {
  const folder = newFolder();
  const [writer, reader] = [new IndexWriter(folder), new IndexReader(folder)];
  const partitions = (): Partition[] => writer.state().partitions;
  const found = (): unknown =>
    ["heron", "lock", "渡船"].map((text) =>
      reader
        .search({ partitions: partitions(), question: questionOf(text, []), filter: {}, most: 30 })
        .hits.map(({ passage, score }) => [passage.json, score]),
    );
  const write = (file: number): void => {
    const path = `memory/2025-06-15-${file}.md`;
    const texts = Array.from(
      { length: 40 },
      (_unused, n) => `${file} ${n} the heron nests by the lock 渡船 ${n % 7}`,
    );
    const passages = texts.map((text, sequence) => said(text, { path, sequence }));
    writer.upsert(path, "1", passages);
  };
  for (let file = 0; file < 20; file++) write(file);
  const before = found();
  let steps = 0;
  while (writer.rest()) steps += 1;
  expect(steps).toBeGreaterThan(0);
  expect(found()).toEqual(before);
  const [name = ""] = readdirSync(folder).filter((file) => file.endsWith(".sqlite"));
  const db = openDatabase(path.join(folder, name), "read", 100);
  expect(db.prepare("SELECT count(DISTINCT segid) AS n FROM words_idx").get()).toEqual({ n: 1 });
  db.close();
  // A file that lost passages, and whose words hold what says so, is read to its end all the same.
  writer.remove("memory/2025-06-15-3.md");
  const without = found();
  steps = 0;
  while (reader.rest()) expect((steps += 1)).toBeLessThan(100);
  expect(steps).toBeGreaterThan(2);
  expect(found()).toEqual(without);
  writer.upsert("memory/2025-06-15-3.md", "1", []);
  // A few more are no reason to write all of it again.
  write(20);
  expect(writer.rest()).toBe(false);
  reader.close();
  writer.close();
});

test("three thousand sessions have one file, and a search of the owner opens no more", async () => {
  const folder = newFolder();
  const engine = await openHere(folder);
  const facts = Array.from({ length: 3000 }, (_, at) =>
    said(`tea fact ${at}`, { path: "a.jsonl", id: String(at), level: "session", session: `s${at}` }),
  );
  await engine.upsert("a.jsonl", "1", facts);
  expect(await find(engine, "tea 2750")).toContain("tea fact 2750");
  expect(readdirSync(folder).filter((name) => name.endsWith(".sqlite"))).toHaveLength(1);
  await engine.close();
});

describe("what is removed", () => {
  /** Files of the folder that hold the text, in any case of its letters. */
  const holding = (folder: string, text: string): string[] =>
    readdirSync(folder).filter((name) =>
      readFileSync(path.join(folder, name)).toString("latin1").toLowerCase().includes(text),
    );

  test("leaves no byte once it is scrubbed, whatever became of it before", async () => {
    const folder = newFolder();
    const engine = await openHere(folder);
    const crowd = (from: number): Passage[] =>
      Array.from({ length: 300 }, (_, at) =>
        said(`marmalade ${from + at}`, { path: "a.md", id: `${from + at}` }),
      );
    const secret = said("the zebracorn eats at noon", { path: "a.md", id: "s", session: "aquarium" });
    // First in another file and at another place, as what is said is until its day is written.
    await engine.upsert("journal/zebracorn.jsonl", "1", [
      said("zebracorn", { path: "journal/zebracorn.jsonl" }),
    ]);
    await engine.upsert("a.md", "1", [secret, ...crowd(0)]);
    await engine.upsert("a.md", "2", [...crowd(300), secret, ...crowd(600)]);
    await engine.remove("journal/zebracorn.jsonl");
    expect(holding(folder, "zebracorn")).not.toEqual([]);
    await engine.upsert("a.md", "3", [...crowd(300), ...crowd(600)]);
    await engine.scrub((await engine.partitions()).map(({ id }) => id));
    expect(holding(folder, "zebracorn")).toEqual([]);
    expect(holding(folder, "aquarium")).toEqual([]);
    expect(await find(engine, "zebracorn")).toEqual([]);
    expect(await find(engine, "marmalade 350")).toContain("marmalade 350");
    await engine.close();
    expect(holding(folder, "zebracorn")).toEqual([]);
  });
});

describe("in threads of their own", () => {
  const request = { pace: () => undefined, onLost: () => undefined };

  test("the engine answers, and what a thread throws reaches the one who asked", async () => {
    const folder = newFolder();
    const told: string[] = [];
    const { engine, name } = await indexIn(
      folder,
      threadsIn(indexThreads()),
    )({
      ...request,
      engine: "auto",
      onFallback: (reason) => told.push(reason),
    });
    expect([name, told]).toEqual(["sqlite", []]);
    await engine.upsert("a.md", "1", [said("tea", { path: "a.md" })]);
    expect(await find(engine, "tea")).toEqual(["tea"]);
    rmSync(folder, { recursive: true });
    mkdirSync(path.dirname(folder), { recursive: true });
    await expect(
      engine.upsert("b.md", "1", [said("tea", { path: "b.md", scope: scope("new") })]),
    ).rejects.toThrow(/no such file/);
    await engine.close();
    expect(engine.isAlive()).toBe(false);
    await expect(engine.upsert("a.md", "2", [])).rejects.toThrow();
  });

  test("where sqlite does not load, auto goes on in memory and says why; sqlite alone says what to do", async () => {
    const told: string[] = [];
    const nothing = path.join(home, "nothing.js");
    const threads = threadsIn({ writer: nothing, reader: nothing });
    const { name } = await indexIn(
      newFolder(),
      threads,
    )({
      ...request,
      engine: "auto",
      onFallback: (reason) => told.push(reason),
    });
    expect(name).toBe("memory");
    expect(told).toHaveLength(1);
    await expect(
      indexIn(newFolder(), threads)({ ...request, engine: "sqlite", onFallback: () => undefined }),
    ).rejects.toMatchObject({ code: "index_fault" });
  });

  describe("that rest", () => {
    let begun: number;
    let lost: number;
    let folder: string;
    const open = (): Promise<Engine> => {
      const { writer, reader } = indexThreads();
      const begin = (entry: string) => (): Thread => {
        begun += 1;
        return startThread(entry, undefined);
      };
      const threads = new IndexThreads({ writer: begin(writer), reader: begin(reader) }, 50);
      return sqliteEngine({ threads: threads.of(folder), onLost: (partitions) => void (lost += partitions) });
    };
    const rest = (): Promise<unknown> => new Promise((done) => setTimeout(done, 500));
    beforeEach(() => {
      [begun, lost, folder] = [0, 0, newFolder()];
    });

    test("answer as before, and take what is written then", async () => {
      const engine = await open();
      await engine.upsert("a.md", "1", [said("tea in main", { path: "a.md" })]);
      expect(await find(engine, "tea")).toEqual(["tea in main"]);
      await rest();
      expect(readdirSync(folder).filter((name) => name.endsWith("-wal"))).toEqual([]);
      expect(begun).toBe(2);
      expect(engine.isAlive()).toBe(true);
      expect(await engine.size()).toMatchObject({ files: 1, passages: 1 });
      expect(begun).toBe(2);
      expect(await find(engine, "tea")).toEqual(["tea in main"]);
      expect(begun).toBe(3);
      await engine.upsert("b.md", "1", [said("tea at sea", { path: "b.md" })]);
      expect(await find(engine, "tea")).toEqual(["tea in main", "tea at sea"]);
      expect([begun, lost]).toEqual([4, 0]);
      await engine.close();
    });

    test("agree with what is scrubbed beside the first write after that", async () => {
      const engine = await open();
      await engine.upsert("a.md", "1", [said("tea in main", { path: "a.md" })]);
      const partitions = (await engine.partitions()).map(({ id }) => id);
      await rest();
      await Promise.all([
        engine.upsert("a.md", "2", [said("tea in main", { path: "a.md" })]),
        engine.scrub(partitions),
      ]);
      // Whichever came last: what counts as read is found.
      const { size } = await engine.stamps();
      expect(await engine.size()).toMatchObject({ files: size, passages: size, partitions: size });
      expect(await find(engine, "tea")).toHaveLength(size);
      await engine.close();
    });

    test("read anew what the writer had to remove while it was open", async () => {
      const engine = await open();
      await engine.upsert("a.md", "1", [said("tea in main", { path: "a.md" })]);
      await rest();
      expect(await find(engine, "tea")).toEqual(["tea in main"]);
      for (const name of readdirSync(folder).filter((each) => each.endsWith(".sqlite"))) {
        // The schema's number, as of another memd.
        const bytes = readFileSync(path.join(folder, name));
        bytes.writeUInt32BE(5, 60);
        writeFileSync(path.join(folder, name), bytes);
      }
      await engine.upsert("b.md", "1", [said("tea at sea", { path: "b.md" })]);
      expect(lost).toBe(1);
      expect(await find(engine, "tea")).toEqual(["tea at sea"]);
      await engine.close();
    });

    test("tell what was damaged meanwhile, so that it is read again", async () => {
      const engine = await open();
      await engine.upsert("a.md", "1", [said("tea in main", { path: "a.md" })]);
      await rest();
      for (const name of readdirSync(folder).filter((each) => each.endsWith(".sqlite")))
        writeFileSync(path.join(folder, name), "no database at all".repeat(500));
      await engine.upsert("b.md", "1", [said("tea at sea", { path: "b.md" })]);
      expect(lost).toBe(1);
      expect([...(await engine.stamps()).keys()]).toEqual(["b.md"]);
      expect(await find(engine, "tea")).toEqual(["tea at sea"]);
      await engine.close();
    });
  });

  describe("that several folders share", () => {
    test("each answers from its own, also behind a rest, and one that is closed leaves the others open", async () => {
      let begun = 0;
      const { writer, reader } = indexThreads();
      const begin = (entry: string) => (): Thread => {
        begun += 1;
        return startThread(entry, undefined);
      };
      const threads = new IndexThreads({ writer: begin(writer), reader: begin(reader) }, 50);
      const open = (folder: string): Promise<Engine> =>
        sqliteEngine({ threads: threads.of(folder), onLost: () => undefined });
      const [one, other, third] = await Promise.all(Array.from({ length: 3 }, () => open(newFolder())));
      await one?.upsert("a.md", "1", [said("tea", { path: "a.md" })]);
      await other?.upsert("a.md", "1", [said("tea and milk", { path: "a.md" })]);
      const found = async (): Promise<(string[] | undefined)[]> =>
        Promise.all([one, other, third].map(async (engine) => engine && find(engine, "tea")));
      expect(await found()).toEqual([["tea"], ["tea and milk"], []]);
      expect(begun).toBe(2);
      await new Promise((done) => setTimeout(done, 500));
      await one?.upsert("b.md", "1", [said("green tea", { path: "b.md" })]);
      expect(await found()).toEqual([["tea", "green tea"], ["tea and milk"], []]);
      expect(begun).toBe(4);
      await one?.close();
      expect([one?.isAlive(), other?.isAlive()]).toEqual([false, true]);
      expect(await other?.size()).toMatchObject({ passages: 1 });
      await Promise.all([other?.close(), third?.close()]);
      expect(other?.isAlive()).toBe(false);
    });
  });

  test("a thread that is killed leaves nobody waiting", async () => {
    const folder = newFolder();
    const { writer, reader } = indexThreads();
    const threads = [startThread(writer, undefined), startThread(reader, undefined)] as const;
    const begins = { writer: () => threads[0], reader: () => threads[1] };
    const engine = await sqliteEngine({
      threads: new IndexThreads(begins, NEVER_MS).of(folder),
      onLost: () => undefined,
    });
    const waiting = engine.upsert(
      "a.md",
      "1",
      Array.from({ length: 2000 }, (_, at) => said(`tea ${at}`, { path: "a.md", id: String(at) })),
    );
    await threads[0].end();
    await expect(waiting).rejects.toThrow(/ended/);
    await threads[1].end();
  });
});
