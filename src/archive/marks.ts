/**
 * The `archive*` fields that history.json should show.
 *
 * Pure. They mirror what the outputs and retries say, so a host that drops them
 * loses nothing: they are written again.
 */
import { isoOf, type EpochMs } from "../model/time.js";
import type { Archived } from "../model/message.js";
import { ARCHIVE_FIELDS } from "../protocol/message.js";

export interface Mark {
  archived: Archived;
  attempts?: number;
  failedAt?: EpochMs;
  nextAt?: EpochMs;
}

/** What is known of a message when its mark is decided. */
export interface MarkState {
  /** Its newest version has its block. */
  settled: boolean;
  /** A pass holds it now. */
  taken: boolean;
  /** Its day is recent, or covered by its summary. */
  covered: boolean;
  /** Its summary is being made, or is due to be. */
  summaryUnderway: boolean;
  retry?: { attempts: number; failedAt: EpochMs; nextAt: EpochMs };
  /** What history.json says now. */
  standing: unknown;
}

export function markOf(state: MarkState): Mark {
  if (!state.settled) return { archived: state.taken ? "pending" : false };
  if (state.covered || state.standing === true) return { archived: true };
  if (state.summaryUnderway) return { archived: "pending", ...retried(state) };
  return { archived: false, ...retried(state) };
}

/** The entry with its mark; undefined when it shows it already. A missing `archived` says `false`. */
export function withMark(raw: Record<string, unknown>, mark: Mark): Record<string, unknown> | undefined {
  const wanted: Record<(typeof ARCHIVE_FIELDS)[number], unknown> = {
    archived: mark.archived,
    archiveAttempts: mark.attempts,
    archiveFailedAt: mark.failedAt === undefined ? undefined : isoOf(mark.failedAt),
    archiveNextAt: mark.nextAt === undefined ? undefined : isoOf(mark.nextAt),
  };
  const same = ARCHIVE_FIELDS.every(
    (name) => (raw[name] ?? (name === "archived" ? false : undefined)) === wanted[name],
  );
  if (same) return undefined;
  const next = { ...raw };
  for (const name of ARCHIVE_FIELDS) {
    if (wanted[name] === undefined) delete next[name];
    else next[name] = wanted[name];
  }
  return next;
}

function retried({ retry }: MarkState): Omit<Mark, "archived"> {
  return retry === undefined
    ? {}
    : { attempts: retry.attempts, failedAt: retry.failedAt, nextAt: retry.nextAt };
}
