/**
 * Whether what a text tells is counted from a day that nobody knows: a letter, a story, a habit, what somebody
 * said at another time. Pure.
 */
import { begunBefore, SENTENCE_CHARS } from "./around.js";

/** What a letter, a story or a habit tells is counted from a day that nobody knows. */
export function isToldOfAnotherTime(text: string, from: number): boolean {
  const before = begunBefore(text, from);
  return (
    SUPPOSED.test(before) ||
    TOLD.test(before) ||
    THEN.test(before) ||
    HABIT.test(before) ||
    (TOLD_ONCE.test(before) && (ONCE.test(before) || MEANT_THEN.test(before))) ||
    /^[^.!?\n]{0,60}\b(?:that|it|this) was (?:back )?in (?:19|20)\d\d\b/i.test(
      text.slice(from, from + SENTENCE_CHARS),
    )
  );
}

/** Where what somebody else wrote begins; the length of the text where nothing of it is. */
export function pastedFrom(text: string): number {
  const ends = [PASTED, LOGGED].flatMap((begins) => {
    const found = begins.exec(text);
    return found === null ? [] : [found.index + found[0].length];
  });
  return Math.min(text.length, ...ends);
}

/** What follows was written by somebody else, at a time that nobody knows, or is only to be worked on. */
const PASTED =
  /--- ?(?:original|forwarded) message|\b(?:begin forwarded|out of office:|auto-?reply:|past(?:ed|ing)\b[^.!?\n]{0,40}:\s|(?:translate|proofread|rephrase|rewrite|reword|correct|summari[sz]e) (?:this|these|my|the|it)\b[^.!?\n]{0,40}(?::\s|[“"])|translate (?:in)?to|how (?:do|would) (?:you|i|we) say)|^[ \t>]{0,8}(?:from|subject|sent): |原始邮件|原文[:：】]|【[^】]{0,20}原[文话]】|转发[:：]|转一[篇条段]|旧闻|日志[:：里]|贴[一个]段|(?:翻译|润色|改写|造句)[^。！？\n]{0,12}[:：“「]|用(?:英|日|中)[语文]怎么说[:：]?|自动回复[:：]/imu;
/** A line of a log. */
const LOGGED = /(?:^|\s)(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL)[ :\]]/u;
const SUPPOSED =
  /\b(?:imagine|suppose (?:you|that)|supposing|pretend|assume (?=today|tomorrow|yesterday)|role-?play|(?:change|replace|rename|edit|swap) (?:the )?[^.!?]{0,40}(?:text|label|copy|button|heading|title|string|placeholder|subject|wording|banner|headline|tagline|message|toast|error|tooltip|status|bio|caption|sign)\b[^.!?\n]{0,30}(?::\s| to )|hypothetically|if (?:today|tomorrow|yesterday) (?:were|was)|(?:some|any)(?:one|body) who|whoever)\b|假如|假设|假若|倘若|设想|想象|扮演|假装|要是[昨今明]天(?:就)?是|[写编讲][^，。！？\n]{0,6}(?:小说|故事|剧本|童话|作文)|主角/iu;

/** "She said she would leave tomorrow" may be of any day. */
const MEANT_THEN = /\b(?:would(?:n't)?|'d|had|was|were)\b/i;
/** Another time that the sentence names. */
const THEN =
  /\b(?:(?:back )?in (?:19|20)\d\d\b|by then\b|back in (?:the |college|school|january|february|march|april|may|june|july|august|september|october|november|december)|in college\b|as a (?:kid|child|teen)\b|on my wedding day\b|i remember (?:thinking|him|her|them)|when (?:i|we) (?:first )?met\b|dreamed\b|dreamt\b|in (?:chapter|the episode|my novel|the story|the book)\b|my character\b|write a (?:story|poem)\b|the recipe says\b)|(?:19|20)\d\d年|那时候?|那年|当年|小时候|上(?:大学|学|初中|高中)时|的时候|梦见|梦到|故事里|以前总/iu;
/** What is done again and again is of no day. */
const HABIT =
  /\b(?:always|usually|whenever|every (?:day|night|morning|evening|week|month|year|time|christmas|spring|summer|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december|\w+day)|keeps? (?:promising|saying|telling)|each \w+day|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|never plan)\b|每[天次晚周年]|总是|总(?=说|讲|想|要|把|喜欢|爱|忘)|习惯|通常|经常/iu;

/** Somebody's words, and that they are of an earlier day. */
const TOLD_ONCE =
  /\b(?:said|told|promised|wrote|asked|swore|announced|claimed|thought|texted|emailed|insisted|goes|was like)\b|说|讲|答应|告诉|保证|承诺|写道|通知|发誓/i;
const ONCE =
  /\b(?:last (?:week|month|year|night|\w+day|summer|winter|spring|fall|autumn)|yesterday|ago|in \d{4}|when (?:I|he|she|we|they)|that (?:day|night|morning|time)|earlier|once|years? later)\b|上(?:周|个?月|次|星期)|去年|当时|那天|那时|前年|以前|之前|昨天|前天|当年/i;
const TOLD =
  /\b(?:used to (?:say|tell|claim|promise)|always (?:says?|claims?|said|promised)|back then|at the time|(?:sign|note|notice|sticker|label|poster|banner)\b[^.!?\n:]{0,40}:|(?:letters?|diary|log|novel|story|film|movie|episode|e-?mail|voicemail|note|postcard|poster|flyer|sign|shirt|mug|label|notice|billboard|sticker|placard|plaque|badge|placeholder|caption|slogan|tagline|horoscope|cookie|article|headline|paper|advert|banner|character|narrator)\b[^,]{0,30}\b(?:says?|saying|said|claims?|claimed|wrote|asked|reads?|reading|goes|ends with))\b|(?:信|邮件|日记|小说|电影|剧|故事|留言|日志|短信)(?:里|中|上)?(?:面)?(?:说|写|的主角|讲|提到)|(?:写|贴|印|刻|挂|标)着|(?:牌子|门上|墙上|黑板|海报|横幅|标语|广告|便利贴|公告)[^，。！？]{0,6}[写印贴]|当时说|那时说/iu;
