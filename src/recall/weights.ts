/**
 * Every number that decides how hits rank, in one table, one set for all data. What each is worth on
 * public conversations is in docs/RECALL.md, printed by `npm run bench -- recall --ablate`.
 */

/** BM25 of candidates (seed 000). */
export const BM25 = { k1: 1.2, b: 0.75 } as const;

/** A question is asked with at most so many terms; what follows in a longer text adds cost, not aim. */
export const MOST_QUERY_TERMS = 256;

export const WEIGHTS = {
  question: {
    /** In a question of several turns the older ones count less, each step back. */
    olderTurn: 0.8,
    /** A single Han character says less than a pair, and is in more words. */
    singleHan: 0.85,
    /** Small talk, and words of which questions are made. */
    common: 0.7,
    asking: 0.3,
    /** The same of Chinese: 第一次, 来龙去脉. */
    chineseTalk: 0.25,
    /** What was said before a question that points back, and what stands beside it in the input. */
    context: 0.4,
    /** The name of a thing whose kind is asked for. */
    kind: 0.3,
    /** What says in the other language what the question says counts as that, so much less. */
    meaning: 0.6,
    /** A word of the same family; where nobody says the word itself, and what a slip was meant for. */
    family: 0.3,
    familyAlone: 1,
    slip: 0.9,
    /** What says nearly the same in everyday talk in the question's own. */
    alikeWithin: 0.3,
  },
  /** Saturation of a term's frequency, and how much the length of a text counts against it. */
  k1: 1.2,
  b: 0.7,
  /**
   * How rare a word is, is half known before the corpus is seen: a conversation
   * of a few hundred turns holds most words once or twice, telling or not. Han
   * terms are taken as rare as they are here.
   */
  rarity: { here: 0.75, ofCommon: 0.6, ofOther: 1.25 },
  /** Words that stand side by side in the question and in the text. */
  pair: 0.7,
  /**
   * What a turn's neighbours say is added to its own frequencies before they
   * saturate: an answer does not repeat the words of its question.
   */
  neighbours: { "-2": 0.15, "-1": 0.3, "1": 0.3, "2": 0.15 },
  /** So many times more from the turn before when that one asks and somebody else said it. */
  answered: 2.5,
  /** So many times more inside an exchange: evidence for what a person said is evidence for the answer. */
  exchange: { toAnswer: 2, toQuestion: 1 },
  /** Long texts need their neighbours less: halved where `from + half` terms are reached. */
  receiver: { from: 20, half: 60 },
  /** The turns of somebody whom the question names, where it names some of the speakers and not all. */
  namedSpeaker: 2,
  /** A speaker's name counts as said in each of their turns, this often. */
  speakerTerm: 0.05,
  /** What the agent said, unless the question asks for that. */
  agent: 0.6,
  /** What somebody asks a person in so many terms: the answer tells. What is asked of an agent tells who asks. */
  asked: { upTo: 12, counts: 0.6 },
  /** What a person said to an agent of how they want things done, where something is to be done. */
  wish: 1.5,
  /** A text that tells a time, when one is asked for. */
  tellsTime: 1.5,
  /** Added, as a part of the best score: the text's day fits a date in the question. */
  date: 1,
  /** Added, as a part of the best score: the session as a whole fits. */
  session: 0.4,
} as const;
export type Weights = { readonly [Name in keyof typeof WEIGHTS]: Loose<(typeof WEIGHTS)[Name]> };
type Loose<T> = T extends number ? number : { readonly [Name in keyof T]: number };

/**
 * Similarity is s/(s + c), c being the summed weight of the question's `tellingTerms` rarest terms, those that
 * no passage holds included. A term said once in a passage of average length scores its weight: .5 means
 * "holds the three words that the question turns on", .35 half of their weight, .25 one of the three; below
 * the floor of .2 a passage shares only what is common. That holds in a memory of three messages as in one of
 * a hundred thousand, which no constant c does.
 */
export const SIMILARITY = { tellingTerms: 3 } as const;

/**
 * What the words of the other language find by themselves: one behind every two of the rest, where it holds
 * enough of them. A search has ten places, and gives one of them only to what is worth nearly as much.
 */
export const ACROSS = { every: 2, floor: 0.11, most: 40, searchShare: 0.6 } as const;

/**
 * Asked for a time that is over ("last month"), what is of it comes first: all that is worth the floor by its words,
 * and so much of the best of any time, for people also ask for what was last week where they speak of.
 * Asked for nothing but a time, what was distilled of it and what was said then are worth so much.
 */
export const PAST = { floor: 0.1, share: 0.6, distilled: 0.5, said: 0.4 } as const;

/** A line that only ripgrep found. */
export const FALLBACK_SCORE = 0.1;
