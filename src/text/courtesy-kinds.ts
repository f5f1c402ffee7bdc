/** Of what kind a word is beside courtesies: one itself, one that may stand there, or neither. Pure. */
import { BESIDE, COURTEOUS, GOING_ON, words } from "./courtesy-words.js";
import { SMALL_TALK, STOP_WORDS } from "./stop-words.js";

/** A request or a question, whatever its courtesies. */
export const ASKS =
  /\b(?:what(?! (?:a|an|i|we|you)\b)|who|whose|when|where|which|why|remind|remember|tell|show|find|book|order|list|check (?:my|the|if)|look up)\b|\bhow (?:many|much|long|old|far|do|did|does|to|is|was)\b|什么|啥|谁|哪|几(?!乎)|多[少久长大]|怎么|为什么|吗|呢\s*$|来着|提醒|告诉|查一?下|找一?下|记得|顺便|老样子|(?:^|[.,!;–—]\s*)(?:(?:oh|and|but|so|wait)[ ,]+)*(?:is|are|was|were|did|do|does|has|have|can|could|will|would|should) (?:the|my|our|i|we|he|she|they|there|anyone|anybody)\b/iu;

export type Kind = "courteous" | "beside" | "strange";

/** Verbs of asking are small talk that asks. */
const TALK = new Set([...STOP_WORDS, ...SMALL_TALK].filter((word) => !ASKS.test(word)));

export function kindOf(written: string): Kind {
  // "heyyy" is hey, "sooo" so.
  const word = written.toLowerCase();
  const forms = [
    word,
    word.replaceAll("'", ""),
    word.replace(/(.)\1{2,}/g, "$1"),
    word.replace(/(.)\1+$/g, "$1"),
  ];
  if (forms.some((form) => COURTEOUS.has(form)) || LAUGHTER.test(word)) return "courteous";
  if (forms.some((form) => BESIDE.has(form) || GOING_ON.has(form) || TALK.has(form))) return "beside";
  if (ADVERB.test(word) && !NO_ADVERBS.has(word)) return "beside";
  return isSlipped(word) ? "courteous" : "strange";
}
const ADVERB = /^\p{L}{3,}ly$/u;
const NO_ADVERBS = words(
  "family july italy supply reply assembly bully jelly belly lily rally ally butterfly anomaly monopoly assembly gully trolley melancholy emily sally molly polly holly kelly billy",
);
const LAUGHTER =
  /^(?:6{3,}|23{2,}|8{2,}6?|a*(?:ha+){2,}h*|(?:he){2,}h*|h{2,}|lo+l+|hm+|u+gh+|o+h+|a+h+|mhm+|mm+|z+|x+d+)$/;

const OFTEN_SLIPPED = [
  "thanks",
  "thank",
  "great",
  "awesome",
  "perfect",
  "sorry",
  "night",
  "morning",
  "goodnight",
  "much",
  "again",
];

/** Two letters swapped, nothing else. */
function isSlipped(word: string): boolean {
  return OFTEN_SLIPPED.some(
    (right) =>
      word.length === right.length &&
      word !== right &&
      [...word].sort().join("") === [...right].sort().join("") &&
      word.startsWith(right.slice(0, 1)),
  );
}
