/**
 * Messages as passages: one per message, and one for the tools that it calls beside
 * its words, each made when it is its turn.
 *
 * Pure. Private messages make none, and secrets are out of every text before
 * anything is indexed. The scope is the one that the file's
 * folder vouches for; nothing in a message can move it to another.
 */
import { groupBy } from "../model/collections.js";
import { TOOL_CHARS, type FiledMessage, type Message, toolsOf } from "../model/message.js";
import { type ScopeId, scopeOf, sessionOf } from "../model/address.js";
import type { Passage } from "../model/passage.js";
import { type Trust, trustOf } from "../model/record.js";
import { DAY_MS, type Day, type Zone, noonOf } from "../model/time.js";
import type { Pace } from "../model/work.js";
import type { VerbatimBlock, VerbatimDay } from "../protocol/verbatim.js";
import {
  BESIDE_MESSAGES,
  redacted,
  type Redacted,
  redactSecrets,
  secretsBeside,
  withoutValues,
} from "../text/redact.js";
import { inPieces } from "./passages.js";

/** A message whose verbatim block is not written yet, and where its journal line stands. */
export interface UnfiledMessage {
  filed: FiledMessage;
  /** The journal file, relative. */
  path: string;
  /** 1-based. */
  line: number;
}

/** One after the other: what a long day gives never stands in memory whole. */
export function* passagesOfVerbatim(
  path: string,
  { scope, day, blocks }: Pick<VerbatimDay, "scope" | "day" | "blocks">,
  zone: Zone,
): Generator<Passage> {
  yield* messagePassages(path, scope, blocks, zone, {
    firstSequence: sequenceStart(day),
    charsOf: () => Infinity,
  });
}

/** By journal file, each made when it is asked for. Messages of one file in the order of their lines. */
export function* passagesOfUnfiled(
  unfiled: readonly UnfiledMessage[],
  zone: Zone,
): Generator<[path: string, passages: Generator<Passage>]> {
  const charsOf = charsLookedThrough(unfiled);
  for (const [path, messages] of groupBy(unfiled, (one) => one.path))
    yield [path, distinct(passagesOfJournal(path, messages, zone, charsOf))];
}

function* passagesOfJournal(
  path: string,
  messages: readonly UnfiledMessage[],
  zone: Zone,
  charsOf: CharsOf,
): Generator<Passage> {
  const inOrder = [...messages].sort((a, b) => a.line - b.line);
  for (const [scope, ofScope] of groupBy(inOrder, ({ filed }) => scopeOf(filed.message))) {
    const placed = ofScope.map(({ filed, line }) => ({ filed, lines: [line, line] as const }));
    const [first] = ofScope;
    const firstSequence =
      first === undefined ? 0 : sequenceStart(zone.dayOf(first.filed.filedAt)) + UNFILED_SEQUENCE;
    yield* messagePassages(path, scope, placed, zone, { firstSequence, charsOf });
  }
}

type PlacedMessage = Pick<VerbatimBlock, "filed" | "lines">;

/**
 * Sequences of a session grow by 1 with every turn inside a file and jump
 * between files, so neighbours are found by ± 1 and never across a gap. Calls of
 * tools share the sequence of the turn that follows them.
 */
const SEQUENCES_PER_DAY = 100_000;
/**
 * Of a message that is not filed yet so much is looked through: the first prompt waits
 * for it. Together no more than the last number, the newest first; of those that are
 * older still the least.
 */
const UNFILED_CHARS = { most: 64 * 1024, least: 4 * 1024, together: 1024 * 1024 };
const UNFILED_SEQUENCE = SEQUENCES_PER_DAY / 2;

function sequenceStart(day: Day): number {
  return Math.round(noonOf(day) / DAY_MS - 0.5) * SEQUENCES_PER_DAY;
}

interface Limits {
  firstSequence: number;
  charsOf: CharsOf;
}

/** Of a message so much is looked through. */
type CharsOf = (filed: FiledMessage) => number;

function charsLookedThrough(unfiled: readonly UnfiledMessage[]): CharsOf {
  const { most, least, together } = UNFILED_CHARS;
  const whole = new Set<FiledMessage>();
  let left = together;
  for (const { filed } of unfiled.toSorted((one, other) => other.filed.filedAt - one.filed.filedAt)) {
    if (left <= 0) break;
    whole.add(filed);
    left -= Math.min(filed.message.text.length, most);
  }
  return (filed) => (whole.has(filed) ? most : least);
}

function* messagePassages(
  path: string,
  scope: ScopeId,
  placed: Iterable<PlacedMessage>,
  zone: Zone,
  limits: Limits,
): Generator<Passage> {
  yield* distinct(eachPassage(path, scope, placed, zone, limits));
}

function* eachPassage(
  path: string,
  scope: ScopeId,
  placed: Iterable<PlacedMessage>,
  zone: Zone,
  { firstSequence, charsOf }: Limits,
): Generator<Passage> {
  const nextSequence = new Map<string, number>();
  for (const { filed, lines, texts } of withTexts(placed, charsOf)) {
    const { message, filedAt, belongsTo } = filed;
    const session = sessionOf(message);
    const sequence = nextSequence.get(session) ?? firstSequence;
    // However many calls of tools stand between them, the answer is next to its question.
    if (!isCall(message)) nextSequence.set(session, sequence + 1);
    if (message.private === true) continue;
    for (const { name, text, trust } of texts) {
      yield* inPieces({
        id: `${path}#${name}`,
        kind: "message",
        level: "scope",
        scope,
        ...(belongsTo === undefined ? {} : { user: belongsTo }),
        session,
        path,
        lines,
        text,
        saidAt: filedAt,
        day: zone.dayOf(filedAt),
        role: message.role,
        ...(message.speaker === undefined ? {} : { speaker: message.speaker }),
        sequence,
        messageIds: [message.id],
        trust,
      });
    }
  }
}

/** A call of a tool or what it gave; it stands beside the answer that it was made for. */
function isCall(message: Message): boolean {
  return message.role === "tool" || toolsOf(message).length > 0;
}

interface SearchableText {
  name: string;
  text: string;
  trust: Trust;
}

interface Told extends PlacedMessage {
  made: MessageTexts;
}

/** Each with what of it is searchable, without the secrets that those around it say. */
function* withTexts(
  placed: Iterable<PlacedMessage>,
  charsOf: CharsOf,
): Generator<PlacedMessage & Pick<MessageTexts, "texts">> {
  let around: Told[] = [];
  let next = 0;
  const told = (): PlacedMessage & Pick<MessageTexts, "texts"> => {
    const { made, ...one } = around[next] as Told;
    const beside = secretsBeside(around, next, (other) => other.made.secrets);
    next++;
    return { ...one, texts: made.texts.map((text) => ({ ...text, text: withoutValues(text.text, beside) })) };
  };
  for (const one of placed) {
    around.push({ ...one, made: textsOf(one.filed, charsOf(one.filed)) });
    if (around.length - next <= BESIDE_MESSAGES) continue;
    yield told();
    const passed = Math.max(0, next - BESIDE_MESSAGES);
    around = around.slice(passed);
    next -= passed;
  }
  while (next < around.length) yield told();
}

interface MessageTexts extends Pick<Redacted, "secrets"> {
  texts: SearchableText[];
  mostChars: number;
}

/** What waits to be filed is looked at again with each message behind it. */
const read = new WeakMap<FiledMessage, MessageTexts>();

/** What the first passage of `passagesOfUnfiled` waits for, ahead and in small steps. */
export async function lookThrough(unfiled: readonly UnfiledMessage[], pace: Pace): Promise<void> {
  const charsOf = charsLookedThrough(unfiled);
  for (const { filed } of unfiled) {
    textsOf(filed, charsOf(filed));
    await pace();
  }
}

/** Its words, and beside them as a tool's what it calls: "let me look" is the agent's, `rates {"from":"CNY"}` is not. */
function textsOf(filed: FiledMessage, mostChars: number): MessageTexts {
  const known = read.get(filed);
  if (known?.mostChars === mostChars) return known;
  const { message } = filed;
  const { id, role } = message;
  const said = message.text.trim();
  const words = readOf(said, mostChars);
  const called = callsOf(message, said, mostChars);
  const secrets = [words, ...called].flatMap((part) => part.secrets);
  const spoken = joined([words], secrets);
  const texts: SearchableText[] =
    role === "tool"
      ? [{ name: id, text: joined([words, ...called], secrets), trust: trustOf(message) }]
      : [
          { name: id, text: spoken, trust: trustOf(message) },
          { name: spoken === "" ? id : `${id}~tools`, text: joined(called, secrets), trust: "tool" },
        ];
  const made = { texts: texts.filter(({ text }) => text !== ""), secrets, mostChars };
  read.set(filed, made);
  return made;
}

function callsOf(message: Message, said: string, mostChars: number): Redacted[] {
  const tools = toolsOf(message);
  if (tools.length === 0) return [];
  const parts = tools.flatMap(({ name, input, result }) => [
    redacted(name),
    inWords(input, TOOL_CHARS.input, mostChars),
    inWords(result, TOOL_CHARS.result, mostChars),
  ]);
  // A result is often the message's text too.
  const words = inWords(said, TOOL_CHARS.result, mostChars).clean;
  return parts.filter(({ clean }) => clean !== words);
}

function joined(parts: readonly Redacted[], secrets: Redacted["secrets"]): string {
  const texts = new Set(parts.map(({ clean }) => withoutValues(clean, secrets)));
  const text = [...texts].filter((part) => part !== "").join("\n");
  // What stands in one field is named in another: `field: password`, `value: …`.
  return parts.length === 1 ? text : redactSecrets(text);
}

function inWords(value: unknown, limit: number, mostChars: number): Redacted {
  if (value === undefined || value === null) return redacted("");
  const whole = typeof value === "string" ? value : JSON.stringify(value);
  const { clean, secrets } = readOf(whole, mostChars);
  return { clean: clean.length <= limit ? clean : `${clean.slice(0, limit)}…`, secrets };
}

/** Of what is longer than any secret. */
const SECRET_CHARS = 4096;

/** Redacted before it is cut: half a key is no longer known for one. */
function readOf(text: string, mostChars: number): Redacted {
  if (text.length <= mostChars) return redacted(text);
  const { clean, secrets } = redacted(text.slice(0, mostChars + SECRET_CHARS));
  return { clean: clean.slice(0, mostChars), secrets };
}

/** A block that a person copied inside the file keeps its id: the second one gets a number. */
function* distinct(passages: Iterable<Passage>): Generator<Passage> {
  const seen = new Map<string, number>();
  for (const passage of passages) {
    const times = (seen.get(passage.id) ?? 0) + 1;
    seen.set(passage.id, times);
    yield times === 1 ? passage : { ...passage, id: `${passage.id}~~${times}` };
  }
}
