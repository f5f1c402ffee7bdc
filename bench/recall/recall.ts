/**
 * `bench recall`: how much of what answers a question is found, by keywords
 * alone, and with a slip in each English question. With `--ablate` what each signal is worth, with `--leave-out` how the
 * table does on a set that it was not tuned on, with `--vectors` what a small
 * English sentence encoder adds, with `--same` whether both engines give the same.
 */
import { ablations } from "./ablations.js";
import { figuresBySet, openAsking, slipped, type Asking, type EngineName } from "./asking.js";
import { figuresOf } from "./metrics.js";
import { sameness } from "./sameness.js";
import { readSet, setFolders } from "./set.js";
import { thresholds } from "./thresholds.js";
import { tuneWithout } from "./tune.js";

export async function benchRecall(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const engine = (options.get("engine") ?? "sqlite") as EngineName;
  const folders = await setFolders(options.get("data"));
  if (options.has("same")) return sameness(folders);
  const askings: Asking[] = [];
  try {
    const withVectors = options.has("vectors");
    for (const folder of folders) askings.push(await openAsking(await readSet(folder), engine, withVectors));
    if (withVectors) return await vectorWeights(askings);
    if (options.has("ablate")) return await ablations(askings);
    const left = options.get("leave-out");
    if (left !== undefined)
      return await tuneWithout(askings, {
        left: left === "true" ? undefined : left,
        rounds: Number(options.get("rounds") ?? 2),
        every: Number(options.get("every") ?? 1),
      });
    if (options.has("thresholds")) return await thresholds(askings);
    if (options.has("types")) return await byType(askings);
    if (options.has("slips")) return await figuresBySet(askings, { slips: true });
    const figures = await figuresBySet(askings);
    const [only, ...more] = askings;
    if (only !== undefined && more.length === 0) return figures[only.set.name] ?? {};
    return { ...figures, ...(await figuresBySet(slipped(askings))) };
  } finally {
    for (const asking of askings) await asking.close();
  }
}

/** What a second signal adds, by how much it counts; 0 is words alone. */
async function vectorWeights(askings: readonly Asking[]): Promise<Record<string, unknown>> {
  const figures: Record<string, unknown> = {};
  for (const vectors of [0, 0.25, 0.5, 0.75])
    for (const [name, found] of Object.entries(await figuresBySet(askings, { vectors })))
      figures[`${name} ${vectors}`] = {
        "recall@5": found["recall@5"],
        "recall@10": found["recall@10"],
        mrr: found["mrr"],
      };
  return figures;
}

async function byType(askings: readonly Asking[]): Promise<Record<string, unknown>> {
  const figures: Record<string, unknown> = {};
  for (const asking of askings) {
    const { set } = asking;
    for (const type of [...new Set(set.queries.map((query) => query.type))].sort()) {
      const found = figuresOf(await asking.ask({ only: (query) => query.type === type }));
      figures[`${set.name} ${type}`] = {
        queries: found["queries"],
        "recall@10": found["recall@10"],
        mrr: found["mrr"],
      };
    }
  }
  return figures;
}
