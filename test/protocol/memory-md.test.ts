import fc from "fast-check";
import { expect, test } from "vitest";
import { parseMemory } from "../../src/protocol/memory-md.js";
import { hostileText } from "../support/arbitrary.js";

test("every section is where its lines say, heading included", () => {
  const text =
    "Above all.\n\n# People\n\nClara is my sister.\n\n## Work ##\nDeploys on Friday.\n### Empty\n\n## Last\nend";
  const lines = text.split("\n");
  const sections = parseMemory(text);
  expect(sections.map(({ heading, text: body }) => [heading, body])).toEqual([
    ["", "Above all."],
    ["People", "Clara is my sister."],
    ["Work", "Deploys on Friday."],
    ["Last", "end"],
  ]);
  expect(
    sections.map(({ lines: [from, to] }) =>
      lines
        .slice(from - 1, to)
        .join("\n")
        .trim(),
    ),
  ).toEqual([
    "Above all.",
    "# People\n\nClara is my sister.",
    "## Work ##\nDeploys on Friday.",
    "## Last\nend",
  ]);
});

test("a heading inside a code fence is text, whatever kind of fence", () => {
  const code = ["# Setup", "```sh", "# not a heading", "~~~", "## nor this", "```", "## After", "yes"].join(
    "\n",
  );
  expect(parseMemory(code).map(({ heading }) => heading)).toEqual(["Setup", "After"]);
  const nested = ["# Setup", "````", "```", "# inside", "```", "````", "# After", "yes"].join("\n");
  expect(parseMemory(nested).map(({ heading }) => heading)).toEqual(["Setup", "After"]);
  expect(parseMemory("# Setup\n```\n# never closed\nx").map(({ heading }) => heading)).toEqual(["Setup"]);
});

test("what stands in a comment is no memory, headings and fences in it are none, and what stands behind it is", () => {
  const told = (text: string) => parseMemory(text).map(({ heading, text: body }) => [heading, body]);
  expect(told("# A\nyes\n<!--\n# Old\n- likes tea\n```\n-->\nmore\n# B\nend")).toEqual([
    ["A", "yes\n\nmore"],
    ["B", "end"],
  ]);
  expect(told("<!-- a --> b\n<!--\n# -->2")).toEqual([["", "b\n2"]]);
  expect(told("<!-- never ended\n# A\ntext")).toEqual([
    ["", "<!-- never ended"],
    ["A", "text"],
  ]);
  expect(told("# A\n```\n<!-- code\n```\nkept\n# B\n<!-- x -->\nend").map(([, body]) => body)).toEqual([
    "```\n<!-- code\n```\nkept",
    "end",
  ]);
});

test("line ends of Windows do not count as text", () => {
  expect(parseMemory("# One\r\ntext\r\n# Two\r\nmore\r\n")).toEqual([
    { heading: "One", text: "text", lines: [1, 2] },
    { heading: "Two", text: "more", lines: [3, 5] },
  ]);
});

test("no words are lost, and sections never overlap", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(hostileText, fc.constantFrom("# A", "## B", "text", "```", "~~~", ""))),
      (parts) => {
        const text = parts.join("\n");
        const sections = parseMemory(text);
        let last = 0;
        for (const {
          lines: [from, to],
        } of sections) {
          expect(from).toBeGreaterThan(last);
          expect(to).toBeGreaterThanOrEqual(from);
          last = to;
        }
        expect(last).toBeLessThanOrEqual(text.split(/\r?\n/).length);
        const kept = sections.map((section) => section.text).join("\n");
        // What a comment takes out is tested by itself.
        if (/^<!--/m.test(text)) return;
        for (const line of text.split(/\r?\n/))
          if (!line.startsWith("#")) expect(kept).toContain(line.trim());
      },
    ),
    { numRuns: 200 },
  );
});

test("a line of a hundred thousand marks does not hold the reader up", () => {
  expect(parseMemory(`# ${"#".repeat(100_000)}x\ntext`)).toHaveLength(1);
  expect(parseMemory(`# a${" ".repeat(100_000)}b\ntext`)).toHaveLength(1);
  expect(parseMemory(`# a${" #".repeat(100_000)}b\ntext`)).toHaveLength(1);
});

test("a comment is for who edits the file, and no memory", () => {
  const [about, open] = parseMemory(
    "# Memory\n\n<!-- Edit it freely:\nit is yours. -->\n\n## About\n\nLin <!-- spelt so --> sails.\n\n## Left open\n\n<!-- the rest is said\n",
  );
  expect(about).toMatchObject({ heading: "About", text: "Lin <!-- spelt so --> sails.", lines: [6, 9] });
  expect(open?.text).toBe("<!-- the rest is said");
  expect(parseMemory(`# a\n${"\n<!-- ".repeat(100_000)}`)).toHaveLength(1);
});
