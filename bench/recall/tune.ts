/**
 * Tunes the table of weights on all sets but one and measures on that one.
 *
 * Coordinate descent from the values that the literature gives, not from the
 * table that ships: that one has seen every set.
 */
import { WEIGHTS, type Weights } from "../../src/recall/weights.js";
import { figuresBySet, slipped, type Asking } from "./asking.js";

/** A change that wins less than this is chance. */
const LEAST_GAIN = 1e-3;

type Path = readonly string[];
const GRID: readonly (readonly [path: Path, values: readonly number[]])[] = [
  [["b"], [0.5, 0.6, 0.7, 0.8]],
  [["k1"], [0.9, 1.2, 1.6]],
  [
    ["neighbours", "-2"],
    [0, 0.1, 0.15, 0.2],
  ],
  [
    ["neighbours", "-1"],
    [0.2, 0.3, 0.4, 0.5],
  ],
  [
    ["neighbours", "1"],
    [0.2, 0.3, 0.4],
  ],
  [
    ["neighbours", "2"],
    [0, 0.1, 0.15, 0.2],
  ],
  [["answered"], [1, 1.5, 2, 2.5]],
  [
    ["exchange", "toAnswer"],
    [1, 2, 3],
  ],
  [
    ["exchange", "toQuestion"],
    [1, 2, 3],
  ],
  [
    ["asked", "counts"],
    [0.6, 0.8, 1],
  ],
  [
    ["receiver", "from"],
    [10, 20, 30],
  ],
  [
    ["receiver", "half"],
    [30, 60, 120],
  ],
  [["pair"], [0.1, 0.2, 0.35, 0.5, 0.7]],
  [["namedSpeaker"], [1.2, 1.5, 2, 2.5]],
  [["agent"], [0.3, 0.4, 0.5, 0.67]],
  [["wish"], [1, 1.5, 2]],
  [["tellsTime"], [1, 1.2, 1.5]],
  [["date"], [0.5, 1, 1.5]],
  [["session"], [0.15, 0.3, 0.45]],
  [
    ["rarity", "here"],
    [0.5, 0.75, 1],
  ],
  [
    ["rarity", "ofCommon"],
    [0, 0.3, 0.6, 0.9],
  ],
  [
    ["rarity", "ofOther"],
    [0.6, 1.25, 1.8],
  ],
  [
    ["question", "singleHan"],
    [0.55, 0.7, 0.85, 1],
  ],
  [
    ["question", "olderTurn"],
    [0.8, 0.9, 1],
  ],
  [
    ["question", "common"],
    [0.5, 0.7, 1],
  ],
  [
    ["question", "asking"],
    [0.3, 0.5, 0.7, 1],
  ],
  [
    ["question", "meaning"],
    [0.4, 0.6, 0.8],
  ],
  [
    ["question", "family"],
    [0.1, 0.2, 0.3, 0.5],
  ],
  [
    ["question", "slip"],
    [0.6, 0.9],
  ],
];

/** Where the descent begins: every signal there, none tuned. */
const START: Weights = {
  ...WEIGHTS,
  question: {
    ...WEIGHTS.question,
    olderTurn: 0.9,
    singleHan: 0.7,
    common: 1,
    asking: 1,
    meaning: 0.8,
    family: 0.1,
  },
  b: 0.6,
  k1: 1.2,
  rarity: { here: 1, ofCommon: 0, ofOther: 0.6 },
  pair: 0.2,
  neighbours: { "-2": 0.2, "-1": 0.4, "1": 0.3, "2": 0.15 },
  answered: 2,
  exchange: { toAnswer: 2, toQuestion: 1 },
  asked: { ...WEIGHTS.asked, counts: 1 },
  receiver: { from: 10, half: 60 },
  namedSpeaker: 1.5,
  agent: 0.5,
  wish: 1,
  tellsTime: 1.2,
  date: 1,
  session: 0.3,
};

interface Tuning {
  /** Only this set is left out. */
  left: string | undefined;
  /** Of the descent through all weights. */
  rounds: number;
  /** Of the sets that are tuned on only each so-manieth question is asked. */
  every: number;
}

/** A set and the same with slips are left out together. */
export async function tuneWithout(
  askings: readonly Asking[],
  { left, rounds, every }: Tuning,
): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {};
  for (const out of askings.filter(({ set }) => left === undefined || set.name === left)) {
    const others = askings.filter((asking) => asking !== out);
    const weights = await tuned(
      [...others, ...slipped(others)].map((asking) => thinned(asking, every)),
      rounds,
    );
    const measured = [out, ...slipped([out])];
    const tunedFor = await figuresBySet(measured, { weights });
    const shipped = await figuresBySet(measured);
    for (const name of Object.keys(shipped))
      results[name] = { left_out: brief(tunedFor[name]), shipped: brief(shipped[name]) };
    results[`${out.set.name} weights`] = weights;
  }
  return results;
}

const KEYS = ["recall@10", "recall@5", "mrr"] as const;

function brief(figures: Record<string, number> | undefined): Record<string, number | undefined> {
  return Object.fromEntries(KEYS.map((key) => [key, figures?.[key]]));
}

function thinned(asking: Asking, every: number): Asking {
  const asked = new Set(asking.set.queries.filter((_query, index) => index % every === 0));
  return { ...asking, ask: (options) => asking.ask({ ...options, only: (query) => asked.has(query) }) };
}

/** The best table for these sets, each counting alike. */
async function tuned(askings: readonly Asking[], rounds: number): Promise<Weights> {
  let best = START;
  let worth = await worthOf(askings, best);
  for (let round = 0; round < rounds; round++) {
    const before = worth;
    for (const [path, values] of GRID) {
      const standing = best;
      for (const value of values) {
        if (valueAt(standing, path) === value) continue;
        const tried = withValue(standing, path, value);
        const found = await worthOf(askings, tried);
        if (found <= worth + LEAST_GAIN) continue;
        [best, worth] = [tried, found];
        process.stderr.write(`${path.join(".")} ${value}: ${worth.toFixed(4)}\n`);
      }
    }
    if (worth === before) break;
  }
  return best;
}

async function worthOf(askings: readonly Asking[], weights: Weights): Promise<number> {
  const figures = Object.values(await figuresBySet(askings, { weights }));
  const worth = figures.map(
    (each) => (each["recall@10"] ?? 0) + (each["recall@5"] ?? 0) + (each["mrr"] ?? 0) / 2,
  );
  return worth.reduce((sum, one) => sum + one, 0) / worth.length;
}

function valueAt(weights: Weights, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], weights);
}

function withValue(weights: Weights, [key = "", ...rest]: Path, value: number): Weights {
  const here = weights as unknown as Record<string, unknown>;
  const inner = rest.length === 0 ? value : { ...(here[key] as object), [rest[0] ?? ""]: value };
  return { ...here, [key]: inner } as unknown as Weights;
}
