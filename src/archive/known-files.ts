/** What is known of the files of the memory without their texts. Pure. */
import type { ScopeId } from "../model/address.js";
import type { Day } from "../model/time.js";
import type { SummaryFile } from "../protocol/summary.js";
import { coverHash, type Named } from "../protocol/verbatim.js";
import type { Sighting } from "./sighting.js";

export interface VerbatimDay {
  is: "verbatim";
  path: string;
  scope: ScopeId;
  day: Day;
  place: "recent" | "archive";
  /** That are not private. */
  messages: number;
  /** Hash of the ids a summary must cover; undefined when there is nothing to summarise. */
  cover: string | undefined;
}

export interface KnownSummary extends Pick<SummaryFile, "scope" | "tier" | "date" | "by" | "covers"> {
  is: "summary";
  path: string;
}

/** A file as it was when it was read, under the stamp that it had then. */
export interface Remembered<F extends VerbatimDay | KnownSummary = VerbatimDay | KnownSummary> {
  stamp: string;
  file: F;
  /** Whether it is not what memd last wrote. */
  isEdited: boolean;
  /** Of a day, so many at a time. */
  sightings: Iterable<readonly Sighting[]>;
}

export function verbatimDay(
  path: string,
  scope: ScopeId,
  day: Day,
  place: VerbatimDay["place"],
  filed: readonly { message: Named }[],
): VerbatimDay {
  const messages = filed.filter(({ message }) => message.private !== true).length;
  return { is: "verbatim", path, scope, day, place, messages, cover: coverHash(filed) };
}
