/**
 * Digits that open something: a door, a safe, a telephone, a till. They are told at
 * once, in groups, one by one, spelled, with the way a dial turns.
 *
 * Pure. In groups they count near what is opened by digits; all at once only where a
 * word leads to them as well, for prose has numbers of its own.
 */
import type { Named } from "./named.js";

const OPENED_EN =
  "homekit|matter|pairing|key ?pads?|number ?pad|pad ?locks?|lock(?:box(?:es)?|ers?|ed)?s?|key ?(?:box|safe)|safe|strong ?box|vault|alarm|panel|garage|gate|barrier|doors?|\\w{0,8}room|intercom|entry ?phone|buzzer|combination|combo|dial|pins?\\d?|puk\\d?|cpin|pass ?code|voice ?mail|mail ?box|till|override|host key|claim host|(?:access|entry|user|dept|department|technician|service|engineer|menu|staff|manager|member|security|confirmation|verification|one-time|bank|phone|secret|private|personal|parental|key ?box|arm|disarm|reset|pairing|setup|extraction) codes?|unlock\\w{0,3}|unblock|pad|ipad|(?:my|old|work|her|his) phone|banking|hole in the wall|cash ?(?:machine|point)|atm|copier|printer|bike|shed|suitcase|luggage|briefcase|sim|disarms?|lift|elevator|safety box|cabinet|cupboard|parental|tenkey|fob|bank card|debit card|recovery|(?:sign|log)[ -]?in|verif\\w{0,8}|otp|2fa|texted|sms";
const OPENED_HAN =
  "[门門]|[锁鎖]|保[险險]|[钥鑰]|[置储儲寄][物]|密[码碼]|[号號][码碼]|[组組]合|[转轉][盘盤]|[键鍵]|警[报報]|保全|防[盗盜]|解除|[车車][库庫]|影印|[复復]印|代[码碼]|提款|取款|信箱|理[财財]|授[权權]|作[废廢]|[柜櫃箱盒]|[电電]梯|[闸閘]|[门門]口|[验驗][证證]|[输輸填][入了]?|短信|[簡简短][讯訊]|[动動][态態]|[个個位][数數]字|主持人|刷卡|幾[号號]|[几][号]|[配][对對]";
const OPENED = new RegExp(`(?<![a-z])(?:${OPENED_EN})(?![a-z])|${OPENED_HAN}`, "i");
/** What has a code and hardly any other number: a room, a garage, a box, an alarm have many. */
const CODED =
  /(?<![a-z])(?:key ?pads?|number ?pad|pad ?locks?|lock ?box|key ?(?:box|safe)|(?:med|store|server|clean|locker) ?room|pins?\d?|puk\d?|cpin|pass ?code|voice ?mail|override|host key|claim host|disarms?|unlock\w{0,3}|(?:sign|log)[ -]?in|verif\w{0,8}|otp|2fa|texted|sms|(?:bike|combination|number|suitcase|luggage|smart) lock|combination|combo|hole in the wall|recovery code|safe(?! (?:ratio|side|place|to|from|and))|(?:access|door|gate|entry|garage|alarm|user|dept|department|technician|service|engineer|menu|staff|manager|security|lock|safe|one-time|key ?box|pairing|setup|room|bank|phone|confirmation|recovery|steam) (?:code|recovery))(?![a-z])|密[码碼]|[锁鎖](?:[设設的是码碼號号]|$)|[钥鑰]匙|保[险險][柜櫃箱]|[验驗][证證]|主持人|作[废廢]|授[权權]|解除|[门門]禁|影印|[复復]印|[动動][态態]|短信|[簡简短][讯訊]|[个個]?位?[数數]字/i;
/** Small numbers, which stand in any sentence. */
const LISTED = /^\d{1,2}(?:[ -]|, ?)\d{1,2}(?:(?:[ -]|, ?)\d{1,2}){1,3}$/;
/** Who asks for so many of them. */
const ASKED =
  /\b(?:three|four|five|six|eight|[3-8])[ -](?:numbers|digits?|figures)\b|[三四五六八3-8] ?[个個]?位?[数數][字]/i;

const UNITS =
  "\\s?(?:[KMG]B|ms|px|tokens?|words?|chars?|bytes?|characters|points|people|times|hours|days|weeks|months|years|minutes|miles|dollars|seconds|steps|rows|records|users|requests|items|percent|pounds|euros|am|pm|cm|mm|km|kg|in the morning|wide|long|high|tall|deep|g\\b|[张張份倍]|元|[块塊]|[个個]|次|位|字|年|月|日|天|人|米|分|小[时時]|美|秒|[条條]|[万萬]|港|[页頁]|歲|岁|[号號](?![码碼]))";
const NOT_BEFORE = "(?<![\\w./$€£¥+#%-]|(?<![A-Za-z])\\d[ :,-]{1,2}|[一-龥]月)";
const NOT_BEHIND = `(?![\\w/:%°$€£]|[.,]?\\d|[ -]\\d|-\\w|${UNITS})`;
const GROUPED = new RegExp(
  `(?=[\\dA-Z*#])${NOT_BEFORE}(?:\\d(?:[ -]\\d){3,9}|\\d{1,2}(?:-\\d{1,2}){2,3}|\\d{1,2}(?:, ?\\d{1,2}){2,3}|\\d{1,2}(?: \\d{1,2}){2,4}|\\d{3}[ -]\\d{3}|[LR]\\d{1,2}(?:[ ,/-]{1,3}[LR]\\d{1,2}){2,4}|[A-Z\\d](?:-[A-Z\\d]){3,7}|\\d{3}-\\d{2}-\\d{3}|\\d{4}-\\d{3}-\\d{4}|[*#]\\d{3,8}(?=#)|\\d{1,6}#\\d{1,6}(?=#)|\\d{3,8}(?=#)|\\d{3,8}\\*(?= to\\b))#?${NOT_BEHIND}`,
  "gi",
);
const DIGIT_WORD =
  "(?:zero|oh|nought|one|two|three|four|five|six|seven|eight|nine|(?:double|triple) (?:zero|oh|one|two|three|four|five|six|seven|eight|nine))";
const SPELLED = new RegExp(`\\b${DIGIT_WORD}(?:[ ,-]{1,2}${DIGIT_WORD}){3,11}\\b`, "gi");
const SPELLED_HAN = /[零〇一二三四五六七八九幺两兩]{4,12}(?![十百千万萬年月日号號个個])/g;
/** What stands wherever the shape does, and is quicker to look for. */
const SHAPES = [
  [/\d(?:[ -]|, ?)\d|\d[#*]|[LR]\d|[A-Z\d]-[A-Z\d]-/i, GROUPED],
  [
    /\b(?:zero|oh|nought|one|two|three|four|five|six|seven|eight|nine)[ ,-]{1,2}(?:double|triple|zero|oh|nought|one|two|three|four|five|six|seven|eight|nine)\b/i,
    SPELLED,
  ],
  [/[零〇一二三四五六七八九幺两兩]{4}/, SPELLED_HAN],
] as const;
/** All at once, or with a letter: 5820, C159Y, R48213. */
const PLAIN = new RegExp(
  `(?=[\\dA-Z])${NOT_BEFORE}(?!(?:19\\d|20[0-3])\\d(?!\\d))(?:\\d{4,8}|[A-Z]\\d{3,6}[A-Z]?|\\d{2,5}[A-Z]{1,2}\\d{0,3})[#*]?${NOT_BEHIND}`,
  "g",
);
const LEADS =
  /(?:\b(?:codes?|numbers?|pin\d?|puk\d?|press(?:ing)?|enter(?:ed|ing)?|put|typed?|punch|dial(?:led)?|takes?|with|\w{1,12}['’]s|its|is|are|was|then|keyed|key|mine|says?|in|reads|use[ds]?|try|tried|hit|tap|recovery|or)|[是为為按打输入輸设設用取拨撥填碰]|=|\d["']?, ?(?=["']))[ :]{0,2}(?:still |now |in )?["'“「(]{0,2}$|[:：]\s?["'“「(]{0,2}$|\p{Script=Han}[：，:,]? ?$/iu;

/** As the boxes for keys have them. */
const BOXED = /(?<![\w-])[A-Z]\d{3,4}[A-Z](?![\w-])/g;
const BOX = /key ?safe|lock ?box|key ?box|key ?pad|[钥鑰]|[门門锁鎖]/i;
/** Said to be one, a year may be one too. */
const YEAR = /(?<![\w.\/$€£¥-])(?:19|20)\d\d(?![\w%]|[.,-]?\d)/g;
const OF_CODES =
  /(?:(?:door|gate|lock\w{0,4}|safe|box|alarm|pass|access|entry|pin|keypad|garage) ?code|combination|passcode|(?:box|door|safe|lock|alarm|gate|keypad)\b[^\n\d]{0,40}\. Code|\bsafe\b[^\n.]{0,20} (?:is set|opens|set)(?: with)?|[门門鎖锁箱柜櫃][^\n\d]{0,6}(?:[密号號][码碼]|[设設]的?))(?:['’]s| is| to|[是为為设設]|:)?[ :]{0,2}["'“]?$/i;
/** Done with nothing but what opens. */
const PRESSED =
  /(?:\b(?:press|punch(?: in)?|dial|key in|type(?: in)?|turn|enter|put(?: in)?)|按|[输輸]入?|[转轉])[ :]{1,2}["'“]?$/i;
const BEFORE_CHARS = 120;
const BEHIND_CHARS = 50;
const NEAR_CHARS = 70;
/** With commas they are like any list of numbers. */
const OF_DIALS =
  /safe|lock|combination|combo|dial|vault|code|keypad|[锁鎖]|保[险險]|[柜櫃]|[转轉]|密|[组組]合|金[库庫]/i;
/** Of time, of places and of what is counted; and what has a number only to be told from others. */
const OF_OTHERS =
  /(?:\b(?:room|flat|unit|ext(?:ension)?\.?|port|version|order|invoice|ticket|bus|route|flight|page|line|size|model|step|year|since|account|acct|isbn|sort code|zip|postal|area|error|status|exit|http|phone|tel|call|ending|ends|ends in|text|rgb|case|id|sku|ref|room|colou?r|timeout|localhost|(?:error|zip|area|postal|status|country|exit|bar|qr|course|class|product|stock|item|part|batch|dress|colou?r|source|currency|language|branch|bank|swift|tax|icd|cpt|billing|job|cost|event|return|response|fault|reason|trouble|dial(?:l?ing)?) code)["']?[ :#=]{1,2}|[订訂][单單]|分机|分機|[电電][话話]|尾[号號]|端口|[错錯][误誤][码碼]|[邮郵][编編遞递]|[门門]牌|型|日期|学[号]|學號|[编編][号號]|[拨撥] ?)(?:number |no\.? |号 ?|[是:]\s?)?["'“]?$/i;

/** "8052 by day and 8053 if somebody forces you": another of the same kind. */
const OTHER = /^[^\n\d.]{1,44}(?:\b(?:and|or|not)\b|[\/,、，]|和|或|不是|而非)[^\n\d.]{0,24}?$/;

export function digitsIn(text: string): Named[] {
  if (!/\d/.test(text) && !SHAPES.some(([sign]) => sign.test(text))) return [];
  const grouped = SHAPES.filter(([sign]) => sign.test(text)).flatMap(([, shape]) =>
    [...text.matchAll(shape)].filter(
      ({ index, 0: digits }) =>
        isNear(text, index, digits.length, BEFORE_CHARS, OPENED) &&
        (!LISTED.test(digits) || isLedTo(text, index)),
    ),
  );
  const years = [...text.matchAll(YEAR)].filter(({ index }) =>
    OF_CODES.test(text.slice(Math.max(0, index - 70), index)),
  );
  const boxed = [...text.matchAll(BOXED)].filter(({ index }) =>
    BOX.test(text.slice(Math.max(0, index - 90), index)),
  );
  const plain = [...text.matchAll(PLAIN)].filter(
    ({ index, 0: digits }) => isLedTo(text, index) && isNear(text, index, digits.length, NEAR_CHARS, CODED),
  );
  const found = [...grouped, ...years, ...boxed, ...plain].map(({ index, 0: digits }) =>
    coded(index, digits),
  );
  return [...found, ...found.flatMap((one) => othersBehind(text, one)), ...onTheBack(text)];
}

function coded(from: number, digits: string): Named {
  return { from, to: from + digits.length, kind: "code" };
}

function isLedTo(text: string, at: number): boolean {
  return LEADS.test(text.slice(Math.max(0, at - 24), at));
}

function isNear(text: string, at: number, length: number, chars: number, opened: RegExp): boolean {
  const before = text.slice(Math.max(0, at - chars), at);
  if (OF_OTHERS.test(before)) return false;
  if (
    text.slice(at, at + length).includes(",") &&
    !OF_DIALS.test(text.slice(Math.max(0, at - chars), at + length + chars))
  )
    return false;
  if (PRESSED.test(before) && chars === BEFORE_CHARS) return true;
  const behind = text.slice(at + length, at + length + BEHIND_CHARS);
  return [before, behind].some((side) => opened.test(side) || ASKED.test(side));
}

function othersBehind(text: string, { to, from }: Named): Named[] {
  const length = to - from;
  return [...text.slice(to, to + 90).matchAll(/(?<![\w.-])\d{3,8}(?![\w.%-])/g)]
    .filter(({ index, 0: digits }) => digits.length === length && OTHER.test(text.slice(to, to + index)))
    .map(({ index, 0: digits }) => coded(to + index, digits));
}

/** Of a card, three or four of them. */
const BACK =
  /(?:\b(?:cvv2?|cvc2?|cid|csc|sec(?:urity)? (?:code|number|no\.?|digits)|(?:three|3|four|4|last three|last 3) (?:little )?(?:digits?|numbers|figures))\b|背面|安全[码碼]|[后後末][三3][位码碼]|[检檢]查[码碼])[^\n\d]{0,48}$/i;
const OF_BACK = /(?<![\w.-]|\d[ -])\d{3,4}(?![\w%:.-]\w|\d|[ -]\d)/g;
const OF_CARDS = /card|back|visa|amex|master|cvv|cvc|\bexp\b|order|卡|背面|有效期|刷/i;

function onTheBack(text: string): Named[] {
  return [...text.matchAll(OF_BACK)].flatMap(({ index, 0: digits }) => {
    if (!BACK.test(text.slice(Math.max(0, index - 80), index))) return [];
    if (!OF_CARDS.test(text.slice(Math.max(0, index - 130), index + 80))) return [];
    const one = coded(index, digits);
    return [one, ...othersBehind(text, one)];
  });
}
