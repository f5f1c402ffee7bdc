import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linkTo, NoteNames, plain, quoted, withoutComments } from "../../src/export/vault-text.js";
import { hostileText } from "../support/arbitrary.js";

describe("what was said makes no link and no comment", () => {
  test.each([
    ["see [[Home]] and ![[x]]", String.raw`see \[\[Home]] and !\[\[x]]`],
    ["a `[[ -f x ]]` b [[y]]", "a `[[ -f x ]]` b \\[\\[y]]"],
    ["```\n[[x]]\n```\n[[y]]", "```\n[[x]]\n```\n\\[\\[y]]"],
    ["```[[x]]``` is no fence\n[[y]]", "```[[x]]``` is no fence\n\\[\\[y]]"],
    ["<!-- id=x --> %%hidden%%", String.raw`&lt;!-- id=x --> \%\%hidden\%\%`],
  ])("%j", (text, shown) => {
    expect(plain(text)).toBe(shown);
  });

  test("every line of it is in its frame", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(
          quoted(text)
            .split(/\r\n|[\r\n]/)
            .filter((line) => !line.startsWith(">")),
        ).toEqual([]);
      }),
    );
  });
});

test("comments go, and what stands around them stays", () => {
  expect(withoutComments("# A\n\n<!-- for who edits -->\n\n- one <!-- id=x -->\n- two\n")).toBe(
    "# A\n\n- one\n- two",
  );
  expect(withoutComments("open <!-- end")).toBe("open <!-- end");
});

describe("names of notes", () => {
  test("no two are one on a disk that knows no case", () => {
    const names = new NoteNames("Topics");
    expect(["Ferry", "ferry", "FERRY"].map((name) => names.pathFor(name))).toEqual([
      "Topics/Ferry",
      "Topics/ferry 2",
      "Topics/FERRY 3",
    ]);
  });

  test("none leads elsewhere, or ends a link", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const path = new NoteNames("People").pathFor(text);
        expect(path).toMatch(/^People\/[^\\/:*?"<>|#^[\]%\u0000-\u001f.][^\\/:*?"<>|#^[\]%\u0000-\u001f]*$/);
        expect(linkTo(path, text)).toMatch(/^\[\[[^[\]\r\n]+\]\]$/);
      }),
    );
  });
});
