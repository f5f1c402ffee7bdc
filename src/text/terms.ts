/**
 * A text as the terms it is found by.
 *
 * Pure and the same for passages and questions. English words are stemmed (Porter,
 * after a table of irregular forms; Russian endings lightly), stop words out; Han text becomes single characters and pairs, because whole
 * clauses find 3% where these find 64%. A word and a pair of characters never
 * look alike, so one list holds both. Repeats stay: they are the frequency.
 */
import { stemmer } from "stemmer";
import { foldText, foldWord, own, withoutUnderscores } from "./fold.js";

/**
 * Words that say nothing about what a text is about.
 *
 * Two strengths: for search, where a dropped word can never be found again,
 * only true function words; for keywords also the small change of conversation.
 */
const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter((word) => word !== ""));

/** Folded, without apostrophes. `may` is a month, `us` a country: both stay in. */
export const STOP_WORDS = words(`
a about above after again against all also am an and any are aren as at be because been before being below between both but by
can cannot could couldn did didn do does doesn doing don down during each either else ever every few for from further had hadn
has hasn have haven having he hence her here hers herself him himself his how however i if in into is isn it its itself just
let ll me might mightn more most much must mustn my myself needn neither no nor not now of off on once only onto or other ought
our ours ourselves out over own per quite rather re same shall shan she should shouldn so some such than that the their theirs
them themselves then there these they this those though through thus to too under until up upon ve very was wasn we were weren
what whatever when where whether which while who whom whose why will with within without won would wouldn yet you your yours
yourself yourselves wo ca sha ain im ive youre dont doesnt didnt isnt wasnt cant wont thats whats s t d m`);

/** Common in talk, empty as a keyword. */
export const SMALL_TALK = words(`
able actually ago almost already alright always amazing anyone anything anyway around ask asked away awesome back bad bit bye
came come coming cool course day days definitely done else enough even everyone everything exactly far feel feeling felt find
fine first found fun gave get gets getting give glad go goes going gonna good got gotta great guess guy guys ha haha happen
happened happy hard hear heard hello help hey hi hope hmm idea keep kind knew know known last lately later least less like liked
likely little ll long look looking looks lot lots love made make makes making many may maybe mean means need needs never new
next nice nope nothing ok okay old one ones oh people please pretty probably put quick quickly real really recently remember
right said sat saw say saying says see seem seems seen set short show since something sometimes soon sorry sounds start
started still stuff super sure take taken takes taking talk talking tell thank thanks thing things think thinking thought time
times today told tomorrow tonight took totally tried try trying two u use used using usually want wanted wants way week well
went whole wonder wonderful work worked works wow yeah year years yep yes yesterday yet
a1 http https www com org html`);

/** What questions about a conversation are made of, whatever they ask for. */
export const QUESTION_WORDS = words(`
according aspect aspects ask asked asking brought comprehensive conversation conversations describe described detail details
different discuss discussed discussion discussions example examples explain explained happen happened kind kinds list listed
main mention mentioned name named names order overall provide provided recall remind said say share shared sort sorts specific
specifically summarize summary talk talked tell throughout told topic topics type types various`);

/**
 * Han characters that carry grammar. Dropped alone and in every pair that
 * holds one, which is worth more on Chinese than any other single measure
 * (ranking notes). Kept short: a character that also makes content words by
 * itself (上 in 上海, 会 in 开会, 和 in 和平) stays in.
 */
export const FUNCTION_CHARACTERS: ReadonlySet<string> = new Set(
  "的了是在我你您他她它们这那就也都吗呢吧啊呀哦嗯嘛啦哇么什很还把被给跟与及或而但因为所如则之其于从让着过得地个些没谁哪怎几吗咱俺另且并又才却只再",
);

/** Whole words of that sort, cut out before characters and pairs are taken. */
const FUNCTION_WORDS = words(`
知道 觉得 可以 可能 能够 应该 自己 已经 现在 时候 一个 一些 一下 一点 一样 一直 有点 非常`);

/** Segmented words, simplified. */
export const CHINESE_STOP_WORDS = words(`
我们 你们 他们 她们 它们 咱们 大家 自己 别人 人家 这个 那个 这些 那些 这里 那里 这样 那样 这么 那么 什么 怎么 怎样 为什么 哪里 哪个
哪些 多少 几个 一个 一些 一下 一点 一样 一直 一起 一定 一种 一次 有点 有些 有的 没有 不是 不会 不能 不要 不用 不过 不错 但是 可是 只是
还是 或者 因为 所以 如果 虽然 然后 而且 并且 于是 就是 也是 都是 已经 正在 刚才 刚刚 现在 今天 明天 昨天 后天 前天 时候 之前 之后 以前
以后 目前 最近 可以 可能 应该 需要 必须 能够 觉得 感觉 认为 知道 想要 喜欢 希望 记得 比较 非常 特别 真的 其实 当然 确实 可以的 好的 好吧
好啊 是的 是吗 对的 谢谢 感谢 不客气 你好 您好 哈哈 哈哈哈 嗯嗯 呵呵 再见 请问 麻烦 东西 事情 问题 方面 情况 关于 对于 通过 进行 开始
其中 其他 另外 以及 等等 只有 只要 还有 的话 告诉 帮忙 帮我 看看 说说 想想 试试 起来 出来 下来 过来 回来 上去 下去 太好了 很多 许多`);

/**
 * What Chinese questions and their tellings are made of, whatever they are
 * about. Counted less, and not dropped: 第一次 may be all that tells two days apart.
 */
export const CHINESE_SMALL_TALK = words(`
第一次 第二次 第一 一次 上次 这次 那次 每次 下次 几次 那回 这回 上回 一回 回事 怎么回事 当初 当时 那时 那会儿 那天 那阵子 后来 最后 最早 最近 最终 近来 之前 以前 之后 以后
先后 前后 前前后后 来龙去脉 从头到尾 一开始 最开始 开始 原来 原本 本来 终于 总共 一共 到底 究竟 目前 刚才 刚刚 今天 昨天 明天 平时 有时候 怎么样 怎样 如何 什么样 哪些 哪个 多少 几个
多久 多长 什么时候 为什么 为何 有没有 是不是 能不能 要不要 会不会 好了没 记得 还记得 记不记得 记不清 忘了 来着 说过 提过 聊过 讲过 提到 告诉 说一遍 再说 说说 讲讲 聊聊 总结 梳理 看看
问问 帮我 帮忙 想想 情况 结果 经过 过程 事情 这件事 那件事 件事 东西 地方 方面 关于 有关 如果 除了 以及 另外 其实 需要 我们 他们 她们 大家 别人 里面 那边 这边 那里 这里 那种 这种 这样 那样
喜欢 打算 准备 决定 发生 出现 好像 感觉 认为 希望 有点 挺 特别 比较 真的 还是 或者 不是 不会 没有 不要 不用 一起 一定 一种 起来 出来 下来 过来 回来`);

/** Longer runs of letters are hashes and payloads: only their beginning counts. */
const LONGEST_WORD = 64;

const UNSPACED =
  "\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const LETTER = `(?:(?![\\p{Script=Han}${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])`;
/** Han run | run of another script without spaces | number | word. */
const TOKEN = new RegExp(
  `(\\p{Script=Han}+)|([${UNSPACED}]+)|((?<!\\d)\\d+(?:(?:[.,]\\d+)+|(?!${LETTER})))|(${LETTER}+(?:'${LETTER}+)*(?:\\+\\+|#(?!\\w))?)`,
  "gu",
);

/** The same for plain ASCII, several times faster. */
const ASCII_TOKEN =
  /((?<!\d)\d+(?:(?:[.,]\d+)+|(?![A-Za-z0-9_])))|([A-Za-z0-9_]+(?:'[A-Za-z]+)*(?:\+\+|#(?!\w))?)/g;
const ASCII_ONLY = /^[\x00-\x7f]*$/;

export function termsOf(text: string): string[] {
  const terms: string[] = [];
  if (ASCII_ONLY.test(text)) {
    for (const [, number, word] of text.matchAll(ASCII_TOKEN)) {
      if (number !== undefined) terms.push(plainNumber(number));
      else if (word !== undefined) addWord(word, terms);
    }
    return terms;
  }
  for (const [, han, unspaced, number, word] of foldText(text).matchAll(TOKEN)) {
    if (han !== undefined) for (const part of han.split(FUNCTION_WORD)) addHan(part, terms);
    else if (unspaced !== undefined) addPairs(unspaced, terms);
    else if (number !== undefined) terms.push(plainNumber(number));
    else if (word !== undefined) addWord(word, terms);
  }
  return terms;
}

const FUNCTION_WORD = new RegExp([...FUNCTION_WORDS].join("|"), "u");

function addHan(run: string, terms: string[]): void {
  let previous: string | undefined;
  for (const char of run) {
    const telling = FUNCTION_CHARACTERS.has(char) ? undefined : char;
    if (telling !== undefined) {
      terms.push(telling);
      if (previous !== undefined) terms.push(previous + telling);
    }
    previous = telling;
  }
}

const HIRAGANA_ALONE = /^\p{Script=Hiragana}$/u;

/** Kana, hangul, Thai: pairs; a run of one character stands for itself unless it is a Japanese particle. */
function addPairs(run: string, terms: string[]): void {
  const chars = [...run.toLowerCase()];
  if (chars.length === 1 && !HIRAGANA_ALONE.test(run)) terms.push(run);
  for (let at = 1; at < chars.length; at++) terms.push(`${chars[at - 1]}${chars[at]}`);
}

/** `1,200` is 1200, `03` is 3, `3,5` is 3.5. */
function plainNumber(number: string): string {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(number)) return number.replaceAll(",", "");
  // A comma ends a word in the index.
  if (number.includes(",")) return number.replaceAll(",", ".");
  return number.length === 2 ? number.replace(/^0(?=\d)/, "") : number;
}

const MAY_HAVE_PARTS = /[_\p{N}]|\p{Ll}\p{Lu}/u;

function addWord(raw: string, terms: string[]): void {
  const written = withoutClitics(raw).slice(0, LONGEST_WORD);
  const word = foldWord(written);
  const ordinal = /^(\d+)(?:st|nd|rd|th)$/.exec(word);
  if (ordinal !== null) {
    terms.push(plainNumber(ordinal[1] ?? word));
    return;
  }
  const parts = MAY_HAVE_PARTS.test(written) && raw.length <= LONGEST_WORD ? partsOf(written) : [];
  if (parts.length > 1) {
    terms.push(withoutUnderscores(word));
    for (const part of parts) addSimple(foldWord(part), terms);
  } else {
    addSimple(foldWord(parts[0] ?? word), terms);
  }
}

function addSimple(word: string, terms: string[]): void {
  if (word === "" || STOP_WORDS.has(word)) return;
  terms.push(/^\d+$/.test(word) ? plainNumber(word) : stem(word));
}

/** What an apostrophe joins on: `Anna's`, `they're`, `don't`, `l'eau`; `O'Brien` is one word. */
function withoutClitics(word: string): string {
  if (!word.includes("'")) return word;
  return word
    .replace(/(?:'s|n't|'(?:re|ve|ll|d|m))$/i, "")
    .replace(/^(?:qu|[cdjlmnst])'(?=\p{L}{2})/iu, "")
    .replaceAll("'", "");
}

/**
 * The words inside an identifier: snake_case, camelCase, letters next to
 * digits. Names of two humps (GitHub, JavaScript) are names and stay whole.
 */
function partsOf(word: string): string[] {
  const byUnderscore = word.split("_").filter((part) => part !== "");
  return byUnderscore.flatMap((part) => {
    const humps = part.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u);
    const split = humps.length > 2 || (humps.length === 2 && /^\p{Ll}/u.test(part)) ? humps : [part];
    return split.flatMap((hump) => hump.split(/(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/u));
  });
}

/** One word of a table as the terms it is indexed by. Pure. */
const HAN = /\p{Script=Han}/u;

/** Of English its stem; of Chinese the pairs of its characters, or the one character it has: 新书 is 新书, 猫 is 猫. */
export function wordTerms(word: string): string[] {
  return HAN.test(word) ? hanTerms(foldText(word)) : [stem(word)];
}

/** The same of a Chinese word that is folded. */
export function hanTerms(word: string): string[] {
  const terms = termsOf(word);
  const pairs = terms.filter((term) => [...term].length === 2);
  return pairs.length > 0 ? pairs : terms;
}

/** Stems kept; conversations rarely have more words than that. */
const REMEMBERED = 50_000;
const remembered = new Map<string, string>();

/** `word` folded and in lower case. */
export function stem(word: string): string {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  // A piece of a long text would keep all of it.
  const kept = own(word);
  const found = stemAfresh(kept);
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(kept, found);
  return found;
}

const ENGLISH = /^[a-z]+$/;
const CYRILLIC = /^\p{Script=Cyrillic}+$/u;
/** Case and gender endings, the longest first; at least three letters stay. */
const RUSSIAN_ENDING =
  /(?<=.{3})(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|ать|ить|еть|ала|ила|али|или|ах|ях|ов|ев|ой|ей|ый|ий|ая|яя|ое|ее|ом|ем|ам|ям|ую|юю|ал|ил|ы|и|а|я|о|е|у|ю|ь|й)$/u;

function stemAfresh(word: string): string {
  // Porter leaves "deployment" at "deploy" and makes "deploi" of "deploys": one spelling for both.
  if (ENGLISH.test(word)) return stemmer(IRREGULAR.get(word) ?? word).replace(/(?<=..)y$/, "i");
  if (CYRILLIC.test(word)) return word.replace(RUSSIAN_ENDING, "");
  return word;
}

/** `base: forms` of common verbs, nouns and adjectives that Porter cannot reach. */
const IRREGULAR_FORMS = `
arise:arose arisen|awake:awoke awoken|bear:bore borne|beat:beaten|become:became|begin:began begun|bend:bent|bite:bitten|
blow:blew blown|break:broke broken|bring:brought|build:built|burn:burnt|buy:bought|catch:caught|choose:chose chosen|
come:came|creep:crept|deal:dealt|dig:dug|draw:drew drawn|dream:dreamt|drink:drank drunk|drive:drove driven|eat:ate eaten|
fall:fell fallen|feed:fed|feel:felt|fight:fought|find:found|fly:flew flown|forbid:forbade forbidden|
forget:forgot forgotten|forgive:forgave forgiven|freeze:froze frozen|get:got gotten|give:gave given|go:goes went gone|
grow:grew grown|hang:hung|hear:heard|hide:hid hidden|hold:held|keep:kept|kneel:knelt|know:knew known|lay:laid|lead:led|
lean:leant|learn:learnt|leave:left|lend:lent|lie:lain|light:lit|lose:lost|make:made|mean:meant|meet:met|pay:paid|
plead:pled|prove:proven|ride:rode ridden|ring:rang rung|rise:risen|run:ran|say:said|see:saw seen|seek:sought|
sell:sold|send:sent|sew:sewn|shake:shook shaken|shine:shone|shoot:shot|show:shown|shrink:shrank shrunk|sing:sang sung|
sink:sank sunk|sit:sat|sleep:slept|slide:slid|speak:spoke spoken|speed:sped|spell:spelt|spend:spent|spill:spilt|
spin:spun|spring:sprang sprung|stand:stood|steal:stole stolen|stick:stuck|sting:stung|strike:struck|strive:strove|
swear:swore sworn|sweep:swept|swell:swollen|swim:swam swum|swing:swung|take:took taken|teach:taught|tear:tore torn|
tell:told|think:thought|throw:threw thrown|understand:understood|wake:woke woken|wear:wore worn|weave:wove woven|
weep:wept|win:won|write:wrote written|withdraw:withdrew withdrawn|
person:people|man:men|woman:women|foot:feet|tooth:teeth|goose:geese|mouse:mice|wife:wives|
knife:knives|shelf:shelves|half:halves|wolf:wolves|loaf:loaves|thief:thieves|analysis:analyses|
crisis:crises|criterion:criteria|datum:data|index:indices|matrix:matrices|far:farther|memory:memories|
die:dying|tie:tying|lie:lying`;

/** `word: the same word, shorter or as it is spelled elsewhere`. */
const SHORT_FORMS = `
child:children kid kids|mother:mom moms mum mums mommy mummy|father:dad dads daddy|grandmother:grandma grandmas granny|
grandfather:grandpa grandpas|photo:photos photograph photographs pic pics|bicycle:bike bikes|television:tv tvs|
refrigerator:fridge fridges|telephone:phone phones|mathematics:math maths|vegetable:veggie veggies|laboratory:lab labs|
airplane:plane planes aeroplane aeroplanes|advertisement:ad ads advert adverts|information:info|favorite:favourite favourites fave|
color:colour colours|center:centre centres|theater:theatre theatres|neighbor:neighbour neighbours|flavor:flavour flavours|
traveler:traveller travellers|jewelry:jewellery|gray:grey|pajamas:pyjamas|okay:ok`;

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  `${IRREGULAR_FORMS}|${SHORT_FORMS}`.split("|").flatMap((entry) => {
    const [base = "", forms = ""] = entry.trim().split(":");
    return forms.split(" ").map((form): [string, string] => [form, base]);
  }),
);
