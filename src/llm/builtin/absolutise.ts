/**
 * Observations that stand alone, without a model: dates are counted, "I" and
 * "the user" become the speaker. Who "she" is nobody can reckon: that stays, and
 * the gate says so.
 *
 * Pure but for loading the date reader.
 */
import { addDays, isDay, type Day } from "../../model/time.js";
import { loadDatePhrases, type DatePhrases } from "../../text/dates/absolute.js";
import type { AbsolutiseJob } from "../jobs/absolutise.js";
import { inOwnWords } from "../../text/own-words.js";
import { clean } from "../notes.js";
import { isHan } from "./cues.js";

export async function builtinAbsolutise(job: AbsolutiseJob): Promise<{ texts: string[] }> {
  const phrases = await loadDatePhrases();
  return { texts: job.texts.map(({ text }) => standing(clean(text), job, phrases)) };
}

/** A line of a conversation, `2026-03-02 Lin Yue: …`, says itself who spoke and when. */
const SPOKEN_LINE = /^(\d{4}-\d{2}-\d{2}) ([^:：]{1,60}): (.+)$/su;

/** The text with its dates counted from the day and its speaker named. */
function standing(text: string, job: Pick<AbsolutiseJob, "day" | "speaker">, phrases: DatePhrases): string {
  const [, day = "", name = "", words = ""] = SPOKEN_LINE.exec(text) ?? [];
  if (!isDay(day)) return withName(withDates(text, job.day, phrases), job.speaker);
  const speaker = job.speaker?.startsWith(`${name}(`) === true ? job.speaker : name;
  const rest = withName(withDates(words, day, phrases), speaker);
  return rest.includes(speaker)
    ? `${rest}${isHan(words) ? "（" : " ("}${day}${isHan(words) ? "）" : ")"}`
    : `${day} ${speaker}: ${rest}`;
}

/** With the dates in the place of what is told from the day. */
export function withDates(text: string, day: Day, phrases: DatePhrases): string {
  let result = "";
  let done = 0;
  for (const { from, to, date } of phrases(text, day)) {
    const dated = dateFor(text.slice(from, to), date, text.slice(0, from));
    result += text.slice(done, from) + setOff(dated, text.slice(0, from), text.slice(to));
    done = to;
  }
  return vagueTimes(result + text.slice(done), day);
}

/** Between Chinese characters digits and what is around them want room. */
function setOff(dated: string, before: string, after: string): string {
  const lead = /\p{Script=Han}$/u.test(before) && /^\d/.test(dated) ? " " : "";
  const trail = /\d$/.test(dated) && /^\p{Script=Han}/u.test(after) ? " " : "";
  return `${lead}${dated}${trail}`;
}

const TIME_OF_DAY: readonly (readonly [RegExp, string])[] = [
  [/night$/i, " at night"],
  [/morning$/i, " in the morning"],
  [/afternoon$/i, " in the afternoon"],
  [/evening$/i, " in the evening"],
  [/[晚夜]$/, "晚上"],
  [/[早晨]$/, "早上"],
];

/** In the place of the phrase, with the word in front of it that a date needs. */
function dateFor(phrase: string, date: string, before: string): string {
  const time = TIME_OF_DAY.find(([end]) => end.test(phrase))?.[1] ?? "";
  if (isHan(phrase)) return (/^\d{4}$/.test(date) ? `${date}年` : date) + time;
  const owner = /['’]s$/.test(phrase) ? "'s" : "";
  const isNamed =
    owner !== "" ||
    /\b(?:on|in|by|until|till|since|from|of|before|after|for)\s*$/i.test(before) ||
    /^(?:on|by|until)\b/i.test(phrase);
  const joint = isNamed
    ? (/^(?:by|until)\b/i.exec(phrase)?.[0] ?? "")
    : isDay(date)
      ? "on"
      : date.includes("–")
        ? isWeekend(date)
          ? "at the weekend"
          : "in the week"
        : "in";
  const lead =
    joint === "" ? "" : `${before.trim() === "" ? joint.charAt(0).toUpperCase() + joint.slice(1) : joint} `;
  return `${lead}${date}${owner}${time}`;
}

function isWeekend(span: string): boolean {
  const [from = "", to = ""] = span.split(" – ");
  return isDay(from) && addDays(from, 1) === to;
}

/** What is true when it is said, and no day more exact than that. */
const VAGUE: readonly (readonly [RegExp, (day: Day) => string])[] = [
  [/\bfrom now on\b/gi, (day) => `from ${day} on`],
  [/从现在起|从今以后/gu, (day) => `从${day}起`],
  [
    /\b(?:right now|at the moment|at present|currently|presently|nowadays|these days|(?<!\b(?:for|until|by|till|just) )now)\b/gi,
    (day) => `as of ${day}`,
  ],
  [/\b(?:just now|earlier today)\b/gi, (day) => `on ${day}`],
  [/\b(?:recently|lately|the other day|a while ago|not long ago)\b/gi, (day) => `shortly before ${day}`],
  [/(?:现在|目前|如今|眼下)(?!完成|进行)/gu, (day) => `${day}时`],
  [/刚才|刚刚|方才/gu, (day) => day],
  [/最近|近来|近日|前阵子|不久前|前几天/gu, (day) => `${day}前不久`],
];

function vagueTimes(text: string, day: Day): string {
  return VAGUE.reduce(
    (result, [phrase, named]) =>
      result.replace(phrase, (found, ...rest: unknown[]) => {
        const at = rest.find((one): one is number => typeof one === "number") ?? 0;
        // 出现在 and 项目前 hold the characters, not the word.
        if (!beginsWord(result, at, found)) return found;
        return at === 0 ? named(day).charAt(0).toUpperCase() + named(day).slice(1) : named(day);
      }),
    text,
  );
}

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

function beginsWord(text: string, at: number, found: string): boolean {
  return !isHan(found) || segmenter.segment(text).containing(at)?.index === at;
}

/** Not the one of "type I" and "World War I". */
const LONE_I =
  /(?<!\b(?:[Tt]ype|[Ww]ar|[Vv]itamin|[Pp]art|[Pp]hase|[Cc]lass|[Ss]tage|[Ll]evel|[Cc]hapter|[Ss]ection|[Gg]rade|[Tt]ier|[Vv]olume|[Aa]ct|[Bb]ook|[Uu]nit|[Tt]itle) )\bI\b(?![.'’/-])/g;

const CONTRACTED: Readonly<Record<string, string>> = {
  "'m": "is",
  "'ve": "has",
  "'ll": "will",
  "'d": "would",
};
const THIRD_PERSON: Readonly<Record<string, string>> = {
  am: "is",
  have: "has",
  do: "does",
  go: "goes",
  "don't": "doesn't",
  "haven't": "hasn't",
};
const PRESENT =
  "like|love|prefer|hate|dislike|want|need|live|work|eat|drink|speak|think|know|use|play|own|run|take|enjoy|sing|read|write|call|hope|plan|keep|come|get|make|bake|cook|sleep|sit|wear|drive|ride|feel|believe|code|collect|train|start|walk|swim|travel|rent|support|follow|manage|lead|build|design";

/** Who is meant where nobody has a name; in Chinese by another word. */
const THE_USER = "the user";

function withName(text: string, speaker: string | undefined): string {
  if (speaker === undefined || speaker === "") return text;
  const who = speaker === THE_USER && isHan(text) ? "用户" : speaker;
  // Whoever says "I" between quotation marks is somebody else.
  const named = inOwnWords(text, [nameIn(speaker)], (own) => namedIn(own, who));
  return who === THE_USER ? named.replace(/^the user/, "The user") : named;
}

/** `Lin Yue` of `Lin Yue(lin)`. */
function nameIn(speaker: string): string {
  return speaker.replace(/\([^()]*\)$/, "");
}

function namedIn(text: string, speaker: string): string {
  return text
    .replace(
      /\bI(['’](?:m|ve|ll|d))(?=\s)/g,
      (_all, end: string) => `${speaker} ${CONTRACTED[end.replace("’", "'")] ?? ""}`,
    )
    .replace(
      /\bI (am|have|do|go|don['’]t|haven['’]t)\b/g,
      (_all, verb: string) => `${speaker} ${THIRD_PERSON[verb.replace("’", "'")] ?? verb}`,
    )
    .replace(
      new RegExp(`\\bI ((?:really |also |always |never |usually |often )?)(${PRESENT})\\b`, "g"),
      (_all, adverb: string, verb: string) => `${speaker} ${adverb}${verb}s`,
    )
    .replace(LONE_I, speaker)
    .replace(/\b(?:me|myself)\b/g, speaker)
    .replace(/\b[Mm]y\b/g, `${speaker}'s`)
    .replace(/^(?:The )?[Uu]ser\b(?=\s)|\bthe user\b/g, speaker)
    .replace(/(?<![自忘无大小本超真])我(?![们国行见爱])/gu, speaker)
    .replace(/用户(?= ?[\p{Script=Han}\d])(?![组数群体量端名画界协])/gu, speaker);
}
