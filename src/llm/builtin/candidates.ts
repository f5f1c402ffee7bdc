/**
 * What could become a bullet: every sentence of a section's input, with when
 * it was said, by whom, and what it answered.
 *
 * Pure. Order is the order in which things were said.
 */
import type { Day } from "../../model/time.js";
import type { Utterance } from "../../model/utterance.js";
import type { Tier } from "../../model/work.js";
import { keywordsOf } from "../../text/keywords.js";
import { isCode, sentencesOf } from "../../text/sentences.js";
import type { SummarySectionInput } from "../jobs/summary.js";
import { clean } from "../notes.js";
import { isBareAnswer, isChat, isQuestion } from "./cues.js";

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
}

/** Of one very long message the beginning and the end are enough. */
const READ_CHARS = 20_000;
const KEYS_PER_SENTENCE = 24;
/** An answer up to this long needs its question to be understood. */
const SHORT_ANSWER_CHARS = 40;
const QUESTION_LIMIT_CHARS = 160;
/** A line of a day summary; only behind a time of day is what ends in a colon a name. */
const NOTE = /^(?:\d{2}:\d{2}\s+(?:([^:：]{1,40}): )?)?(.+)$/;

export function candidatesOf(section: SummarySectionInput, tier: Tier): Candidate[] {
  const found: Candidate[] = [];
  const add = (candidate: Omit<Candidate, "order" | "keys">): void => {
    if (candidate.text === "") return;
    const keys = new Set(keywordsOf(candidate.text, KEYS_PER_SENTENCE).map((word) => word.toLowerCase()));
    found.push({ ...candidate, order: found.length, keys });
  };

  for (const [source, { day, text }] of section.days.entries()) {
    for (const line of text.split("\n").filter((line) => !/^\s*#{1,6}\s/.test(line))) {
      const [, name = "", words = ""] = NOTE.exec(clean(line)) ?? [];
      add({ source, stamp: day, day, name, from: "summary", text: words, answered: false, code: false });
    }
  }
  for (const [index, utterance] of section.utterances.entries()) {
    const before = section.utterances[index - 1];
    const after = section.utterances[index + 1];
    const question =
      before !== undefined && before.name !== utterance.name ? lastQuestion(before) : undefined;
    // "Hey Mel! We have two cats." answers with its second sentence.
    let opening = true;
    for (const sentence of sentencesOf(ends(utterance.text))) {
      const text = clean(sentence);
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
        text: pair,
        answered: isQuestion(text) && after !== undefined && after.name !== utterance.name,
        code: isCode(sentence),
      });
    }
  }
  return found;
}

/** "local" is nobody's name. */
function shownName({ name, role }: Utterance): string {
  return name === "local" ? role : name;
}

function ends(text: string): string {
  return text.length <= READ_CHARS
    ? text
    : `${text.slice(0, READ_CHARS * 0.75)}\n${text.slice(-READ_CHARS / 4)}`;
}

function lastQuestion(utterance: Utterance): string | undefined {
  const last = sentencesOf(utterance.text.slice(-2 * QUESTION_LIMIT_CHARS)).at(-1);
  const question = last === undefined ? "" : clean(last);
  return isQuestion(question) && !isChat(question) && question.length <= QUESTION_LIMIT_CHARS
    ? question
    : undefined;
}

function isShortAnswer(text: string): boolean {
  if (text.length > SHORT_ANSWER_CHARS || isQuestion(text)) return false;
  return isBareAnswer(text) || keywordsOf(text, 1).length > 0 || /\d/.test(text);
}
