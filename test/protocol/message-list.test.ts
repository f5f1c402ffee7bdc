import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EMPTY_LIST, indentOf, listOf, printList, salvage } from "../../src/protocol/read-list.js";
import { canonical, hostMessage, jsonValue } from "../support/arbitrary.js";

const print = (text: string): string =>
  [...printList(listOf(JSON.parse(text), indentOf(text.slice(0, 64))))].join("");

const indent = fc.constantFrom<string | number>("", 1, 2, 3, 4, 8, "\t");
const entries = fc.array(fc.oneof(hostMessage, jsonValue), { maxLength: 4 });
const outer = fc
  .array(fc.tuple(fc.string(), jsonValue), { maxLength: 3 })
  .map((fields) => Object.fromEntries(fields));

describe("a list that is read and written again", () => {
  test("is the same to the byte, as an array or inside an object, however it was indented", () => {
    fc.assert(
      fc.property(entries, fc.option(fc.tuple(outer, outer)), indent, (messages, around, gap) => {
        const value =
          around === null ? messages : Object.assign({ ...around[0], messages: 0 }, around[1], { messages });
        const text = `${JSON.stringify(value, null, gap)}\n`;
        // Nobody can see how an empty list on one line would have been indented, nor need one-line objects have blanks.
        if (gap === "") expect(canonical(JSON.parse(print(text)))).toBe(canonical(JSON.parse(text)));
        else if (messages.length > 0) expect(print(text)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test("keeps entries that are no messages, in their places", () => {
    const list = listOf([null, { role: "user", text: "hi" }, 7, { note: "no text" }, []]);
    expect(list.entries.map(({ message }) => message?.text)).toEqual([
      undefined,
      "hi",
      undefined,
      undefined,
      undefined,
    ]);
    expect(JSON.parse([...printList(list)].join(""))).toEqual([
      null,
      { role: "user", text: "hi" },
      7,
      { note: "no text" },
      [],
    ]);
  });

  test("keeps the other fields of the object around it, __proto__ among them, in their order", () => {
    const text =
      '{\n  "version": 3,\n  "__proto__": {\n    "a": 1\n  },\n  "messages": [],\n  "tail": "x"\n}\n';
    expect(print(text)).toBe(text);
  });

  test("line ends of Windows still tell the indentation", () => {
    expect(indentOf('[\r\n    {"text": "x"}\r\n]')).toBe("    ");
    expect(indentOf('\ufeff[\n\t{"text": "x"}]')).toBe("\t");
    expect(indentOf('[{"text": "x"}]')).toBe("");
  });

  test("a new list is an array with two blanks a level", () => {
    expect([...printList({ ...EMPTY_LIST, entries: [{ raw: { a: 1 } }] })].join("")).toBe(
      '[\n  {\n    "a": 1\n  }\n]\n',
    );
    expect([...printList(EMPTY_LIST)].join("")).toBe("[]\n");
  });

  test.each([{}, { messages: {} }, { messages: null }, "x", 1, null, true])("%j is no list", (value) => {
    expect(() => listOf(value)).toThrow(SyntaxError);
  });
});

describe("salvage from a broken list", () => {
  const messages = [
    { id: "1", role: "user", text: 'a { brace, a } and a "quote" and \\' },
    {
      id: "2",
      role: "agent",
      text: "[]{}}{",
      tool: { name: "ls", callId: "c", input: { deep: [{ er: "}" }] } },
    },
    { id: "3", role: "user", text: "好的 😀\n\u2028" },
  ];

  test.each([
    ["an array", JSON.stringify(messages)],
    ["an array on many lines", JSON.stringify(messages, null, 2)],
    ["an object around it", JSON.stringify({ version: { a: 1 }, note: '"messages": [', messages }, null, 1)],
  ])("%s, cut at every character, gives every whole message before the cut", (_what, text) => {
    const ends = messages.map((message) => text.indexOf(`"id"`) && endOf(text, message.id));
    for (let cut = 0; cut < text.length; cut++) {
      const whole = messages.filter((_message, index) => (ends[index] ?? Infinity) <= cut);
      const found = salvage(text.slice(0, cut));
      expect(found.slice(0, whole.length), `cut at ${cut}`).toEqual(whole);
    }
    expect(salvage(text)).toEqual(messages);
  });

  test("a message that was never closed does not take the next ones with it", () => {
    const [a, b, c] = messages.map((message) => JSON.stringify(message));
    expect(salvage(`[${a}, {"id": "x", "text": "half`)).toEqual([messages[0]]);
    expect(salvage(`[{"id": "x", "text": "half", ${a}, ${b}, ${c}]`)).toEqual(messages);
    expect(
      salvage(`[{"id": "x", "text": "half}, ${a}, ${b}]`).map((found) => (found as { id: string }).id),
    ).toContain("2");
    expect(salvage(`tail of an older text"}, ${b}, ${c}]`)).toEqual([messages[1], messages[2]]);
  });

  test("it never throws, and what it finds are objects", () => {
    fc.assert(
      fc.property(
        fc
          .array(
            fc.constantFrom(
              "{",
              "}",
              "[",
              "]",
              '"',
              "\\",
              ":",
              ",",
              '"messages":[',
              '{"text":"x"}',
              "1",
              " ",
              "好",
            ),
          )
          .map((parts) => parts.join("")),
        (text) => {
          for (const found of salvage(text)) expect(typeof found).toBe("object");
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([
    ["open braces", "{".repeat(1_000_000)],
    ["open objects", '{"a":'.repeat(200_000)],
    ["balanced braces", "{".repeat(500_000) + "}".repeat(500_000)],
    ["escaped quotes and braces", '{"\\"{'.repeat(200_000)],
    ["one endless name", `{"${"a".repeat(8_000_000)}`],
    ["the word messages", `{"a":1,${'"messages" '.repeat(100_000)}`],
  ])("a megabyte of %s comes to an end", (_what, text) => {
    expect(salvage(text)).toEqual([]);
  });

  test("good messages before and after much rubbish are found", () => {
    const good = JSON.stringify(messages[0]);
    expect(salvage(`[${good},${"{".repeat(300_000)}${good}]`)).toEqual([messages[0], messages[0]]);
  });
});

describe("salvage where the list itself is damaged", () => {
  const a = '{"id":"a","role":"user","text":"one"}';
  const b =
    '{"id":"b","role":"agent","text":"two","tool":{"name":"n","callId":"c","input":{"messages": []}}}';
  const ids = (text: string): unknown[] => salvage(text).map((found) => (found as { id: unknown }).id);

  test.each([
    ["its name", `{"messagfs": [${a}, ${b}]}`],
    ["a name that is cut", `{"{${a}, ${b}] "messages": [`],
    ["its first bracket", `${a}, ${b}]`],
    ["a wrapper around it", `{"data": {"messages": [${a}, ${b}]}}`],
    ["thirty messages before", `[${'{"id":"x","te"xt":"y"},'.repeat(30)}${a}, ${b}]`],
    ["thirty messages with an open end", `[${'{"id":"x","text":"y,'.repeat(30)}${a}, ${b}]`],
  ])("%s: what is whole is found", (_what, text) => {
    expect(ids(text)).toEqual(["a", "b"]);
  });

  test("what stands around the list is no message", () => {
    const meta = '"meta": {"role": "user", "text": "not said"}';
    expect(ids(`{${meta}, "messages": [${a}, ${b}`)).toEqual(["a", "b"]);
  });

  test("what is nested past all reason stays in the file, and hides nothing behind it", () => {
    const deep = `{"id":"d","role":"user","text":"x","in":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    expect(ids(`[${deep}, ${a}, ${b}, ]`)).toEqual(["a", "b"]);
  });
});

function endOf(text: string, id: string): number {
  const start = text.lastIndexOf("{", text.search(new RegExp(`"id": ?"${id}"`)));
  for (let end = start; ; end = text.indexOf("}", end) + 1) {
    try {
      JSON.parse(text.slice(start, end));
      return end;
    } catch {
      // Not this brace yet.
    }
  }
}
