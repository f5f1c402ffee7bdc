/**
 * The part of a text that says most of what is looked for, where the whole is
 * too long to quote.
 *
 * Pure. Words are looked for by how they begin, so that a long text is gone
 * through by searches of the engine and never cut into terms.
 */
import { characterBorder } from "./sentences.js";

/** Content terms (`termsOf`) with what each is worth. */
export type Wanted = ReadonlyMap<string, number>;

const ELLIPSIS = "…";
/** Of a word that stands everywhere, no more places are looked at. */
const MOST_PLACES = 64;
/** A stem is shorter than its words or differs in the last letter: allergi, happi. */
const LONGEST_BEGINNING = 7;
const HAN = /\p{Script=Han}/u;
const LETTER = /[\p{L}\p{N}]/u;
const SENTENCE_END = /[.!?。！？…\n][\s"'”’」』）)\]*]*/g;

interface Place {
  at: number;
  term: string;
  worth: number;
}

/** All of a text that is no longer than `maxChars`; else the best stretch of it, marked where it is cut. */
export function bestStretch(text: string, wanted: Wanted, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const places = placesOf(text, wanted);
  const from = bestStart(text, places, maxChars);
  const start = from === 0 ? 0 : characterBorder(text, from);
  const end = endFrom(text, start, maxChars);
  const head = start === 0 ? "" : `${ELLIPSIS} `;
  const tail = end === text.length ? "" : ` ${ELLIPSIS}`;
  return `${head}${text.slice(start, end).trim()}${tail}`;
}

/** What the text holds of what is wanted, each term counted once. */
export function worthOf(text: string, wanted: Wanted): number {
  let worth = 0;
  for (const term of termsHeld(text, wanted)) worth += wanted.get(term) ?? 0;
  return worth;
}

/** Those of the terms that the text holds. */
export function termsHeld(text: string, wanted: Wanted): ReadonlySet<string> {
  return new Set(placesOf(text, wanted, 1).map(({ term }) => term));
}

function placesOf(text: string, wanted: Wanted, most = MOST_PLACES): Place[] {
  const lower = text.toLowerCase();
  const places: Place[] = [];
  for (const [term, worth] of wanted) {
    const isHan = HAN.test(term);
    const beginning = isHan ? term : term.slice(0, Math.min(LONGEST_BEGINNING, Math.max(3, term.length - 1)));
    let found = 0;
    for (
      let at = lower.indexOf(beginning);
      at !== -1 && found < most;
      at = lower.indexOf(beginning, at + 1)
    ) {
      if (!isHan && LETTER.test(lower.charAt(at - 1))) continue;
      places.push({ at, term, worth });
      found += 1;
    }
  }
  return places.sort((one, other) => one.at - other.at);
}

/** Where the stretch begins that holds most: at the sentence of its first word where that leaves room. */
function bestStart(text: string, places: readonly Place[], maxChars: number): number {
  const starts = sentenceStarts(text);
  let best = 0;
  let bestStart = 0;
  let behind = 0;
  for (const [index, { at }] of places.entries()) {
    while (behind + 1 < starts.length && (starts[behind + 1] as number) <= at) behind += 1;
    const sentence = starts[behind] ?? 0;
    const start = at - sentence <= maxChars / 2 ? sentence : wordBorder(text, at - Math.floor(maxChars / 4));
    const held = new Set<string>();
    let worth = 0;
    for (let next = index; next < places.length; next++) {
      const place = places[next] as Place;
      if (place.at >= start + maxChars) break;
      if (held.has(place.term)) continue;
      held.add(place.term);
      worth += place.worth;
    }
    if (worth > best + 1e-9) [best, bestStart] = [worth, start];
  }
  // The end of a text is quoted as long as its middle.
  return Math.min(bestStart, Math.max(0, wordBorder(text, text.length - maxChars)));
}

function sentenceStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: found } of text.matchAll(SENTENCE_END)) starts.push(index + found.length);
  return starts;
}

/** Not inside a word, where one has blanks around it. */
function endFrom(text: string, start: number, maxChars: number): number {
  if (start + maxChars >= text.length) return text.length;
  const end = characterBorder(text, start + maxChars);
  const blank = text.lastIndexOf(" ", end);
  return blank > start + maxChars * 0.85 ? blank : end;
}

function wordBorder(text: string, at: number): number {
  const blank = text.indexOf(" ", at);
  return blank !== -1 && blank < at + 20 ? blank + 1 : Math.max(0, at);
}
