/** Where a Chinese text speaks of a time that is told from the day on which it is said. Pure. */
import { addDays, isDay } from "../../model/time.js";
import {
  chineseNumber,
  counted,
  dayOfMonth,
  monday,
  moved,
  partOfYear,
  period,
  shiftMonths,
  weekOf,
} from "./counted.js";
import { beginsWord, endsWord, isTimeOfItself, isWholeWeek } from "./han-words.js";
import { isFromToday } from "./open.js";
import { at, type DatePhrase, endOf, type Given } from "./phrase.js";

/** 明日 and its like are written where times are told, and stand in names elsewhere. */
const ZH_DAY =
  /大前天|前天(?![天猫窗边桥线台])|昨[天晚]|(?<!至)今(?:[天早]|晚(?!报))|(?<![清文])明[天晚早]|(?<!至)[昨今明]日(?=[上中下早晚凌清起将会要到来去前开已停正又再还不无没有从在由举收公宣获提报推完召休涨跌出发回交对与和及为，。！？、：；,.!?\s]|$)|大后天|(?<!先天|先天不足|[全都]靠)后天(?![性天台窗才桥色]|团(?!建|队)|的(?:努力|培养|教育|环境|学习|养成|修养|性格|影响|因素|训练|勤奋|经验|刺激|练习|积累|锻炼|能力)|劳损|美|练|习得|培养|养成|形成|训练|努力|失|残|免疫|学|获得|因素|环境|教育)/g;
const ZH_NUMBER = "\\d{1,3}|[一二两三四五六七八九十半]{1,3}";
const ZH_COUNT = new RegExp(
  `(?<![第过每\\d.一二两三四五六七八九十百](?: \\(\\d{4}[^()]*\\))?)(${ZH_NUMBER})(天|周|星期|个月|年)(以?前|以?后)(?!端|置|台|缀|任|后|妻|夫|[男女]友)`,
  "g",
);
const ZH_PERIOD =
  /(?<![以早晚马上下])(上上|下下|上|下|这|本)个?(周|星期|礼拜(?!堂|寺)|月)(?![一二三四五六日天末底初中内份\d球饼亮老台票薪经季色光食子嫂围边杰]|期|年)|(?<![说文证])大?(?:前|去|今|明|后)年(?!级|轻|龄|纪|年|代|货|夜|份|终|薪|度|一月龄)(?:的?(\d{1,2}|[一二三四五六七八九十]{1,2})月(?:(\d{1,2}|[一二三四五六七八九十]{1,3})[日号])?)?/g;
const ZH_DAY_OF_MONTH = /([上下这本])个?月(\d{1,2}|[一二三四五六七八九十]{1,3})[号日]/g;
/** As it is said in the north and in Canton. */
const ZH_SPOKEN_DAY = /([今明昨])儿个?(?![子媳童科歌女])|([听琴寻])[日晚朝](?![子历])/g;
const ZH_DAYS_BOTH = /(今明|明后)两天/g;
const ZH_TODAY_OF =
  /(?:([去前明])年|(?<![一二两三四五六七八九十百\d])([一二两三四五六七八九十]{1,3}|\d{1,2})年前|([上下])个?(周|星期|礼拜|月))的?(?:今天|今日)(?![的早晚])/g;
const ZH_PART_OF_YEAR = /([去前今明后])年的?(?:([上下])半年|第?([一二三四])季度|(前三)季度)/g;
/** 下个周五 is to some the one that comes. */
const ZH_WEEKDAY = /(上上|下下|上|下|这|本)(?:周|个?(?:星期|礼拜)|个周(?=末))([一二三四五六日天末])/g;

export function* inChinese({ text, today, solve, mayGuess }: Given): Generator<DatePhrase> {
  const isInborn = text.includes("先天");
  for (const match of text.matchAll(ZH_TODAY_OF)) {
    const [, year, years, week, unit] = match;
    const back = week === "上" ? -1 : 1;
    const date =
      week !== undefined
        ? moved(today, back, unit === "月" ? "month" : "week")
        : moved(today, { 去: -1, 前: -2, 明: 1 }[year ?? ""] ?? -(chineseNumber(years ?? "") ?? 0), "year");
    yield* at(text, match, date);
  }
  for (const match of text.matchAll(ZH_PART_OF_YEAR)) {
    const [, which = "", half, quarter, three] = match;
    const year = Number(today.slice(0, 4)) + ({ 前: -2, 去: -1, 今: 0, 明: 1, 后: 2 }[which] ?? 0);
    const only = chineseNumber(quarter ?? "") ?? 1;
    const quarters = { 上: [1, 2], 下: [3, 4], 前三: [1, 3] }[half ?? three ?? ""] ?? [only, only];
    yield* at(text, match, partOfYear(year, quarters));
  }
  for (const match of text.matchAll(ZH_DAYS_BOTH)) {
    const from = match[1] === "今明" ? 0 : 1;
    yield* at(text, match, `${addDays(today, from)} – ${addDays(today, from + 1)}`);
  }
  for (const match of text.matchAll(ZH_SPOKEN_DAY)) {
    const offset = { 今: 0, 明: 1, 昨: -1, 听: 1, 琴: -1, 寻: -1 }[match[1] ?? match[2] ?? ""] ?? 0;
    yield* at(text, match, addDays(today, offset));
  }
  for (const match of text.matchAll(ZH_DAY)) {
    if (!isTimeOfItself(text, match.index, endOf(text, match))) continue;
    // What one is born with is not of the day after tomorrow.
    if (match[0] === "后天" && isInborn) continue;
    if (beginsWord(text, match.index)) yield* at(text, match, solve(match[0].replace("後", "后"), today));
  }
  for (const match of text.matchAll(ZH_COUNT)) {
    const [, count = "", unit = "", side = ""] = match;
    if (!mayGuess && !isFromToday(text, match.index, endOf(text, match), side)) continue;
    yield* at(text, match, counted(count, unit, side.endsWith("前") ? -1 : 1, today));
  }
  for (const match of text.matchAll(ZH_DAY_OF_MONTH)) {
    const month = shiftMonths(today, { 上: -1, 下: 1 }[match[1] ?? ""] ?? 0);
    yield* at(text, match, dayOfMonth(month, chineseNumber(match[2] ?? "") ?? 0));
  }
  for (const match of text.matchAll(ZH_PERIOD)) {
    if (!isTimeOfItself(text, match.index, endOf(text, match))) continue;
    const isFar = match[0].startsWith("大");
    const year = { 前: -2, 去: -1, 今: 0, 明: 1, 后: 2 }[match[0].charAt(isFar ? 1 : 0)];
    if (match[2] === undefined) {
      if (year === undefined) continue;
      const named = shiftMonths(today, 12 * (year + (isFar ? Math.sign(year) : 0))).slice(0, 4);
      const month = match[3] === undefined ? undefined : chineseNumber(match[3]);
      const day = match[4] === undefined ? undefined : chineseNumber(match[4]);
      if (month !== undefined && (month < 1 || month > 12)) continue;
      const parts = [month, day].flatMap((part) =>
        part === undefined ? [] : [String(part).padStart(2, "0")],
      );
      const date = [named, ...parts].join("-");
      if (parts.length < 2 || isDay(date)) yield* at(text, match, date);
    } else if ((match[1]?.length ?? 0) > 1) {
      const steps = match[1]?.startsWith("上") === true ? -2 : 2;
      yield* at(
        text,
        match,
        match[2] === "月" ? shiftMonths(today, steps) : weekOf(addDays(today, 7 * steps)),
      );
    } else
      yield* at(
        text,
        match,
        period(
          match[1] === "上" ? "last" : match[1] === "下" ? "next" : "this",
          match[2] === "月" ? "month" : "week",
          today,
        ),
      );
  }
  for (const match of text.matchAll(ZH_WEEKDAY)) {
    if (!isTimeOfItself(text, match.index, endOf(text, match))) continue;
    if (isWholeWeek(text, endOf(text, match))) {
      const steps = { 上上: -2, 上: -1, 下: 1, 下下: 2 }[match[1] ?? ""] ?? 0;
      yield { from: match.index, to: endOf(text, match) - 1, date: weekOf(addDays(today, 7 * steps)) };
      continue;
    }
    if (!endsWord(text, endOf(text, match))) continue;
    const weeks = { 上上: -2, 上: -1, 下: 1, 下下: 2 }[match[1] ?? ""] ?? 0;
    // The Chinese week begins on Monday.
    const offset = "一二三四五六日".indexOf((match[2] ?? "").replace("天", "日").replace("末", "六"));
    const day = addDays(monday(today), weeks * 7 + offset);
    yield* at(text, match, match[2] === "末" ? `${day} – ${addDays(day, 1)}` : day);
  }
}
