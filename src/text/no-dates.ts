/** What only looks like a time: titles, names, quotations, code, idioms. Pure. */
import { HARMLESS_HAN } from "./deictic-words.js";

/** What is quoted is not said: code, links, titles, words between quotation marks; nor is an idiom. */
export function protectedRanges(text: string): [number, number][] {
  const code = /```[\s\S]*?(?:```|$)|`[^`\n]*`|\b[a-z][a-z0-9+.-]{0,20}:\/\/\S+/gi;
  return [...text.matchAll(code), ...KEPT.flatMap((kept) => [...text.matchAll(kept)])].map((match) => [
    match.index,
    match.index + match[0].length,
  ]);
}

const KEPT = [
  /《[^《》\n]*》|〈[^〈〉\n]*〉|「[^「」\n]*」|『[^『』\n]*』|“[^“”\n]*”|"[^"\n]*"|(?<![\p{L}\p{N}])['‘][^'’\n]{3,80}['’](?![\p{L}\p{N}])/gu,
  /\b(?:like|as if|as though|feels like)(?: it (?:was|were)| it's| only)? yesterday\b|\b(?:of|better|brighter) tomorrow\b|\b(?:today|tomorrow|yesterday)'s (?:kids|youth|world|society|standards?|children|teens|teenagers|leaders|problems?|generation|man|hero)\b|\b(?:kids|people|children|teenagers|teens|society|students|parents) (?:of )?today\b|\blive for today\b|\bnever put off\b[^.!?\n]*|\bborn yesterday\b|\bno tomorrow\b|\bhere today\b|\bgone tomorrow\b|\byesterday's news\b|\btomorrow is another day\b|\bin a (?:week|month) of sundays\b|\bday one\b/gi,
  new RegExp(
    `${HARMLESS_HAN.join("|")}|明日复明日|明天会更好|昨日黄花|(?:美好|更好|光明|辉煌|祖国|孩子们?|希望)的明天|今朝有酒|明日黄花|今非昔比|(?<=(?:叫|名叫|叫做|名为|店名是))[昨今明][天日]\\p{Script=Han}{0,4}`,
    "gu",
  ),
];

/** "USA Today", "The Tonight Show", "Tomorrow Never Dies": written large, where a time is not. */
export function isTitle(text: string, from: number, to: number): boolean {
  const phrase = text.slice(from, to);
  // Those are always written large.
  if (!/^\p{Lu}/u.test(phrase) || CALENDAR.test(phrase)) return false;
  if (
    / (?!(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))\p{Lu}/u.test(phrase)
  )
    return true;
  const before = text.slice(Math.max(0, from - BEFORE_CHARS), from);
  const last = before.trimEnd().slice(-1);
  const opens = last === "" ? from < BEFORE_CHARS : '.!?:;。！？：；"“(—–-'.includes(last);
  const goesOn = /^ (?!I\b)\p{Lu}\p{Ll}|^ by (?:the )?\p{Lu}/u.test(text.slice(to, to + BEFORE_CHARS));
  return (
    goesOn ||
    (!opens && !/^(?:Last|This|Next|On|In)\b/.test(phrase)) ||
    (!opens && /\b\p{Lu}\w* $/u.test(before))
  );
}

const CALENDAR =
  /^(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day|^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)/;
const BEFORE_CHARS = 20;
