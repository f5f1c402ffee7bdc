import fc from "fast-check";
import { expect, test } from "vitest";
import type { Day } from "../../../src/model/time.js";
import { loadAbsoluteDates, loadDatePhrases } from "../../../src/text/dates/absolute.js";

const WEDNESDAY = "2026-01-28" as Day;
const dates = await loadAbsoluteDates();

test.each([
  ["see you tomorrow at 5", "see you tomorrow (2026-01-29) at 5"],
  ["yesterday's build", "yesterday's (2026-01-27) build"],
  ["the day after tomorrow", "the day after tomorrow (2026-01-30)"],
  ["day before yesterday", "day before yesterday (2026-01-26)"],
  ["last night and this morning", "last night (2026-01-27) and this morning (2026-01-28)"],
  ["in three days", "in three days (2026-01-31)"],
  ["2 days ago", "2 days ago (2026-01-26)"],
  ["two weeks ago", "two weeks ago (2026-01-12 – 2026-01-18)"],
  ["next week", "next week (2026-02-02 – 2026-02-08)"],
  ["last month", "last month (2025-12)"],
  ["next year", "next year (2027)"],
  ["last Friday was great", "last Friday (2026-01-23) was great"],
  ["next Monday", "next Monday (2026-02-02)"],
  ["this Friday", "this Friday (2026-01-30)"],
  ["on Thursday of next week", "on Thursday of next week (2026-02-05)"],
  ["in March last year", "in March last year (2025-03)"],
  ["a week ago today", "a week ago today (2026-01-21)"],
  ["a week from tomorrow", "a week from tomorrow (2026-02-05)"],
  ["the year before last", "the year before last (2024)"],
  ["I'll be back in three days.", "I'll be back in three days (2026-01-31)."],
  ["上上个月，大前年", "上上个月 (2025-11)，大前年 (2023)"],
  ["明年六月", "明年六月 (2027-06)"],
  ["上个月15号", "上个月15号 (2025-12-15)"],
  ["下週三開會", "下週三 (2026-02-04)開會"],
  ["明天见", "明天 (2026-01-29)见"],
  ["大后天和前天", "大后天 (2026-01-31)和前天 (2026-01-26)"],
  ["下周三开会", "下周三 (2026-02-04)开会"],
  ["上周五", "上周五 (2026-01-23)"],
  ["这周末", "这周末 (2026-01-31 – 2026-02-01)"],
  ["三天后交，五天前定的", "三天后 (2026-01-31)交，五天前 (2026-01-23)定的"],
  ["两周前", "两周前 (2026-01-12 – 2026-01-18)"],
  ["上个月，去年", "上个月 (2025-12)，去年 (2025)"],
  [
    "the 5th of next month, the last day of last month",
    "the 5th of next month (2026-02-05), the last day of last month (2025-12-31)",
  ],
  ["Tuesday next week", "Tuesday next week (2026-02-03)"],
  ["tomorrow week, two nights ago", "tomorrow week (2026-02-05), two nights ago (2026-01-26)"],
  ["下月十号，去年今天", "下月十号 (2026-02-10)，去年今天 (2025-01-28)"],
  ["去年四季度，今年上半年", "去年四季度 (2025-10-01 – 2025-12-31)，今年上半年 (2026-01-01 – 2026-06-30)"],
  [
    "今明两天停水，明后两天放假",
    "今明两天 (2026-01-28 – 2026-01-29)停水，明后两天 (2026-01-29 – 2026-01-30)放假",
  ],
  ["明儿见，琴日落雨", "明儿 (2026-01-29)见，琴日 (2026-01-27)落雨"],
  // Beside what only looks like them.
  ["明天天气好，明天天津见", "明天 (2026-01-29)天气好，明天 (2026-01-29)天津见"],
  ["明天生日，明晚婚礼", "明天 (2026-01-29)生日，明晚 (2026-01-29)婚礼"],
  ["今天明天都行，下周转正", "今天 (2026-01-28)明天 (2026-01-29)都行，下周 (2026-02-02 – 2026-02-08)转正"],
  ["大学后天开学，上月加薪", "大学后天 (2026-01-30)开学，上月 (2025-12)加薪"],
  ["Tomorrow Maria rehearses the speech", "Tomorrow (2026-01-29) Maria rehearses the speech"],
  ["free tomorrow for a beer?", "free tomorrow (2026-01-29) for a beer?"],
  ["上周一直在忙", "上周 (2026-01-19 – 2026-01-25)一直在忙"],
])("%s", (text, expected) => {
  expect(dates(text, WEDNESDAY)).toBe(expected);
});

test.each([
  "version 1.2.3, 3/4 of users, 10.5 and 2026-02-30",
  "The sun is bright; we sat; may I march on in a second?",
  "It took 5 days, for 3 weeks, within 2 days, 3 days later, he is 5 years old",
  "on Monday",
  // Two words of which a part looks like a time.
  "线上周会，楼下周黑鸭，一本周易，提前年审，一起去年会，00后天才，散场后天桥上，下周五一班，上周一审",
  "查一下周三的航班，只剩下周六的票了，下周二左右，下个周五",
  // Pasted, to be worked on, supposed, about words.
  "Translate into German: I will be back tomorrow.",
  "-----Original Message----- The office is closed tomorrow.",
  "ERROR scheduler: next run in 2 days, last run 3 days ago",
  "imagine you move tomorrow; pretend you dock in three days",
  "what's tomorrow in welsh? The word yesterday has nine letters. const today = new Date()",
  "假如明天就是世界末日，用“昨天”造句，转发：明晚停电，便利贴上写着明天交费",
  // Titles that nobody marks, sayings, an age.
  "last week tonight is funny, we watched the day after tomorrow, knock him into next week",
  "今天的年轻人，明日之子，昨日派对，人类的明天，后天慢慢养成，仿佛就在昨天",
  "她身上周大福的链子，桌上周记本，你车上月租卡，车开去年检了，成本周转不开，失明天数",
  "the today show, usa today, that joke was so last year, kids today wouldn't last, the button reads Remind me tomorrow",
  // Of two days, or of two weeks.
  "lunch tomorrow, Friday?",
  "their tomorrow or our tomorrow, every single night I say tomorrow",
  "in 5 days, I mean working days; in a week and a bit; a week ago Monday",
  "Mondays are fine",
  "`tomorrow` and ```\nyesterday\n``` and https://x.com/today",
  "3年前端经验，先天后天，去年级主任那里，周五，3月5日，以下月份",
  "tomorrow (2026-01-29)",
  // Of which week, nobody can tell.
  "next Friday and last Tues, this Monday",
  "It shipped on Monday. We will meet on Monday. Lin proposed Friday for the harbor dinner.",
  "We finished in three days, about two weeks ago, in the last week of June",
  "办完婚礼两天后，三年后他成了老板，大约三周前",
  // No time at all.
  'I hum "Friday I\'m in Love" and read USA Today. Tomorrow Never Dies is a film.',
  "The Tonight Show; he was not born yesterday; the leaders of tomorrow",
  "小明天生怕狗，李明天天迟到，张明晚婚，饭后天南海北地聊，放学后天都黑了，婚后年底总吵架，会后年会照片",
  "手下周转不灵，加上月供，标明年月日，英语里后天怎么说，别想明天，他不信有明天",
  "Tomorrow Belongs to Me is from Cabaret; run it with --since yesterday; the sun will come out tomorrow, she sings",
  "《昨天》和“明天休息”，全靠后天的努力，咖啡馆叫明天见，今日头条",
  // Of another day.
  "Mum used to say that tomorrow she would fix it. Once he promised to pay tomorrow",
  "那封旧邮件里说昨天已经付款",
])("stays: %s", (text) => {
  expect(dates(text, WEDNESDAY)).toBe(text);
});

const phrases = fc.array(
  fc.oneof(
    fc.string(),
    fc.constantFrom(
      "tomorrow ",
      "last Friday ",
      "下周三",
      "三天前",
      "in 2 weeks ",
      "`today` ",
      "next month's ",
      "去年",
      " 12 ",
      "v1.2 ",
      "3/4 ",
    ),
  ),
);
const days = fc
  .date({ min: new Date("1990-01-01"), max: new Date("2090-01-01"), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10) as Day);

test("what was said stays as it was: dates are only added", () => {
  fc.assert(
    fc.property(phrases, days, (parts, day) => {
      const text = parts.join("");
      expect(dates(text, day).replace(/ \(\d{4}(?:-\d\d){0,2}(?: – \d{4}-\d\d-\d\d)?\)/g, "")).toBe(text);
    }),
  );
});

test("a second reading adds nothing", () => {
  fc.assert(
    fc.property(phrases, days, (parts, day) => {
      const once = dates(parts.join(""), day);
      expect(dates(once, day)).toBe(once);
    }),
  );
});

test("tomorrow is the day after, whatever the month, the year or the machine's time zone", () => {
  fc.assert(
    fc.property(days, (day) => {
      const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
      expect(dates("tomorrow", day)).toBe(`tomorrow (${next})`);
      expect(dates("明天", day)).toBe(`明天 (${next})`);
    }),
  );
});

test("what is looked for may be guessed", async () => {
  const phrases = await loadDatePhrases();
  const guessed = (text: string): string[] => phrases(text, WEDNESDAY, true).map(({ date }) => date);
  expect(guessed("next Friday")).toEqual(["2026-02-06"]);
  expect(guessed("It shipped on Monday.")).toEqual(["2026-01-26"]);
  expect(phrases("It shipped on Monday.", WEDNESDAY)).toEqual([]);
});

test("characters of a day inside other words are no day", async () => {
  for (const text of ["迁移明明早就拆出去了", "说明天气的图", "证明日期有误"])
    expect(dates(text, WEDNESDAY)).toBe(text);
  expect(dates("她打算明天早上去", WEDNESDAY)).toContain("2026-01-29");
  expect(dates("昨晚没睡", WEDNESDAY)).toBe("昨晚 (2026-01-27)没睡");
});

/** What people say every day, beside words that stand in titles, sayings and logs too. */
test.each([
  "I got an error in the deploy yesterday, and we fix it tomorrow.",
  "The info session is tomorrow at five.",
  "A warning came in from the bank. I have to call them tomorrow.",
  "I'm out of office tomorrow.",
  "You're correct, the call is at 10:30 tomorrow.",
  "我明天去看牙医。下周要写文案。",
  "文案明天给你",
  "按钮的颜色明天改",
  "这个话题明天再聊",
  "It rained, so yesterday we stayed home.",
  "The plumber was here yesterday.",
  "Last Friday night we met Bob.",
  "The meeting was put off until tomorrow.",
  "The schedule will change tomorrow.",
  "Sam needed a ride yesterday.",
  "I felt like an idiot yesterday.",
  "Today I learned that Tom is moving.",
  "We'll have to wait until next year.",
  "Today Anna packs, and the move is tomorrow.",
  "Our daughter was born yesterday.",
  "She called last night.",
  "Let's watch a movie tonight.",
  "Can you send the file today?",
  "I'll merge the branch tomorrow.",
  "Dinner tonight in town is cancelled.",
  "The call tomorrow in Berlin is at ten.",
  "Tomorrow by noon I need the report.",
  "Today is my last day at the shop.",
  "Tomorrow is the launch of my book.",
  "My mom called yesterday",
  "I finished the book yesterday",
  "Yesterday Maria got promoted",
  "The meeting is postponed to next week.",
  "I moved the dentist to next month.",
  "For the first time this year I ran 10k.",
  "Let's say tomorrow at five.",
  "I assume she arrives tomorrow.",
  "I suppose we leave tomorrow.",
  "Please edit the message and send it tomorrow.",
  "We'll replace the sign tomorrow.",
  "My calendar says the dentist is tomorrow.",
  "I've lived here since 2019 and move out tomorrow.",
  "The team party is already tomorrow.",
  "Tomorrow, the band plays at nine.",
  "Today, the one with the dog came by.",
  "My kids today had a test.",
  "手机上周坏了",
  "上月租金涨了",
  "去年检查过一次",
  "王总明天到北京",
  "家长会下周三开",
  "钢琴课下周开始",
  "年会下周五举行",
  "演唱会后天开始",
  "决赛后天举行",
  "股东会前天开完了",
  "下周公司体检",
  "下周游泳课取消了",
  "我今年会去日本",
  "明年会结婚",
  "去年检查出高血压",
  "今年审批很慢",
  "上个月销售额涨了10%",
  "下个月租约到期",
  "后天团建",
  "合同下个月到期",
  "我下周到北京出差",
  "后天的航班",
  "明天咖啡馆见",
  "后天成绩出来",
  "可以后天来",
  "今天不上班，明天上班",
  "我知道明天会下雨",
  "害怕明天的考试",
  "今天的事不要告诉别人",
  "密码今天到期",
  "公众号明天更新",
  "节目明天播出",
  "他叫我明天去",
  "问题#12明天修复",
  "修好了#42，明天上线",
  "Web/后端今天联调",
  "还记得二十年前的今天吗",
])("a date for: %s", (text) => {
  expect(dates(text, WEDNESDAY)).toMatch(/\(20\d\d[^()]*\)/);
});

test("of the twentieth year before today, not of the tenth; of a month that there is", () => {
  expect(dates("还记得二十年前的今天吗", WEDNESDAY)).toContain("(2006-01-28)");
  expect(dates("明年13月", WEDNESDAY)).not.toContain("2027-13");
});
