/**
 * Parts of a sentence that name nothing: words of questions that ask nothing
 * where they stand, and what is said of something without a word of what it
 * is. Pure; English and Chinese.
 */

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
export function withoutRemarks(text: string): string {
  return REMARKS.reduce((left, pattern) => left.replace(pattern, " "), text);
}
