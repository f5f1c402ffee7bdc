import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  entriesOf,
  plainText,
  plainTitle,
  withChangedEntry,
  withEntry,
  withoutEntry,
} from "../../src/protocol/memory-entries.js";
import { parseMemory } from "../../src/protocol/memory-md.js";
import { hostileText } from "../support/arbitrary.js";

const lines = (...all: string[]): string => all.join("\n");
const said = (text: string): string[][] => entriesOf(text).map((entry) => [entry.heading, entry.text]);

const parts = fc.constantFrom(
  "# Memory",
  "## Notes",
  "## Notes ##",
  "### Deeper",
  " ## Work",
  "#none",
  "- one",
  "* two",
  "+ three",
  "1. four",
  "  further",
  "    deeper still",
  "lazy",
  "- - nested",
  "  - below",
  "---",
  "- - -",
  "\\---",
  "```",
  "~~~~",
  "  ```",
  "<!-- said -->",
  "<!-- open",
  "-->",
  "A paragraph.",
  "",
  " ",
  "\t",
  "-",
  "- ",
);
const files = fc.oneof(
  fc
    .tuple(fc.array(parts, { maxLength: 14 }), fc.constantFrom("\n", "\r\n"), fc.constantFrom("", "\ufeff"))
    .map(([all, eol, mark]) => mark + all.join(eol)),
  fc.array(fc.oneof(parts, hostileText), { maxLength: 10 }).map((all) => all.join("\n")),
);
const texts = fc
  .oneof(
    hostileText,
    fc.array(parts, { minLength: 1, maxLength: 4 }).map((all) => all.join("\n")),
  )
  .filter((text) => plainText(text) !== "");
const titles = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom("Notes", "work", "New", "# Memory", "C#", "a # #") },
    hostileText,
  )
  .filter((title) => plainTitle(title) !== "");

describe("entries", () => {
  test("are the bullets under their headings, each with its further lines", () => {
    const file = lines(
      "- above all",
      "# Memory",
      "<!-- how to use it -->",
      "## People ##",
      "",
      "Clara is my sister.",
      "- Ada",
      "  lives in Lisbon",
      "  - since May",
      "* Bob",
      "lazy line",
      "",
      "not his",
      "1. first",
      "2) second",
      "## Code",
      "```",
      "- none",
      "```",
      "- run it:",
      "  ```sh",
      "  # no heading",
      "",
      "  ```",
      "<!--",
      "- hidden",
      "## Hidden",
      "-->",
      "- last",
    );
    expect(said(file)).toEqual([
      ["", "above all"],
      ["People", "Ada\nlives in Lisbon\n- since May"],
      ["People", "Bob\nlazy line"],
      ["People", "first"],
      ["People", "second"],
      ["Code", "run it:\n```sh\n# no heading\n```"],
      ["Code", "last"],
    ]);
  });

  test("are found in any file, in order, each where it stands", () => {
    fc.assert(
      fc.property(files, (file) => {
        let last = 0;
        for (const { from, to, text } of entriesOf(file)) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(to).toBeGreaterThan(from);
          expect(text.trim()).not.toBe("");
          last = to;
        }
        expect(last).toBeLessThanOrEqual(file.length);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a new entry", () => {
  test.each([
    ["in no file", "", "## Notes\n\n- x\n"],
    ["under a heading with nothing", "## Notes\n\n## Work\n", "## Notes\n\n- x\n\n## Work\n"],
    ["under a heading right above another", "## Notes\n## Work\n", "## Notes\n\n- x\n\n## Work\n"],
    ["below the last one", "## Notes\n\n- a\n- b\n\n## Work\n", "## Notes\n\n- a\n- b\n- x\n\n## Work\n"],
    ["below a paragraph", "## Notes\nMine.\n", "## Notes\nMine.\n\n- x\n"],
    ["after a last line without its end", "## Notes\n- a", "## Notes\n- a\n- x\n"],
    ["where no such heading is", "# Memory\n\nMine.", "# Memory\n\nMine.\n\n## Notes\n\n- x\n"],
    ["above what stands deeper", "## notes\n- a\n### More\n- b\n", "## notes\n- a\n- x\n\n### More\n- b\n"],
    ["with the line ends of the file", "## Notes\r\n- a\r\n", "## Notes\r\n- a\r\n- x\r\n"],
    ["behind code that nobody ended", "## Notes\n```\n# code", "## Notes\n```\n# code\n```\n\n- x\n"],
    ["not under a heading in code", "```\n## Notes\n```\n", "```\n## Notes\n```\n\n## Notes\n\n- x\n"],
    ["not inside a comment", "<!--\n## Notes\n", "<!--\n## Notes\n-->\n\n## Notes\n\n- x\n"],
    ["under the second level rather than another", "# Notes\n\n## Notes\n", "# Notes\n\n## Notes\n\n- x\n"],
  ])("%s", (_where, file, expected) => {
    expect(withEntry(file, { text: "x", heading: "Notes" })).toBe(expected);
  });

  test("of several lines is one bullet; what would end it or the file's structure is only text", () => {
    const text = lines(
      "First.",
      "",
      "# not a heading",
      "```",
      "- not a bullet",
      "---",
      "<!-- not hidden -->",
      "  in",
    );
    const file = withEntry("# Memory\n", { text, heading: "Notes" }) ?? "";
    expect(file).toBe(
      lines(
        "# Memory",
        "",
        "## Notes",
        "",
        "- First.",
        "    # not a heading",
        "    ```",
        "    - not a bullet",
        "    \\---",
        "    \\<!-- not hidden -->",
        "      in",
        "",
      ),
    );
    expect(said(file)).toEqual([["Notes", text.replace("\n\n", "\n")]]);
    expect(said(withEntry(file, { text: "---", heading: "Notes" }) ?? "")).toHaveLength(2);
  });

  test("that stands there already changes nothing", () => {
    const file = "## Notes\n\n- x\n\n## Work\n";
    expect(withEntry(file, { text: " x\n", heading: "notes" })).toBeUndefined();
    expect(withEntry(file, { text: "x", heading: "Work" })).toBeDefined();
  });

  test("is all that is new in the file, whatever stands there and whatever it says", () => {
    fc.assert(
      fc.property(files, texts, titles, (file, text, heading) => {
        const next = withEntry(file, { text, heading });
        const title = plainTitle(heading).toLowerCase();
        const isIt = ([under = "", what]: readonly string[]): boolean =>
          under.toLowerCase() === title && what === plainText(text);
        if (next === undefined) {
          expect(said(file).some(isIt)).toBe(true);
          return;
        }
        expect(isOneInsertion(file, next)).toBe(true);
        const at = said(next).findIndex(isIt);
        expect(at).not.toBe(-1);
        expect(said(next).toSpliced(at, 1)).toEqual(said(file));
        expect(withEntry(next, { text, heading })).toBeUndefined();
        expect(next).not.toMatch(/[\u0000]/.test(file) ? /$^/ : /\u0000/);
      }),
      { numRuns: 1500 },
    );
  });

  test("leaves every section that is read from the file as it was", () => {
    const tame = fc.array(fc.constantFrom("# A", "## Notes", "## B", "- one", "text", "```\n# c\n```", ""));
    fc.assert(
      fc.property(tame, texts, (all, text) => {
        const file = `## First\nalways\n${all.join("\n")}`;
        const next = withEntry(file, { text, heading: "Notes" }) ?? file;
        const others = (of: string): string[][] =>
          parseMemory(of)
            .filter(({ heading }) => heading !== "Notes")
            .map((section) => [section.heading, section.text]);
        expect(others(next)).toEqual(others(file));
      }),
      { numRuns: 500 },
    );
  });
});

describe("an entry that goes", () => {
  test("takes its own lines and nothing else", () => {
    const file = "## Notes\n\n- a\n- b\n  and more\n- c\n\nMine.\n";
    const [, second] = entriesOf(file);
    expect(second && withoutEntry(file, second)).toBe("## Notes\n\n- a\n- c\n\nMine.\n");
  });

  test("leaves all others, and one that was added leaves the file as it was", () => {
    let removals = 0;
    fc.assert(
      fc.property(files, fc.nat(), (file, pick) => {
        const entries = entriesOf(file);
        const entry = entries[pick % entries.length];
        if (entry === undefined) return;
        removals += 1;
        const next = withoutEntry(file, entry);
        expect(isOneInsertion(next, file)).toBe(true);
        expect(file.slice(entry.from, entry.to)).toContain(
          entry.text.split("\n")[0]?.replace(/^\\/, "") ?? "",
        );
      }),
      { numRuns: 1000 },
    );
    expect(removals).toBeGreaterThan(100);
    fc.assert(
      fc.property(texts, (text) => {
        const file = "# Memory\n\n## Notes\n\n- a\n\n## Work\n- b\n";
        const next = withEntry(file, { text, heading: "Notes" });
        const entry = next === undefined ? undefined : entriesOf(next)[1];
        if (next !== undefined && entry !== undefined) expect(withoutEntry(next, entry)).toBe(file);
        else expect(plainText(text)).toBe("a");
      }),
    );
  });
});

test("lines of a hundred thousand marks do not hold the reader up", () => {
  for (const mark of ["#", "-", "- ", " ", "`", "\\", "<!--", "_\t"]) {
    const file = `## Notes\n- ${mark.repeat(100_000)}x\n${mark.repeat(100_000)}x\n# ${mark.repeat(100_000)}x`;
    expect(withEntry(file, { text: mark.repeat(100_000), heading: "Notes" })).not.toBe(file);
  }
});

/** Whether `longer` is `shorter` with one piece put in somewhere. */
function isOneInsertion(shorter: string, longer: string): boolean {
  let start = 0;
  while (start < shorter.length && shorter[start] === longer[start]) start++;
  let end = 0;
  while (end < shorter.length && shorter.at(-1 - end) === longer.at(-1 - end)) end++;
  return longer.length >= shorter.length && start + end >= shorter.length;
}

describe("an entry with an id", () => {
  const file = "## Notes\n\n* one <!-- id=k3v9x0aq -->\n* two\n\n## Work\n";

  test("is known by it, and says nothing of it", () => {
    expect(entriesOf(file).map(({ text, id }) => [text, id])).toEqual([
      ["one", "k3v9x0aq"],
      ["two", undefined],
    ]);
  });

  test("is made when it is added, behind its last line", () => {
    const next = withEntry("## Notes\n", { text: "a\nb", heading: "Notes", id: "aaaa1111" }) ?? "";
    expect(next).toBe("## Notes\n\n- a\n    b <!-- id=aaaa1111 -->\n");
    expect(entriesOf(next)).toMatchObject([{ text: "a\nb", id: "aaaa1111" }]);
    expect(withEntry(next, { text: "a\nb", heading: "Notes", id: "bbbb2222" })).toBeUndefined();
  });

  test("keeps it wherever a person moves it or goes on behind it", () => {
    const moved = "## Work\n\n1. one <!-- id=k3v9x0aq --> and more\n";
    expect(entriesOf(moved)).toMatchObject([{ heading: "Work", text: "one and more", id: "k3v9x0aq" }]);
  });

  test("changes where it stands, with its mark and its id", () => {
    const [one, two] = entriesOf(file);
    expect(withChangedEntry(file, one!, "first\nand more")).toBe(
      "## Notes\n\n* first\n    and more <!-- id=k3v9x0aq -->\n* two\n\n## Work\n",
    );
    expect(withChangedEntry(file, two!, "second")).toBe(file.replace("two", "second"));
  });

  test("another's id in a text is no id", () => {
    const next = withEntry(file, { text: "x <!-- id=k3v9x0aq -->", heading: "Notes", id: "cccc3333" }) ?? "";
    expect(entriesOf(next).map(({ id }) => id)).toEqual(["k3v9x0aq", undefined, "cccc3333"]);
  });

  test("whatever it becomes, nothing else in the file changes", () => {
    fc.assert(
      fc.property(files, texts, fc.nat(), (file, text, chance) => {
        const entries = entriesOf(file);
        const entry = entries[chance % Math.max(1, entries.length)];
        if (entry === undefined || plainText(text) === "") return;
        const next = withChangedEntry(file, entry, text);
        expect(next.slice(0, entry.from)).toBe(file.slice(0, entry.from));
        expect(next.endsWith(file.slice(entry.to))).toBe(true);
        const at = entries.indexOf(entry);
        // Code that an entry began and nobody ended hides what comes after only as long as it stands.
        if (/^ {0,3}(?:```|~~~|<!--)/m.test(file.slice(entry.from, entry.to))) return;
        expect(said(next).toSpliced(at, 1)).toEqual(said(file).toSpliced(at, 1));
        expect(said(next)[at]).toEqual([entry.heading, plainText(text)]);
      }),
      { numRuns: 1000 },
    );
  });
});
