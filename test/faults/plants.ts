/**
 * Planted bugs: changes of the real code that a careless hand might make. A
 * part that does not notice one of its plants proves nothing.
 */
import type { PartName } from "./part.js";

export interface Plant {
  /** In a few words, what is wrong with it. */
  name: string;
  /** The part whose slice must notice. */
  part: PartName;
  /** From the top of the project. */
  file: string;
  /** Stands in the file exactly once. */
  find: string;
  replace: string;
}

/** The source with the bug in it. Throws when the code has moved on and the plant has not. */
export function planted(plant: Plant, source: string): string {
  const [before, after, ...more] = source.split(plant.find);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`the plant "${plant.name}" must be found once in ${plant.file}`);
  return before + plant.replace + after;
}
