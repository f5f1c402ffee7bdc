/** Every number that decides how hits rank, in one table. */

/** BM25 (seed 000). */
export const BM25 = { k1: 1.2, b: 0.75 } as const;

/**
 * Similarity is s/(s + c), c being the summed idf of the question's
 * `tellingTerms` rarest terms, those that no passage holds included.
 *
 * A term said once in a passage of average length scores its idf: .5 means
 * "holds the three words that the question turns on", .35 half of their
 * weight, .25 one of the three; below the floor of .2 a passage shares only
 * what is common. That holds in a memory of three messages as in one of a
 * hundred thousand, which no constant c does. Measured by telling the best
 * gold passage of a question from the best of somebody else's conversation
 * (AUC, locomo-dev / beam-dev): .90 / .87; for any constant .72 / .69.
 */
export const SIMILARITY = { tellingTerms: 3 } as const;

/** Seed 001. */
export const DECAY = {
  boost: 0.2,
  fromSimilarity: 0.35,
  searchHalfLifeDays: 60,
  injectionHalfLifeDays: 14,
} as const;

/** A line that only ripgrep found. */
export const FALLBACK_SCORE = 0.1;

/** A question is asked with at most so many terms; what follows in a longer text adds cost, not aim. */
export const MOST_QUERY_TERMS = 256;
