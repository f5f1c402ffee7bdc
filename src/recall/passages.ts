/**
 * Files as passages: one per message, and one for the tools that it calls beside
 * its words; one per section of memory.md and of a summary.
 *
 * Pure. Private messages make none, and secrets are out of every text before
 * anything is indexed. The scope is the one that the file's
 * folder vouches for; nothing in a message can move it to another.
 */
import { groupBy } from "../model/collections.js";
import { TOOL_CHARS, type FiledMessage, type Message, toolsOf } from "../model/message.js";
import { MAIN_SCOPE, type ScopeId, scopeOf, sessionOf } from "../model/address.js";
import type { Passage } from "../model/passage.js";
import { type Trust, trustOf } from "../model/record.js";
import { addDays, DAY_MS, isDay, type Day, type EpochMs, type Zone, noonOf } from "../model/time.js";
import type { MemorySection } from "../protocol/memory-md.js";
import type { SummaryFile } from "../protocol/summary.js";
import type { VerbatimFile } from "../protocol/verbatim.js";
import {
  redacted,
  type Redacted,
  redactSecrets,
  redactTogether,
  secretsBeside,
  withoutValues,
} from "../text/redact.js";
import { characterBorder } from "../text/sentences.js";

/** A message whose verbatim block is not written yet, and where its journal line stands. */
export interface UnfiledMessage {
  filed: FiledMessage;
  /** The journal file, relative. */
  path: string;
  /** 1-based. */
  line: number;
}

/** Goes into what passages a file gives: bump it and every file is read again. */
export const PASSAGES_VERSION = 7;

export function passagesOfVerbatim(path: string, file: VerbatimFile, zone: Zone): Passage[] {
  const placed = file.blocks.map(({ filed, lines }) => ({ filed, lines }));
  return messagePassages(path, file.scope, placed, zone, sequenceStart(file.day));
}

/** By journal file. Messages of one file in the order of their lines. */
export function passagesOfUnfiled(unfiled: readonly UnfiledMessage[], zone: Zone): Map<string, Passage[]> {
  const byPath = groupBy(unfiled, ({ path }) => path);
  return new Map(
    [...byPath].map(([path, messages]) => {
      const inOrder = [...messages].sort((a, b) => a.line - b.line);
      const byScope = groupBy(inOrder, ({ filed }) => scopeOf(filed.message));
      const passages = [...byScope].flatMap(([scope, ofScope]) => {
        const placed = ofScope.map(({ filed, line }) => ({ filed, lines: [line, line] as const }));
        const [first] = ofScope;
        const start =
          first === undefined ? 0 : sequenceStart(zone.dayOf(first.filed.filedAt)) + UNFILED_SEQUENCE;
        return messagePassages(path, scope, placed, zone, start, MOST_UNFILED_CHARS);
      });
      return [path, distinct(passages)];
    }),
  );
}

/** `modifiedAt` of the file: nobody wrote down when a section was added. */
export function passagesOfMemory(
  path: string,
  sections: readonly MemorySection[],
  modifiedAt: EpochMs,
  zone: Zone,
): Passage[] {
  const texts = redactTogether(
    sections.map(({ heading, text }) => (heading === "" ? text : `${heading}\n${text}`)),
  );
  return sections.flatMap(({ lines }, index): Passage[] =>
    inPieces({
      id: `${path}#${index + 1}`,
      kind: "memory",
      level: "owner",
      scope: MAIN_SCOPE,
      path,
      lines,
      text: texts[index] ?? "",
      saidAt: modifiedAt,
      day: zone.dayOf(modifiedAt),
      messageIds: [],
      trust: "human",
    }),
  );
}

/** Outside groups a section without a user is nobody's but the owner's. */
export function passagesOfSummary(path: string, file: SummaryFile): Passage[] {
  const covers = file.covers.map(({ day, hash }) => ({ day, hash }));
  return file.sections.flatMap(({ user, text, lines }, index): Passage[] =>
    inPieces({
      id: `${path}#${index + 1}`,
      kind: file.tier === "day" ? "day_summary" : "month_summary",
      level: "scope",
      scope: file.scope,
      ...(user === undefined ? {} : { user }),
      path,
      lines,
      text,
      saidAt: noonOf(lastCovered(file)),
      day: file.date,
      messageIds: [],
      trust: "agent",
      covers,
    }),
  );
}

interface PlacedMessage {
  filed: FiledMessage;
  lines: readonly [number, number];
}

/**
 * Sequences of a session grow by 1 with every turn inside a file and jump
 * between files, so neighbours are found by ± 1 and never across a gap. Calls of
 * tools share the sequence of the turn that follows them.
 */
const SEQUENCES_PER_DAY = 100_000;
/** Of a message that is not filed yet so much is looked through: it is looked through again with each one behind it. */
const MOST_UNFILED_CHARS = 64 * 1024;
const UNFILED_SEQUENCE = SEQUENCES_PER_DAY / 2;

function sequenceStart(day: Day): number {
  return Math.round(noonOf(day) / DAY_MS - 0.5) * SEQUENCES_PER_DAY;
}

function messagePassages(
  path: string,
  scope: ScopeId,
  placed: readonly PlacedMessage[],
  zone: Zone,
  firstSequence: number,
  mostChars = Infinity,
): Passage[] {
  const nextSequence = new Map<string, number>();
  const passages: Passage[] = [];
  const texts = textsBeside(
    placed.map(({ filed }) => filed.message),
    mostChars,
  );
  for (const [index, { filed, lines }] of placed.entries()) {
    const { message, filedAt, belongsTo } = filed;
    const session = sessionOf(message);
    const sequence = nextSequence.get(session) ?? firstSequence;
    // However many calls of tools stand between them, the answer is next to its question.
    if (!isCall(message)) nextSequence.set(session, sequence + 1);
    if (message.private === true) continue;
    for (const { name, text, trust } of texts[index] ?? []) {
      const passage: Passage = {
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
      };
      passages.push(...inPieces(passage));
    }
  }
  return distinct(passages);
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

function textsBeside(messages: readonly Message[], mostChars: number): SearchableText[][] {
  const each = messages.map((message) => textsOf(message, mostChars));
  return each.map(({ texts }, index) => {
    const beside = secretsBeside(each, index, ({ secrets }) => secrets);
    return texts.map((one) => ({ ...one, text: withoutValues(one.text, beside) }));
  });
}

interface MessageTexts extends Pick<Redacted, "secrets"> {
  texts: SearchableText[];
}

/** A longer text is found by the part of it that answers. */
const PIECE_CHARS = 16_000;

function inPieces(whole: Passage): Passage[] {
  const { id, text } = whole;
  if (text.length <= PIECE_CHARS) return [whole];
  const pieces: Passage[] = [];
  for (let from = 0; from < text.length;) {
    const end = Math.min(text.length, from + PIECE_CHARS);
    const blank = end === text.length ? -1 : text.slice(end - PIECE_CHARS / 4, end).search(/\s\S*$/);
    const to = blank < 0 ? characterBorder(text, end) : end - PIECE_CHARS / 4 + blank;
    const number = pieces.length + 1;
    pieces.push({ ...whole, id: number === 1 ? id : `${id}~part${number}`, text: text.slice(from, to) });
    from = to;
  }
  return pieces.filter((piece) => /\S/.test(piece.text));
}

/** What waits to be filed is looked at again with each message behind it. */
const read = new WeakMap<Message, MessageTexts>();

/** What `passagesOfUnfiled` would do at once over many long messages, ahead and in small steps. */
export async function lookThrough(
  unfiled: readonly UnfiledMessage[],
  pace: () => Promise<void> | undefined,
): Promise<void> {
  for (const { filed } of unfiled) {
    textsOf(filed.message, MOST_UNFILED_CHARS);
    await pace();
  }
}

/** Its words, and beside them as a tool's what it calls: "let me look" is the agent's, `rates {"from":"CNY"}` is not. */
function textsOf(message: Message, mostChars: number): MessageTexts {
  const known = read.get(message);
  if (known !== undefined) return known;
  const { id, role } = message;
  const said = message.text.slice(0, mostChars).trim();
  const words = redacted(said);
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
  const made = { texts: texts.filter(({ text }) => text !== ""), secrets };
  read.set(message, made);
  return made;
}

function callsOf(message: Message, said: string, mostChars: number): Redacted[] {
  const parts = toolsOf(message).flatMap(({ name, input, result }) => [
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
  // Redacted before it is cut: half a key is no longer known for one.
  const whole = typeof value === "string" ? value : JSON.stringify(value);
  const { clean, secrets } = redacted(whole.slice(0, mostChars));
  return { clean: clean.length <= limit ? clean : `${clean.slice(0, limit)}…`, secrets };
}

/** A block that a person copied inside the file keeps its id: the second one gets a number. */
function distinct(passages: readonly Passage[]): Passage[] {
  const seen = new Map<string, number>();
  return passages.map((passage) => {
    const times = (seen.get(passage.id) ?? 0) + 1;
    seen.set(passage.id, times);
    return times === 1 ? passage : { ...passage, id: `${passage.id}~~${times}` };
  });
}

function lastCovered({ date, covers }: SummaryFile): Day {
  if (isDay(date)) return date;
  const last = covers
    .map(({ day }) => day)
    .sort()
    .at(-1);
  return last ?? addDays(`${date}-01` as Day, 27);
}
