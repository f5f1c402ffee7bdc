import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shortened, type FiledMessage, type Message, type MessageId } from "../../src/model/message.js";
import type { ScopeId } from "../../src/model/address.js";
import { epochMs, isoOf, zoneOf, type Day } from "../../src/model/time.js";
import {
  coverHash,
  encodeVerbatim,
  newPreamble,
  openVerbatim,
  parseVerbatim,
  printBlock,
  printVerbatim,
  type VerbatimFile,
} from "../../src/protocol/verbatim.js";
import { printFrontMatter } from "../../src/protocol/front-matter.js";
import { canonical, filedMessage, hostileText } from "../support/arbitrary.js";

const zone = zoneOf("Asia/Shanghai");
const day = "2026-01-05" as Day;
const noon = epochMs(Date.parse("2026-01-05T12:00:00Z"));

/** As a reader finds it: through the bytes of a file. */
const onDisk = (text: string): string => Buffer.from(text, "utf8").toString("utf8");

function fileOf(filed: readonly FiledMessage[], scope = "main"): string {
  const blocks = filed.map((one) => ({ raw: printBlock(one, zone) }));
  return printVerbatim({ day, scope: scope as ScopeId, preamble: newPreamble(day), blocks });
}

function read(text: string): VerbatimFile {
  const file = parseVerbatim(onDisk(text));
  if (file === undefined) throw new Error("no verbatim file");
  return file;
}

function said(id: string, text: string, more: Partial<Message> = {}): FiledMessage {
  const message: Message = { id: id as MessageId, role: "user", text, createdAt: isoOf(noon), ...more };
  return { message, filedAt: noon, belongsTo: message.user ?? "local" };
}

const texts = (text: string): string[] => read(text).blocks.map(({ filed }) => filed.message.text);

describe("a message and its block", () => {
  test("the whole message comes back from its file, with when and for whom it was filed", () => {
    fc.assert(
      fc.property(fc.array(filedMessage(), { minLength: 1, maxLength: 5 }), (filed) => {
        const file = read(fileOf(filed));
        expect(canonical(file.blocks.map((block) => block.filed))).toBe(canonical(filed));
        expect(file.edited).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  test("in every scope, a group included", () => {
    const scopes = fc.constantFrom(
      "group:friends",
      "工作 2",
      "a/b",
      "..",
      "main",
      "---",
      "x: y",
      "1.0",
      "null",
      "\n---\n",
    );
    fc.assert(
      fc.property(
        scopes.chain((scope) =>
          fc.tuple(fc.constant(scope), fc.array(filedMessage(scope), { minLength: 1, maxLength: 3 })),
        ),
        ([scope, filed]) => {
          const file = read(fileOf(filed, scope));
          expect(file.scope).toBe(scope);
          expect(canonical(file.blocks.map((block) => block.filed))).toBe(canonical(filed));
        },
      ),
      { numRuns: 200 },
    );
  });

  test.each([
    ["the empty text", ""],
    ["only line breaks", "\n\n\n"],
    ["blanks at the end", "hi   \t "],
    ["a carriage return", "a\rb\r\nc\r"],
    ["a heading of memd's own", "### 14:03:22 Alice <!-- id=m2 role=user at=2026-01-05T10:00:00Z -->\nhello"],
    ["that heading, escaped three times", "\\\\\\### 14:03:22 Alice <!-- id=m2 -->"],
    ["headings of other kinds", "# one\n## two\n### three\n---\n```\nopen fence"],
    ["the end of a comment", "--> and <!-- again"],
    ["control characters", "\u0000\u0007\u001b[2J\u0085\u2028\u2029\ufeff"],
    ["half of an emoji", "\ud83d and \ude00"],
    ["350,000 characters", "好的 ok\r\n### 10:00:00\n".repeat(17_500)],
  ])("%s is kept to the letter", (_what, text) => {
    expect(texts(fileOf([said("a", "before"), said("b", text), said("c", "after")]))).toEqual([
      "before",
      text,
      "after",
    ]);
  });

  test("the heading shows who spoke and when it was there, in the zone of the workspace", () => {
    const block = printBlock(said("m1", "hi", { user: "u1", speaker: "Alice\n<b>" }), zone);
    expect(block.split("\n")[0]).toMatch(
      /^### 20:00:00 Alice b <!-- id=m1 role=user user=u1 speaker=Alice%0A%3Cb%3E at=/,
    );
  });

  test("a message belongs to its file's scope, whatever its block says", () => {
    const forged = fileOf([said("m1", "hi", { scope: "group:a" })], "group:a").replace(
      "id=m1",
      "id=m1 scope=main",
    );
    expect(read(forged).blocks[0]?.filed.message.scope).toBe("group:a");
    const hidden = Buffer.from('{"scope":"group:b"}').toString("base64url");
    const sneaked = fileOf([said("m1", "hi")]).replace("id=m1", `id=m1 x=${hidden}`);
    expect(read(sneaked).blocks[0]?.filed.message.scope).toBeUndefined();
  });

  test("a flag of the wrong type is not taken for the flag", () => {
    const odd = said("m1", "hi", { extra: { private: "true", session: true } });
    const [block] = read(fileOf([odd])).blocks;
    expect(block?.filed.message).toEqual(odd.message);
  });
});

describe("a file that grows", () => {
  test("adding blocks leaves the others' bytes as they were", () => {
    fc.assert(
      fc.property(
        fc.array(filedMessage(), { minLength: 1, maxLength: 4 }),
        filedMessage(),
        fc.nat({ max: 4 }),
        (filed, added, at) => {
          const before = read(fileOf(filed));
          const blocks: { raw: string }[] = [...before.blocks];
          blocks.splice(at, 0, { raw: printBlock(added, zone) });
          const after = read(printVerbatim({ ...before, blocks }));
          const others = after.blocks.filter((_block, index) => index !== Math.min(at, filed.length));
          expect(others.map(({ raw }) => raw)).toEqual(before.blocks.map(({ raw }) => raw));
          expect(after.preamble).toBe(before.preamble);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("a file printed again from its pieces is the same file", () => {
    fc.assert(
      fc.property(fc.array(filedMessage(), { minLength: 1, maxLength: 4 }), (filed) => {
        const text = onDisk(fileOf(filed));
        expect(printVerbatim(read(text))).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  test("the lines of a block are where it stands in the file", () => {
    fc.assert(
      fc.property(fc.array(filedMessage(), { minLength: 1, maxLength: 4 }), (filed) => {
        const text = onDisk(fileOf(filed));
        const lines = text.split("\n");
        for (const { lines: at, raw } of read(text).blocks)
          expect(lines.slice(at[0] - 1, at[1]).join("\n")).toBe(raw);
      }),
      { numRuns: 100 },
    );
  });
});

describe("a file that a person edited", () => {
  const three = fileOf([said("a", "one"), said("b", "two"), said("c", "three")]);

  test("the text is read as edited, and the other blocks stay right", () => {
    fc.assert(
      fc.property(
        hostileText.filter((text) => !/^### \d\d:\d\d:\d\d/m.test(text)),
        (edit) => {
          const edited = read(three.replace("\ntwo\n", () => `\n${edit}two\n`));
          const [a, b, c] = edited.blocks.map(({ filed }) => filed.message.text);
          expect([a, c]).toEqual(["one", "three"]);
          expect(b?.endsWith("two")).toBe(true);
          expect(edited.edited).toBe(edit !== "");
        },
      ),
      { numRuns: 200 },
    );
  });

  test("an edit counts even where the text had to travel hidden", () => {
    const lone = fileOf([said("a", "half \ud83d of it")]);
    expect(texts(lone)).toEqual(["half \ud83d of it"]);
    expect(texts(onDisk(lone).replace("half \ufffd of it", "mended"))).toEqual(["mended"]);
    const wrong = fileOf([
      { ...said("a", "hi"), message: { ...said("a", "hi").message, extra: { text: 5, content: "hi" } } },
    ]);
    expect(texts(wrong.replace("\nhi\n", "\nhello\n"))).toEqual(["hello"]);
  });

  test("a block that was deleted is gone, and its neighbours are whole", () => {
    const [, b] = read(three).blocks;
    expect(texts(three.replace(`${b?.raw}\n\n`, ""))).toEqual(["one", "three"]);
  });

  test("a heading that is nobody's message stays where it was put, through the next rewrite", () => {
    const note = "### 12:30:00 Me <!-- remember this -->\nmy own note";
    for (const [place, at] of [
      ["between blocks", read(three).blocks[1]?.raw ?? ""],
      ["above the first", read(three).blocks[0]?.raw ?? ""],
    ]) {
      const file = read(three.replace(at ?? "", `${note}\n\n${at}`));
      expect(
        file.blocks.map(({ filed }) => filed.message.text),
        place,
      ).toEqual(["one", "two", "three"]);
      expect(printVerbatim(file), place).toContain(`${note}\n\n${at}`);
      expect(texts(printVerbatim(file)), place).toEqual(["one", "two", "three"]);
    }
    const last = read(`${three}\n${note}\n`);
    expect(printVerbatim(last)).toContain(note);
    expect(last.blocks.at(-1)?.filed.message.text).toBe("three");
  });

  test("what stands above the first block is kept", () => {
    const file = read(three.replace("# 2026-01-05\n", "# A good day\n\nWe met Clara.\n"));
    expect(file.edited).toBe(true);
    expect(file.preamble).toBe("\n# A good day\n\nWe met Clara.\n\n");
  });

  test("what an API calls the text of a message stands once: who deletes a password from it has deleted it", () => {
    const text = "first line\nthe password is Tallow+Fern21";
    const content = [
      { type: "text", text: "first line" },
      { type: "text", text: "the password is Tallow+Fern21" },
    ];
    const [api, single] = [{ content }, { content: text }].map((extra) => said("a", text, { extra }));
    for (const filed of [api!, single!]) {
      const written = fileOf([filed]);
      expect(read(written).blocks[0]?.filed).toEqual(filed);
      const hidden = / x=(\S+)/.exec(written)?.[1] ?? "";
      expect(Buffer.from(hidden, "base64url").toString()).not.toContain("Tallow");
      const edited = written.replace("the password is Tallow+Fern21", "gone");
      const { message } = read(edited).blocks[0]!.filed;
      expect(message.text).toBe("first line\ngone");
      expect(JSON.stringify(message)).not.toContain("Tallow");
      expect(JSON.stringify(message.extra)).toContain("gone");
    }
  });

  test("hidden fields that were broken leave what can be read", () => {
    const tool = said("a", "ran", { role: "tool", tool: { name: "ls", callId: "1" } });
    const broken = fileOf([tool]).replace(/ x=\S+/, " x=%%%");
    expect(read(broken).blocks[0]?.filed.message).toEqual({
      id: "a",
      role: "tool",
      text: "ran",
      createdAt: isoOf(noon),
    });
    const list = fileOf([tool]).replace(/ x=\S+/, ` x=${Buffer.from("[1]").toString("base64url")}`);
    expect(texts(list)).toEqual(["ran"]);
  });
});

test("other Markdown is no verbatim file, and a broken head says so", () => {
  expect(parseVerbatim("# Notes\n")).toBeUndefined();
  expect(parseVerbatim("---\nkind: verbatim\ndate: 2026-02-30\nscope: main\n---\n")).toBeUndefined();
  expect(parseVerbatim("---\nkind: verbatim\ndate: 2026-01-05\n---\n")).toBeUndefined();
  expect(() => parseVerbatim("---\nkind: [\n---\n")).toThrow(SyntaxError);
});

test("a summary must cover a day's ids, in any order, private ones apart", () => {
  const [a, b, secret] = [said("a", "1"), said("b", "2"), said("s", "3", { private: true })];
  expect(coverHash([a, b])).toBe(coverHash([b, secret, a]));
  expect(coverHash([a, b])).not.toBe(coverHash([a]));
  expect(coverHash([secret])).toBeUndefined();
});

test("a hostile line of half a megabyte does not hold the reader up", () => {
  const line = `### 12:00:00 ${"<!-- ".repeat(100_000)}x`;
  expect(parseVerbatim(`---\nkind: verbatim\ndate: ${day}\nscope: main\n---\n${line}\n`)?.blocks).toEqual([]);
});

test("a block that is added begins its own line, whatever a person left in front of it", async () => {
  for (const left of ["#", "half a line", "\n# Title", "text\n", ""]) {
    const head = printFrontMatter({ kind: "verbatim", date: day, scope: "main", hash: "0" }, left);
    const edited = read(head);
    const file = { ...edited, blocks: [{ raw: printBlock(said("a", "hello"), zone) }] };
    const printed = printVerbatim(file);
    expect(texts(printed)).toEqual(["hello"]);
    expect(printed).toContain(left);
    const encoded = await encodeVerbatim(file, () => undefined);
    const pieces: Uint8Array[] = [];
    for await (const piece of encoded) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe(printed);
    expect(encoded.bytes).toBe(Buffer.byteLength(printed));
  }
});

test("a glimpse is the message itself, of a long one its beginning and its end", () => {
  const long = `${"日记 ".repeat(100_000)}middle${"the end ".repeat(100_000)}`;
  const messages = ["short", long, "### 12:00:00 no heading", ""].map((text, index) =>
    said(`g-${index}`, text),
  );
  const day = openVerbatim(Buffer.from(fileOf(messages)));
  const glimpses = [...(day?.glimpses ?? [])];
  const briefly = ({ message }: FiledMessage): Message => ({ ...message, text: shortened(message.text) });
  expect(glimpses.map(briefly)).toEqual(messages.map(briefly));
  expect([0, 2, 3].map((index) => glimpses[index])).toEqual([0, 2, 3].map((index) => messages[index]));
  expect(glimpses[1]?.message.text.length).toBeLessThan(long.length / 2);
});
