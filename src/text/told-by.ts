/**
 * Whose words follow: "the page said:", 邮件里写着：, "Alice:" lead on to somebody
 * else's; "I told him:", "Ground rules:", 另外： to one's own.
 *
 * Pure. In doubt they are somebody else's: what is not taken is still found in
 * the conversation, what is taken wrongly is believed of a person.
 */

/** So much in front of a colon or of a verb tells whose words follow. */
const LOOKED_AT_CHARS = 120;

const TOLD =
  "says|said|saying|writes|wrote|written|writing|reads|states?|stated|stating|claims?|claimed|claiming|replie[sd]|answered|posted|tweeted|texted|emailed|messaged|commented|shouted|yelled|whispered|announced|insist(?:s|ed)|reports|reported|mentions|mentioned|contains?|contained|shows|showed|displays|displayed|tells (?:me|us|you|him|her|them|people|everyone)|told (?:me|us|you|him|her|them|people|everyone)|quote[sd]?";
const TOLD_BY = new RegExp(`\\b(?:${TOLD})\\b`, "i");
/** What may stand between "I" and the verb. */
const BETWEEN =
  "(?:['’](?:ve|d|ll)|have|had|just|already|also|once|always|never|often|only|did|do|would|can|could|must|should|will|keep|kept|was|am|really|simply)";
const TOLD_BY_ME = new RegExp(
  `\\b(?:I|we)\\s{0,2}(?:${BETWEEN}\\s{1,2}){0,3}(?:${TOLD}|told|say|tell)\\b`,
  "i",
);

const SOURCE =
  "page|pages|site|website|web|internet|e-?mail|mail|message|messages|letter|article|post|blog|tweet|comment|comments|review|reviews|profile|bio|book|song|lyrics?|poem|story|novel|movie|film|ad|advert|banner|sign|poster|screenshot|output|log|logs|transcript|quote|quotation|caption|document|doc|docs|pdf|file|readme|wiki|wikipedia|results?|response|reply|chat|conversation|thread|forum|ticket|issue|prompt|template|example|sample|sentences?|paragraph|lines?|text|passage|excerpt|snippet|subtitles?|speech|testimonial|application|resume|cv|tool|bot|assistant|newsletter|brochure|headline|description|notification|form|slide|abstract|clipboard";
/** "The email from Bob", "this paragraph", "from his profile"; not "about the page". */
const SOURCE_LAST = new RegExp(
  `(?<!\\b(?:about|for|regarding) )\\b(?:the|a|an|this|that|these|those|his|her|their|its|your|some|another|following|from|here(?:['’]s| is))(?: [\\p{L}'’-]{1,20}){0,3}? (?:${SOURCE})(?: (?:from|by|of|to|in|at|i|we|that|which|is|was|below|above|here|there|has|goes|today|yesterday|you|they|he|she|for|as|with)\\b[^:：]{0,60})?\\s*$`,
  "iu",
);
/** Work that is asked for on a text, or a text that somebody is to be given. */
const WORK =
  /^\W{0,4}(?:(?:please|now|can you|could you|would you|help me|kindly|just|and|then|how (?:do|would) (?:you|i|we)|how to)[, ]+){0,3}(?:translat|proof-?read|summari[sz]e|rephrase|paraphrase|rewrite|reword|edit|correct|fix|check|polish|improve|shorten|explain|analy[sz]e|classify|parse|format|read|repeat|echo|type|print|output|write|say|draft|compose|reply|respond|send|text|post|tweet|quote|continue|complete|spell|pronounce)(?:e|ing)?\b(?!['’])/i;
const PASTED =
  /\b(?:copied|pasted|quoted|forwarded|excerpted|according to|lyrics|subject|begin(?:s|ning)? forwarded|it goes|goes like this|the following)\b[^:：]{0,60}$/i;

/** Names and parts of a conversation, and any one word: `Alice`, `Lin Yue`, `[14:03] Wen (admin)`, `user`. */
const LABEL =
  /^\W{0,4}(?:\[?[\d:./ -]{3,20}\]?[-–,\s]{0,3})?(?:\p{L}[\p{L}.'’-]{0,24}(?: \p{Lu}[\p{L}.'’-]{0,24}){0,2}(?: ?\([^()]{0,40}\))?)\s*$/u;
/** One's own notes to what follows. */
const OWN_LABEL =
  /^\W{0,4}(?:notes?|fyi|p\.?s\.?|n\.?b\.?|updates?|edit|reminders?|remember|preferences?|corrections?|me|myself|facts?|fun fact|rules?|ground rules?|diet|food|drinks?|hobby|hobbies|likes?|dislikes?|allerg(?:y|ies)|music|movies|films|books|sports?|work|job|family|pets?|travel|also|tl;?dr|important|context|background|summary|disclaimer|hint|tip|today|confession|truth|honestly|bottom line|ok(?:ay)?|yes|no|so|well|question|answer|plans?|decided|decisions?|agreed|results?|status|name|intro|introduction|clarification|warning|info|hi|hello|hey|thanks|breakfast|lunch|dinner|coffee|tea|weather|style|tone|format|language|favou?rites?|interests?|personality|health|goals?|schedule|location|birthday|address|about me)\s*$/i;

const GREETING = /^\W{0,4}(?:hi|hello|hey|dear|good (?:morning|afternoon|evening))\b/i;

const HAN_IDIOMS =
  /(?:顺便|总的来|老实|实话|简单来|比如|再|说真的|坦白|严格来|一般来|也就是|或者|换句话|不得不|怎么|这么|对我来|据实|直)说(?:一下|一句|一点|来)?|说(?:实话|真的|到底|白了|起来)/g;
const HAN_TOLD =
  /(?:说过?|写[着道了]?|写的是|显示|回复|回答|问道?|答道|喊道?|讲过?|提到|声称|表示|告诉(?:[我你他她]们?|大家)|宣称|念道?|标注|引用|转发|评论|留言|发|发来|回)(?:[了过着]|[我你他她]们?)?\s*$/;
const HAN_SOURCE =
  /(?:网页|网站|页面|邮件|文章|帖子|评论|消息|短信|信里|书[里上]|歌词|台词|小说|电影|广告|海报|文档|文件|截图|日志|输出|简介|资料|新闻|报道|论坛|微博|公众号|聊天记录|弹幕|字幕|句子|[句段封条篇]话?|原文|例句|用户|客户|客服|助手|系统|机器人|下面|以下|如下|摘自|来自|摘录|内容|引文|翻译|译成|译为|润色|改写|总结|校对|朗读|复述|造句|英文|中文|日文)[\p{Script=Han}]{0,8}\s*$/u;
/** 我说, 我跟他说过, 我之前就告诉你: what stands between 我 and the verb is no other person's name. */
const HAN_BY_ME =
  /(?:^|[，,。；;！!？?、\s])(?:其实|而且|所以|但是?|另外|对了|之前|刚才|那天|昨天|今天|上次|正如|就像|如)?我们?(?:[就也还都已经刚才之前早一直想要得必须可以只能不大家再次又常总]|[跟对和同向给](?:[你您他她它]们?|大家|[\p{Script=Han}]{2,3}(?=[说讲])))*(?:说|讲|写|回复|回答|表示|告诉|提到|喊|问|答)/u;
/** 以下是我的偏好 */
const HAN_OWN_MATTER =
  /我[\p{Script=Han}]{0,8}(?:偏好|习惯|喜好|爱好|情况|信息|介绍|要求|想法|看法|意见|计划|口味)(?:如下|是)?\s*$/u;
const HAN_LABEL = /^[\p{P}\s]{0,4}[\p{Script=Han}]{2,4}\s*$/u;
const HAN_OWN_LABEL =
  /我|另外|还有|对了|备注|记住|记得|偏好|习惯|喜好|爱好|补充|更正|说明|提醒|注意|规则|要求|顺便|其实|总之|结论|事实|一点|背景|情况|更新|重要|首先|其次|最后|因为|所以|但是|不过|饮食|口味|忌口|过敏|工作|家庭|音乐|运动|兴趣|介绍|声明|问题|答案|老实|实话|简单|一句|早餐|午餐|晚餐|咖啡|目标|计划|地址|生日/;

/** Whether what follows this and a colon is somebody else's. `speakers`: names that are the writer's own. */
export function isAnothers(before: string, speakers: readonly string[] = []): boolean {
  const head = before.slice(-LOOKED_AT_CHARS).trim();
  if (head === "" || speakers.includes(head)) return false;
  return /\p{Script=Han}/u.test(head) ? isAnothersHan(head) : isAnothersLatin(head);
}

function isAnothersLatin(head: string): boolean {
  if (TOLD_BY_ME.test(head) || OWN_LABEL.test(head) || GREETING.test(head)) return false;
  if (TOLD_BY.test(head) || WORK.test(head) || PASTED.test(head) || SOURCE_LAST.test(head)) return true;
  return LABEL.test(head);
}

function isAnothersHan(text: string): boolean {
  const head = text.replace(HAN_IDIOMS, "");
  if (HAN_BY_ME.test(head)) return false;
  if (HAN_TOLD.test(head)) return true;
  if (HAN_OWN_MATTER.test(head) && !/[他她它你您]们?的/.test(head)) return false;
  if (HAN_SOURCE.test(head)) return true;
  return HAN_LABEL.test(head) && !HAN_OWN_LABEL.test(head);
}

/** Of these none is a noun: "the states I love" are nobody's words. */
const CLAIMS =
  "says|said|saying|wrote|writing|stated|stating|claimed|claiming|replied|answered|tweeted|texted|emailed|commented|shouted|yelled|announced|insist(?:s|ed)|reported|mentioned|tells (?:me|us|you|him|her|them|people|everyone)|told (?:me|us|you|him|her|them|people|everyone)|thinks|thought|believes|believed|assumes|assumed";
/** "she says I am", "they think that my", "it was like I": somebody's word on the writer. */
const CLAIMED = new RegExp(
  `\\b(?:(?:${CLAIMS}|(?:${TOLD}) that|(?:they|people|some|others|everyone|friends|parents|colleagues|reviews|docs|emails|pages|sites) (?:all |always )?(?:say|claim|think|write)|(?:he|she|they)(?:['’]s| was| were| is| are)(?: all)? like|(?:says|said|goes|reads),|as (?!I\\b)[^,.;:!?]{1,40} (?:puts? it|says?|said|wrote|writes|claims?),|(?:tells|told|asks|asked|wants|wanted|instructs|instructed) (?:me|us|you|it) to\\b[^,.;:!?]{0,60}?|according to [^,.;:!?]{1,60},?)(?: (?:me|us|you|him|her|them|here|there|online))?(?: that,?| [-–—]{1,2})?) {0,2}(?:I|my|we|our|call me)\\b`,
  "gi",
);
const TRAILING =
  /[,"”’'»] ?(?:(?:or )?so )?(?:(?:he|she|it|they|\p{Lu}\p{L}{1,20}(?: \p{Lu}\p{L}{1,20})?|(?:the|a|an|this|that|his|her|their|my|our|its)(?: [\p{L}'’-]{1,20}){1,4}) (?:said|says|wrote|writes|claimed|claims|replied|added|insists|insisted|told (?:me|us|him|her|them)|put it|reads|read)|(?:said|says|wrote|writes|claims) (?:he|she|they|(?:the|a|an|this|that|his|her|my) )?[\p{L}'’ -]{1,40}|according to [^,.;:!?]{1,60})\s*[.!…]*$/u;
const HAN_CLAIMED =
  /([\p{Script=Han}\p{L}\d《》“”]{1,24})(?:说过?|写着?|写道|显示|声称|表示|告诉(?:[我你他她]们?|大家)|宣称|认为|觉得|以为|提到|称|(?:让|要求)[你您我](?:们)?(?:记住|记得|相信|说|写))[了过着]?(?:，|,|:|：)?[^。！？；;，,]{0,8}我(?!国)/gu;
const HAN_ACCORDING = /(?:根据|据|按照?)(?!我)[^，。,]{1,20}[，,][^。]{0,8}我/u;
const HAN_TRAILING =
  /[，,”」][\p{Script=Han}]{1,10}(?:说|写道|写着|表示|声称)(?:的)?[。.！!]*\s*$|[，,](?:据|按照?)[\p{Script=Han}]{1,10}[。.！!]*\s*$/u;

/** Whether a sentence passes on, without quotation marks, what somebody says of its writer or of themselves. */
export function isClaimedByAnother(sentence: string): boolean {
  if (/\p{Script=Han}/u.test(sentence)) {
    const text = sentence.replace(HAN_IDIOMS, "");
    if (HAN_TRAILING.test(text) || HAN_ACCORDING.test(text)) return true;
    return [...text.matchAll(HAN_CLAIMED)].some(([said, who = ""]) => {
      const verb = said.slice(who.length);
      return (
        !HAN_BY_ME.test(`${who}${verb}`) &&
        !/^(?:可以|应该|想|要|还|也|就|都|不|别)$/.test(who) &&
        !isMine(who)
      );
    });
  }
  if (TRAILING.test(sentence)) return true;
  return [...sentence.matchAll(CLAIMED)].some(({ 0: said, index }) => {
    const verb = /^[\p{L}'’]+/u.exec(said)?.[0] ?? "";
    const before = sentence.slice(Math.max(0, index - LOOKED_AT_CHARS), index + verb.length);
    return !endsByMe(before, verb);
  });
}

/** 我觉得, 我一直认为: one's own mind, and not 我妈觉得. */
function isMine(who: string): boolean {
  return /(?:^|[，,。])(?:其实|而且|所以|但是?|因为|如果)?我们?(?:[就也还都已经刚才之前早一直想要得必须可以只能不跟对和同向给你他她它们大家再次又常总真的])*$/u.test(
    who,
  );
}

function endsByMe(before: string, verb: string): boolean {
  return new RegExp(`\\b(?:I|we)\\s{0,2}(?:${BETWEEN}\\s{1,2}){0,3}${verb}$`, "i").test(before);
}
