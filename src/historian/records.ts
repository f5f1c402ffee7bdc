/**
 * What a job's observations and findings become as records.
 *
 * Pure. Ids follow from the job, so that a repeat replaces its own and doubles
 * nothing.
 */
import { isGroup, LOCAL_USER, type ScopeId } from "../model/address.js";
import { defined } from "../model/collections.js";
import type { FindingKind } from "../model/found.js";
import { type FiledMessage, type MessageId, type Utterance, utteranceOf } from "../model/message.js";
import {
  leastTrusted,
  leastTrustIn,
  type MemoryRecord,
  type RecordId,
  type RecordKind,
  type Trust,
} from "../model/record.js";
import type { Settings } from "../model/settings.js";
import { addDays, type Day, DAY_MS, type EpochMs, isDay, parseInstant, type Zone } from "../model/time.js";
import type { FoundLine, QueueJob } from "../protocol/queue-job.js";
import { characterBorder } from "../text/sentences.js";
import type { Stated } from "./absolutise.js";

/** What working a job has brought, before it is written down. */
export interface JobOutput {
  /** With what need not be asked for again, should the rest of it fail. */
  job: QueueJob;
  records: MemoryRecord[];
  /** What a profile is told from, where that is not the records. */
  profileFrom?: readonly MemoryRecord[];
  /** How the user is addressed, where the profile does not say. */
  called?: string;
  /** What could not be made to stand alone, for the log. */
  problems: { problem: string; isAbsolute: boolean }[];
}

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
  return stated.flatMap(({ text, said, isAbsolute }, index) =>
    sides.map((side): MemoryRecord => ({
      id: [job, String(index + 1), ...(side === undefined ? [] : [side])].join("_") as RecordId,
      kind: "event",
      level: "scope",
      scope,
      session,
      ...defined({ user, perspective: side, said }),
      text,
      at,
      ...happenedOn(text, at, zone),
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

/** `saidAt` and `trustOf` tell of the messages that say it. */
export function recordsOf(
  found: readonly FoundLine[],
  { job, user, scope, session }: Pick<Observed, "job" | "user" | "scope" | "session">,
  told: { saidAt: (sources: readonly string[]) => EpochMs; trustOf: (sources: readonly string[]) => Trust },
  { zone, now, foresightDays }: { zone: Zone; now: EpochMs; foresightDays: number },
): MemoryRecord[] {
  const counts = new Map<FindingKind, number>();
  return found.map(({ kind: finding, text, said, isAbsolute, sources, on, until }): MemoryRecord => {
    const count = (counts.get(finding) ?? 0) + 1;
    counts.set(finding, count);
    const { kind, level } = BECOMES[finding];
    const saidAt = told.saidAt(sources);
    // What lies ahead, or was told over days, is of when it was told, whatever day it names.
    const isMoment = kind !== "foresight" && kind !== "episode";
    return {
      id: `${job}_${finding}${count}` as RecordId,
      kind,
      level: scope.endsWith(":docs") && level === "session" ? "scope" : level,
      scope,
      session,
      ...defined({ user, said }),
      text,
      at: saidAt,
      ...(isMoment ? (onDay(on, saidAt, zone) ?? happenedOn(text, saidAt, zone)) : {}),
      recordedAt: now,
      isAbsolute,
      sources: sources as MessageId[],
      trust: told.trustOf(sources),
      ...(kind === "foresight" ? validity(on, until, saidAt, foresightDays, zone) : {}),
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

/** What was said around an observation, without private messages: helps to say who and when is meant; only the ids are kept. */
export interface Around {
  /** Text of the message; empty where there is none. */
  source: string;
  /** Oldest first. */
  recent: Utterance[];
  /** `Lin Yue(u-17)`; undefined where nobody knows. */
  speaker: string | undefined;
  /** What they are called, where they said so. */
  name: string | undefined;
  /** The message, and what was answered to it. */
  sources: MessageId[];
  trust: Trust;
}

/** `said`: the conversation, oldest first; `user` who is observed, `at` when. */
export function aroundOf(
  said: readonly FiledMessage[],
  { user, at }: { user: string | undefined; at: EpochMs },
  settings: Pick<Settings["historian"], "recent_messages" | "recent_message_chars" | "source_chars">,
  zone: Zone,
): Around {
  // What stands in the inbox and in the history is one message.
  const once = [...new Map(said.map((filed) => [filed.message.id, filed])).values()];
  const heard = once.filter(
    ({ message, filedAt }) => message.private !== true && filedAt <= at && at - filedAt < LONGEST_TURN_MS,
  );
  const asked = heard.findLastIndex(
    ({ message }) =>
      message.role === "user" && (user === undefined || message.user === undefined || message.user === user),
  );
  const turn = asked === -1 ? [] : heard.slice(asked);
  const before = heard.slice(0, asked === -1 ? undefined : asked);
  const recent = settings.recent_messages === 0 ? [] : before.slice(-settings.recent_messages);
  const name = calledIn(said, user);
  return {
    source: short(turn[0]?.message.text ?? "", settings.source_chars),
    recent: recent.map((filed) => {
      const utterance = utteranceOf(filed, zone);
      const text = short(utterance.text, settings.recent_message_chars);
      return { ...utterance, name: namedIn(filed, utterance.name), text };
    }),
    speaker: user === undefined ? undefined : nameWithId(name, user),
    name,
    sources: turn.map(({ message }) => message.id),
    // What an agent observed is its own words, whoever it heard.
    trust: leastTrusted(["agent", ...turn.map(({ message }) => leastTrustIn(message))]),
  };
}

/** A person with their id, as they are to be told apart. */
function namedIn({ message, belongsTo }: FiledMessage, name: string): string {
  const id = message.user ?? belongsTo;
  return message.role !== "user" || id === undefined ? name : nameWithId(name, id);
}

/** What somebody is called, where they said so. */
export function calledIn(said: readonly FiledMessage[], user: string | undefined): string | undefined {
  const isTheirs = ({ message, belongsTo }: FiledMessage): boolean =>
    message.role === "user" && belongsTo === user && message.speaker !== undefined;
  return said.findLast(isTheirs)?.message.speaker;
}

/** The only user of a workspace needs no id beside a name. */
export function nameWithId(name: string | undefined, user: string): string {
  if (name === undefined || name === user) return user;
  return user === LOCAL_USER ? name : `${name}(${user})`;
}

/** What was said long before has nothing to do with it. */
const LONGEST_TURN_MS = DAY_MS;

export function short(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, characterBorder(text, chars))}…`;
}
