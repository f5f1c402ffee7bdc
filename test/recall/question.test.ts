import { expect, test } from "vitest";
import { cuesOf, CUES, wantsOf } from "../../src/recall/index/cues.js";
import { namedSpeakers } from "../../src/recall/evidence.js";
import { questionOf } from "../../src/recall/question.js";
import { MOST_QUERY_TERMS } from "../../src/recall/weights.js";

const weightOf = (text: string, term: string): number =>
  questionOf(text, []).terms.find((each) => each.term === term)?.weight ?? 0;

test("a word said twice counts more, but not twice as much", () => {
  expect(weightOf("violin violin", "violin")).toBeGreaterThan(weightOf("violin", "violin"));
  expect(weightOf("violin violin", "violin")).toBeLessThan(2 * weightOf("violin", "violin"));
});

test("words of which questions are made, and small talk, count less", () => {
  expect(weightOf("describe the violin", "describ")).toBeLessThan(weightOf("describe the violin", "violin"));
  expect(weightOf("a nice violin", "nice")).toBeLessThan(weightOf("a nice violin", "violin"));
});

test("in several turns the newest one counts most", () => {
  const text = '"I bought a violin." "It is old." "Where is the harbour?"';
  expect(weightOf(text, "harbour")).toBeGreaterThan(weightOf(text, "violin"));
});

test("words side by side are pairs; Han characters are pairs already", () => {
  const { terms, pairs } = questionOf("the old violin teacher", []);
  expect(pairs.map(([a, b]) => `${terms[a]?.term} ${terms[b]?.term}`)).toEqual([
    "old violin",
    "violin teacher",
  ]);
  expect(questionOf("电影院在哪里", []).pairs).toEqual([]);
});

test("a text of any length is asked with few terms", () => {
  const long = Array.from({ length: 50_000 }, (_, index) => `word${index}`).join(" ");
  const { terms, pairs } = questionOf(long, []);
  expect(terms).toHaveLength(MOST_QUERY_TERMS);
  expect(pairs.every((pair) => pair.every((index) => index < MOST_QUERY_TERMS))).toBe(true);
});

test.each<[string, Partial<ReturnType<typeof wantsOf>>]>([
  ["When did Ana buy the violin?", { when: true }],
  ["什么时候去的北京", { when: true }],
  ["Who plays the violin when it rains?", { when: false }],
  ["What did you suggest for the harbour?", { agent: true }],
  ["你上次建议的那本书", { agent: true }],
  ["What did Ana suggest?", { agent: false }],
  ["How many times have I mentioned the harbour?", { help: false }],
  ["我之前说过什么", { help: false }],
  ["violin tuning", { help: false }],
  ["部署超时", { help: false }],
  ["How do I tune a violin?", { help: true }],
  ["Write a letter to my teacher", { help: true }],
  ["怎么给小提琴调音", { help: true }],
  ["帮我写封信", { help: true }],
])("%s", (text, wants) => {
  expect(wantsOf(text)).toMatchObject(wants);
});

test("a text that asks, and one that tells a time", () => {
  expect(cuesOf("Where is it?")).toBe(CUES.asks);
  expect(cuesOf("Where is it? [photo: a violin]")).toBe(CUES.asks);
  expect(cuesOf("在哪里？")).toBe(CUES.asks);
  expect(cuesOf("We met last Friday.")).toBe(CUES.tellsTime);
  expect(cuesOf("上周我们见面了")).toBe(CUES.tellsTime);
  expect(cuesOf("It is here.")).toBe(0);
});

test.each([
  "Always use tables when I ask about prices.",
  "Thanks. Please never send links!",
  "From now on, answer in French.",
  "I prefer short answers. Can you plan my day?",
  "以后报价都用表格",
  "请始终用中文回答",
  "我更喜欢简短的回答",
])("how somebody wants things done: %s", (text) => {
  expect(cuesOf(text) & CUES.wishes).toBe(CUES.wishes);
});

test.each([
  "Never mind.",
  "I never drink tea.",
  "We always meet here.",
  "每次都下雨",
  "He has never been there.",
])("what is so: %s", (text) => {
  expect(cuesOf(text) & CUES.wishes).toBe(0);
});

test("who is named: by the given name, the beginning of it, in Chinese without spaces", () => {
  const named = (text: string, speakers: string[]): string[] => [
    ...namedSpeakers(questionOf(text, []).words, speakers),
  ];
  expect(named("What does Mel like?", ["Melanie", "Caroline"])).toEqual(["Melanie"]);
  expect(named("What does O'Brien like?", ["Pat O'Brien", "Caroline"])).toEqual([]);
  expect(named("小明喜欢什么", ["小明", "小红"])).toEqual(["小明"]);
  expect(named("What do Melanie and Caroline like?", ["Melanie", "Caroline"])).toEqual([]);
  expect(named("What is me?", ["Melanie", "Caroline"])).toEqual([]);
});

test("what Chinese questions are made of counts less, unless it is said as something else too", () => {
  const weight = weightOf("第一次压测结果怎么样", "压测");
  for (const talk of ["第一", "一次", "结果"])
    expect(weightOf("第一次压测结果怎么样", talk)).toBeLessThan(weight / 2);
  expect(weightOf("桅杆的结果如何", "结果")).toBeLessThan(weightOf("桅杆的结果如何", "桅杆") / 2);
  expect(weightOf("樹的結果如何", "结果")).toBeLessThan(weightOf("樹的結果如何", "树"));
  expect(weightOf("一次性筷子", "性筷")).toBe(1);
});
