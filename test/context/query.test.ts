import { expect, test } from "vitest";
import { injectionQuery } from "../../src/context/query.js";
import type { FiledMessage } from "../../src/model/message.js";
import { keywordsOf } from "../../src/text/keywords.js";
import { filed, groupOf } from "./given.js";

/** Every word, in order: what is left out is then the query's doing. */
const words = (text: string, limit: number): string[] =>
  [...new Set(text.match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, limit);

function query(inbox: FiledMessage[], history: FiledMessage[] = [], keywords = words): string {
  return injectionQuery(inbox, history, keywords);
}

test("what waits comes first, the last of the conversation fills up, six keywords in all, none twice", () => {
  const inbox = [filed({ text: "why did the deploy time out" })];
  expect(query(inbox, [filed({ text: "unrelated" })])).toBe("why did the deploy time out");
  expect(
    query([filed({ text: "restart the staging DB now" })], [filed({ text: "The staging db is slow today" })]),
  ).toBe("restart the staging DB now is");
});

test("of the conversation the last five messages are read, tools and private ones not", () => {
  const history = ["a", "b", "c", "d", "e", "f"].map((text) => filed({ text }));
  const noise = [filed({ role: "tool", text: "log" }), filed({ text: "hush", private: true })];
  expect(query([], [...history, ...noise])).toBe("f e d c b");
});

test("of a framed message the content is asked for", () => {
  const framed = `<message sender="Ana" group_id="9">\n<content>where does the heron nest today</content>\n</message>`;
  expect(query([filed({ text: framed })])).toBe("where does the heron nest today");
  expect(query([filed({ text: "what does <content>x</content> mean in xml" })])).toBe(
    "what does content x mean in",
  );
});

test("a short input brings who asks, where, and who is meant", () => {
  const scope = groupOf("ops");
  expect(query([filed({ scope, user: "u1", speaker: "林悦", text: "@Mira 那个呢？" })])).toBe(
    "Mira 那个呢\n林悦 ops Mira",
  );
  expect(query([filed({ text: "那个呢？" })])).toBe("那个呢");
  expect(
    query([filed({ text: "一二三四五六七八九十一二三四五六七八九十。", speaker: "林悦" })]),
  ).not.toContain("林悦");
});

test("nothing said asks for nothing", () => expect(query([], [])).toBe(""));

test("with the real keywords, in both languages", () => {
  const history = [filed({ text: "我们把书店网站部署到 Cloudflare Workers 上了" })];
  expect(query([filed({ text: "上次部署为什么超时了？", speaker: "林悦" })], history, keywordsOf))
    .toMatchInlineSnapshot(`
    "上次 部署 Cloudflare Workers 书店 网站
    林悦"
  `);
  expect(
    query(
      [filed({ text: "Why did the deploy to Cloudflare time out last Wednesday?" })],
      history,
      keywordsOf,
    ),
  ).toMatchInlineSnapshot(`"Cloudflare Wednesday deploy Workers 书店 网站"`);
});

test("the newest input has the first words, however much waited before it", () => {
  const long = "Postgres SQLite migration deploy limit seconds rollback healthcheck";
  const waiting = [filed({ id: "1", text: long }), filed({ id: "2", text: "What about refunds?" })];
  expect(injectionQuery(waiting, [], keywordsOf).split(" ")[0]).toBe("refunds");
});
