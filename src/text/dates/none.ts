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
const HAN_TIME = "(?:[昨前今明后後][天日年]|大前天|[今明昨]晚|明早|[上下这本]个?[周月])";

const KEPT = [
  // Files, code, placeholders and tags.
  /[^\s，。、：；（）《》]{0,80}\.(?:xlsx?|docx?|pptx?|pdf|md|txt|csv|zip|png|jpe?g|mp[34]|mov|py|[jt]sx?|json|log|ya?ml|sql)\b/giu,
  /(?:\b(?:const|let|var|def|int|val|fn|func|function)\s+|[-_/.@$])(?:yesterday|tomorrow|today|tonight)\b|\b(?:yesterday|tomorrow|today|tonight)(?:[-_/@](?=\w)| ?= ?\w|\(\))|[\w-]\/\p{Script=Han}+/giu,
  /\[[^[\]\n]{1,40}\](?!\()|#[^\s#]+#?/gu,
  /\b(?:called|named|file|recording) [^,;\n]{1,60}\.(?:xlsx?|docx?|pptx?|pdf|md|txt|csv|zip|png|jpe?g|mp[34]|mov)\b/giu,
  // Lines that are quoted, and lines of a log.
  /^[ \t]{0,8}>.*$|^\[?\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}.*$/gmu,
  // Marks of a title or of somebody's words.
  /《[^《》\n]*》|〈[^〈〉\n]*〉|「[^「」\n]*」|『[^『』\n]*』|“[^“”\n]*”|"[^"\n]*"|‘[^’\n]{1,80}’(?!\p{L})|«[^«»\n]*»|„[^„“”\n]*[“”]|(?<![\p{L}\p{N}])['‘](?:[^'’\n]|['’](?=\p{L})){3,80}['’](?![\p{L}\p{N}])/gu,
  // The words themselves.
  new RegExp(
    `\\b(?:(?:${CALLED}) (?:of |is |was |named |called |says |reads? |about )?${EN_TIME}|(?:called|sang|named|spell(?:ed|s)?|pronounced?|mime|rhymes? with) ${EN_TIME}|type ${EN_TIME} (?=in)|${EN_TIME} (?:is )?(?:spelled|spelt|pronounced)|${EN_TIME} in \\p{Lu}\\p{L}+ (?:is|means)|what(?:'s| is) ${EN_TIME} in \\p{L}+|${EN_TIME} (?:is|was) an? ["“']?(?:\\w+["”']? )?(?:${A_THING}))\\b`,
    "giu",
  ),
  new RegExp(
    `(?:电影|歌曲?|[那这一]首|题为|小说|叫做?|叫\\p{Script=Han}{1,2}|名叫|名为|名字是|取名|起名|外号|改名|(?:店名|群名|网名|签名|剧名|片名|密码|口头禅|公众号|综艺|节目|专栏|栏目|歌单)(?:是|叫|里的?)?|简称|(?:爱|在|想|会|又|点了|合)?[唱弹](?:了|着|过)?|看(?:了|过)?(?=后天(?:[，。]|$)))${HAN_TIME}\\p{Script=Han}{0,4}|${HAN_TIME}是(?:我最爱的|一)?[部首本份]?(?:\\p{Script=Han}{0,3})?(?:歌|电影|小说|诗刊|杂志|片|剧)(?=[，。！]|$)`,
    "gu",
  ),
  // Who speaks, or what is played: written large where a sentence begins, and with what no day does behind it.
  new RegExp(
    `(?<![\\p{L}\\p{N}] ?)(?:Tomorrow|Yesterday|Today|Tonight) (?:(?:says|said|rang|told|wants|asked|thinks|texted|plays|won|by|came on|comes on|still makes|always|makes me|reminds me|starts with|opens with|on (?:repeat|loop|shuffle|vinyl|the radio))\\b|from (?:the )?\\p{Lu}|(?:is|was) (?:my|his|her|our|their|the|an?) [^.!?\\n]{0,40}\\b(?:${A_THING})\\b)`,
    "gu",
  ),
  // Parts of a screen.
  /\bthe (?:today|yesterday|tomorrow|tonight|(?:this|next|last) (?:week|month|year)) (?:view|tab|column|section|list|widget|page|button|filter|screen|panel|folder|file|branch|field|card|tile|label|flag)\b|(?:今天|明天|昨天|[本上下]周|[本上下]月)(?:视图|标签|列表|按钮|栏|列|页|选项|文件夹|分支|字段)/gu,
  new RegExp(`\\b(?:${ENGLISH_SAYINGS.join("|")})\\b`, "gi"),
  new RegExp([...HARMLESS_HAN, ...HAN_SAYINGS].join("|"), "gu"),
];

/** Where words are spoken of, none of them says when. */
const OF_WORDS =
  /单词|單詞|造句|[这那]个[词字]|怎么[念读写]|倒过来念|认成|正则|枚举|表头|占位符|变量|列名|话题|按钮|文案|弹窗|标题|提示语|口号|\bdeictic\b|\bin charades\b|\bcrossword\b/u;

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
  const goesOn = /^ (?!I\b)\p{Lu}\p{Ll}|^ by (?:the )?\p{Lu}/u.test(text.slice(to, to + BEFORE_CHARS));
  return goesOn || (!opens && !/^(?:On|In)\b/.test(phrase)) || (!opens && /\b\p{Lu}\w* $/u.test(before));
}

const INNER_CAPITAL =
  / (?!(?:(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)(?:\p{Ll}*day|s|rs)?\b|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))\p{Lu}/u;
const CALENDAR =
  /^(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day|^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)/;
const BEFORE_CHARS = 20;
