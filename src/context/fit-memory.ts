/**
 * What recall found, most relevant first, one line a hit with its source and
 * date.
 *
 * Memory stands before History and Input, yet gives way to them: a message of
 * the live conversation belongs between the messages around it, and there it
 * is needed whatever recall finds. So a hit that they show is dropped here, and
 * so is what Pinned memory shows already.
 */
import type { Address, Level } from "../model/address.js";
import type { Settings } from "../model/settings.js";
import type { MessageId } from "../model/message.js";
import type { Hit, Passage, PassageKind } from "../model/passage.js";
import { RECORD_KINDS } from "../model/record.js";
import { characterBorder, TRUNCATED } from "../text/cut.js";
import { costOfLines, counted, type Fitted } from "./fit.js";
import { areAllIn, mayBeShown, openForesights, recordLine } from "./distilled.js";
import { wholeIdsOf, type RenderedEntry } from "./entries.js";
import type { ContextInputs } from "./inputs.js";
import { nameOf, oneLine, plain } from "./quote.js";
import { saidIn } from "./said.js";

/** Seed 000. */
const HIT_CHARS = 300;

interface ShownElsewhere {
  /** Body of Pinned memory. */
  pinned: string;
  /** Bodies of all fixed sections. */
  above: string;
  /** Entries of History and Input. */
  messages: readonly RenderedEntry[];
  /** Messages that must not be shown at all. */
  privateIds: ReadonlySet<MessageId>;
}

interface FittedMemory extends Fitted {
  hits: Hit[];
  leftOut: { hit: Hit; why: string }[];
}

export function fitMemory(
  inputs: ContextInputs,
  budgetTokens: number,
  elsewhere: ShownElsewhere,
): FittedMemory {
  const { hits, viewer, settings, zone } = inputs;
  const { candidates, leftOut } = newHits(hits, viewer, elsewhere);
  const above = oneLine(elsewhere.above);
  const foresights = openForesights(inputs)
    .filter(({ text }) => !above.includes(oneLine(text)))
    .map((record) => `Expected: ${recordLine(record, zone)}`);
  let left = budgetTokens;
  const fits = (line: string): boolean => {
    const cost = costOfLines([line]);
    if (cost > left) return false;
    left -= cost;
    return true;
  };
  const expected = upTo(foresights, fits);
  const wanted = chosen(candidates, settings);
  const fitting = upTo(wanted, ({ line }) => fits(line));
  const isWanted = new Set(wanted);
  const cutHits = wanted.length - fitting.length;
  const cutForesights = foresights.length - expected.length;
  return {
    hits: fitting.map(({ hit }) => hit),
    leftOut: [
      ...wanted.slice(fitting.length).map(({ hit }) => ({ hit, why: "no room in the section" })),
      ...candidates
        .filter((candidate) => !isWanted.has(candidate))
        .map(({ hit }) => ({ hit, why: `beyond the first ${settings.memory_hits} hits` })),
      ...leftOut,
    ].sort((one, other) => other.hit.score - one.hit.score),
    body: [...expected, ...byReach(fitting).map(({ line }) => line)].join("\n"),
    cuts: [
      ...(cutForesights > 0 ? [`${counted(cutForesights, "foresight")} left out`] : []),
      ...(cutHits > 0 ? [`${counted(cutHits, "hit")} left out`] : []),
    ],
    warnings: [],
  };
}

const DISTILLED: ReadonlySet<PassageKind> = new Set([...RECORD_KINDS, "profile"]);

interface Candidate {
  hit: Hit;
  line: string;
}

/** The most relevant, with places kept for events: beside the words themselves it is told what came of them. */
function chosen(
  candidates: readonly Candidate[],
  { memory_hits: places, memory_events: eventPlaces }: Settings["context"],
): Candidate[] {
  const isEvent = ({ hit }: Candidate): boolean => hit.passage.kind === "event" && hit.standing === undefined;
  const events = candidates.filter(isEvent).slice(0, Math.min(eventPlaces, places));
  const others = candidates.filter((candidate) => !isEvent(candidate)).slice(0, places - events.length);
  const moreEvents = candidates.filter(isEvent).slice(events.length, places - others.length);
  const taken = new Set([...events, ...others, ...moreEvents]);
  return candidates.filter((candidate) => taken.has(candidate));
}

/** What is of the user first, then of the place, then of this conversation; most relevant first in each. */
function byReach(candidates: readonly Candidate[]): Candidate[] {
  const rank = ({ hit }: Candidate): number => REACH[hit.passage.level];
  return [...candidates].sort((one, other) => rank(one) - rank(other));
}
const REACH: Readonly<Record<Level, number>> = { owner: 0, user: 0, scope: 1, session: 2 };

/** From the front, up to the first one that does not fit. */
function upTo<T>(all: readonly T[], fits: (one: T) => boolean): T[] {
  const end = all.findIndex((one) => !fits(one));
  return all.slice(0, end === -1 ? undefined : end);
}

/** The hits that say something that nothing else in the prompt says, each with its line. */
function newHits(
  hits: readonly Hit[],
  viewer: Address,
  elsewhere: ShownElsewhere,
): { candidates: Candidate[]; leftOut: FittedMemory["leftOut"] } {
  const pinned = oneLine(elsewhere.pinned);
  const above = oneLine(elsewhere.above);
  const byMessage = new Map(
    elsewhere.messages.flatMap((entry) => entry.ids.map((id) => [id, entry] as const)),
  );
  const shown = oneLine(elsewhere.messages.map((entry) => entry.shown).join("\n"));
  const wholeIds = wholeIdsOf(elsewhere.messages);
  const isShown = (passage: Passage, text: string): boolean => {
    if (passage.kind === "message") return shownThere(passage, text, byMessage);
    if (passage.kind === "day_summary") return saysNoMore(passage, shown);
    return DISTILLED.has(passage.kind) && areAllIn(wholeIds, passage.messageIds);
  };
  const saysAgain = saidIn(elsewhere.above);
  const isSaid = ({ kind, text }: Passage): boolean => DISTILLED.has(kind) && saysAgain(text);
  const seen = new Set<string>();
  const candidates: Candidate[] = [];
  const leftOut: FittedMemory["leftOut"] = [];
  for (const hit of hits) {
    const { passage } = hit;
    // Recall has asked already; a wall that is checked twice stands when one side is wrong. Nothing tells of it.
    if (!mayBeShown(viewer, passage) || passage.messageIds.some((id) => elsewhere.privateIds.has(id)))
      continue;
    const text = passage.kind === "memory" ? notPinned(passage, pinned) : oneLine(passage.text);
    const excerpt = excerptOf(text);
    const key = `${passage.day} ${excerpt}`;
    const why =
      excerpt === "" || (passage.kind !== "message" && (above.includes(text) || isSaid(passage)))
        ? "stands in a section above"
        : isShown(passage, text)
          ? "stands in History or Input"
          : seen.has(key)
            ? "says what a hit before it says"
            : undefined;
    if (why !== undefined) {
      leftOut.push({ hit, why });
      continue;
    }
    seen.add(key);
    candidates.push({ hit, line: lineOf(hit, excerpt) });
  }
  return { candidates, leftOut };
}

/** Shown where every message of it is, unless what was found lies beyond a cut there. Of a tool's record the prompt shows no more anywhere. */
function shownThere(
  passage: Passage,
  text: string,
  byMessage: ReadonlyMap<MessageId, RenderedEntry>,
): boolean {
  const entries = passage.messageIds.map((id) => byMessage.get(id));
  if (entries.length === 0) return false;
  const opening = text.slice(0, characterBorder(text, HIT_CHARS));
  return entries.every(
    (entry) =>
      entry !== undefined &&
      (!entry.cut || passage.trust === "tool" || oneLine(entry.shown).includes(opening)),
  );
}

/** A summary that chooses sentences may hold nothing but what the conversation still shows. */
function saysNoMore(passage: Passage, shown: string): boolean {
  const lines = plain(passage.text)
    .split("\n")
    .filter((line) => /^\s*[-*] /.test(line))
    .map((line) => oneLine(line.replace(NOTE_HEAD, "")));
  return lines.length > 0 && lines.every((line) => shown.includes(line));
}
/** `- 14:03 Lin Yue: ` */
const NOTE_HEAD = /^\s*[-*] (?:\d{2}:\d{2} )?(?:[^:：]{1,60}: )?/;

/** The lines of a memory.md passage that Pinned memory had to leave out. */
function notPinned(passage: Passage, pinned: string): string {
  const lines = plain(passage.text).split("\n");
  return oneLine(lines.filter((line) => !pinned.includes(oneLine(line))).join("\n"));
}

function excerptOf(text: string): string {
  if (text.length <= HIT_CHARS) return text;
  return `${text.slice(0, characterBorder(text, HIT_CHARS)).trimEnd()} ${TRUNCATED}`;
}

/** `[memory/2026-01-28-deploy.md] 2026-01-28 Lin Yue: …` */
function lineOf({ passage, standing }: Hit, excerpt: string): string {
  const who = passage.kind === "message" ? ` ${nameOf(passage)}:` : "";
  const source = `[${oneLine(passage.path)}] ${oneLine(passage.day)}${standing === undefined ? "" : ` (${standing})`}`;
  switch (passage.trust) {
    case "human":
    case "agent":
      return `${source}${who} ${excerpt}`;
    case "tool":
      return `${source} quoted from a tool: “${excerpt}”`;
    case "document":
      return `${source} quoted from a document: “${excerpt}”`;
    default:
      return passage.trust satisfies never;
  }
}
