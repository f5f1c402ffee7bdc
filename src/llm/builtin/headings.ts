/** Bullets under a handful of keyword headings. Pure. */
import { keywordsOf } from "../../text/keywords.js";
import type { Notes } from "../notes.js";

export interface Bullet {
  /** As printed, with its stamp and name. */
  line: string;
  /** What was said, for comparing. */
  text: string;
  keys: ReadonlySet<string>;
}

/** Fewer bullets are read at a glance. */
const LEAST_FOR_HEADINGS = 7;
const MOST_HEADINGS = 4;
const KEYWORDS_TRIED = 40;
/** A word in more of the bullets than this sorts nothing. */
const MOST_SHARE = 0.6;
const TOO_COMMON =
  /^(?:\d.*|months?|weekends?|mornings?|afternoons?|evenings?|nights?|important|different|photo|周末|早上|晚上|下午|上午|感到|十分|最后)$/i;

/** Headings by the keyword that holds most of what is left; what shares no word with the rest comes last. */
export function underHeadings(bullets: readonly Bullet[], names: ReadonlySet<string>): Notes {
  if (bullets.length === 0) return [];
  const lines = (of: readonly Bullet[]): string[] => of.map(({ line }) => line);
  if (bullets.length < LEAST_FOR_HEADINGS) return [{ bullets: lines(bullets) }];
  const holding = (word: string, of: readonly Bullet[]): Bullet[] =>
    of.filter(({ keys }) => keys.has(word.toLowerCase()));
  const words = keywordsOf(bullets.map(({ text }) => text).join("\n"), KEYWORDS_TRIED)
    // A speaker stands in every line of his own.
    .filter((word) => !names.has(word.toLowerCase()) && !TOO_COMMON.test(word))
    .filter((word) => holding(word, bullets).length <= bullets.length * MOST_SHARE);
  const groups: { heading: string; bullets: Bullet[] }[] = [];
  let rest = [...bullets];
  while (groups.length < MOST_HEADINGS) {
    const sized = words
      .map((word) => ({ word, holds: holding(word, rest) }))
      .filter(({ holds }) => holds.length >= 2);
    const best = sized.sort((a, b) => b.holds.length - a.holds.length)[0];
    if (best === undefined) break;
    groups.push({ heading: best.word, bullets: best.holds });
    rest = rest.filter((bullet) => !best.holds.includes(bullet));
  }
  if (groups.length === 0) return [{ bullets: lines(bullets) }];
  const first = (group: { bullets: readonly Bullet[] }): number =>
    bullets.findIndex((bullet) => bullet === group.bullets[0]);
  groups.sort((a, b) => first(a) - first(b));
  const last = rest.length === 0 ? [] : [{ heading: otherHeading(bullets), bullets: rest }];
  return [...groups, ...last].map(({ heading, bullets: held }) => ({ heading, bullets: lines(held) }));
}

function otherHeading(bullets: readonly Pick<Bullet, "text">[]): string {
  const text = bullets.map((bullet) => bullet.text).join("");
  return (text.match(/\p{Script=Han}/gu)?.length ?? 0) * 4 > text.length ? "其他" : "Also";
}
