/**
 * Which of what was found is shown, and how much of each: the budget goes to what is worth its tokens.
 * Pure. Every question gets its share first; what is clearly weaker than the best of its question stays
 * out, so that a question with one answer costs a line or two; no day takes a second half of the budget
 * while another good one has none. The weights are one table, measured by `npm run bench -- evidence`.
 */
import { tally } from "../model/collections.js";
import type { Hit } from "../model/passage.js";
import type { Breadth } from "../text/asking.js";
import { termsHeld, worthOf, type Wanted } from "../text/best-stretch.js";
import { termsOf } from "../text/terms.js";
import { SUMMARIES } from "./distilled.js";
import { Room, type Chosen, type Limits, type Snippet } from "./memory-room.js";
import type { Inquiry } from "./inputs.js";
import type { Steps } from "../model/steps.js";
import type { Zone } from "../model/time.js";

interface Fill {
  /** Odds of a similarity beside the best of its question; below it a hit is left out. */
  floor: number;
  /** So much of the budget at most: what comes late in the order seldom answers. */
  share: number;
  /** So many of the first are quoted at length. */
  longQuotes: number;
  shortChars: number;
}

const FILL: Readonly<Record<Breadth, Fill>> = {
  narrow: { floor: 0.1, share: 0.6, longQuotes: 12, shortChars: 150 },
  list: { floor: 0.15, share: 0.95, longQuotes: 8, shortChars: 140 },
  wide: { floor: 0.05, share: 1, longQuotes: 4, shortChars: 140 },
  open: { floor: 0.08, share: 0.8, longQuotes: 10, shortChars: 150 },
};
/** A small budget is not made smaller: there every line counts. */
const LEAST_TOKENS = 1536;
/** Another question in the same input needs so much more. */
const PER_QUESTION = 0.25;
/** The same where the first hits are told in two languages, of which either may hold the answer. */
const FOR_TWO_LANGUAGES = 0.15;
const FIRST_HITS = 20;
const LEAST_OF_EACH = 4;
/** What answers is said in a sentence or two; the room is for other lines. */
const LONG_CHARS = 200;
/** Where nothing reaches the floor of recall, a few of the nearest are shown. */
const WEAK_SCORE = 0.1;
const MOST_WEAK = 5;
/** What is no question ("melting in this heat", 水开了) is in a memory whose best hit says so much of it, or asks nothing. */
const OPEN_SCORE = 0.28;
/** Of one question so many that do not fit any more are passed over for shorter ones. */
const MOST_MISFITS = 8;
/** What an answer answers, in short, and what that may cost. */
const ASKED_CHARS = 120;
const ASKED_TOKENS = 30;
const CONTEXT_SHARE = 0.4;
/** A summary's line says what its message says, in fewer words. */
const LINE_SHARE: Readonly<Record<Breadth, number>> = { narrow: 0.05, list: 0.05, wide: 1.5, open: 0.05 };
const MOST_LINES_PER_SUMMARY = 12;

export interface Candidates {
  inquiry: Inquiry;
  /** The best score of what its own words find. */
  ownScore: number;
  /** Best first, with what may be quoted of each. */
  hits: readonly { hit: Hit; parts: () => readonly string[] }[];
}

export interface Choice {
  chosen: Chosen[];
  /** Hits of which nothing is shown. */
  leftOut: { hit: Hit; question: number; why: string }[];
}

export function* chooseLines(asked: readonly Candidates[], limits: Limits, zone: Zone): Steps<Choice> {
  const queues: Queue[] = [];
  for (const [question, candidates] of asked.entries()) {
    queues.push(queueOf(candidates, question));
    yield;
  }
  const budgetTokens = neededBy(asked, limits.budgetTokens);
  const room = new Room({ ...limits, budgetTokens }, zone, asked.length);
  const waiting: Snippet[] = [];
  for (let turn = nextTurn(queues, room); turn !== undefined; turn = nextTurn(queues, room)) {
    const snippet = turn.snippets.shift() as Snippet;
    if (room.isCrowded(snippet)) waiting.push(snippet);
    else if (!room.take(snippet)) turn.misfits += 1;
    else if (snippet.answers !== undefined) room.take(snippet.answers, ASKED_TOKENS);
    yield;
  }
  for (const snippet of waiting) {
    room.take(snippet);
    yield;
  }
  return { chosen: room.chosen, leftOut: leftOutOf(queues, room) };
}

/** The budget, or less where nothing that is asked is about much. */
function neededBy(asked: readonly Candidates[], budgetTokens: number): number {
  const share = Math.max(0, ...asked.map(({ inquiry }) => FILL[inquiry.breadth].share));
  const more = PER_QUESTION * (asked.length - 1) + (asked.some(isToldInTwoLanguages) ? FOR_TWO_LANGUAGES : 0);
  const wanted = share * (1 + more) * budgetTokens;
  return Math.min(budgetTokens, Math.max(wanted, LEAST_TOKENS));
}

function isToldInTwoLanguages({ hits }: Candidates): boolean {
  const first = hits.slice(0, FIRST_HITS);
  const inHan = first.filter(({ hit }) => HAN.test(hit.passage.text.slice(0, RARE_CHARS))).length;
  return inHan >= LEAST_OF_EACH && first.length - inHan >= LEAST_OF_EACH;
}

const HAN = /\p{Script=Han}/u;

interface Queue {
  question: number;
  /** In the order in which they are taken. */
  snippets: Snippet[];
  /** Found, and clearly weaker than the best. */
  weak: readonly Hit[];
  hits: readonly Hit[];
  misfits: number;
}

function queueOf({ inquiry, hits, ownScore }: Candidates, question: number): Queue {
  const { floor, longQuotes, shortChars } = FILL[inquiry.breadth];
  const wanted = wantedBy(inquiry, hits);
  const best = Math.max(0, ...hits.map(({ hit }) => oddsOf(hit)));
  const isWeakAll = hits.every(({ hit }) => hit.score <= WEAK_SCORE);
  const isOpen = inquiry.breadth === "open";
  const isPoor = isOpen && ownScore < OPEN_SCORE;
  const mostWeak = isOpen ? 0 : MOST_WEAK;
  const good = hits.filter(({ hit }, place) =>
    isWeakAll || isPoor ? place < mostWeak : oddsOf(hit) >= floor * best,
  );
  const ranked = good
    .flatMap(({ hit, parts }) => partsInOrder(hit, parts, wanted, LINE_SHARE[inquiry.breadth]))
    .map((part, place) => ({ ...part, place }))
    .sort((one, other) => other.worth - one.worth || one.place - other.place);
  const asking = new Map(
    hits.flatMap(({ hit, parts }) =>
      hit.passage.role === "user" ? [[turnOf(hit, 0), { hit, parts }] as const] : [],
    ),
  );
  const answered = (hit: Hit): Snippet | undefined => {
    const asked = hit.passage.role === "agent" ? asking.get(turnOf(hit, -1)) : undefined;
    const text = (): string => asked?.parts().join(" ") ?? "";
    return asked && { hit: asked.hit, question, text, wanted, maxChars: ASKED_CHARS };
  };
  return {
    question,
    snippets: ranked.map(({ hit, text }, rank) => ({
      hit,
      question,
      text,
      wanted,
      maxChars: rank < longQuotes ? LONG_CHARS : shortChars,
      answers: answered(hit),
    })),
    weak: hits.slice(good.length).map(({ hit }) => hit),
    hits: hits.map(({ hit }) => hit),
    misfits: 0,
  };
}

/** The turn so many after that of the hit; what has no turn is one by itself. */
function turnOf({ passage: { id, path, session, sequence } }: Hit, after: number): string {
  return sequence === undefined ? id : JSON.stringify([path, session, sequence + after]);
}

/** Of a summary the lines that say something of what is asked, as much worth as they say of it. */
function partsInOrder(
  hit: Hit,
  parts: () => readonly string[],
  wanted: Wanted,
  lineShare: number,
): { hit: Hit; text: () => string; worth: number }[] {
  const worth = oddsOf(hit);
  // Most of what is found is never quoted, and its text need not be made ready.
  if (!SUMMARIES.has(hit.passage.kind)) return [{ hit, text: () => parts().join(" "), worth }];
  const held = parts().map((text) => ({ text, held: worthOf(text, wanted) }));
  const best = Math.max(0, ...held.map((one) => one.held));
  // Found by its day or by what it means, a summary may hold no word of the question.
  return held
    .filter((one) => one.held > 0 || best === 0)
    .sort((one, other) => other.held - one.held)
    .slice(0, MOST_LINES_PER_SUMMARY)
    .map(({ text, held: own }) => ({
      hit,
      text: () => text,
      worth: worth * lineShare * (best === 0 ? 1 : own / best),
    }));
}

/** Similarities of good hits lie close together: s/(1−s) is what they were before they were squeezed into 0–1. */
function oddsOf({ score }: Hit): number {
  return score / Math.max(1 - score, 1e-4);
}

/** The words of the question, the rarer among what was found the more. */
function wantedBy({ text, context }: Inquiry, hits: Candidates["hits"]): Wanted {
  const shares = new Map<string, number>();
  for (const term of context.flatMap(termsOf)) shares.set(term, CONTEXT_SHARE);
  for (const term of termsOf(text)) shares.set(term, 1);
  const asked: Wanted = new Map([...shares].slice(0, MOST_WANTED));
  const texts = hits.slice(0, RARE_AMONG).map(({ hit }) => hit.passage.text.slice(0, RARE_CHARS));
  const holding = tally(texts.flatMap((text) => [...termsHeld(text, asked)]));
  return new Map([...asked].map(([term, share]) => [term, share / Math.sqrt(holding.get(term) ?? 1)]));
}

const MOST_WANTED = 48;
const RARE_AMONG = 40;
const RARE_CHARS = 2000;

/** The one that has used least of its share, of those that have something left. */
function nextTurn(queues: readonly Queue[], room: Room): Queue | undefined {
  const open = queues.filter(({ snippets, misfits }) => snippets.length > 0 && misfits < MOST_MISFITS);
  return open.sort((one, other) => room.usedBy(one.question) - room.usedBy(other.question))[0];
}

function leftOutOf(queues: readonly Queue[], room: Room): Choice["leftOut"] {
  const shown = new Set(room.chosen.map(({ hit }) => hit.passage.id));
  const told = new Set<string>();
  return queues.flatMap(({ question, hits, weak }) => {
    const isWeak = new Set(weak);
    return hits.flatMap((hit) => {
      if (shown.has(hit.passage.id) || told.has(hit.passage.id)) return [];
      told.add(hit.passage.id);
      const why = isWeak.has(hit) ? "clearly weaker than the best" : "no room in the section";
      return [{ hit, question, why }];
    });
  });
}
