/**
 * Whether an input asks nothing: thanks, greetings, farewells, agreement,
 * laughter, fillers, in English and Chinese. Pure.
 *
 * It asks nothing when nothing is left of it without such words; a single word
 * of another kind ("ok, the dentist") makes it a question. So what is missed
 * here costs a search, and what asks is never taken for nothing.
 */
import { ASKS, kindOf, type Kind } from "./courtesy-kinds.js";
import { words } from "./courtesy-words.js";
import { foldText } from "./fold.js";
import { HAN_RUN, hanParts, isNameBehind } from "./han-courtesy.js";
import { withoutIndefinites, withoutRemarks } from "./remarks.js";

/** Asked out of politeness; the answer stands in no memory. */
const POLITE_QUESTION =
  /(?:\bhow(?:'s| is| are| r) (?:you|u|it going|things|life|your day)(?: (?:doing|today|going))?|\bwhat'?s up|\bsup|\bhow(?:'s| is) (?:it|life) hanging|\bhow (?:have|'?ve) (?:you|u) been(?: lately)?|\b(?:you|u) still (?:there|here|up|awake|around)|\byou (?:there|around|ok|okay)|\b(?:ok|okay|right|deal|really|seriously|sure)|(?:你|您)?(?:好吗|在吗|在不在)|还好吗|(?:你|您)?(?:最近|今天|近来)(?:过得|还)?(?:好吗|怎么样|如何|咋样)|吃了吗|真的(?:吗|假的)|是吗|对吧|好吗|行吗|可以吗)\s*[?？]+|\bare (?:you|u) (?:there|awake|around|up|a robot|a bot|human|real|an ai|sure|serious|kidding)\b[?\s]*|\bany(?:one|body) (?:there|here|home)\b[?\s]*|\bwho (?:made|built|created) (?:you|u)\b|\b(?:tell|sing|write|give) me (?:a|another) (?:joke|song|poem|hug)\b|你是(?:机器人|真人|人工智能|谁做的)吗?|(?:在|很)?忙吗|(?<!\p{Script=Han})(?:你|您)(?:最近|今天|近来)(?:过得|还)?(?:好吗|怎么样|如何|咋样)|(?<!\p{Script=Han})最近(?:还)?好吗|^\s*(?:好|是)的呢\s*$|(?:你|您)?(?:好吗|在吗|在不在)(?=\s*(?:$|[，,。.！!;]))/giu;

const LATIN = /(?:(?!\p{Script=Han})[\p{L}\p{N}])+(?:['-](?:(?!\p{Script=Han})\p{L})+)*/gu;

const SHORT_WORDS = 12;
const MOSTLY = 0.4;
/** Of so many words one may be of another kind. */
const PER_STRANGE = 4;
/** What is told after a greeting is why somebody writes. */
const OPENERS = words("hi hello hey heya hiya yo howdy greetings morning evening afternoon goodmorning");
const HAN_OPENER = /^\s*(?:早|你好|您好|嗨|哈喽|上午好|下午好|晚上好)/u;
/** More says more than courtesies. */
const READ_CHARS = 400;
const POINTS =
  /\b(?:one|ones|other|others|another|first|second|third|last|next|same(?! (?:here|to (?:you|u|ya))\b)|both|either|neither|else|more)\b|[这那它第另]/iu;

/** Words of a name, where thanks or a greeting goes to somebody. */
const MOST_NAMES = 1;

export function asksNothing(text: string): boolean {
  return withoutCourtesy(text) === "";
}

/**
 * What an input says beside its courtesies, as it is: all of it where it has
 * none, or asks; empty where nothing is left. "Thanks, the vet says hi" is about a vet.
 */
export function withoutCourtesy(text: string): string {
  if (text.length > READ_CHARS) return text;
  const folded = foldText(text).replace(/[’]/g, "'").replace(/\n+/g, "; ").replace(POLITE_QUESTION, " ");
  const asking = withoutIndefinites(folded);
  if (!/[\p{L}\p{N}]/u.test(folded)) return "";
  if ((/[?？]/.test(folded) && !isOfCourtesies(folded)) || ASKS.test(asking)) return text;
  const telling = withoutRemarks(asking);
  const { isCourteous: isHanCourteous, rest } = hanParts(telling);
  const said = telling.match(LATIN) ?? [];
  const kinds = said.map(kindOf);
  const isCourteous = isHanCourteous || kinds.includes("courteous");
  // One character alone is a sound, or the rest of a word that is known.
  const han = isCourteous && rest.join("").length <= 1 ? [] : rest;
  const strange = said.filter((word, at) => kinds[at] === "strange" && word.length > 1);
  const isGreeting =
    said.slice(0, 2).some((word) => OPENERS.has(word.toLowerCase())) || HAN_OPENER.test(folded);
  // "Ok, off to the gym now, talk later!" tells of a gym in passing.
  const isPassing =
    isCourteous && !isGreeting && han.length === 0 && strange.length <= said.length / PER_STRANGE;
  const isName = strange.length <= MOST_NAMES && strange.every(isNameIn(said, kinds));
  const isHanName = isHanCourteous && han.length === 1 && isNameBehind(folded, han[0] ?? "");
  if ((han.length === 0 || isHanName) && (strange.length === 0 || isPassing || (isCourteous && isName)))
    // "The other one" points at something, courteous or not.
    return isCourteous || !/[\p{L}\p{N}]/u.test(telling) || !POINTS.test(telling) ? "" : text;
  // What is no question is about its telling words, where there are so few that each counts.
  const isShort = said.length <= SHORT_WORDS && han.length === 0;
  const hanCharacters = (folded.match(HAN_RUN) ?? []).join("").length;
  // A courtesy in passing makes no courtesy of a story.
  const isStory = han.join("").length > hanCharacters * MOSTLY && hanCharacters > 0;
  return isCourteous && (!isStory || isShort) ? [...han, ...strange].join(" ") : text;
}

/** "Hello?", "really?", 真的？: nothing but courtesies, however it ends. */
function isOfCourtesies(folded: string): boolean {
  const { isCourteous, rest } = hanParts(folded);
  const kinds = (folded.match(LATIN) ?? []).map(kindOf);
  return (
    rest.length === 0 && (isCourteous || kinds.length > 0) && kinds.every((kind) => kind === "courteous")
  );
}

/** "Thanks Mo", "good night, Anna": one capitalised word behind a courteous one. */
function isNameIn(said: readonly string[], kinds: readonly Kind[]): (word: string) => boolean {
  return (word) => {
    const at = said.indexOf(word);
    return /^\p{Lu}/u.test(word) && at > 0 && kinds[at - 1] === "courteous" && said.length <= 12;
  };
}
