/**
 * What a job's observations and findings become as records.
 *
 * Pure. Ids follow from the job, so that a repeat replaces its own and doubles
 * nothing.
 */
import { defined } from "../model/defined.js";
import type { MessageId } from "../model/message.js";
import { isGroup, type ScopeId } from "../model/address.js";
import type { MemoryRecord, RecordId, RecordKind, Trust } from "../model/record.js";
import { addDays, isDay, parseInstant, type Day, type EpochMs, type Zone } from "../model/time.js";
import type { FindingKind } from "../model/finding.js";
import type { FoundLine } from "../protocol/queue-job.js";
import type { Stated } from "./absolutise.js";

/** Where and of whom observations were made. */
export interface Observed {
  job: string;
  at: EpochMs;
  user: string | undefined;
  scope: ScopeId;
  session: string;
  sources: readonly MessageId[];
  trust: Trust;
}

/** Events of scope level; in a group each from the group's side and, where the sender is known, from the sender's. */
export function eventsOf(
  stated: readonly Stated[],
  observed: Observed,
  zone: Zone,
  now: EpochMs,
): MemoryRecord[] {
  const { job, at, user, scope, session, sources, trust } = observed;
  const sides = isGroup(scope) ? ["group", ...(user === undefined ? [] : ["sender"])] : [undefined];
  return stated.flatMap(({ text, isAbsolute }, index) =>
    sides.map((side): MemoryRecord => ({
      id: [job, String(index + 1), ...(side === undefined ? [] : [side])].join("_") as RecordId,
      kind: "event",
      level: "scope",
      scope,
      session,
      ...defined({ user, perspective: side }),
      text,
      ...(happenedOn(text, at, zone) ?? { at }),
      recordedAt: now,
      isAbsolute,
      sources,
      trust,
    })),
  );
}

/** Of a finding: what it becomes, and how far it reaches. A document has no sessions. */
const BECOMES: Readonly<Record<FindingKind, { kind: RecordKind; level: "user" | "scope" | "session" }>> = {
  trait: { kind: "fact", level: "user" },
  fact: { kind: "fact", level: "session" },
  episode: { kind: "episode", level: "scope" },
  foresight: { kind: "foresight", level: "scope" },
};

/** `observed` tells of the whole; `saidAt` and `trustOf` of the messages that say it. */
export function recordsOf(
  found: readonly FoundLine[],
  observed: Observed,
  told: { saidAt: (sources: readonly string[]) => EpochMs; trustOf: (sources: readonly string[]) => Trust },
  { zone, now, foresightDays }: { zone: Zone; now: EpochMs; foresightDays: number },
): MemoryRecord[] {
  const { job, user, scope, session } = observed;
  const counts = new Map<FindingKind, number>();
  return found.map(({ kind: finding, text, isAbsolute, sources, on, until }): MemoryRecord => {
    const count = (counts.get(finding) ?? 0) + 1;
    counts.set(finding, count);
    const { kind, level } = BECOMES[finding];
    const saidAt = told.saidAt(sources);
    const isAhead = kind === "foresight";
    // What lies ahead, or was told over days, is of when it was told, whatever day it names.
    const isMoment = kind !== "foresight" && kind !== "episode";
    return {
      id: `${job}_${finding}${count}` as RecordId,
      kind,
      level: scope.endsWith(":docs") && level === "session" ? "scope" : level,
      scope,
      session,
      ...defined({ user }),
      text,
      ...((isMoment ? (onDay(on, saidAt, zone) ?? happenedOn(text, saidAt, zone)) : undefined) ?? {
        at: saidAt,
      }),
      recordedAt: now,
      isAbsolute,
      sources: sources as MessageId[],
      trust: told.trustOf(sources),
      ...(isAhead ? validity(on, until, saidAt, foresightDays, zone) : {}),
    };
  });
}

/** The one day in the past that the text names. */
function happenedOn(text: string, at: EpochMs, zone: Zone): Pick<MemoryRecord, "at" | "allDay"> | undefined {
  const days = new Set((text.match(/\b\d{4}-\d{2}-\d{2}\b/g) ?? []).filter(isDay));
  const [day] = days;
  return days.size === 1 ? onDay(day, at, zone) : undefined;
}

/** A day before that on which it was said, of which nobody told the time. */
function onDay(
  day: string | undefined,
  at: EpochMs,
  zone: Zone,
): Pick<MemoryRecord, "at" | "allDay"> | undefined {
  if (day === undefined || day >= zone.dayOf(at)) return undefined;
  const noon = parseInstant(`${day}T12:00:00Z`);
  return noon === undefined ? undefined : { at: noon, allDay: true };
}

/** From when it was said, whenever it begins; until the end of its last day, or for so many days where none is named. */
function validity(
  on: string | undefined,
  until: string | undefined,
  saidAt: EpochMs,
  foresightDays: number,
  zone: Zone,
): Pick<MemoryRecord, "validFrom" | "validTo"> {
  const last = (until ?? on ?? addDays(zone.dayOf(saidAt), foresightDays)) as Day;
  const validTo = parseInstant(`${addDays(last, 1)}T12:00:00Z`);
  return { validFrom: saidAt, ...defined({ validTo }) };
}
