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
  /\b(?:like|as if|as though|feels like)(?: it (?:was|were)| it's| only)? yesterday\b|\b(?:of|better|brighter) tomorrow\b|\b(?:today|tomorrow|yesterday)'s (?:kids|youth|world|society|standards?|children|teens|teenagers|leaders|problems?|generation|man|hero)\b|\b(?:kids|people|children|teenagers|teens|society|students|parents) (?:of )?today\b|\blive for today\b|\bnever put off\b[^.!?\n]*|\bborn yesterday\b|\bno tomorrow\b|\bhere today\b|\bgone tomorrow\b|\byesterday's news\b|\btomorrow is another day\b|\bin a (?:week|month) of sundays\b|\bday one\b|\btomorrow never comes\b|\bso last (?:year|season|week)\b|\b(?:needs?|needed|wants?|wanted) it (?:by )?yesterday\b|\b(?:live|living) (?:in|for) (?:today|yesterday)\b|\bworry(?:ing)? (?:too much )?about tomorrow\b|\bproblem for tomorrow\b|\b(?:change|dwell on|undo|forget) yesterday\b|\b(?:technology|women|men|youth|world|language|music) of today\b|\btoday's (?:phones|cars|music|kids|youth|world|technology|young)\b|\b(?:still|even|survive|survives|exists?|used) today\b|\bsame today\b|\b(?:song|movie|film|book|album|band|poem|track|novel|word|called|sang) (?:is )?(?:the day after tomorrow|yesterday|tomorrow|today)\b|\bbeatles['’]? yesterday\b|\b(?:poem|story|essay|song) about (?:tomorrow|yesterday|today)\b/gi,
  new RegExp(
    `${HARMLESS_HAN.join("|")}|明日复明日|明天会更好|昨日黄花|(?:美好|更好|光明|辉煌|祖国|孩子们?|希望)的明天|今朝有酒|明日黄花|今非昔比|今[天日]的(?:年轻人|世界|中国|社会|孩子|我)|早知今日|今日事今日毕|今日(?:说法|头条|份)|明日(?:之星|方舟)|明天广场|今天传媒|像(?:发生在)?昨天一样|没有昨天的|走到今天|昨天今天明天|活在今天|昨天的我|我的昨天|为了明天|明天和意外|明天会怎样|算一天明天|谁知道明天|昨日之日|去年花里|今年花胜|去年今日此门|明年今日|(?<=电影|歌曲?|[那这一]首|题为|小说)(?:昨天|后天|明天|今天)|(?<=(?:叫|名叫|叫做|名为|店名是))[昨今明][天日]\\p{Script=Han}{0,4}`,
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
