/**
 * Which exchanges of a conversation are to be looked at, and when a stretch of
 * them has become long enough to be told as one.
 *
 * Pure. An exchange is what somebody said and all that was answered; it is over when
 * the next one has begun, or nothing has come for a while. The open stretch keeps
 * what was said, so that it survives whatever leaves history.json.
 */
import { isGroup } from "../model/address.js";
import type { FindingKind } from "../model/found.js";
import type { FiledMessage, MessageId } from "../model/message.js";
import type { Settings } from "../model/settings.js";
import { type EpochMs, HOUR_MS, isoOf, parseInstant, SECOND_MS } from "../model/time.js";
import type { Cursor } from "../protocol/cursors.js";
import type { ExchangesJob, SpokenLine } from "../protocol/queue-job.js";
import { estimateTokens, tokenPrefixLength } from "../text/tokens.js";
import { short } from "./records.js";
import type { Shown } from "./shown.js";

/** What one job looks at. */
export type Look = Pick<ExchangesJob, "wants" | "earlier" | "said">;

type ExchangeSettings = Pick<
  Settings["historian"],
  "round_idle_seconds" | "stretch_rounds" | "stretch_tokens" | "stretch_idle_hours" | "message_chars"
>;

interface Moment {
  now: EpochMs;
  /** Something of it waits for an answer. */
  goesOn: boolean;
}

export interface Plan {
  looks: Look[];
  cursor: Cursor;
}

/**
 * `fresh`: messages of the conversation behind the cursor, oldest first; of what is not `shown` nothing is handed on.
 * Undefined where nothing is due.
 */
export function planExchanges(
  fresh: readonly FiledMessage[],
  cursor: Cursor | undefined,
  { now, goesOn, shown }: Moment & { shown: Shown },
  settings: ExchangeSettings,
): Plan | undefined {
  const exchanges = finished(fresh, goesOn || isOver(fresh, now, settings));
  const last = exchanges.at(-1)?.at(-1);
  const through = last === undefined ? cursor?.through : { id: last.message.id, at: last.filedAt };
  const open = { ...(cursor?.stretch ?? { rounds: 0, said: [] }) };
  const looks: Look[] = [];
  let look: Look = { wants: [], earlier: open.said, said: [] };
  const close = (): void => {
    if (look.wants.length > 0) looks.push(look);
    open.rounds = 0;
    open.said = [];
    look = { wants: [], earlier: [], said: [] };
  };
  for (const exchange of exchanges) {
    const { scope, scene } = exchange[0]?.message ?? {};
    const wanted = WANTED[sceneOf(scope ?? "", scene)];
    const said = linesOf(exchange, settings.message_chars, shown);
    if (wanted.exchange.length + wanted.stretch.length === 0 || said.length === 0) continue;
    look.wants = merged(look.wants, wanted.exchange);
    look.said = [...look.said, ...said];
    open.rounds += 1;
    open.said = [...open.said, ...said];
    if (!isLong(open, settings)) continue;
    look.wants = merged(look.wants, wanted.stretch);
    close();
  }
  if (isLeft(open.said, now, settings) && !goesOn) {
    look.wants = merged(look.wants, WANTED.assistant.stretch);
    close();
  } else if (look.said.length > 0 && look.wants.length > 0) {
    // Of what was told before only an episode is made, and none is due.
    looks.push({ ...look, earlier: [] });
  }
  if (through === undefined || (exchanges.length === 0 && looks.length === 0)) return undefined;
  return { looks, cursor: { through, stretch: open } };
}

/** Whether an exchange is over of which nothing was planned yet. */
export function hasFinished(
  fresh: readonly FiledMessage[],
  { now, goesOn }: Moment,
  settings: ExchangeSettings,
): boolean {
  return finished(fresh, goesOn || isOver(fresh, now, settings)).length > 0;
}

/** When something may be due of what has been said, without anything more being said. */
export function nextExchangesAt(
  fresh: readonly Pick<FiledMessage, "filedAt">[],
  cursor: Cursor | undefined,
  settings: ExchangeSettings,
): EpochMs | undefined {
  const last = fresh.at(-1);
  if (last !== undefined) return (last.filedAt + settings.round_idle_seconds * SECOND_MS) as EpochMs;
  const left = cursor?.stretch.said.at(-1);
  const at = left === undefined ? undefined : parseInstant(left.at);
  return at === undefined ? undefined : ((at + settings.stretch_idle_hours * HOUR_MS) as EpochMs);
}

/** What a job that stands has taken: killed before the cursor was written, the job tells it. One that the cursor is past of changes nothing. */
export function afterLook(cursor: Cursor | undefined, look: Look, at: EpochMs): Cursor | undefined {
  return cursor !== undefined && cursor.through.at >= at ? cursor : throughLook(cursor, look, at);
}

/** The same of a job that is known to be the next one. */
export function throughLook(cursor: Cursor | undefined, look: Look, at: EpochMs): Cursor | undefined {
  const last = look.said.at(-1);
  if (last === undefined) return cursor;
  const through = { id: last.id as MessageId, at };
  const nothing = { rounds: 0, said: [] };
  if (look.wants.some((kind) => WANTED.assistant.stretch.includes(kind)))
    return { through, stretch: nothing };
  const before = cursor?.stretch ?? nothing;
  const rounds = before.rounds + look.said.filter(({ role }) => role === "user").length;
  return { through, stretch: { rounds, said: [...before.said, ...look.said] } };
}

/** Each begins with what somebody said; the last one only where it is over. */
function finished(fresh: readonly FiledMessage[], isLastOver: boolean): FiledMessage[][] {
  const exchanges: FiledMessage[][] = [];
  for (const filed of fresh) {
    const open = exchanges.at(-1);
    const begins = filed.message.role === "user" && open?.some(({ message }) => message.role !== "user");
    if (open === undefined || begins === true) exchanges.push([filed]);
    else open.push(filed);
  }
  return isLastOver ? exchanges : exchanges.slice(0, -1);
}

function isOver(fresh: readonly FiledMessage[], now: EpochMs, settings: ExchangeSettings): boolean {
  const last = fresh.at(-1);
  return last !== undefined && now - last.filedAt >= settings.round_idle_seconds * SECOND_MS;
}

function isLong(stretch: Cursor["stretch"], settings: ExchangeSettings): boolean {
  if (stretch.rounds >= settings.stretch_rounds) return true;
  let left = settings.stretch_tokens;
  return stretch.said.some(({ text }) => {
    // A huge text is long enough before its end is counted.
    if (tokenPrefixLength(text, left) < text.length) return true;
    left -= estimateTokens(text);
    return left <= 0;
  });
}

function isLeft(said: readonly SpokenLine[], now: EpochMs, settings: ExchangeSettings): boolean {
  const last = parseInstant(said.at(-1)?.at ?? "");
  return last !== undefined && now - last >= settings.stretch_idle_hours * HOUR_MS;
}

function linesOf(exchange: readonly FiledMessage[], mostChars: number, shown: Shown): SpokenLine[] {
  return exchange.flatMap((filed): SpokenLine[] => {
    const utterance = shown.get(filed);
    if (utterance === undefined || utterance.text.trim() === "") return [];
    const { role, name, text } = utterance;
    const { id, scene } = filed.message;
    const line = { id, at: isoOf(filed.filedAt), role, name, text: short(text, mostChars) };
    return [scene === "document" ? { ...line, scene } : line];
  });
}

function merged(kinds: readonly FindingKind[], more: readonly FindingKind[]): FindingKind[] {
  return [...new Set([...kinds, ...more])];
}

const SCENES = ["assistant", "group", "document"] as const;
type Scene = (typeof SCENES)[number];

interface Rhythm {
  /** Of every exchange. */
  exchange: readonly FindingKind[];
  /** Of a stretch of several; a part of a document is one. */
  stretch: readonly FindingKind[];
}

/**
 * What is looked for that nobody observed explicitly. What is said in a group is no one person's, so
 * nothing is made of it but what an agent observes. Source: the design's table of extractors.
 */
export const WANTED: Readonly<Record<Scene, Rhythm>> = {
  assistant: { exchange: ["trait", "fact"], stretch: ["episode", "foresight"] },
  group: { exchange: [], stretch: [] },
  document: { exchange: ["fact"], stretch: ["episode"] },
};

/** As the message says, else as its place does. */
function sceneOf(scope: string, said?: string): Scene {
  const named = SCENES.find((scene) => scene === said);
  return isGroup(scope) ? "group" : (named ?? "assistant");
}
