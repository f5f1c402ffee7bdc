/** Which entry of a list somebody means. Pure. */
import { MemdError } from "../model/errors.js";
import { plainText } from "../protocol/memory-entries.js";

interface Entry {
  number: number;
  text: string;
  id?: string;
}

/** `shown`: what it said when somebody read it, where they say so. Throws `entry_changed` where it says something else. */
export function asShown<E extends Entry>(entry: E, shown?: string): E {
  if (shown === undefined || shown === entry.text || plainText(shown) === entry.text) return entry;
  throw new MemdError("entry_changed", `Entry ${entry.number} says something else by now.`);
}

/**
 * By its number, its id, its whole text, or a part that no other has; `list` is what it is called. Throws
 * `entry_unknown`.
 */
export function oneNamed<E extends Entry>(entries: readonly E[], which: string | number, list: string): E {
  if (typeof which === "number") {
    const found = entries[which - 1];
    if (found !== undefined) return found;
    throw new MemdError(
      "entry_unknown",
      `There is no entry ${which} of ${list}; there are ${entries.length}.`,
    );
  }
  const text = plainText(which);
  const has = (entry: Entry): boolean => entry.text.toLowerCase().includes(text.toLowerCase());
  const named = entries.filter((entry) => entry.id === text || entry.text === text);
  const found = named.length > 0 || text === "" ? named : entries.filter(has);
  const [only, ...others] = found;
  if (only === undefined) throw new MemdError("entry_unknown", `No entry of ${list} says this.`);
  if (others.length > 0) {
    const numbers = found.map(({ number }) => number).join(", ");
    throw new MemdError("entry_unknown", `Several entries of ${list} say this: ${numbers}.`);
  }
  return only;
}
