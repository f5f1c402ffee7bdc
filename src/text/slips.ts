/** Words that somebody may have meant whose finger slipped: one letter missing, too many, another, or changed with the next. Pure. */

/** Shorter ones are near too many words. */
export const SHORTEST_SLIP = 4;
/** Longer ones are no words: what one slip makes of them is counted in letters times letters. */
export const LONGEST_SLIP = 40;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** All that one slip may have made this of; `word` in small letters without accents. */
export function slipsOf(word: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const [head, rest] = [word.slice(0, at), word.slice(at)];
    if (rest !== "") found.add(head + rest.slice(1));
    if (rest.length > 1) found.add(head + rest.charAt(1) + rest.charAt(0) + rest.slice(2));
    for (const letter of LETTERS) {
      found.add(head + letter + rest);
      if (rest !== "") found.add(head + letter + rest.slice(1));
    }
  }
  found.delete(word);
  return found;
}

/** How many slips lie between two words; `most + 1` where they are more. */
export function slipsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row++) {
    const here = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let least = Math.min(
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        (last[column] ?? 0) + 1,
        (here[column - 1] ?? 0) + 1,
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        least = Math.min(least, (before[column - 2] ?? 0) + 1);
      here.push(least);
    }
    if (Math.min(...here) > most) return most + 1;
    [before, last] = [last, here];
  }
  return Math.min(last[other.length] ?? 0, most + 1);
}
