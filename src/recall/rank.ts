/**
 * The order of hits, and what is said twice. Pure. Equal scores are ordered by where they stand
 * (memory.md, recent, the rest: seed 000), then by id, so the same files always give the same answer.
 */
import { entryOf } from "../model/collections.js";
import type { Hit, Passage, PassageKind } from "../model/passage.js";
import type { Steps } from "../model/steps.js";
import { DAY_MS, type EpochMs, HOUR_MS } from "../model/time.js";
import { foldText } from "../text/fold.js";
import { termsOf } from "../text/terms.js";
import type { Settings } from "../model/settings.js";

/** Scores closer than this are equal: sums of the same parts may differ in their last bits. */
const EQUAL_WITHIN = 1e-9;

export function ranked(hits: readonly Hit[]): Hit[] {
  return [...hits].sort((a, b) => {
    const apart = Math.round((b.score - a.score) / EQUAL_WITHIN);
    return apart || priorityOf(a.passage) - priorityOf(b.passage) || (a.passage.id < b.passage.id ? -1 : 1);
  });
}

/**
 * The best `limit`. Only copies go: of one speaker the same words, whatever
 * their case and punctuation, once; nearly the same words give way to all that
 * says something else. (MMR with λ .7 against copies alone: against the rest it
 * costs recall.)
 */
export function* bestWithoutCopies(inOrder: readonly Hit[], limit: number): Steps<Hit[]> {
  const seen = new Set<string>();
  /** Only what one speaker said with the same numbers may be a copy. */
  const comparable = new Map<string, Content[]>();
  const best: Hit[] = [];
  const nearCopies: Hit[] = [];
  for (const hit of inOrder) {
    if (best.length === limit) return best;
    const content = contentOf(hit.passage);
    const key = JSON.stringify([content.speaker, content.text]);
    if (seen.has(key)) continue;
    seen.add(key);
    const numbers = (content.text.match(/\p{N}+/gu) ?? []).sort().join(" ");
    const kind = JSON.stringify([content.speaker, numbers]);
    const others = entryOf(comparable, kind, (): Content[] => []);
    if (others.some((other) => areNearCopies(content, other))) nearCopies.push(hit);
    else best.push(hit);
    if (content.text.length >= LEAST_COPY_CHARS) others.push(content);
    yield;
  }
  return [...best, ...nearCopies].slice(0, limit);
}

function priorityOf({ kind, path }: Passage): number {
  if (kind === "memory") return 0;
  return kind === "message" && !path.includes("/archive/") ? 1 : 2;
}

interface Content {
  speaker: string | undefined;
  /** Without case, punctuation and spelling of characters; of a long text the head, and how long it is. */
  text: string;
  terms?: ReadonlySet<string>;
  pieces?: readonly string[];
}

function contentOf({ speaker, text }: Passage): Content {
  const head = text.slice(0, HEAD_CHARS);
  const words = foldText(head)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
  const rest = text.length > HEAD_CHARS ? ` ${text.length}` : "";
  return { speaker, text: `${words === "" ? head : words}${rest}` };
}

/** Texts that are alike so far and as long as each other are copies. */
const HEAD_CHARS = 1500;

/** Copies differ by a word or two; what is shorter may differ in the one word that matters. */
const LEAST_COPY_CHARS = 60;
const ALIKE = 0.9;

/** Nine tenths of all terms, where speaker and numbers are the same. */
function areNearCopies(one: Content, other: Content): boolean {
  const shorter = Math.min(one.text.length, other.text.length);
  const longer = Math.max(one.text.length, other.text.length);
  if (shorter < LEAST_COPY_CHARS || shorter < longer * ALIKE) return false;
  // Texts that differ by a word or two have most of their pieces in common; to look for them is quick.
  one.pieces ??= piecesOf(one.text);
  if (!one.pieces.some((piece) => other.text.includes(piece))) return false;
  one.terms ??= new Set(termsOf(one.text));
  other.terms ??= new Set(termsOf(other.text));
  const there = other.terms;
  const shared = [...one.terms].filter((term) => there.has(term)).length;
  return shared >= ALIKE * (one.terms.size + there.size - shared);
}

function piecesOf(text: string): string[] {
  const size = Math.floor(text.length / PIECES);
  return Array.from({ length: PIECES }, (_, at) => text.slice(at * size, (at + 1) * size));
}

const PIECES = 8;

/** memory.md, profiles and documents do not age. */
const AGELESS: ReadonlySet<PassageKind> = new Set(["memory", "profile", "document"]);

const HOURS_PER_DAY = DAY_MS / HOUR_MS;

export interface Decay extends Pick<Settings["recall"], "decay" | "decay_boost" | "decay_min_similarity"> {
  halfLifeDays: number;
}

/**
 * Newer hits rank a little higher, and only where the text itself is similar enough: being recent cannot make
 * an unrelated line a hit. Of the form of seed 001, whose boost of .2 costs 2 to 6 points of recall@10 on the
 * public sets: similarities of good hits lie close together. At .02 it decides between hits that are as good
 * as each other.
 */
export function withDecay(hit: Hit, now: EpochMs, decay: Decay): Hit {
  const { decay: isOn, decay_boost: boost, decay_min_similarity: least, halfLifeDays } = decay;
  if (!isOn || AGELESS.has(hit.passage.kind) || hit.score < least) return hit;
  // Whole hours: asked twice in a row, the same answer comes back to the last digit.
  const ageDays = Math.floor(Math.max(0, now - hit.passage.saidAt) / HOUR_MS) / HOURS_PER_DAY;
  const recency = 1 + boost * 0.5 ** (ageDays / halfLifeDays);
  return { ...hit, score: Math.min(1, hit.score * recency), parts: { ...hit.parts, recency } };
}
