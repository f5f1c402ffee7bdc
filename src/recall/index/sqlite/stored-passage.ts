/** A passage as it stands in the index: text goes from one thread to the other sooner than what it says. Pure. */
import type { Passage } from "../../../model/passage.js";

/** A passage as it stands in the index: text goes from one thread to the other sooner than what it says. Pure. */
export interface StoredPassage {
  json: string;
  /** Where it stands now; what the JSON says of that may be old. */
  lines: readonly [number, number];
}

export function passageFrom({ json, lines }: StoredPassage): Passage {
  return { ...(JSON.parse(json) as Passage), lines };
}
