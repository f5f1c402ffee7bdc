/**
 * Which remembered things cannot both hold, without a model: one person has one
 * home, one work and one name at a time, and what somebody likes they do not
 * dislike. Of all else it says nothing. Pure.
 */
import type { Verdict } from "../../model/found.js";
import type { CompareJob } from "../jobs/compare.js";
import { onlyOneOf } from "./traits.js";

export function builtinCompare(job: CompareJob): { verdicts: Verdict[] } {
  const verdicts = job.pairs.map(({ older, newer }): Verdict => ({
    is: cannotBothHold(older.text, newer.text) ? "contradicts" : "different",
  }));
  return { verdicts };
}

function cannotBothHold(older: string, newer: string): boolean {
  const [before, after] = [statementIn(older), statementIn(newer)];
  if (before === undefined || after === undefined || before.who !== after.who) return false;
  const [once, now] = [onlyOneOf(before.what), onlyOneOf(after.what)];
  if (once !== undefined && once === now) return before.what !== after.what;
  return isOpposite(before.what, after.what);
}

/** Whoever it is about stands first: `Lin Yue(lin)`, `The user`, `Lin Yue`. */
const STATEMENT =
  /^(?:\d{4}-\d{2}-\d{2} )?(The user|the user|用户|[^\s(（:：]+(?: \p{Lu}[^\s(（:：]*)*(?![^\s(（:：])(?:[(（][^)）]*[)）])?)[\s:：]*([^\s:：].*)$/u;

function statementIn(text: string): { who: string; what: string } | undefined {
  const [, who = "", what = ""] = STATEMENT.exec(text.trim()) ?? [];
  return who === "" ? undefined : { who: who.toLowerCase(), what: withoutDates(what) };
}

function withoutDates(text: string): string {
  return text
    .replace(/(?:\b(?:on|in|since|as of) )?[(（]?\d{4}-\d{2}(?:-\d{2})?时?[)）]?/g, " ")
    .replace(/\s+/g, " ")
    .replace(/(?<![.。;；!！\s])[.。;；!！\s]+$/u, "")
    .trim()
    .toLowerCase();
}

const LIKES =
  /^(?:really |also |still )?(?:likes|loves|enjoys|prefers)\s+(\S.*)$|^(?:很|最|特别|更|也)?(?:喜欢|爱)(.+)$/u;
const DISLIKES =
  /^(?:really |also )?(?:hates|dislikes|can't stand|(?:doesn't|does not|no longer) (?:like|likes|enjoy|enjoys|want|eat|drink)s?)\s+(\S.*)$|^(?:不再|不|再也不)(?:喜欢|爱|吃|喝)(.+?)了?$|^讨厌(.+)$/u;

function isOpposite(before: string, after: string): boolean {
  const [likes, dislikes] = [objectOf(LIKES, before), objectOf(DISLIKES, after)];
  const [disliked, liked] = [objectOf(DISLIKES, before), objectOf(LIKES, after)];
  return (likes !== undefined && likes === dislikes) || (disliked !== undefined && disliked === liked);
}

function objectOf(pattern: RegExp, text: string): string | undefined {
  return pattern
    .exec(text)
    ?.slice(1)
    .find((part) => part !== undefined)
    ?.trim();
}
