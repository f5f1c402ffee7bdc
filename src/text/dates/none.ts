/** What only looks like a time: titles, names, quotations, code, idioms. Pure. */
import { HARMLESS_HAN } from "../deictic-words.js";
import { ENGLISH_SAYINGS, HAN_SAYINGS } from "./sayings.js";

/** What is quoted is not said: code, links, titles, words between quotation marks; nor is an idiom. */
export function protectedRanges(text: string): [number, number][] {
  const code = /```[\s\S]*?(?:```|$)|`[^`\n]*`|\b[a-z][a-z0-9+.-]{0,20}:\/\/\S+/gi;
  return [...text.matchAll(code), ...KEPT.flatMap((kept) => [...text.matchAll(kept)])].map((match) => [
    match.index,
    match.index + match[0].length,
  ]);
}

const EN_TIME =
  "(?:the day after tomorrow|yesterday|tomorrow|today|tonight|last (?:night|week|year)|next (?:week|year)|this (?:week|year|morning))";
/** What may be called by any word. */
const CALLED =
  "song|movie|film|book|album|band|poem|track|novel|cover|chorus|lyrics|title|name|mug|t-?shirt|badge|tattoo|banner|filter|tab|menu|dropdown|folder|file|branch|variable|button|label|column|field|word";
const A_THING = `${CALLED}|shop|store|bar|caf[eé]|pub|magazine|paper|adverb|noun`;
const LANGUAGES =
  "Welsh|French|German|Spanish|Italian|Portuguese|Chinese|Mandarin|Cantonese|Japanese|Korean|Latin|Russian|Irish|Greek|Dutch|Swedish|Polish|Arabic|Hindi|English";
const HAN_TIME = "(?:[昨前今明后後][天日年]|大前天|[今明昨]晚|明早|[上下这本]个?[周月])";

const KEPT = [
  // Files, code, placeholders and tags.
  /[^\s，。、：；（）《》]{0,80}\.(?:xlsx?|docx?|pptx?|pdf|md|txt|csv|zip|png|jpe?g|mp[34]|mov|py|[jt]sx?|json|log|ya?ml|sql)\b/giu,
  /(?:\b(?:const|let|var|def|int|val|fn|func|function)\s+|[-_/.@$])(?:yesterday|tomorrow|today|tonight)\b|\b(?:yesterday|tomorrow|today|tonight)(?:[-_/@](?=\w)| ?= ?\w|\(\))|(?<!\S)--?\w[\w-]*[= ](?:yesterday|tomorrow|today|tonight)\b|\b(?:feature|feat|fix|hotfix|bugfix|release|chore)\/[\p{Script=Han}\w-]+/giu,
  /\[[^[\]\n]{1,40}\](?!\()|#(?!\d)[^\s#，。！？；：、,.]+#?/gu,
  // Lines that are quoted, and lines of a log.
  /^[ \t]{0,8}>.*$|^\[?\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}.*$/gmu,
  /\b(?:called|named|file|recording) [^,;\n]{1,60}\.(?:xlsx?|docx?|pptx?|pdf|md|txt|csv|zip|png|jpe?g|mp[34]|mov)\b/giu,
  // Marks of a title or of somebody's words.
  /《[^《》\n]*》|〈[^〈〉\n]*〉|「[^「」\n]*」|『[^『』\n]*』|“[^“”\n]*”|"[^"\n]*"|‘[^’\n]{1,80}’(?!\p{L})|«[^«»\n]*»|„[^„“”\n]*[“”]|(?<![\p{L}\p{N}])['‘](?:[^'’\n]|['’](?=\p{L})){3,80}['’](?![\p{L}\p{N}])/gu,
  // The words themselves.
  new RegExp(
    `\\b(?:(?:${CALLED}) (?:named |called |titled |says |reads? )${EN_TIME}|(?:the word|(?:chorus|lyrics|cover) of|(?:is|was|it['’]s|are) called|named|titled|spell(?:ed|s)?|pronounced?|mime|rhymes? with) ${EN_TIME}|type ${EN_TIME} (?=in)|${EN_TIME} (?:is )?(?:spelled|spelt|pronounced)|what(?:'s| is) ${EN_TIME} in (?:${LANGUAGES})|${EN_TIME} in (?:${LANGUAGES}) (?:is|means)|${EN_TIME} (?:is|was) an? ["“']?(?:\\w+["”']? )?(?:${A_THING})(?! (?:launch|release|club|tour|fair|signing|party|opening|exam|day)))\\b`,
    "giu",
  ),
  new RegExp(
    `(?:[那这一]首|题为|叫做?|名字(?:就)?叫\\p{Script=Han}{1,2}|名叫|名为|名字是|取名|起名|外号|改名|(?:店名|群名|网名|签名|剧名|片名|密码|口头禅|公众号|综艺|节目|专栏|栏目|歌单)(?:是|叫)|简称|[唱弹](?:了|着|过)?)${HAN_TIME}\\p{Script=Han}{0,4}|${HAN_TIME}是(?:我最爱的|一)?[部首本份]?(?:\\p{Script=Han}{0,3})?(?:歌|电影|小说|诗刊|杂志|片|剧)(?=[，。！]|$)`,
    "gu",
  ),
  // Who speaks, or what is played: written large where a sentence begins, and with what no day does behind it.
  /(?<![\p{L}\p{N}] ?)(?:Tomorrow|Yesterday|Today|Tonight) (?:(?:says|said|rang|told|thinks|texted|plays|came on|comes on|still makes|makes me|reminds me|on (?:repeat|loop|shuffle|vinyl|the radio))\b|(?:is|was) (?:my|his|her|our|their|the|an?) [^.!?\n]{0,40}\b(?:song|film|movie|novel|album|track|poem)\b)/gu,
  // What a board or a button says, and which thing of that name is meant.
  /\b(?:button|sign|label|banner|pop-?up|toast|placeholder|tooltip|caption|sticker|poster|t-?shirt|mug|tattoo|doormat) (?:that |which )?(?:reads?|says?|said|reading|saying):? [^.!?\n,;]{1,60}/giu,
  new RegExp(
    `\\b(?:seen|watch(?:ed|ing)?|rewatch(?:ed|ing)?|read|reading|heard|played) ${EN_TIME}, (?:the|that) (?:song|movie|film|book|album|band|novel|one (?:with|by|where))\\b`,
    "giu",
  ),
  // Parts of a screen.
  /\bthe (?:today|yesterday|tomorrow|tonight|(?:this|next|last) (?:week|month|year)) (?:view|tab|column|section|list|widget|button|filter|screen|panel|folder|branch|field|tile|label|flag)\b|(?:今天|明天|昨天|[本上下]周|[本上下]月)(?:视图|标签|按钮|栏|选项|文件夹|分支|字段)/gu,
  new RegExp(`\\b(?:${ENGLISH_SAYINGS.join("|")})\\b`, "gi"),
  new RegExp([...HARMLESS_HAN, ...HAN_SAYINGS].join("|"), "gu"),
];

/** Where words are spoken of, none of them says when. */
const OF_WORDS =
  /单词|單詞|造句|怎么[念读写]|倒过来念|认成|正则|枚举|表头|占位符|[英日法德韩俄粤][语文]里?[^，。]{0,8}怎么说|\bdeictic\b|\bin charades\b/u;

export function isOfWords(text: string): boolean {
  return OF_WORDS.test(text);
}

/** "USA Today", "The Tonight Show", "Tomorrow Never Dies": written large, where a time is not. */
export function isTitle(text: string, from: number, to: number): boolean {
  const phrase = text.slice(from, to);
  // "in 80 Days": the words of a title are large, whatever it begins with.
  if (INNER_CAPITAL.test(phrase) && phrase !== phrase.toUpperCase()) return true;
  // Those are always written large.
  if (!/^\p{Lu}/u.test(phrase) || CALENDAR.test(phrase)) return false;
  const before = text.slice(Math.max(0, from - BEFORE_CHARS), from);
  const last = before.trimEnd().slice(-1);
  const opens = last === "" ? from < BEFORE_CHARS : '.!?:;。！？：；"“(—–-'.includes(last);
  const goesOn = GOES_ON.test(text.slice(to, to + 2 * BEFORE_CHARS));
  return goesOn || (!opens && !/^(?:On|In)\b/.test(phrase)) || (!opens && /\b\p{Lu}\w* $/u.test(before));
}

/** Of a title more than one word is large; one is a name: "Yesterday Maria called". */
const GOES_ON =
  /^ (?!I\b)\p{Lu}\p{Ll}+ (?:(?:to|of|the) )?\p{Lu}|^ (?:Show|FM|News|Street|People|Night|Never|Once|Morning|World|Programme|Magazine|Radio|Tonight|Today|Tomorrow)\b|^ by (?:the )?\p{Lu}/u;
const INNER_CAPITAL =
  / (?!(?:(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)(?:\p{Ll}*day|s|rs)?\b|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))\p{Lu}/u;
const CALENDAR =
  /^(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day|^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)/;
const BEFORE_CHARS = 20;
