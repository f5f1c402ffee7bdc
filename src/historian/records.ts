/**
 * What a job's observations become as records, and what that changes of the
 * records that stand.
 *
 * Pure. Ids follow from the job, so that a repeat replaces its own and doubles
 * nothing.
 */
import { isGroup, type MessageId, type ScopeId } from "../model/message.js";
import type { MemoryRecord, RecordId, Trust } from "../model/record.js";
import { isDay, parseInstant, type EpochMs, type Zone } from "../model/time.js";
import type { Stated } from "./absolutise.js";
import { ALL_BUT_THE_SAME, type Likeness } from "./likeness.js";

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
      ...(user === undefined ? {} : { user }),
      ...(side === undefined ? {} : { perspective: side }),
      text,
      at: happenedAt(text, at, zone),
      recordedAt: now,
      isAbsolute,
      sources,
      trust,
    })),
  );
}

/** The one day in the past that the text names, at noon; else when it was observed. */
function happenedAt(text: string, at: EpochMs, zone: Zone): EpochMs {
  const days = new Set((text.match(/\b\d{4}-\d{2}-\d{2}\b/g) ?? []).filter(isDay));
  const [day] = days;
  if (days.size !== 1 || day === undefined || day >= zone.dayOf(at)) return at;
  return parseInstant(`${day}T12:00:00Z`) ?? at;
}

/** Only what is of the same kind, reach, people, place and side is compared. */
function shelfOf({ kind, level, user, scope, session, perspective }: MemoryRecord): string {
  return JSON.stringify([
    kind,
    level,
    user ?? null,
    scope,
    kind === "fact" ? session : null,
    perspective ?? null,
  ]);
}

/**
 * The lines to append for new records, without a model: what says all but the
 * same as an older one is that one once more, with what is new about it.
 */
export function settled(
  fresh: readonly MemoryRecord[],
  known: Likeness<MemoryRecord>,
  zone: Zone,
): MemoryRecord[] {
  const lines: MemoryRecord[] = [];
  for (const record of fresh) {
    const own = known.get(record.id);
    // A job that is worked again says what it said.
    if (own?.text === record.text && own.isAbsolute === record.isAbsolute) continue;
    const twin = known
      .alike(record.text, (other) => isOfOneShelf(record, other, zone))
      .find(({ likeness, saysTheSame }) => likeness >= ALL_BUT_THE_SAME && saysTheSame)?.item;
    const line = twin === undefined ? record : merged(twin, record);
    known.put(line);
    lines.push(line);
  }
  return lines;
}

/** Things that happened on two days happened twice. */
function isOfOneShelf(record: MemoryRecord, other: MemoryRecord, zone: Zone): boolean {
  return (
    other.id !== record.id &&
    other.supersededAt === undefined &&
    shelfOf(other) === shelfOf(record) &&
    (record.kind === "fact" || zone.dayOf(other.at) === zone.dayOf(record.at))
  );
}

/** Under the older id: it was known since then. */
function merged(older: MemoryRecord, newer: MemoryRecord): MemoryRecord {
  return {
    ...older,
    text: newer.isAbsolute || !older.isAbsolute ? newer.text : older.text,
    isAbsolute: newer.isAbsolute || older.isAbsolute,
    sources: [...new Set([...older.sources, ...newer.sources])],
    trust: leastTrusted([older.trust, newer.trust]),
  };
}

const TRUST_ORDER: readonly Trust[] = ["human", "agent", "tool", "document"];

/** As little as the least trusted; the agent's own where nothing is known. */
export function leastTrusted(trusts: readonly Trust[]): Trust {
  return trusts.reduce<Trust>(
    (least, trust) => (TRUST_ORDER.indexOf(trust) > TRUST_ORDER.indexOf(least) ? trust : least),
    trusts[0] ?? "agent",
  );
}
