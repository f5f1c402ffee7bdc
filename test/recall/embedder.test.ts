/** Vectors from a real encoder over HTTP, through real workers. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Settings } from "../../src/model/settings.js";
import { systemClock } from "../../src/platform/clock.js";
import type { Engine } from "../../src/recall/index/engine.js";
import { memoryEngine } from "../../src/recall/index/memory.js";
import { questionOf } from "../../src/recall/question.js";
import { Embedder } from "../../src/recall/embedder.js";
import { endpointEncoder } from "../../src/recall/embedding/endpoint.js";
import { settingsWith, testPool, type TestPool } from "../llm/given.js";
import { said } from "./passage-samples.js";
import { embeddingServer, type EmbeddingServer } from "../support/embedding-server.js";

let server: EmbeddingServer;
let engine: Engine;
let pool: TestPool | undefined;
let told: unknown[];
beforeEach(async () => {
  server = await embeddingServer();
  engine = memoryEngine();
  told = [];
});
afterEach(async () => {
  await pool?.close();
  await server.close();
});

function embedderWith(embedding: object = {}, model = "small"): Embedder {
  const settings: Settings = settingsWith({
    llm: { base_url: server.url, models: { embedding: model }, max_retries: 0 },
    embedding: { query_timeout_seconds: 20, ...embedding },
  } as Parameters<typeof settingsWith>[0]);
  pool = testPool(settings);
  return new Embedder({
    encoder: endpointEncoder({ pool, settings, onUsage: () => undefined }),
    clock: systemClock(),
    settings,
    log: { write: (line) => void told.push(line) } as ConstructorParameters<typeof Embedder>[0]["log"],
  });
}

async function filled(embedder: Embedder): Promise<void> {
  embedder.fill(engine);
  await embedder.over();
}

async function best(embedder: Embedder, query: string): Promise<string[]> {
  const { vector } = await embedder.vectorOf(query);
  const { hits } = await engine.search({
    partitions: await engine.partitions(),
    question: questionOf(query, []),
    filter: {},
    most: 5,
    ...(vector && { vector }),
  });
  return hits.map(({ passage }) => passage.text);
}

const TEXTS = [
  "We adopted a puppy from the shelter.",
  "The quarterly budget was approved by the board.",
  "It rained all week in Lisbon.",
];
const put = (texts: readonly string[]): Promise<void> =>
  engine.upsert(
    "a.md",
    texts.join("|"),
    texts.map((text, index) => said(text, { path: "a.md", id: String(index) })),
  );

test("what shares no word with a question is found by its meaning, and only what is new is embedded again", async () => {
  await put(TEXTS);
  const embedder = embedderWith();
  await filled(embedder);
  expect(embedder.status).toMatchObject({ model: "small", embedded: 3, passages: 3 });
  expect((await best(embedder, "Do they have a dog?"))[0]).toBe(TEXTS[0]);
  expect((await best(embedder, "company finances"))[0]).toBe(TEXTS[1]);

  const before = server.texts.length;
  await put([...TEXTS, "She plays the violin every morning."]);
  await filled(embedder);
  expect(server.texts.length - before).toBe(1);
  expect((await best(embedder, "a musical instrument"))[0]).toContain("violin");
  expect(told).toEqual([]);
});

test("an encoder that does not read Chinese is found out, and Chinese is left to words", async () => {
  await put(["我最喜欢的茶是龙井。", ...TEXTS]);
  const embedder = embedderWith();
  await filled(embedder);
  expect(embedder.status).toMatchObject({ readsHan: false, embedded: 4 });
  const passages = server.texts.filter((text) => text.includes("龙井"));
  expect(passages).toEqual([]);
  expect(await embedder.vectorOf("喜欢什么茶")).toEqual({});
  expect((await best(embedder, "喜欢什么茶"))[0]).toContain("龙井");
});

test.each([
  ["refuses", /503/],
  ["forgets one", /vectors for/],
] as const)("an endpoint that %s leaves words, with one word in the log", async (mood, reason) => {
  await put(TEXTS);
  server.mood = mood;
  const embedder = embedderWith();
  await filled(embedder);
  await filled(embedder);
  expect(told).toEqual([
    expect.objectContaining({ event: "embed_unavailable", reason: expect.stringMatching(reason) as string }),
  ]);
  expect(embedder.status?.fault).toMatch(reason);
  expect(await best(embedder, "the puppy")).toEqual([TEXTS[0]]);
  expect((await embedder.vectorOf("the puppy")).reason).toMatch(reason);
});

test("a vector of another size than the space's is no vector", async () => {
  await put(TEXTS);
  const embedder = embedderWith();
  await filled(embedder);
  server.mood = "cuts vectors";
  const { vector, reason } = await embedder.vectorOf("Do they have a dog?");
  expect(vector).toBeUndefined();
  expect(reason).toMatch(/7 numbers instead of 512/);
});

test("a question waits no longer than it is told to", async () => {
  await put(TEXTS);
  const embedder = embedderWith({ query_timeout_seconds: 0.3 });
  await filled(embedder);
  server.mood = "hangs";
  expect((await embedder.vectorOf("Do they have a dog?")).reason).toMatch(/late/);
});

test("another model embeds everything anew; until that is done the old vectors answer, then they go", async () => {
  await put(TEXTS);
  await filled(embedderWith());
  await pool?.close();
  const [old] = (await engine.spaces()).keys();

  const next = embedderWith({}, "other");
  server.mood = "refuses";
  await filled(next);
  expect([...(await engine.spaces()).keys()]).toEqual([old]);
  await pool?.close();

  server.mood = "well";
  const again = embedderWith({}, "other");
  await filled(again);
  const spaces = [...(await engine.spaces())];
  expect(spaces).toEqual([[expect.stringContaining("other"), 3]]);
  expect((await best(again, "Do they have a dog?"))[0]).toBe(TEXTS[0]);
});
