/**
 * What recall found, most relevant first, one line a hit with its source and
 * date.
 *
 * Memory stands before History and Input, yet gives way to them: a message of
 * the live conversation belongs between the messages around it, and there it
 * is needed whatever recall finds. So a hit that they show is dropped here, and
 * so is what Pinned memory shows already.
 */
import { mayRead, viewerAt, type Address } from "../model/address.js";
import type { MessageId } from "../model/message.js";
import type { Hit, Passage } from "../model/passage.js";
import { characterBorder, TRUNCATED } from "../text/cut.js";
import { costOfLines, counted, type Fitted } from "./fit.js";
import type { RenderedEntry } from "./entries.js";
import { nameOf, oneLine, plain } from "./quote.js";

/** Seed 000. */
const HIT_CHARS = 300;

interface ShownElsewhere {
  /** Body of Pinned memory. */
  pinned: string;
  /** Entries of History and Input. */
  messages: readonly RenderedEntry[];
  /** Messages that must not be shown at all. */
  privateIds: ReadonlySet<MessageId>;
}

interface FittedMemory extends Fitted {
  hits: Hit[];
}

export function fitMemory(
  hits: readonly Hit[],
  viewer: Address,
  maxHits: number,
  budgetTokens: number,
  elsewhere: ShownElsewhere,
): FittedMemory {
  const candidates = newHits(hits, viewer, elsewhere).slice(0, maxHits);
  const fitting: typeof candidates = [];
  let left = budgetTokens;
  for (const candidate of candidates) {
    left -= costOfLines([candidate.line]);
    if (left < 0) break;
    fitting.push(candidate);
  }
  const leftOut = candidates.length - fitting.length;
  return {
    hits: fitting.map(({ hit }) => hit),
    body: fitting.map(({ line }) => line).join("\n"),
    cuts: leftOut > 0 ? [`${counted(leftOut, "hit")} left out`] : [],
    warnings: [],
  };
}

/** The hits that say something that nothing else in the prompt says, each with its line. */
function newHits(
  hits: readonly Hit[],
  viewer: Address,
  elsewhere: ShownElsewhere,
): { hit: Hit; line: string }[] {
  const pinned = oneLine(elsewhere.pinned);
  const byMessage = new Map(
    elsewhere.messages.flatMap((entry) => entry.ids.map((id) => [id, entry] as const)),
  );
  const seen = new Set<string>();
  const found: { hit: Hit; line: string }[] = [];
  for (const hit of hits) {
    const { passage } = hit;
    // Recall has asked already; a wall that is checked twice stands when one side is wrong.
    if (!mayRead(viewerAt(viewer), passage) || passage.messageIds.some((id) => elsewhere.privateIds.has(id)))
      continue;
    const text = passage.kind === "memory" ? notPinned(passage, pinned) : oneLine(passage.text);
    const excerpt = excerptOf(text);
    if (excerpt === "" || (passage.kind === "message" && shownThere(passage, text, byMessage))) continue;
    const key = `${passage.day} ${excerpt}`;
    if (seen.has(key)) continue;
    seen.add(key);
    found.push({ hit, line: lineOf(passage, excerpt) });
  }
  return found;
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
function lineOf(passage: Passage, excerpt: string): string {
  const who = passage.kind === "message" ? ` ${nameOf(passage)}:` : "";
  const source = `[${oneLine(passage.path)}] ${oneLine(passage.day)}`;
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
