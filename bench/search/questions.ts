/** Questions about a made-up corpus: a common word, and rarer ones. */
import { chinese, english, type Chance } from "./corpus.js";

/** Words of lower rank are like stop words, which no question is made of. */
const LEAST_RANK = 20;

export function questionsOf(count: number, chance: Chance): string[] {
  const languages = [english(chance), chinese(chance)] as const;
  return Array.from({ length: count }, () => {
    const isEnglish = chance() < 2 / 3;
    const language = languages[isEnglish ? 0 : 1];
    const words = Array.from({ length: 3 + Math.floor(chance() * 4) }, () => {
      let rank = 0;
      while (rank < LEAST_RANK) rank = language.rank();
      return language.word(rank);
    });
    return words.join(isEnglish ? " " : "");
  });
}

export function percentiles(times: readonly number[]): { p50_ms: number; p95_ms: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 100) / 100;
  return { p50_ms: at(0.5), p95_ms: at(0.95) };
}
