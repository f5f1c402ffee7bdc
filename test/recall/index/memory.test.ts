import { expect, test } from "vitest";
import wink from "wink-bm25-text-search";
import { memoryEngine } from "../../../src/recall/index/memory.js";
import { questionOf } from "../../../src/recall/question.js";
import { termsOf } from "../../../src/text/terms.js";
import { describeEngine } from "../engine-conformance.js";
import { said } from "../passage-samples.js";

describeEngine("memory", async () => memoryEngine());

test("finds what an index of wink over the same texts finds", async () => {
  const words = ["tea", "cat", "rain", "deploy", "garden", "violin", "train"];
  const texts = Array.from({ length: 600 }, (_, index) =>
    words
      .filter((_word, at) => (index * 7 + at * 3) % (at + 2) === 0)
      .concat(`only${index}`)
      .join(" "),
  );
  const engine = memoryEngine();
  await engine.upsert(
    "a.md",
    "1",
    texts.map((text, index) => said(text, { path: "a.md", id: String(index) })),
  );

  const whole = wink();
  whole.defineConfig({ fldWeights: { text: 1 }, bm25Params: { k1: 1.2, b: 0.75, k: 1 } });
  whole.definePrepTasks([termsOf]);
  for (const [index, text] of texts.entries()) whole.addDoc({ text }, String(index));
  whole.consolidate(9);

  const text = "violin rain garden";
  const partitions = await engine.partitions();
  const { hits } = await engine.search({
    partitions,
    question: questionOf(text, []),
    filter: {},
    most: 1000,
  });
  const winks = whole.search(text, Infinity).map(([id]) => id);
  expect(hits.map(({ passage }) => String(passage.messageIds[0])).sort()).toEqual(winks.sort());
});

test("long writes let other work run", async () => {
  let turns = 0;
  const engine = memoryEngine(() => {
    turns += 1;
    return undefined;
  });
  await engine.upsert(
    "a.md",
    "1",
    Array.from({ length: 600 }, (_, index) => said(`tea ${index}`, { path: "a.md", id: String(index) })),
  );
  expect(turns).toBeGreaterThanOrEqual(600);
});
