/** Turns of phrase, English and Chinese, that tell what a sentence does in a conversation. Pure. */

/** What carries a day, with its weight. One of each counts once. */
export const CUES: readonly (readonly [weight: number, cue: RegExp])[] = [
  // Decisions.
  [
    2.5,
    /\b(?:decid\w+|agreed|let'?s (?:go with|use|do)|go(?:ing)? with|we(?:'ll| will) (?:use|go|take|keep)|chose|choose|settled on|final(?:ly|ized|ised)?|approved|confirmed|switch(?:ed|ing)? to|instead of)\b/i,
  ],
  [2.5, /决定|定了|定下|就用|就这么|选了?择?|敲定|同意|确认|采用|改用|改成|换成|通过了|最终/],
  // Promises, plans and dates to keep.
  [
    2,
    /\b(?:I(?:'ll| will)|remind|must|need(?:s|ed)? to|have to|has to|promis\w+|deadline|due|by (?:mon|tue|wed|thu|fri|sat|sun|tomorrow|tonight|next|the end|eod)\w*|todo|to-do|plan(?:s|ned|ning)? (?:to|on)|schedul\w+|appointment|booked|reserv\w+|going to)\b/i,
  ],
  [
    2,
    /记得|提醒|必须|需要|务必|截止|之前交|打算|计划|准备|安排|预约|约了|约好|订了|预订|答应|承诺|待办|负责|要在|得在|会在/,
  ],
  // Who people are and what they like.
  [
    2,
    /\b(?:my (?:name|wife|husband|partner|son|daughter|kid|mother|father|mom|dad|brother|sister|friend|dog|cat|boss|team|job|birthday|address|email|phone|favou?rite)|I(?:'m| am) (?:from|a|an|allergic|called|based)|I (?:live|work|moved|grew up|study|studied|like|love|prefer|hate|enjoy|dislike|can't stand|never eat|don't (?:like|eat|drink))|call me|allergic|prefers?|favou?rite)\b/i,
  ],
  [
    2,
    /我(?:叫|是|姓|住|在[^，。]{1,12}(?:工作|上班|上学|读书)|来自|的(?:名字|生日|老婆|妻子|老公|丈夫|女儿|儿子|孩子|妈妈|爸爸|狗|猫|工作|邮箱|电话|地址))|喜欢|最爱|偏好|讨厌|不爱|不吃|不喝|过敏|习惯|更倾向/,
  ],
  // What came of it.
  [
    1.5,
    /\b(?:fixed|solved|shipped|released|deployed|merged|finished|completed|launched|failed|fails|broke|broken|crashed|root cause|because|caused by|turned out|found (?:that|out|the)|bought|paid|cost(?:s|ed)?|won|lost|got (?:a|the|an)|passed|started|signed up|joined|moved|graduated|adopted|born|died|married|error)\b/i,
  ],
  [
    1.5,
    /修复|修好|解决|搞定|完成|上线|发布|部署|合并|失败|崩溃|报错|超时|原因|因为|由于|发现|结果|买了|花了|付了|获得|赢|输|通过|开始|加入|搬到|毕业|出生|结婚|去世|参加/,
  ],
  // What holds now and did not before.
  [
    1.5,
    /\b(?:actually|no longer|changed|correction|update:|not anymore|moved to|postponed|cancel(?:l?ed)?|from now on)\b/i,
  ],
  [1.5, /其实|不再|改到|改为|变更|更正|推迟|取消|从现在起|以后都/],
  // When.
  [
    0.8,
    /\b(?:today|tonight|tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|next (?:week|month|year)|last (?:week|month|year|night)|\d{1,2}(?::\d{2})? ?[ap]m)\b/i,
  ],
  [
    0.8,
    /今[天晚]|明[天晚]|昨[天晚]|[前后]天|[上下这本]个?(?:周|星期|月)|周[一二三四五六日末]|\d\s*[月日号点]|去年|明年|今年/,
  ],
];

const CHAT: readonly RegExp[] = [
  /^(?:hi|hey|hello|yo|good (?:morning|evening|afternoon|night)|thanks?|thank you|thx|cheers|ok(?:ay)?|sure|yes|yeah|yep|no|nope|great|cool|nice|perfect|awesome|wow|lol|ha(?:ha)+|bye|see you|got it|sounds (?:good|great)|no problem|you'?re welcome|of course|certainly|absolutely|exactly|right|alright|done|fine|good|hmm+|oh|ah|please|same here|me too|congrats|congratulations|take care|good luck|sorry)\b[\s\S]{0,25}$/i,
  /^(?:你好|您好|哈喽|嗨|早上好|早安|早|晚安|晚上好|谢谢|感谢|多谢|好的?|好呀|好吧|嗯+|哦+|行|可以|没问题|没事|不客气|是的?|对的?|没错|收到|明白了?|知道了|哈哈+|呵呵|再见|拜拜|辛苦了?|太好了|真棒|厉害|加油|当然)[\s\S]{0,6}$/,
  /\b(?:let me know|keep (?:you|ya) posted|feel free|can'?t wait to (?:hear|see)|happy to help|hope (?:this|that|it) helps|here to help|glad (?:to|I could) help|anything else|how can I (?:help|assist)|how are you|how have you been|what'?s up|great question|good question|that'?s (?:great|awesome|amazing|cool|wonderful|so cool|really cool))\b/i,
  /^(?:(?:certainly|sure|absolutely|of course|great)[!,. ]|here(?:'s| is| are) (?:a|an|the|some|how|your)\b)/i,
  /^(?:当然可以|很高兴|希望(?:这|对你|能帮)|如果(?:你)?(?:还)?有(?:任何|其他|什么)?(?:问题|需要)|请随时|随时(?:告诉|联系|问)我|有什么(?:可以|能)帮|以下是|下面是|还有(?:什么|别的|其他)(?:问题|需要)?)/,
];

/** Said to please: of the other, and of nothing that anybody would look for. */
const PRAISE =
  /^(?:(?:wow|yeah|yes|oh|aww?|hey|haha|and|so|man|well|thanks|congrats)[,!.]? |\p{Lu}\p{Ll}+, )*(?:(?:you|your|you're|that's|that|this is|it's|sounds|looks|so|such|how|what a|keep|I'm (?:so |really )?(?:happy|glad|proud|sorry)|(?:I )?(?:totally |completely |so )?agree|let's (?:do|keep|make)|together,? we|can't wait|good for|glad|love that|always)(?![\p{L}']))[^\d"“]{0,90}$/iu;

export function isPraise(text: string): boolean {
  return PRAISE.test(text.replaceAll("’", "'"));
}

const BARE_ANSWER =
  /^(?:yes|yeah|yep|sure|ok(?:ay)?|no|nope|go ahead|do it|please do|correct|right|exactly|agreed|neither|both|not yet|是的?|对的?|好的?|可以|行|同意|不|不是|不用|不行|没有|还没|要|不要|没错|就这样|嗯+)(?:[\s,.!，。！][\s\S]{0,20})?$/i;

export function isChat(text: string): boolean {
  return CHAT.some((chat) => chat.test(text));
}

/** Yes, no and their kin: nothing without their question. */
export function isBareAnswer(text: string): boolean {
  return BARE_ANSWER.test(text);
}

export function isQuestion(text: string): boolean {
  return /[?？]["'”’」』）)]*$|(?:吗|呢|么)[。！!]?$/.test(text.trim());
}

/** Holds Chinese characters. */
export function isHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}
