/**
 * Every regular expression of `src/`, and texts that are hostile to each: of
 * whatever it repeats a long run, after what it wants before that, with an end
 * that it does not want; and the beginnings of a match again and again.
 */
import fs from "node:fs";
import path from "node:path";
import { RegExpParser, type AST } from "@eslint-community/regexpp";
import ts from "typescript";

export interface Found {
  /** `text/redact.ts:19`. */
  at: string;
  source: string;
  flags: string;
}

export function regexpsIn(folder: string): Found[] {
  const files = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((name) => name.endsWith(".ts")).flatMap((name) => inFile(folder, name));
}

function inFile(folder: string, name: string): Found[] {
  const text = fs.readFileSync(path.join(folder, name), "utf8");
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
      const literal = node.getText(file);
      const end = literal.lastIndexOf("/");
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      found.push({ at: `${name}:${line}`, source: literal.slice(1, end), flags: literal.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const LENGTH = 60_000;
/** From so many times on a repetition can be made long. */
const REPEATS = 16;
/** None of these is wanted at the end by every pattern. */
const ENDS = ["", "\u0001", "!", "\n"];

export function hostileTo({ source, flags }: Pick<Found, "source" | "flags">): string[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes("u"),
    unicodeSets: flags.includes("v"),
  });
  const texts: string[] = [];
  const add = (before: string, run: string): void => {
    if (run === "") return;
    const pumped = before + run.repeat(Math.ceil(LENGTH / run.length));
    const begun = before + run.repeat(REPEATS);
    for (const end of ENDS) texts.push(pumped + end);
    texts.push(begun.repeat(Math.ceil(LENGTH / begun.length)));
    texts.push(`${begun} `.repeat(Math.ceil(LENGTH / (begun.length + 1))));
    texts.push(`-${begun}`.repeat(Math.ceil(LENGTH / (begun.length + 1))));
  };
  walk(pattern.alternatives, "", add);
  return [...new Set(texts)];
}

/** Each run that a pattern may repeat, with something that matches what comes before it. */
function walk(
  alternatives: readonly AST.Alternative[],
  before: string,
  add: (before: string, run: string) => void,
): void {
  for (const { elements } of alternatives) {
    let sofar = before;
    for (const element of elements) {
      if (element.type === "Quantifier") {
        const runs = samplesOf(element.element);
        if (element.max >= REPEATS) for (const run of runs) add(sofar, run);
        if ("alternatives" in element.element) walk(element.element.alternatives, sofar, add);
        sofar += (runs[0] ?? "").repeat(Math.max(1, Math.min(element.min, LENGTH)));
      } else {
        if ("alternatives" in element) walk(element.alternatives, sofar, add);
        if (element.type !== "Assertion") sofar += samplesOf(element)[0] ?? "";
      }
    }
  }
}

/** Some texts that an element matches; few, of different kinds. */
function samplesOf(element: AST.Element): string[] {
  switch (element.type) {
    case "Character":
      return [String.fromCodePoint(element.value)];
    case "CharacterSet":
    case "CharacterClass":
    case "ExpressionCharacterClass": {
      const one = new RegExp(`^${element.raw}$`, /\\[pu]\{/i.test(element.raw) ? "u" : "");
      return CHARACTERS.filter((char) => one.test(char)).slice(0, MOST_SAMPLES);
    }
    case "CapturingGroup":
    case "Group":
      return element.alternatives
        .map(({ elements }) => elements.map((inner) => samplesOf(inner)[0] ?? "").join(""))
        .filter((text) => text !== "")
        .slice(0, MOST_SAMPLES);
    case "Quantifier":
      return samplesOf(element.element).map((text) => text.repeat(Math.max(1, element.min)));
    default:
      return [];
  }
}

const MOST_SAMPLES = 4;
const CHARACTERS = [
  ..."a0 A_-\n.,!?'\"`~*#=:;/\\()[]{}<>|@&%$^+\t\r天的一，。！？「《（…：",
  "\u00e9",
  "\u3000",
  "\u0001",
];
