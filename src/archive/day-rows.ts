/** Where in the days what stands that a journal tells: a checkpoint need not say it twice. Pure. */
import type { MessageKey } from "../model/address.js";
import { isoOf } from "../model/time.js";
import type { SettledKey } from "../protocol/journal.js";
import { placeHash } from "./identity.js";
import type { Sighting } from "./sighting.js";

/** Of a message: the path of its day, and which of the messages there, from 0. */
export interface Row {
  day: string;
  row: number;
}

/** By key, where the blocks stand and what they say; of a message with two of them, the first. */
export class DayRows {
  readonly #at = new Map<MessageKey, Row & { sighting: Sighting }>();

  add(day: string, sightings: readonly Sighting[]): void {
    for (const [row, sighting] of sightings.entries())
      if (!this.#at.has(sighting.key)) this.#at.set(sighting.key, { day, row, sighting });
  }

  seen(sighting: Sighting): Row | undefined {
    const found = this.#at.get(sighting.key);
    return found !== undefined && saysTheSame(found.sighting, sighting) ? found : undefined;
  }

  settled({ key, hash, place }: SettledKey): Row | undefined {
    const found = this.#at.get(key);
    return found?.sighting.hash === hash && placeHash(found.sighting) === place ? found : undefined;
  }
}

function saysTheSame(one: Sighting, other: Sighting): boolean {
  return FIELDS.every((field) => one[field] === other[field]) && saidAt(one) === saidAt(other);
}

const FIELDS = ["hash", "scope", "session", "role", "filedAt", "belongsTo"] as const;

function saidAt({ createdAt, filedAt }: Sighting): string {
  return createdAt ?? isoOf(filedAt);
}
