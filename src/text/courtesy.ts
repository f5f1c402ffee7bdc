/**
 * Whether an input asks nothing: thanks, greetings, farewells, agreement,
 * laughter, fillers, in English and Chinese. Pure.
 *
 * Words of questions that ask nothing where they stand are no questions. It asks nothing
 * when nothing is left of it without such words; a single word
 * of another kind ("ok, the dentist") makes it a question. So what is missed
 * here costs a search, and what asks is never taken for nothing.
 */
import {
  BESIDE,
  COURTEOUS,
  GOING_ON,
  HAN_BESIDE,
  HAN_COURTEOUS,
  HAN_GOING_ON,
  words,
} from "./courtesy-words.js";
import { foldText } from "./fold.js";
import { SMALL_TALK, STOP_WORDS } from "./terms.js";

/** A request or a question, whatever its courtesies. */
const ASKS =
  /\b(?:what(?! (?:a|an|i|we|you)\b)|who|whose|when|where|which|why|remind|remember|tell|show|find|book|order|list|check (?:my|the|if)|look up)\b|\bhow (?:many|much|long|old|far|do|did|does|to|is|was)\b|什么|啥|谁|哪|几(?!乎)|多[少久长大]|怎么|为什么|吗|呢\s*$|来着|提醒|告诉|查一?下|找一?下|记得|顺便|老样子|(?:^|[.,!;–—]\s*)(?:(?:oh|and|but|so|wait)[ ,]+)*(?:is|are|was|were|did|do|does|has|have|can|could|will|would|should) (?:the|my|our|i|we|he|she|they|there|anyone|anybody)\b/iu;

type Kind = "courteous" | "beside" | "strange";

/** Verbs of asking are small talk that asks. */
const TALK = new Set([...STOP_WORDS, ...SMALL_TALK].filter((word) => !ASKS.test(word)));

function kindOf(written: string): Kind {
  // "heyyy" is hey, "sooo" so.
  const word = written.toLowerCase();
  const forms = [word, word.replaceAll("'", ""), word.replace(/(.)\1{2,}/g, "$1"), withoutDrawl(word)];
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

/** Courtesies in Chinese, which has no blanks between its words. Pure. */
const HAN_RUN = /\p{Script=Han}+/gu;
const LONGEST_HAN = 6;

interface HanParts {
  isCourteous: boolean;
  /** Runs of characters that are neither. */
  rest: string[];
}

/** Chinese has no blanks: the longest word that is known is taken, then what follows it. */
function hanParts(text: string): HanParts {
  const rest: string[] = [];
  let isCourteous = false;
  for (const [run] of text.matchAll(HAN_RUN)) {
    let strange = "";
    const close = (): void => {
      if (strange !== "") rest.push(strange);
      strange = "";
    };
    for (let at = 0; at < run.length;) {
      const word = longestAt(run, at);
      if (word === "") strange += run[at++];
      else {
        close();
        isCourteous ||= HAN_COURTEOUS.has(word);
        at += word.length;
      }
    }
    close();
  }
  return { isCourteous, rest };
}

function longestAt(run: string, at: number): string {
  for (let length = LONGEST_HAN; length > 0; length--) {
    const word = run.slice(at, at + length);
    if (HAN_COURTEOUS.has(word) || HAN_BESIDE.has(word) || HAN_GOING_ON.has(word)) return word;
  }
  return "";
}

/** 晚安小满, 小满早: written together with a courtesy. */
function isNameBehind(text: string, name: string): boolean {
  const at = text.indexOf(name);
  const beside = at === 0 ? text.charAt(name.length) : text.charAt(at - 1);
  return [...name].length <= 3 && /\p{Script=Han}/u.test(beside);
}

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

/** 什么都不想干, 没什么, 天哪, 多少有点; "whatever happens", "no matter what", "sure, why not". */
const INDEFINITE =
  /天哪|哪里哪里|谁知道呢?|(?:什么|啥|谁|哪儿?|哪里|哪个|怎么|怎样)(?:[^，,。！？!?]{0,4})?[都也]|(?:没|不是|不算)(?:有)?(?:什么|啥|多少)|不怎么|什么的|多少(?:有点|有些|还是)|怎么办|\b(?:what|who|where|which|when|how)ever\b|\bno matter (?:what|who|where|which|when|how)\b|\b(?:sure|ok|okay|yeah|yes|eh|well),? why not\b|\bwait,? what\b(?=\W*$)/giu;

/** The text with a blank in the place of each. */
export function withoutIndefinites(text: string): string {
  return text.replace(INDEFINITE, " ");
}

/** What may follow the end of a clause. */
const END = String.raw`(?=\s*(?:$|[.,!;…，。！；～~]))`;
const NOW = String.raw`(?=\s*(?:$|[.,!;…]|(?:right now|now|today|tonight|again|please|pls|later|up|out|off|down|tbh|lol)\b))`;

const REMARKS = [
  // So proud, a bit more formal, what a mess, can't believe it, in English.
  String.raw`\b(?:so|too|very|really|super|pretty|quite|kinda|kind of|a (?:bit|little)|more|less)\s+(?:more |less )?\p{L}+${NOW}`,
  String.raw`\bwhat an? (?:\p{L}+ )?\p{L}+${END}`,
  String.raw`\b\p{L}+ (?:it|this|that)${NOW}`,
  String.raw`\b(?:in|into|to) (?:plain |simple )?(?:english|chinese|mandarin|french|german|spanish|japanese|korean)\b`,
  String.raw`^\W*(?:next|more|again|and)\W*$`,
  // 气死我了, 太贵了, 心情很差, 简短一点, 先躺会儿, 别闹了, 用中文说.
  String.raw`\p{Script=Han}死(?:我|人|个人|了|啦)+`,
  String.raw`(?:太|好|真的?|最)\p{Script=Han}{1,2}?(?:了|啊|呀|哦|的|哈|吧)+${END}`,
  String.raw`(?:很|超级|特别|非常|有点儿?|挺|蛮)\p{Script=Han}{1,2}?(?:了|啊|呀|哦|的|哈|吧)*${END}`,
  String.raw`(?<=^|[\s.,!;…，。！；～~])(?:再|更|稍微|写得?|说得?|讲得?)?\p{Script=Han}{1,2}?(?:一下|一点儿?|点儿|一些)吧?${END}`,
  String.raw`先?(?:去|再)?\p{Script=Han}{1,2}?(?:一会儿?|会儿)${END}`,
  String.raw`别\p{Script=Han}{1,2}?(?:了|啦|我)+${END}`,
  String.raw`用(?:中文|英文|英语|汉语)(?:再?(?:说|写|讲|回答|回复)(?:一遍|一次)?)?吧?${END}`,
].map((pattern) => new RegExp(pattern, "giu"));

/** The same for these. For inputs of some hundred characters. */
function withoutRemarks(text: string): string {
  return REMARKS.reduce((left, pattern) => left.replace(pattern, " "), text);
}

/** heyyyy, 好好好: the last letter once. */
function withoutDrawl(word: string): string {
  let end = word.length;
  while (end > 1 && word.charAt(end - 1) === word.charAt(end - 2)) end--;
  return word.slice(0, end);
}
