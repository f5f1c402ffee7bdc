/**
 * The Markdown of a workspace: verbatim days, summaries, memory.md, and the
 * front matter under them. Blocks and sections that stand are found with their
 * words, and what was read is printed without losing a line.
 */
import { contentHash } from "../../../src/platform/files.js";
import type { ScopeId } from "../../../src/model/address.js";
import { zoneOf, type Day } from "../../../src/model/time.js";
import { parseFrontMatter, printFrontMatter } from "../../../src/protocol/front-matter.js";
import { withoutIds } from "../../../src/protocol/memory-entries.js";
import { parseMemory } from "../../../src/protocol/memory-md.js";
import { printMessage } from "../../../src/protocol/message.js";
import { parseSummary, printSections, printSummary } from "../../../src/protocol/summary.js";
import {
  coverHash,
  newPreamble,
  parseVerbatim,
  printBlock,
  printVerbatim,
  type VerbatimBlock,
} from "../../../src/protocol/verbatim.js";
import { canonical } from "../../support/arbitrary.js";
import { given, mustBe, readAgain, type Case, type Kind, type Outcome } from "./kind.js";
import { filedOf } from "./lines.js";
import type { Rng } from "./seed.js";
import { nameOf, textOf, valueOf } from "./words.js";

export const MARKDOWN: readonly Kind[] = [
  { name: "verbatim day", share: 6, make: verbatimCase },
  { name: "summary", share: 4, make: summaryCase },
  { name: "memory.md", share: 7, make: memoryCase },
  { name: "front matter", share: 7, make: frontMatterCase },
];

const UTC = zoneOf("UTC");

/** As memd reads every file of text. */
function decoded(input: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(input);
  } catch (error) {
    throw new SyntaxError("not UTF-8 text", { cause: error });
  }
}

function verbatimCase(rng: Rng): Case {
  const scope = rng.pick(["main", "group:x", nameOf(rng)]) as ScopeId;
  const more = scope === "main" ? {} : { scope };
  const filed = Array.from({ length: 1 + rng.int(6) }, (_none, n) => filedOf(rng, n, more));
  const blocks = filed.map((one) => ({ raw: printBlock(one, UTC), value: sayingOf(one) }));
  const day = "2026-01-05" as Day;
  const whole = printVerbatim({ day, scope, preamble: newPreamble(day), blocks });
  const added = { raw: printBlock(filedOf(rng, 50, more), UTC) };
  // Front matter is slow: for one file in three.
  const isPrinted = rng.oneIn(3);
  return {
    whole: Buffer.from(whole),
    try: async (input): Promise<Outcome> => {
      const text = (await given(() => decoded(input)))?.value;
      const file = text === undefined ? undefined : (await given(() => parseVerbatim(text)))?.value;
      if (text === undefined || file === undefined) return "refused";
      const body = text.slice(text.search(END_OF_HEAD)).replace(END_OF_HEAD, "");
      const found = new Set(file.blocks.map(({ filed: one }) => sayingOf(one)));
      if (file.scope === scope)
        for (const { value } of blocks.filter(({ raw }) => isWholeBlock(body, raw, blocks)))
          mustBe("dropped", found.has(value), `the day leaves out ${value}`);
      coverHash(file.blocks.map((block) => block.filed));

      if (!isPrinted) return "parsed";
      const printed = printVerbatim({ ...file, blocks: [...file.blocks, added] });
      const again = await readAgain("day", () => parseVerbatim(printed));
      // As a disk gives it back: half a surrogate pair is none there.
      const raw = added.raw.toWellFormed();
      mustBe("dropped", again?.blocks.at(-1)?.raw === raw, "a block that was added is not found");
      const before = rawsOf(again?.blocks.slice(0, -1));
      mustBe("changed", before === rawsOf(file.blocks), "a day printed again has other blocks");
      const words = withoutBreaks(body + added.raw);
      const isSame = withoutBreaks(parseFrontMatter(printed).body) === words;
      mustBe("changed", isSame, "printing a day again loses words of it");
      return "parsed";
    },
  };
}

/** The line that ends a head which could be read. */
const END_OF_HEAD = /\n---[ \t]*(?:\r?\n|$)/;

function sayingOf({ message, filedAt, belongsTo }: VerbatimBlock["filed"]): string {
  return JSON.stringify([printMessage(message), filedAt, belongsTo ?? null]);
}

function rawsOf(blocks: readonly VerbatimBlock[] | undefined): string {
  return JSON.stringify(blocks?.map(({ raw, filed }) => [raw, sayingOf(filed)]));
}

/** It begins a line, and the next thing behind it is a block of the day, or the end. */
function isWholeBlock(body: string, raw: string, all: readonly { raw: string }[]): boolean {
  const headings = all.map((block) => block.raw.slice(0, block.raw.indexOf("\n")));
  for (let at = body.indexOf(raw); at !== -1; at = body.indexOf(raw, at + 1)) {
    const rest = body.slice(at + raw.length);
    const isLast = rest === "\n" || (rest === "" && !raw.endsWith("\n"));
    const ends = isLast || headings.some((next) => rest.startsWith(`\n\n${next}\n`));
    if (ends && (at === 0 || body[at - 1] === "\n")) return true;
  }
  return false;
}

function withoutBreaks(text: string): string {
  return text.replaceAll("\n", "");
}

function summaryCase(rng: Rng): Case {
  const users = [...new Set(Array.from({ length: 1 + rng.int(3) }, () => nameOf(rng)))];
  const sections = users.map((user, n) => ({ user, text: `- of ${n}\n${textOf(rng, 4)}` }));
  const body = printSections("2026-01-05", rng.oneIn(4) ? [{ text: "- a\n- b" }] : sections);
  const covers = [{ day: "2026-01-05" as Day, hash: contentHash("x"), messages: 3 }];
  const scope = rng.pick(["main", nameOf(rng)]) as ScopeId;
  const file = {
    tier: "day",
    scope,
    date: "2026-01-05" as Day,
    by: rng.pick(["m", "a: b", "#1"]),
    covers,
  } as const;
  const whole = printSummary({ ...file, body, edited: rng.oneIn(4) });
  const first = parseSummary(whole)?.sections ?? [];
  const isPrinted = rng.oneIn(3);
  return {
    whole: Buffer.from(whole),
    try: async (input): Promise<Outcome> => {
      const text = (await given(() => decoded(input)))?.value;
      const parsed = text === undefined ? undefined : (await given(() => parseSummary(text)))?.value;
      if (text === undefined || parsed === undefined) return "refused";
      const lines = text.split("\n");
      for (const section of first) {
        // Its heading, its words and whatever heading stands behind it, as they were.
        const own = [section.user === undefined ? "## Everyone" : "## ", section.text];
        const at = parsed.body.indexOf(section.text);
        const isThere = at !== -1 && own.every((part) => parsed.body.includes(part));
        const kept = parsed.sections.some((other) => other.text.includes(section.text));
        const split = section.text.split("\n").some((line) => line.startsWith("## "));
        mustBe("dropped", !isThere || kept || split, `the summary leaves out ${section.text}`);
      }
      for (const {
        lines: [from, to],
      } of parsed.sections)
        mustBe(
          "changed",
          from >= 1 && from <= to && to <= lines.length,
          `a section stands in lines ${from}-${to}`,
        );
      if (!isPrinted) return "parsed";
      const again = await readAgain("summary", () => parseSummary(printSummary(parsed)));
      mustBe("changed", again?.body === parsed.body, "a summary printed again has another body");
      const { sections: _lines, body: _body, ...heads } = parsed;
      const { sections: _more, body: _other, ...other } = again ?? { sections: [], body: "" };
      mustBe("changed", canonical(other) === canonical(heads), "a summary printed again has another head");
      return "parsed";
    },
  };
}

function memoryCase(rng: Rng): Case {
  const sections = Array.from({ length: 1 + rng.int(6) }, (_none, n) => {
    const heading = `${"#".repeat(1 + rng.int(6))} ${textOf(rng, 1).replaceAll(/[\r\n]/g, " ")} ${n}`;
    return `${heading}\n\n${textOf(rng)}\n${rng.oneIn(4) ? "```\n# code\n```\n" : ""}`;
  });
  return {
    whole: Buffer.from(sections.join("\n")),
    try: async (input): Promise<Outcome> => {
      const read = await given(() => decoded(input));
      if (read === undefined) return "refused";
      const sections = parseMemory(read.value);
      // Ids are memd's own marks: no words, wherever in a line they stand.
      const lines = read.value.split(/\r?\n/).map((line) => withoutIds(line));
      // A comment that begins a line is for who edits the file.
      const told = lines.join("\n").replaceAll(/(?<![^\n])<!(?=--)[\s\S]*?-->/g, "");
      const kept = new Set(sections.flatMap(({ text }) => text.split("\n").map((line) => line.trim())));
      // In code it is code.
      const isKept = (line: string): boolean =>
        kept.has(line) ||
        [...kept].some(
          (each) => each.endsWith(line) && each.slice(0, -line.length).trimEnd().endsWith("-->"),
        );
      for (const line of told.split("\n").map((each) => each.trim()))
        mustBe("dropped", line === "" || line.startsWith("#") || isKept(line), `memory.md loses ${line}`);
      for (const {
        lines: [from, to],
      } of sections)
        mustBe(
          "changed",
          from >= 1 && from <= to && to <= lines.length,
          `a section stands in lines ${from}-${to}`,
        );
      return "parsed";
    },
  };
}

function frontMatterCase(rng: Rng): Case {
  const names = ["kind", "date", "a b", "__proto__", "constructor", "1", "null", "x:y"] as const;
  const entries = Array.from({ length: 1 + rng.int(5) }, () => [
    rng.pick(names),
    rng.pick([() => valueOf(rng, 2), () => "2026-01-05", () => nameOf(rng)])(),
  ]);
  const body = textOf(rng);
  const whole = wellFormed(printFrontMatter(Object.fromEntries(entries) as Record<string, unknown>, body));
  return {
    whole: Buffer.from(whole),
    try: async (input): Promise<Outcome> => {
      const text = (await given(() => decoded(input)))?.value;
      const matter = text === undefined ? undefined : (await given(() => parseFrontMatter(text)))?.value;
      if (text === undefined || matter === undefined) return "refused";
      mustBe("dropped", text.endsWith(matter.body), "the body is not what stands under the head");
      const line = text.slice(0, text.length - matter.body.length).split("\n").length;
      mustBe("changed", matter.bodyLine === line, "the body begins on another line");
      return "parsed";
    },
  };
}

function wellFormed(text: string): string {
  return text.toWellFormed();
}
