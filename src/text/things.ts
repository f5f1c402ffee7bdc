/**
 * Which words of a text are things, people and places, and no deeds or qualities: read off how they stand in
 * it, behind "the", "my", "of" or 一个, not behind "to", "very" or 正在.
 *
 * Pure; English and Chinese. No dictionary: a word that stands nowhere in a sentence is believed.
 */
import { tally } from "../model/collections.js";
import { keywordsOf } from "./keywords.js";
import { CHINESE_SMALL_TALK, CHINESE_STOP_WORDS, SMALL_TALK, STOP_WORDS } from "./terms.js";

const KEYWORDS_TRIED = 60;
const HAN = /\p{Script=Han}/u;

/** What a text is about, most telling first, as it would be called: "dance studio". */
export function thingsIn(text: string, most: number): string[] {
  const sentences = text.split(/\n|(?<=[.!?。！？])/u).filter((sentence) => sentence.trim() !== "");
  const lines = sentences.map((sentence) => ({ text: sentence }));
  const words = keywordsOf(text, KEYWORDS_TRIED).filter((word) => isThing(word, sentences));
  const called: string[] = [];
  for (const word of words) {
    if (called.length >= most) break;
    const name = spelled(
      word,
      lines.filter((line) => line.text.toLowerCase().includes(word.toLowerCase())),
    );
    if (!called.some((other) => other.toLowerCase().includes(word.toLowerCase()))) called.push(name);
  }
  return called;
}

const NO_TOPIC = new Set(
  `
  people person man woman men women guy guys girl boy thing things way ways time times day days night week weeks
  weekend month months year years hour hours minute minutes second seconds gb mb km kg euro euros dollar dollars pound pounds yuan
  january february march april may june july august september october november december monday tuesday wednesday
  thursday friday saturday sunday moves morning afternoon evening moment moments today life lot
  kind part place stuff work fun support difference challenge challenges experience experiences journey feeling
  feelings idea ideas chance opportunity opportunities goal goals dream dreams future past world everyone something
  others us together photo photos photography picture pictures image pic update updates message messages question
  questions answer answers example problem problems issue issues reason thought thoughts word words bit end start
  beginning step steps side point break look favorite favourite hope love luck memory memories power sense passion whenever best self mind key reminder strength special importance impact
  positivity positive energy care help advice tip tips number amount change changes matter fact case type sort line
  big small great good new old long short high low tough hard easy important special different same real whole full open
  free late early young huge little nice beautiful amazing happy sad proud excited positive negative creative strong weak
  true clear able ready busy warm cold hot deep rewarding inspiring interesting exciting main next last several few many
  更新 开始 结束 完成 准备 觉得 感到 希望 需要 使用 进行 参加 感觉 时间 时候 今天 明天 昨天 周末 早上 晚上 下午 上午 最后
  十分 非常 问题 事情 东西 情况 方面 地方 自己 大家 我们 他们 朋友们 一下 一些 一点 开心 高兴 好了 行了 对了 喜欢 决定 知道 分钟 小时 星期
  确认 处理 解决 讨论 安排 提醒 记得 告诉 回复 建议 应该 已经 还是 没有 这个 那个 什么 怎么 今年 去年 明年 上周 下周
  `
    .trim()
    .split(/\s+/),
);
/** How something is, or is done, and no thing. */
const NO_NOUN = /(?:ly|ful|ive|able|ible|ous|less|ed|n['’]t|['’]\w+)$|^\d/i;
const BEFORE_THING =
  /(?:^|[\s(])(?:an?|the|my|your|our|his|her|their|its|this|that|these|those|some|any|no|each|every|of|for|about|in|at|on|with|from|into|\p{L}+['’]s|new|own|first|last|old|local|two|three|four|five|\d+)\s$/iu;
const BEHIND_THING =
  /^(?:[,.!?;:…)"'’–—-]|$|\s(?:is|are|was|were|and|or|of|in|at|on|for|to|with|that|which|who|has|have|had|will|can|from|about|as|but|because|when|while|where|we|I|you|they|he|she|it|this|so|last|next|yesterday|today|tomorrow|after|before|by|into|since|until|really|too|again)\b)/i;
const BEFORE_DEED =
  /(?:^|\s)(?:to|I|we|you|they|he|she|it|will|would|can|could|should|must|let['’]s|don['’]t|didn['’]t|won['’]t|not|never|always|really|also|just|I['’]m|is|are|was|were|be|been|am|feel|felt|so|very|too|more|most|pretty|how)\s$/i;
const BEFORE_THING_HAN =
  /(?:的|个|只|本|部|家|条|份|张|台|套|件|位|款|场|次|这|那|和|与|、|把|给|对|从|跟)$/u;
const BEFORE_DEED_HAN = /(?:我|你|他|她|要|会|想|去|来|正|在|不|没|已|就|再|先|能|得|很|太|最|更|挺)$/u;
const BEHIND_DEED_HAN = /^(?:了|过|着|得|一下|完)/u;

/** Whether it is a name, or stands where things stand more often than where deeds do. */
export function isThing(word: string, texts: readonly string[]): boolean {
  const lower = word.toLowerCase();
  if (NO_TOPIC.has(lower) || STOP_WORDS.has(lower) || SMALL_TALK.has(lower)) return false;
  if (CHINESE_STOP_WORDS.has(word) || CHINESE_SMALL_TALK.has(word) || lower.length < 2) return false;
  const han = HAN.test(word);
  // So many of something.
  if (/^[一二三四五六七八九十两几第]/u.test(word)) return false;
  if (!han && NO_NOUN.test(word)) return false;
  const { inSentence, called, things, deeds } = placesOf(word, texts, han);
  // Who is spoken to is no topic.
  if (called * 2 > inSentence.length) return false;
  const isName = !han && inSentence.some((one) => /^\p{Lu}/u.test(one));
  return isName || (han ? things >= deeds : things > deeds || (deeds === 0 && inSentence.length > 1));
}

function placesOf(
  word: string,
  texts: readonly string[],
  han: boolean,
): { inSentence: string[]; called: number; things: number; deeds: number } {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const whole = new RegExp(han ? escaped : `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "giu");
  const found = { inSentence: [] as string[], called: 0, things: 0, deeds: 0 };
  for (const text of texts)
    for (const { 0: one, index } of text.matchAll(whole)) {
      const before = text.slice(Math.max(0, index - 20), index);
      const behind = text.slice(index + one.length, index + one.length + 4);
      // A capital at the beginning of a sentence is no name's.
      found.inSentence.push(/(?:^|[.!?:…]\s*)$/.test(before) ? one.toLowerCase() : one);
      if (/(?:^|, |(?:hey|hi|thanks|wow|yo|hello),? )$/i.test(before) && /^(?:[,!.?…]|$)/.test(behind))
        found.called++;
      else if (han) {
        if (BEFORE_DEED_HAN.test(before) || BEHIND_DEED_HAN.test(behind)) found.deeds++;
        else if (BEFORE_THING_HAN.test(before) || before === "" || /[，。：；！？\s]$/u.test(before))
          found.things++;
      } else if (BEFORE_THING.test(before)) {
        // "a tough day": of a day.
        if (BEHIND_THING.test(text.slice(index + one.length))) found.things++;
      } else if (BEFORE_DEED.test(before)) found.deeds++;
    }
  return found;
}

/** With the word that stands beside it in most of its lines: "dance" is "dance studio". */
export function spelled(word: string, lines: readonly { text: string }[]): string {
  if (HAN.test(word)) return word;
  const beside = tally(
    lines.flatMap(({ text }) => [
      ...new Set(
        [
          ...text.matchAll(
            new RegExp(
              `(?<!\\p{L})(?:(\\p{Ll}{3,20}) )?${escapedWord(word)}(?: (\\p{Ll}{3,20}))?(?!\\p{L})`,
              "giu",
            ),
          ),
        ].flatMap(([, before, behind]) => [
          ...(before === undefined ? [] : [`${before} ${word}`]),
          ...(behind === undefined ? [] : [`${word} ${behind}`]),
        ]),
      ),
    ]),
  );
  const [best, count = 0] = [...beside].sort((one, other) => other[1] - one[1])[0] ?? [];
  const isOne =
    best !== undefined &&
    count >= Math.max(2, lines.length / 2) &&
    best.split(" ").every((part) => !STOP_WORDS.has(part.toLowerCase()) && !NOT_BESIDE.test(part));
  return isOne ? best : word;
}

const NOT_BESIDE = /(?:ly|ing|ed)$|^(?:new|own|this|that|last|next|great|good|some|just|our|their|your)$/i;

function escapedWord(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
