/**
 * Which sentences become bullets, and how much of the day each carries: cues,
 * numbers, names and the day's recurring words add; questions that were answered,
 * lists, boilerplate and noise take away. 0 is chit-chat.
 *
 * Pure, and the same for the same input: what an earlier summary said already
 * is taken out after the choice, never before, or the second-best would follow.
 */
import { tally } from "../../model/collections.js";
import type { Utterance } from "../../model/message.js";
import type { Day } from "../../model/time.js";
import type { Tier } from "../../model/work.js";
import { keywordsOf } from "../../text/keywords.js";
import { isCode, sentencesOf } from "../../text/sentences.js";
import { bulletTarget, type SummarySectionInput } from "../jobs/summary.js";
import { clean } from "../notes.js";
import { needsTheOneBefore } from "./referents.js";
import { statementsIn } from "./told/statement.js";
import { CUES, isBareAnswer, isChat, isHan, isPraise, isQuestion } from "./cues.js";

/** Below this a sentence says nothing that anybody would look for. */
const LEAST_WORTH = 1.2;
/** Of one message, so that no long answer fills the day. */
const MOST_OF_ONE = { user: 4, summary: 60, agent: 2, tool: 1, system: 1 } as const;
const FALLBACK_BULLETS = 3;

/** In the order in which they were said; never none for input that has text. */
export function pick(candidates: readonly Candidate[], tier: Tier): Candidate[] {
  const counts = tally(candidates.flatMap(({ keys }) => [...keys]));
  const ranked = candidates
    .map((candidate) => ({ candidate, worth: worthOf(candidate, counts) }))
    .sort((a, b) => b.worth - a.worth || a.candidate.order - b.candidate.order);
  const worthy = ranked.filter(({ worth }) => worth >= LEAST_WORTH).map(({ candidate }) => candidate);
  const sources = new Set(
    candidates.map(({ source, from, order }) => (from === "summary" ? `s${order}` : source)),
  ).size;
  const chosen = choose(tier === "month" ? bestOfEachDayFirst(worthy) : worthy, bulletTarget(tier, sources));
  return (chosen.length > 0 ? chosen : longest(candidates)).sort((a, b) => a.order - b.order);
}

function choose(ranked: readonly Candidate[], target: number): Candidate[] {
  const chosen: Candidate[] = [];
  const seen: Fingerprint[] = [];
  const ofSource = new Map<number, number>();
  let notPeople = 0;
  for (const candidate of ranked) {
    if (chosen.length >= target) break;
    const { source, from, text } = candidate;
    const covered = chosen.findIndex(
      (other) => other.source === source && other.sentences.some((one) => candidate.sentences.includes(one)),
    );
    const before = chosen[covered];
    if (before !== undefined) {
      // With what it needs to be understood it stands in the place of that.
      if (candidate.sentences.length > before.sentences.length) chosen[covered] = candidate;
      continue;
    }
    if ((ofSource.get(source) ?? 0) >= MOST_OF_ONE[from]) continue;
    const person = from === "user" || from === "summary";
    // The agent talks more than people do: half of the day at most is its own words.
    if (!person && notPeople >= Math.ceil(target / 2)) continue;
    const fingerprint = fingerprintOf(text);
    if (seen.some((other) => isNearCopy(other, fingerprint))) continue;
    seen.push(fingerprint);
    ofSource.set(source, (ofSource.get(source) ?? 0) + 1);
    if (!person) notPeople += 1;
    chosen.push(candidate);
  }
  return chosen;
}

/** No day of a month goes without a word. */
function bestOfEachDayFirst(ranked: readonly Candidate[]): Candidate[] {
  const days = new Set<string>();
  const best = ranked.filter(({ day }) => !days.has(day) && days.add(day));
  const first = new Set(best);
  return [...best, ...ranked.filter((candidate) => !first.has(candidate))];
}

function longest(candidates: readonly Candidate[]): Candidate[] {
  return choose(
    [...candidates].sort((a, b) => b.text.length - a.text.length || a.order - b.order),
    FALLBACK_BULLETS,
  );
}

/** Dice over pairs of characters; other numbers are another statement. */
const ALIKE = 0.75;

interface Fingerprint {
  pairs: ReadonlySet<string>;
  numbers: string;
}

export function fingerprintOf(text: string): Fingerprint {
  const bare = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  const pairs = new Set<string>();
  for (let at = 0; at < bare.length - 1; at++) pairs.add(bare.slice(at, at + 2));
  // One letter, or nothing but signs: itself is all there is to compare.
  if (pairs.size === 0) pairs.add(text.trim());
  return { pairs, numbers: (text.match(/\d+/g) ?? []).join(" ") };
}

export function isNearCopy(a: Fingerprint, b: Fingerprint): boolean {
  if (a.numbers !== b.numbers) return false;
  const [small, large] = a.pairs.size < b.pairs.size ? [a.pairs, b.pairs] : [b.pairs, a.pairs];
  if (small.size * 2 < (small.size + large.size) * ALIKE) return false;
  let shared = 0;
  for (const pair of small) if (large.has(pair)) shared += 1;
  return 2 * shared >= (small.size + large.size) * ALIKE;
}

/** What people say of themselves counts most; what a tool printed least. */
const VOICE = { user: 1, summary: 1.1, agent: 0.65, tool: 0.5, system: 0.3 } as const;

/** `counts`: in how many sentences each word stands. */
function worthOf(candidate: Candidate, counts: ReadonlyMap<string, number>): number {
  const { text, keys, from } = candidate;
  const paired = text.includes(" → ");
  // What was shown is told by what was said of it.
  if (/^\[[^\]]*\]$/.test(text)) return 0.1;
  // Nobody can tell whom or what it is about.
  if (candidate.isLost) return 0;
  if (candidate.code || (!paired && isChat(text)) || keys.size === 0) return 0;

  let worth = 0.2 * Math.min(keys.size, 8);
  for (const [weight, cue] of CUES) if (cue.test(text)) worth += weight;
  worth += 0.6 * Math.min(2, text.match(/\d+(?:[.,:]\d+)*/g)?.length ?? 0);
  worth += 0.4 * Math.min(3, text.replace(SPOKEN_TO, "").match(NAMED)?.length ?? 0);
  worth += 0.2 * Math.min(5, [...keys].filter((key) => (counts.get(key) ?? 0) > 1).length);
  if (/^(?:I|we|my|our)\b|^我/i.test(text)) worth += 0.5;
  if (candidate.tells) worth += TELLS_WORTH;
  else if (isPraise(text)) worth *= PRAISE_SHARE;
  if (paired) worth += 1;
  else if (isQuestion(text)) worth *= candidate.answered ? 0.3 : 0.7;

  return worth * VOICE[from] * shapeFactor(text);
}

/** What somebody is, has done or means to do, so that it stands alone. */
const TELLS_WORTH = 2.5;

const PRAISE_SHARE = 0.35;

/** Names, titles and code. */
const NAMED = /(?<=[a-z,;] )\p{Lu}\p{L}+|[“"「『][^”"」』]{2,40}[”"」』]|`[^`]+`/gu;

/** "…, Maria!" */
const SPOKEN_TO = /, \p{Lu}\p{Ll}+(?=[!.?]*$|,)/gu;

/** Too short to stand alone, too long to be one thought, an opening of a list, or mostly signs. */
function shapeFactor(text: string): number {
  const letters = text.match(/[\p{L}\p{N}\s]/gu)?.length ?? 0;
  if (letters < text.length * 0.7 || /[:：]$/.test(text)) return 0.3;
  const width = [...text].reduce((sum, char) => sum + (isHan(char) ? 3 : 1), 0);
  return width < 15 || width > 400 ? 0.6 : 1;
}

/** What could become a bullet: a sentence of a section's input, with when it was said, by whom, and what it answered. */
export interface Candidate {
  /** In the order of the input. */
  order: number;
  /** Which utterance or day summary it is from. */
  source: number;
  /** `HH:MM` in a day, `YYYY-MM-DD` in a month. */
  stamp: string;
  /** Relative dates in it count from here. */
  day: Day;
  /** Empty where the text names its speaker itself. */
  name: string;
  from: Utterance["role"] | "summary";
  text: string;
  /** Its telling words, lower case. */
  keys: ReadonlySet<string>;
  /** A question that was asked and answered. */
  answered: boolean;
  code: boolean;
  /** It tells of whoever says it what would be remembered. */
  tells: boolean;
  /** It points at what was said before, and cannot take that along. */
  isLost: boolean;
  /** Places of its sentences in its source. */
  sentences: readonly number[];
}

/** Of one very long message the beginning and the end are enough. */
const READ_CHARS = 20_000;
const KEYS_PER_SENTENCE = 24;
/** An answer up to this long needs its question to be understood. */
const SHORT_ANSWER_CHARS = 40;
const QUESTION_LIMIT_CHARS = 160;
/** A line of a day summary; only behind a time of day is what ends in a colon a name. */
const NOTE = /^(?:\d{2}:\d{2}\s+(?:([^\s:：][^:：]{0,39}): )?(?=\S))?(.+)$/;

export function candidatesOf(section: SummarySectionInput, tier: Tier): Candidate[] {
  const found: Candidate[] = [];
  const add = (candidate: Omit<Candidate, "order" | "keys">): void => {
    if (candidate.text === "") return;
    const keys = new Set(keywordsOf(candidate.text, KEYS_PER_SENTENCE).map((word) => word.toLowerCase()));
    found.push({ ...candidate, order: found.length, keys });
  };

  for (const [source, { day, text }] of section.days.entries()) {
    const lines = text.split("\n").filter((line) => !/^\s*#{1,6}\s/.test(line));
    for (const [place, line] of lines.entries()) {
      const [, name = "", words = ""] = NOTE.exec(clean(line)) ?? [];
      const tells = tellsOf(words, name);
      const isLost = needsTheOneBefore(words);
      const of = { source, stamp: day, day, name, from: "summary" as const };
      add({ ...of, text: words, answered: false, code: false, tells, isLost, sentences: [place] });
    }
  }
  for (const [index, utterance] of section.utterances.entries()) {
    const before = section.utterances[index - 1];
    const after = section.utterances[index + 1];
    const question = before?.name === utterance.name ? undefined : lastQuestion(before?.text ?? "");
    // "Hey Mel! We have two cats." answers with its second sentence.
    let opening = true;
    const sentences = sentencesOf(ends(utterance.text));
    const plain = sentences.map(clean);
    for (const [place, sentence] of sentences.entries()) {
      const text = plain[place] ?? "";
      const greets = isChat(text) && !isBareAnswer(text);
      const pair =
        opening && question !== undefined && !greets && isShortAnswer(text) ? `${question} → ${text}` : text;
      opening &&= greets;
      add({
        source: section.days.length + index,
        stamp: tier === "day" ? utterance.clock : utterance.day,
        day: utterance.day,
        name: shownName(utterance),
        from: utterance.role,
        ...(pair === text ? withReferents(plain, place) : { text: pair, isLost: false, sentences: [place] }),
        tells: utterance.role === "user" && tellsOf(text, utterance.name),
        answered: isQuestion(text) && after !== undefined && after.name !== utterance.name,
        code: isCode(sentence),
      });
    }
  }
  return found;
}

const WITH_REFERENTS_CHARS = 260;
const MOST_TAKEN_ALONG = 2;

/** A sentence with those before it that say whom and what it is about. */
function withReferents(
  sentences: readonly string[],
  place: number,
): Pick<Candidate, "text" | "isLost" | "sentences"> {
  let first = place;
  while (needsTheOneBefore(sentences[first] ?? "") && first > 0 && place - first < MOST_TAKEN_ALONG) first--;
  const text = sentences.slice(first, place + 1).join(" ");
  const isLost = needsTheOneBefore(sentences[first] ?? "") || isChat(sentences[first] ?? "");
  if (first === place || isLost || text.length > WITH_REFERENTS_CHARS)
    return { text: sentences[place] ?? "", isLost: first !== place || isLost, sentences: [place] };
  return { text, isLost, sentences: Array.from({ length: place - first + 1 }, (_, n) => first + n) };
}

const LONGEST_TELLING_CHARS = 400;

function tellsOf(text: string, name: string): boolean {
  return (
    text.length <= LONGEST_TELLING_CHARS &&
    !isQuestion(text) &&
    statementsIn(text, name === "" ? "the user" : name, []).length > 0
  );
}

/** "local" is nobody's name. */
function shownName({ name, role }: Utterance): string {
  return name === "local" ? role : name;
}

function ends(text: string): string {
  if (text.length <= READ_CHARS) return text;
  return `${text.slice(0, READ_CHARS * 0.75)}\n${text.slice(-READ_CHARS / 4)}`;
}

function lastQuestion(text: string): string | undefined {
  const question = clean(sentencesOf(text.slice(-2 * QUESTION_LIMIT_CHARS)).at(-1) ?? "");
  const isOne = isQuestion(question) && !isChat(question) && question.length <= QUESTION_LIMIT_CHARS;
  return isOne ? question : undefined;
}

function isShortAnswer(text: string): boolean {
  if (text.length > SHORT_ANSWER_CHARS || isQuestion(text)) return false;
  return isBareAnswer(text) || keywordsOf(text, 1).length > 0 || /\d/.test(text);
}
