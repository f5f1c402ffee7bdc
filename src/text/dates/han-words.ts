/**
 * Whether characters that could be a time are one, or parts of other words: 明明早就, 上周一直, 线上周会,
 * 提前年审, 00后天才. Pure.
 */

/** Ends with a character that stands in 上周, 前年 or 后天, too. */
const BEGUN_BEFORE: readonly (readonly [first: RegExp, before: RegExp])[] = [
  [/^[上下]/u, /[坐躺蹲跪趴剩倒线線网網楼樓路马馬晚早以之连連南北底地天手脸面墙床船身桌街肩炕]$/u],
  [/^[上下]/u, /[查量改等碰看问問想说說试試聊算排理补補催发發约約订訂歇停]一$/u],
  [/^本/u, /[一两兩二三四五六七八九十几幾\d这這那每日基根原课課成版样樣剧劇文副]$/u],
  [/^前[天年]/u, /[年月周史提之以目眼生向从從]$/u],
  [/^下[周週]/u, /[当當名手乡鄉]$/u],
  [/^上[周週月]/u, /[加赶趕]$/u],
  [/^[后後]天/u, /[\d先最然随背午雨天月年时時婚睡餐饭飯]$|(?:放学|放學|下班|毕业|畢業)$/u],
  [/^[后後]年/u, /[婚战戰产產会會]$/u],
  [/^去年/u, /[起一再回出進进過过死失逝除离離]$/u],
  [/^今年/u, /[迄如当當现現]$/u],
  [/^今[天早]/u, /[迄如]$/u],
  [/^明/u, /[聪聰透声聲证證鲜鮮黎英贤賢失昆清光表]$/u],
];

/** What goes on with the character that would be the weekday: 上周一直, 下周三点, 这星期天气. */
const GOES_ON =
  /^(?:一[良围直些共样樣起个個定家百点點切般边邊旦律向次同下会會审審模测測轮輪期路号號线線年篇份票把]|二[手姐哥十次胎维維审審模轮輪期本级級]|三[岁歲次亚亞哥十姐点點个個分方星轮輪模期审審角倍]|四[个個处處川次十周级級季期轮輪倍]|五(?:[个個星次月点點官险險粮糧年]|[一二三四五六](?=班|年级))|六[个個点點一日次十级級]|日[本语語子记記历曆照常活元经經均程报報志誌前后後]|天[气氣空线線台猫貓才]|末[日考班期])/u;

/** What makes a year, a month or a week with what follows it another word; a winter and the end of a lunar year belong to two. */
const YEAR_GOES_ON =
  /^年月日|^年的?(?:除夕|冬|腊|臘|小年|大年|年三十)|^年(?:[龄齡]|检(?![查测验修讨索])|檢(?![查測驗修討索])|[轻輕](?![松鬆轨軌])|味)/u;
const MONTH_GOES_ON = /^月(?:租卡|票(?!价|價))/u;
const WEEK_GOES_ON =
  /^周(?:公解|转[不得困资資]|记|記|大福|[遭身黑易庄莊刊边邊岁歲折密薪年期知杰]|[长長](?!沙|春|城|假|江|白|安|期))/u;

/** 李明 天天迟到, 小明 天生怕狗, 饭后 天南海北, 张明 晚婚. */
const DAY_GOES_ON =
  /^天(?:天[迟遲吵吃喝玩睡看说說来來去练練在想跑写寫催问問发發刷熬加喊抱做跟给給]|生(?:怕|爱|愛|丽|麗|聪|聰|乐|樂|胆|膽|就|不)|南[地海]北)|^[早晚]婚(?![礼禮宴纱紗])/u;

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

/** Whether a word begins here. */
export function beginsWord(text: string, index: number): boolean {
  const from = Math.max(0, index - 20);
  const around = segmenter.segment(text.slice(from, index + 20));
  return around.containing(index - from)?.index === index - from;
}

/** Whether a word ends here, of which the last character is a weekday. */
export function endsWord(text: string, end: number): boolean {
  if (GOES_ON.test(text.slice(end - 1, end + 2))) return false;
  const from = Math.max(0, end - 20);
  const around = segmenter.segment(text.slice(from, end + 20));
  const next = around.containing(end - from);
  return next === undefined || next.index === end - from;
}

/** 上周一直 is a week, not a Monday. */
export function isWholeWeek(text: string, end: number): boolean {
  return /^(?:一[直起共定样]|日(?:本(?!来)|[常程报元经活志])|二[手维]|[四六]级|三方)/u.test(
    text.slice(end - 1, end + 1),
  );
}

/** Whether what stands from `from` to `to` is a time by itself. */
export function isTimeOfItself(text: string, from: number, to: number): boolean {
  const [before, phrase] = [text.slice(Math.max(0, from - 2), from), text.slice(from, to)];
  if (BEGUN_BEFORE.some(([first, ends]) => first.test(phrase) && ends.test(before))) return false;
  const on = text.slice(to - 1, to + 3);
  return ![YEAR_GOES_ON, MONTH_GOES_ON, WEEK_GOES_ON, DAY_GOES_ON].some((goesOn) => goesOn.test(on));
}
