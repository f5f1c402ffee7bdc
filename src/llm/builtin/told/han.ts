/**
 * What somebody says of themselves in Chinese, told by another: 我对花生过敏 is 林悦对花生过敏.
 *
 * Pure. A statement is one part of a sentence, between its commas; the name stands for the first 我,
 * 自己 for the others. What points outside of it is left out.
 */
import { pointersIn } from "../../../text/pointers.js";
import { fitting, type Patterns, type Told } from "./matters.js";

const PARTS = /[，。；！？,;!?…\n]+|(?<!\d)[.:：](?!\d)|[—-]{2,}/u;
/** Only leads up to it. */
const LEAD =
  /^(?:嗯|哦|噢|啊|哎|唉|哈哈|对了|另外|还有|其实|不过|而且|所以|然后|因为|后来|顺便说一下|顺便|说起来|话说|你知道吗|跟你说|告诉你|记住|请记住|帮我记住|别忘了|最后|首先|首先呢|总之|好的|好|行|是的|对)[，,：: ]*/u;

const KIN: Readonly<Record<string, string>> = {
  妈: "妈妈",
  爸: "爸爸",
  哥: "哥哥",
  姐: "姐姐",
  弟: "弟弟",
  妹: "妹妹",
  爷: "爷爷",
  奶: "奶奶",
};
const KIN_WORDS =
  "妈妈|爸爸|母亲|父亲|爸妈|父母|老婆|妻子|太太|老公|丈夫|先生|女朋友|男朋友|女友|男友|未婚妻|未婚夫|儿子|女儿|孩子|宝宝|哥哥|姐姐|弟弟|妹妹|爷爷|奶奶|外公|外婆|姥姥|姥爷|表哥|表姐|表弟|表妹|侄子|侄女|室友|老板|领导|经理|导师|同事|最好的朋友|家人|岳父|岳母|公公|婆婆";
const OWN_WORDS =
  "猫|狗|名字|生日|老家|家乡|工作|职业|职位|专业|公司|团队|店|工作室|项目|论文|车|房子|电话|手机号|邮箱|地址|微信|血型|星座|爱好|梦想|目标|预算|工资|航班|签证|面试|手术|婚礼|比赛|考试";

const OWNED = new RegExp(
  `^(?:的|家(?:的)?)?(?:(${KIN_WORDS})|([${Object.keys(KIN).join("")}])(?![妈爸哥姐弟妹爷奶])|的(${OWN_WORDS}))(.{2,})$`,
  "u",
);
/** What is told of them. */
const OF_OWNED =
  /^(?:是|叫|在|有|要|对|会|不|喜欢|住|做|当|去|今年|属|比|姓|名|\d|生病|去世|退休|毕业|结婚|怀孕|开|教|患|刚|昨|明|下|上|定在|订在|改|今天.*(?:了|出院|住院|手术|生日|回来|回家|过来|开学|毕业|结婚))/u;

/** Of what follows 我. */
const TRAITS: Patterns = [
  [
    3,
    /^(?:对.{1,14}过敏|患有|得过|确诊|是.{0,8}(?:师|员|生|医|者|人|家|长|士|警|兵|妈妈|爸爸|教授|经理|主管|总监|素食主义者|程序员|老板)$|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|今?年?\d{1,3}岁)/u,
  ],
  [3, /^(?:叫(?!了|来|他|她|你|上)|姓|来自|住在|老家在|家在|出生在|出生于|毕业于|定居|从.{2,10}毕业)/u],
  [
    3,
    /^(?:有|养了?|养着)(?:一|两|二|三|四|五|六|\d)+[只条个匹头](?:.{0,10})(?:猫|狗|犬|兔|龟|鸟|鱼|鼠|马|孩子|儿子|女儿|哥哥|姐姐|弟弟|妹妹)/u,
  ],
  [
    2.5,
    /^(?:在.{2,14}(?:工作|上班|上学|读书|读研|实习|教书|任职|当|做(?!了|检查|手术|梦|客))|做.{2,10}的?工作|从事|负责.{2,})/u,
  ],
  [
    2,
    /^(?:(?:很|最|特别|非常|一直|从小就?|更|还|也|比较)?(?:喜欢|爱|讨厌|偏爱|热爱|痴迷|擅长|习惯)(?!上一次)|不(?:吃|喝|喜欢|爱|抽烟|能吃|能喝|太喜欢)|吃不了|喝不了).+/u,
  ],
  [2, /^(?:每[天周月年]|每个|平时|通常|一般|总是|经常|从不|从来不).{3,}/u],
];
/** What somebody is at for long, and what changes who they are. */
const LASTING: Patterns = [
  [
    2.6,
    /^(?!.{0,8}(?:的(?!工作)|是假|还早|前|就))(?:已经|刚刚?|去年|今年|前年|上个月|上周)?(?:辞职|离职|跳槽|升职|结婚|订婚|离婚|怀孕|退休(?!还)|毕业(?!照|证|论文|设计)|入职|被.{0,8}录取|考上|创办|成立|开了一?[家间个]|搬到|搬去|收养了?|领养了?|加入了?(?!购物车)|获得(?!感)|赢了|得了.{0,6}(?:奖|冠军|名))/u,
  ],
  [2.4, /^(?:一直|正)?在(?:学(?!校|会)|备考|读研|读博|写(?:书|小说|论文|剧本)|筹备|创业|开发)/u],
];
const FACTS: Patterns = [
  [
    2.5,
    /^(?:已经)?(?:决定|选定|选了|定了|敲定|辞职|离职|跳槽|升职|结婚|订婚|离婚|怀孕|退休(?!还)|毕业(?!照|证|论文|设计)|搬到|搬去|搬家|入职|被录取|录取|考上|拿到|获得|赢了|得了)/u,
  ],
  [
    2,
    /^(?:刚|刚刚|已经|昨天|前天|上周|上个月|去年|今天)?(?:买了|卖了|换了|开了|开始|报名|参加了?|加入了?|去了|去过|看了|读了|看完了?|读完了?|写了|写完了?|做了|上了|考了|完成了?|学了|学会了?|预订了?|订了|约了|收养了?|领养了?|租了|修好了?|还清了?|捐了|创办了?|成立了?|申请了?|提交了?|通过了?|跑了|跑完了?|爬了|拍了|摔|骨折|做完).{2,}/u,
  ],
  [
    2,
    /^(?:打算|计划|准备|正准备|要去|要在|会在|想学|想去|想买|想开|想当|想成为|想考).{2,}|^(?:将|下周|下个月|明天|明年|后天).{4,}/u,
  ],
  [1.8, /^(?:正在|在)(?:学|准备|写|做|找|看|读|练|开发|设计|装修|筹备|研究|备考|申请|整理).{2,}/u],
];
/** Whatever leads up to it, when it was, and 我. */
const BEGINS =
  /^(?:.{0,4}(?:知道|说过?|告诉过?[你他她]|觉得|老实说|说的是|说实话))?((?:昨天|前天|今天|明天|后天|上周.?|下周.?|上个月|下个月|去年|今年|明年|前年|最近|现在|目前|周末|平时|每天|每周.?|早上|晚上|从小)?)我(.+)$/u;
/** Who takes whom along is left out where it is whoever speaks: 今天陪我妈去看膝盖. */
const ALONG = new RegExp(
  `^(昨天|前天|今天|明天|后天|周末|早上|晚上|下午)?((?:陪|带|送|接|给|帮)我)(?:(${KIN_WORDS})|([${Object.keys(KIN).join("")}])(?![妈爸哥姐弟妹爷奶]))(.{2,})$`,
  "u",
);
const OPEN =
  /[梦戏]里|游戏里|小说里|电影里|假的|[这那它她您你]|(?<!吉)他|什么|怎么|为何|为什么|哪|吗$|呢$|吧$|么$|如果|要是|假如|可能|也许|大概|或许|觉得|感觉|认为|希望|好像|似乎|应该|可以|能不能|是不是|有没有|不知道|不确定|东西|事情|事儿|一下|别人|有人|某|其他|其它|另一|同样|一样|们|咱|谁|几个(?!月)|一些|有点|有些|真的好|太/u;
/** Of 「三体」这本书 the name says it. */
const NAMED_THIS = /(?<=[」』》”])这[本部首家道款个](?:书|小说|电影|剧|歌曲?|店|菜|游戏)?/u;
const MOST_CHARS = 60;

export interface ToldInHan extends Told {
  text: string;
}

/** The parts of a sentence that tell something, with the speaker's name in each. */
export function toldInHan(sentence: string, speaker: string): ToldInHan[] {
  return [
    ...toldInParts(
      sentence.split(PARTS).map((part) => part.trim()),
      speaker,
    ),
    ...(NOT_THEIRS.test(sentence) ? [] : [...sentence.matchAll(AT_HOME)]).map(([, one = ""]): ToldInHan => ({
      kind: "trait",
      weight: 1.4,
      text: spaced(speaker, `有${one}`),
    })),
  ];
}

/** A part without a subject goes on about whoever the one before was about. */
function toldInParts(parts: readonly string[], speaker: string): ToldInHan[] {
  let isOfThem = false;
  return parts.flatMap((part) => {
    const told = toldInPart(part, speaker);
    const goesOn = told === undefined && isOfThem ? goingOn(part, speaker) : undefined;
    // What they have, love or work at may be what the next part is about.
    const isOwn = told !== undefined || SAYS_NAME.test(part);
    isOfThem = goesOn !== undefined || (isOwn && OF_THEMSELVES.test(part) && !SOMEBODY.test(part));
    return told ?? goesOn ?? [];
  });
}

function goingOn(part: string, speaker: string): ToldInHan | undefined {
  if (part.length > MOST_CHARS || part.includes("我") || OPEN.test(part)) return undefined;
  const told = fitting(part, { trait: TRAITS, fact: [] });
  return told && standing(`${speaker}${part}`, told, speaker);
}

const SAYS_NAME = /^我名?叫/u;
const OF_THEMSELVES = /^(?:.{0,6})?我(?:叫|姓|是|对.{1,14}过敏|今?年?\d|来自|不[吃喝])/u;
/** Of whom the next part may be told. */
const SOMEBODY = new RegExp(`有|认识|朋友|[他她它谁人]|的(?!工作)|${KIN_WORDS}`, "u");

/** Who says 我女儿 has one, whatever else it is about. */
const AT_HOME =
  /我(?:家(?:的)?|的)?[大小二]?(老公|老婆|妻子|太太|丈夫|女朋友|男朋友|女友|男友|未婚妻|未婚夫|女儿|儿子|哥哥|姐姐|弟弟|妹妹|猫|狗)(?![粮窝咪展园毛着血国婆夫])/gu;
const NOT_THEIRS =
  /假如|假设|扮演|演|不是|不想|梦|没|送人|丢|死|不在了|卖|小说|游戏|戏里|未来|将来|前(?:妻|夫|男友|女友|男朋友|女朋友)|如果|要是|想要|以后|小时候|去世|过世|走丢|像|好像|没有|他说|她说/u;

function toldInPart(given: string, speaker: string): ToldInHan | undefined {
  const part = withoutLead(given).replace(NAMED_THIS, "");
  if (part.length > MOST_CHARS || /我们|自我/u.test(part)) return undefined;
  const along = ALONG.exec(part);
  if (along !== null) {
    const [, day = "", takes = "", kin = "", short = "", rest = ""] = along;
    // What is asked of somebody is nothing that was done: 帮我妈写一首诗.
    if (OPEN.test(rest) || (day === "" && !/[了过]/u.test(rest))) return undefined;
    const text = `${speaker}${day}${takes.slice(0, 1)}${kin || KIN[short]}${rest}`;
    return standing(text, { kind: "fact", weight: 2 }, speaker);
  }
  const [, when = "", whole = ""] = BEGINS.exec(part) ?? [];
  const body = whole.replace(/^(?:最近|现在|目前|近来|这段时间)(?:一直)?(?=在)/u, "");
  const inner = /^(?:说过?|觉得|告诉过?.{1,3}|一直跟.{1,4}说|跟.{1,4}说过?|想说的是)我(.+)$/u.exec(body)?.[1];
  if (inner !== undefined) return toldInPart(`我${inner}`, speaker);
  if (body === "" || OPEN.test(body)) return undefined;
  // That 林悦 is called 林悦 says their name.
  if (/^(?:叫|名叫)/u.test(body) && body.replace(/^名?叫/u, "") === speaker.split("(")[0]) return undefined;
  const owned = OWNED.exec(body);
  if (owned !== null) {
    const [, kin = "", short = "", own = "", rest = ""] = owned;
    const isOfADay = /天$/u.test(when) && rest.includes("了");
    if (!isOfADay && !OF_OWNED.test(rest)) return undefined;
    const text = `${speaker}的${kin || KIN[short] || own}${when}${rest}`;
    const kind = isOfADay || /^(?:今天|昨|刚)/u.test(rest) ? "fact" : "trait";
    return standing(text, { kind, weight: 2.5 }, speaker);
  }
  const told = fitting(body, { trait: [...TRAITS, ...LASTING], fact: FACTS });
  return told && standing(`${speaker}${when}${body}`, told, speaker);
}

function withoutLead(part: string): string {
  const rest = part.replace(LEAD, "");
  return rest === part || rest === "" ? part : withoutLead(rest);
}

function standing(text: string, told: Told, speaker: string): ToldInHan | undefined {
  const own = text.slice(speaker.length).replaceAll("我", "自己");
  if (pointersIn(own).some(({ kind }) => kind !== "time")) return undefined;
  return { ...told, text: spaced(speaker, own) };
}

/** A Latin name before Chinese characters. */
function spaced(speaker: string, rest: string): string {
  return /[A-Za-z)]$/.test(speaker) ? `${speaker} ${rest}` : `${speaker}${rest}`;
}
