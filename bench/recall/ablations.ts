/** What each signal is worth: the same questions with one of them turned off. */
import { WEIGHTS, type Weights } from "../../src/recall/weights.js";
import { figuresBySet, type Asking } from "./asking.js";

interface Ablation {
  without: string;
  weights?: Weights;
  dates?: boolean;
}

const table: Weights = WEIGHTS;
const question = (change: Partial<Weights["question"]>): Weights => ({
  ...table,
  question: { ...table.question, ...change },
});

const ABLATIONS: readonly Ablation[] = [
  { without: "neighbours", weights: { ...table, neighbours: { "-2": 0, "-1": 0, "1": 0, "2": 0 } } },
  { without: "answers to questions", weights: { ...table, answered: 1 } },
  { without: "shorter lending to long texts", weights: { ...table, receiver: { from: 0, half: 1e9 } } },
  { without: "pairs of words", weights: { ...table, pair: 0 } },
  { without: "named speaker", weights: { ...table, namedSpeaker: 1 } },
  { without: "speaker's name in every turn", weights: { ...table, speakerTerm: 0 } },
  { without: "role", weights: { ...table, agent: 1 } },
  { without: "answers over questions", weights: { ...table, asked: { upTo: 0, counts: 1 } } },
  { without: "wishes", weights: { ...table, wish: 1 } },
  { without: "time words", weights: { ...table, tellsTime: 1 } },
  { without: "dates", dates: false },
  { without: "session", weights: { ...table, session: 0 } },
  { without: "known rarity of words", weights: { ...table, rarity: { here: 1, ofCommon: 0, ofOther: 0 } } },
  { without: "words of questions", weights: question({ asking: 1, common: 1 }) },
  { without: "what Chinese questions are made of", weights: question({ chineseTalk: 1 }) },
  { without: "single Han less than pairs", weights: question({ singleHan: 1 }) },
  { without: "older turns less", weights: question({ olderTurn: 1 }) },
  { without: "exchanges", weights: { ...table, exchange: { toAnswer: 1, toQuestion: 1 } } },
  { without: "kinds of things", weights: question({ kind: 0 }) },
  { without: "words of the other language", weights: question({ meaning: 0 }) },
];

/** For each set, what recall@10, recall@5 and MRR lose without the signal. */
export async function ablations(askings: readonly Asking[]): Promise<Record<string, unknown>> {
  const whole = await figuresBySet(askings);
  const lost: Record<string, unknown> = { with_all: brief(whole) };
  for (const { without, ...options } of ABLATIONS) {
    const rest = await figuresBySet(askings, options);
    lost[`without ${without}`] = Object.fromEntries(
      Object.entries(rest).map(([set, figures]) => [
        set,
        Object.fromEntries(
          KEYS.map((key) => [
            key,
            Math.round(((whole[set]?.[key] ?? 0) - (figures[key] ?? 0)) * 10_000) / 10_000,
          ]),
        ),
      ]),
    );
  }
  return lost;
}

const KEYS = ["recall@10", "recall@5", "mrr"] as const;

function brief(figures: Record<string, Record<string, number>>): Record<string, Record<string, number>> {
  return Object.fromEntries(
    Object.entries(figures).map(([set, all]) => [
      set,
      Object.fromEntries(KEYS.map((key) => [key, all[key] ?? 0])),
    ]),
  );
}
