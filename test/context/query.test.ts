import { expect, test } from "vitest";
import { inquiriesOf } from "../../src/context/inputs.js";
import type { FiledMessage } from "../../src/model/message.js";
import { filed, groupOf } from "./given.js";

/** What is asked, each question in its own words. */
function asked(inbox: FiledMessage[], history: FiledMessage[] = []): string[] {
  return inquiriesOf(inbox, history).map(({ text }) => text);
}

/** What else may be meant by the newest. */
function around(inbox: FiledMessage[], history: FiledMessage[] = []): readonly string[] {
  return inquiriesOf(inbox, history)[0]?.context ?? [];
}

test("what waits is asked in its own words, and the conversation only where that needs it", () => {
  const inbox = [filed({ text: "why did the deploy to staging time out" })];
  expect(asked(inbox, [filed({ text: "unrelated" })])).toEqual(["why did the deploy to staging time out"]);
  expect(around(inbox, [filed({ text: "unrelated" })])).toEqual([]);
  expect(
    around([filed({ text: "why did it?" })], [filed({ text: "The staging db is slow today" })]).join(" "),
  ).toContain("staging");
});

test("of the conversation the last four messages are read, tools and private ones not", () => {
  const history = ["alder", "birch", "cedar", "dogwood", "elm", "fir"].map((text) => filed({ text }));
  const noise = [filed({ role: "tool", text: "log" }), filed({ text: "hush", private: true })];
  expect(around([filed({ text: "and that one?" })], [...history, ...noise])).toEqual([
    "cedar",
    "dogwood",
    "elm",
    "fir",
  ]);
  expect(asked([], [...history, ...noise])).toEqual([]);
});

test("tool records and private messages that wait ask nothing", () => {
  const noise = [
    filed({ role: "tool", text: "what is this log?" }),
    filed({ text: "where is the party?", private: true }),
  ];
  expect(asked(noise)).toEqual([]);
  expect(asked([...noise, filed({ text: "where does the heron nest?" })])).toEqual([
    "where does the heron nest?",
  ]);
});

test("of a framed message the content is asked for", () => {
  const framed = `<message sender="Ana" group_id="9">\n<content>where does the heron nest today</content>\n</message>`;
  expect(asked([filed({ text: framed })])).toEqual(["where does the heron nest today"]);
  expect(asked([filed({ text: "what does <content>x</content> mean in xml" })])).toEqual([
    "what does <content>x</content> mean in xml",
  ]);
});

test("a short input brings who asks, where, and who is meant", () => {
  const scope = groupOf("ops");
  const inbox = [filed({ scope, user: "u1", speaker: "林悦", text: "@Mira 那个呢？" })];
  expect(asked(inbox)).toEqual(["@Mira 那个呢？"]);
  expect(around(inbox)).toEqual(["林悦 ops Mira"]);
  expect(around([filed({ text: "那个呢？" })])).toEqual([]);
  expect(around([filed({ text: "一二三四五六七八九十一二三四五六七八九十。", speaker: "林悦" })])).toEqual(
    [],
  );
});

test("nothing said asks for nothing", () => expect(inquiriesOf([], [])).toEqual([]));

test("what it was about that went before is asked along, in both languages", () => {
  const history = [filed({ text: "我们把书店网站部署到 Cloudflare Workers 上了" })];
  expect(inquiriesOf([filed({ text: "上次为什么超时了？", speaker: "林悦" })], history))
    .toMatchInlineSnapshot(`
    [
      {
        "breadth": "narrow",
        "context": [
          "Cloudflare Workers 书店 网站 部署 上了",
          "林悦",
        ],
        "text": "上次为什么超时了？",
      },
    ]
  `);
  expect(inquiriesOf([filed({ text: "How long did that one take?" })], history)).toMatchInlineSnapshot(`
    [
      {
        "breadth": "narrow",
        "context": [
          "Cloudflare Workers 书店 网站 部署 上了",
        ],
        "text": "How long did that one take?",
      },
    ]
  `);
  expect(inquiriesOf([filed({ text: "Why did the deploy to Cloudflare time out last Wednesday?" })], history))
    .toMatchInlineSnapshot(`
    [
      {
        "breadth": "narrow",
        "context": [],
        "text": "Why did the deploy to Cloudflare time out last Wednesday?",
      },
    ]
  `);
});

test("the newest input is asked first, however much waited before it", () => {
  const long = "Postgres SQLite migration deploy limit seconds rollback healthcheck";
  const waiting = [filed({ id: "1", text: long }), filed({ id: "2", text: "What about refunds?" })];
  expect(asked(waiting)).toEqual(["What about refunds?", long]);
  const many = Array.from({ length: 9 }, (_unused, n) => filed({ text: `Where is crate ${n}?` }));
  expect(asked(many)).toEqual([8, 7, 6, 5, 4, 3].map((n) => `Where is crate ${n}?`));
});

test("several questions are each asked for themselves, then as they stand together", () => {
  const text = "We moved the launch. When was it at first, and why did it slip?";
  expect(asked([filed({ text })])).toEqual(["When was it at first", "why did it slip?", text]);
  expect(asked([filed({ text: "Why did the launch slip?" })])).toHaveLength(1);
  const long = `${text} ${"The mast is of spruce. ".repeat(400)}`;
  expect(
    Math.max(
      ...asked([filed({ text: long })])
        .slice(-1)
        .map(({ length }) => length),
    ),
  ).toBeLessThanOrEqual(1000);
});
