/** What models add to recall, and that it goes on without them. */
import { describe, expect, test } from "vitest";
import { viewerAt } from "../../src/model/address.js";
import type { Passage } from "../../src/model/passage.js";
import { spaceId } from "../../src/model/space.js";
import { zoneOf } from "../../src/model/time.js";
import { memoryEngine } from "../../src/recall/index/memory.js";
import type { RecallModels } from "../../src/recall/models.js";
import { recall, type Recalled, type RecallOptions, type RecallParts } from "../../src/recall/recall.js";
import { NOON, said, scope } from "./passage-samples.js";

const VIEWER = viewerAt({ user: "local", scope: scope("main"), session: "main" });
const SPACE = spaceId({ model: "toy", revision: "", dimensions: 3 });

/** Three topics that the toy encoder knows: pets, money, weather. */
const TOPICS = [/puppy|dog|cat/i, /budget|finance|euro/i, /rain|snow|weather/i];
const vectorOf = (text: string): number[] => TOPICS.map((topic) => (topic.test(text) ? 1 : 0.01));

const PASSAGES = [
  said("We adopted a puppy.", { id: "puppy" }),
  said("The budget was approved.", { id: "budget" }),
  said("It began to rain in Lisbon.", { id: "rain" }),
];

async function ask(
  query: string,
  models: Partial<RecallModels>,
  options: RecallOptions = {},
  passages: readonly Passage[] = PASSAGES,
  settings: RecallParts["settings"] = { min_score: 0.2, limit: 10 },
): Promise<Recalled> {
  const engine = memoryEngine();
  await engine.upsert("memory/2025-06-15-day.md", "1", passages);
  const waiting = await engine.unembedded(SPACE, 100);
  await engine.embed(
    SPACE,
    waiting.map(({ partition, key, passage }) => ({ partition, key, values: vectorOf(passage.text) })),
  );
  const parts = {
    engine,
    zone: zoneOf("UTC"),
    now: () => NOON,
    settings,
    models: { vectorOf: async () => ({}), ...models },
  };
  return recall(parts, query, VIEWER, options);
}

const idsOf = ({ hits }: Recalled): string[] => hits.map(({ passage }) => nameOf(passage));
const nameOf = ({ id }: Passage): string => id.split("#")[1] ?? "";
const near: RecallModels["vectorOf"] = async (query) => ({
  vector: { space: SPACE, values: vectorOf(query), weight: 0.4 },
});

describe("by meaning", () => {
  test("what shares no word is found, and words count beside it", async () => {
    const found = await ask("Do they have a dog?", { vectorOf: near });
    expect(idsOf(found)[0]).toBe("puppy");
    expect(found.hits[0]?.parts["vector"]).toBeGreaterThan(0.5);
    expect(idsOf(await ask("the budget of the dog", { vectorOf: near }))).toEqual(
      expect.arrayContaining(["puppy", "budget"]),
    );
  });

  test("the mode decides whether a vector is asked for, and whether words count", async () => {
    let asked = 0;
    const counting: RecallModels["vectorOf"] = (query) => {
      asked += 1;
      return near(query);
    };
    expect(idsOf(await ask("Do they have a dog?", { vectorOf: counting }, { mode: "keyword" }))).toEqual([]);
    expect(asked).toBe(0);
    const byVector = await ask("the budget of a dog", { vectorOf: counting }, { mode: "vector" });
    expect(Object.keys(byVector.hits[0]?.parts ?? {})).not.toContain("words");
    expect(asked).toBe(1);
  });

  test("an endpoint that is down, and one that was never named, leave words and say so", async () => {
    const down = await ask("the puppy", { vectorOf: async () => ({ reason: "the endpoint is late" }) });
    expect(down).toMatchObject({
      hits: [{ passage: { text: "We adopted a puppy." } }],
      warnings: ["Found by words alone: the endpoint is late."],
    });
    expect((await ask("the puppy", {})).warnings).toEqual([]);
    expect((await ask("the puppy", {}, { mode: "vector" })).warnings).toEqual([
      expect.stringMatching(/llm\.models\.embedding/),
    ]);
  });

  test("a vector of another size than the index has changes nothing", async () => {
    const odd: RecallModels["vectorOf"] = async () => ({
      vector: { space: SPACE, values: [1, 0], weight: 0.4 },
    });
    const scores = async (vectorOf: RecallModels["vectorOf"]): Promise<unknown> =>
      (await ask("the puppy", { vectorOf })).hits.map(({ passage, score }) => [passage.id, score]);
    expect(await scores(odd)).toEqual(await scores(async () => ({})));
  });
});

describe("rerank", () => {
  const byLength: RecallModels["rerank"] = async (_query, texts) => texts.map((text) => -text.length);

  test("the model's order stands, over three times as many as are shown", async () => {
    const many = Array.from({ length: 9 }, (_, index) =>
      said(`puppy ${"and a house ".repeat(9 - index)}number ${index}`, { id: `p${index}` }),
    );
    let texts = 0;
    const rerank: RecallModels["rerank"] = async (query, given) => {
      texts = given.length;
      return (await byLength(query, given)) ?? [];
    };
    const found = await ask("puppy", { rerank }, { limit: 2 }, many);
    expect(texts).toBe(6);
    expect(found.hits).toHaveLength(2);
    const lengths = found.hits.map(({ passage }) => passage.text.length);
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
    expect(found.hits[0]?.parts["rerank"]).toBe(-(lengths[0] ?? 0));
  });

  test("how many are put in order, and whether any are, is a setting", async () => {
    const many = Array.from({ length: 12 }, (_, index) => said(`puppy number ${index}`, { id: `p${index}` }));
    let texts = 0;
    const rerank: RecallModels["rerank"] = async (_query, given) => {
      texts = given.length;
      return given.map(() => 1);
    };
    const settings = { min_score: 0.2, limit: 10 };
    await ask("puppy", { rerank }, { limit: 2 }, many, { ...settings, rerank_multiple: 5 });
    expect(texts).toBe(10);
    texts = 0;
    await ask("puppy", { rerank }, { limit: 2 }, many, { ...settings, rerank: false });
    expect(texts).toBe(0);
  });

  test("is left out where it is not wanted, and missed in a sentence where it fails", async () => {
    const plain = await ask("puppy budget", {});
    expect(await ask("puppy budget", { rerank: byLength }, { rerank: false })).toEqual(plain);
    for (const rerank of [async () => undefined, async () => [1]] satisfies RecallModels["rerank"][]) {
      const found = await ask("puppy budget", { rerank });
      expect(found.hits).toEqual(plain.hits);
      expect(found.warnings).toEqual([expect.stringMatching(/gave none/)]);
    }
  });
});

describe("agentic", () => {
  test("other words of a model find what the question's do not, each passage by its best query", async () => {
    let told: readonly { text: string }[] = [];
    const rewrite: RecallModels["rewrite"] = async (_query, found) => {
      told = found;
      return ["puppy adopted", "rain Lisbon"];
    };
    const found = await ask("the budget, and any pets?", { rewrite }, { mode: "agentic" });
    expect(idsOf(found).sort()).toEqual(["budget", "puppy", "rain"]);
    expect(told.map(({ text }) => text)).toEqual(["The budget was approved."]);
    const alone = await ask("puppy adopted", {});
    const score = (recalled: Recalled): number | undefined =>
      recalled.hits.find(({ passage }) => nameOf(passage) === "puppy")?.score;
    expect(score(found)).toBe(score(alone));
  });

  test("where what was found suffices, or no model answers, the first search stands", async () => {
    const plain = await ask("the budget", {});
    expect(await ask("the budget", { rewrite: async () => [] }, { mode: "agentic" })).toEqual(plain);
    expect(await ask("the budget", {}, { mode: "agentic" })).toEqual({
      hits: plain.hits,
      warnings: [expect.stringMatching(/Searched once/)],
    });
  });
});
