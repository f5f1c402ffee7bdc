import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../src/platform/json.js";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const padding = "好 x".repeat(60_000);
const many = `[${"1000,".repeat(60_000)}1]`;

/** Short texts and long ones of few values are parsed at once, others in a thread, long lists in steps: all must answer alike. */
const sizes: [string, (json: string) => Uint8Array][] = [
  ["short", (json) => utf8(`{"pad": "", "value": ${json}}`)],
  ["long", (json) => utf8(`{"pad": "${padding}", "value": ${json}}`)],
  ["large", (json) => utf8(`{"pad": ${many}, "value": ${json}}`)],
  ["listed", (json) => utf8(`[{"pad": "${padding}", "value": ${json}}]`)],
];

describe.each(sizes)("a %s text", (_size, around) => {
  const value = async (json: string): Promise<unknown> =>
    [(await parseJson(around(json))) as { value: unknown }].flat()[0]?.value;

  test.each([1, -0, 1.5e300, "好 😀 \ud83d", null, true, [], {}, [[1], { a: [{}] }], "\u0000\u2028"])(
    "gives %j",
    async (wanted) => {
      expect(await value(JSON.stringify(wanted))).toEqual(JSON.parse(JSON.stringify(wanted)));
    },
  );

  test("keeps names such as __proto__ as names", async () => {
    const found = await value('{"__proto__": {"polluted": true}, "constructor": 1}');
    expect(Object.keys(found as object)).toEqual(["__proto__", "constructor"]);
    expect({}).not.toHaveProperty("polluted");
  });

  test("may begin with a byte order mark", async () => {
    const bytes = around("1");
    const found = await parseJson(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]));
    expect([found].flat()).toMatchObject([{ value: 1 }]);
  });

  test.each(["", "{", "nul", "01", "'x'", '"open', "1}]}, {", "\0"])(
    "that is broken by %j is a SyntaxError",
    async (json) => {
      await expect(parseJson(around(json))).rejects.toBeInstanceOf(SyntaxError);
    },
  );

  test("that is no UTF-8 is a SyntaxError", async () => {
    const bytes = Buffer.from(around('"x"'));
    bytes[bytes.length - 3] = 0xff;
    await expect(parseJson(bytes)).rejects.toBeInstanceOf(SyntaxError);
  });

  test.each([1001, 3000, 5000, 8000, 20_000, 200_000])(
    "nested %i deep is a SyntaxError, and the next one is read",
    async (depth) => {
      await expect(parseJson(around("[".repeat(depth) + "]".repeat(depth)))).rejects.toBeInstanceOf(
        SyntaxError,
      );
      expect(await value("1")).toBe(1);
    },
  );

  test("nested some hundred deep is read", async () => {
    expect(JSON.stringify(await value("[".repeat(900) + "]".repeat(900)))).toHaveLength(1800);
  });
});

test("an empty text is a SyntaxError", async () => {
  await expect(parseJson(new Uint8Array())).rejects.toBeInstanceOf(SyntaxError);
});

test("many at once get each their own answer", async () => {
  const asked = Array.from({ length: 40 }, (_, n) => {
    const bytes = utf8(`{"n": ${n}, "pad": ${n % 2 === 0 ? many : "[]"}${n % 7 === 0 ? "" : "}"}`);
    return parseJson(bytes).then(
      (found) => (found as { n: number }).n,
      (error: unknown) => (error instanceof SyntaxError ? "broken" : "other"),
    );
  });
  expect(await Promise.all(asked)).toEqual(
    Array.from({ length: 40 }, (_, n) => (n % 7 === 0 ? "broken" : n)),
  );
});

/** A large list is taken apart before its values are parsed: what becomes of it must not differ. */
describe("a long list", () => {
  const filler = JSON.stringify({ pad: padding });
  const whole = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return "broken";
    }
  };
  const read = (text: string): Promise<unknown> =>
    parseJson(utf8(text)).catch((error: unknown) => (error instanceof SyntaxError ? "broken" : error));

  test("gives what it would as a whole, and is broken where that would be", async () => {
    const blank = fc.constantFrom("", " ", "\n\t", "\r\n  ");
    const value = fc.oneof(
      fc.jsonValue().map((one) => JSON.stringify(one)),
      fc.constantFrom('"\\\\"', '"\\""', '"]\\"},["'),
    );
    const mark = fc.constantFrom("", "", ",", "]", "}", "[", "{", '"', "\\", "\ufeff", "1", "nul");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(blank, value, blank, mark), { maxLength: 6 }),
        blank,
        async (values, end) => {
          const inner = [
            `${filler}`,
            ...values.map(([before, text, behind, more]) => before + text + behind + more),
          ];
          const text = `${end}[${inner.join(",")}]${end}`;
          expect(await read(text)).toEqual(whole(text));
        },
      ),
    );
  });

  test.each(["", " ", "x", "]", "[", ",", "\u0000", "1"])("with %j behind its end", async (behind) => {
    const text = `[${filler}]${behind}`;
    expect(await read(text)).toEqual(whole(text));
  });

  test.each([
    `[${" ".repeat(300_000)}]`,
    `[${" ".repeat(300_000)},]`,
    `[${" ".repeat(300_000)}}`,
    `[${filler},]`,
    `[${filler}`,
    `["${padding}`,
  ])("of blanks, or without an end", async (text) => {
    expect(await read(text)).toEqual(whole(text));
  });
});
