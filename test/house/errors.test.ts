import ts from "typescript";
import { describe, expect, test } from "vitest";
import { ERRORS, EXIT } from "../../src/model/errors.js";
import { readFile, typescriptIn } from "./sources.js";

const CODES = Object.keys(ERRORS) as (keyof typeof ERRORS)[];

/** `## code` to its text. */
const documented = new Map(
  readFile("docs/ERRORS.md")
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf("\n")).trim(), section] as const),
);

test("every error of the catalogue is documented, and no other", () => {
  expect([...documented.keys()].sort()).toEqual([...CODES].sort());
});

describe("the page says what the program does", () => {
  test.each(CODES)("%s", (code) => {
    const [ending, advice] = ERRORS[code];
    const exit = EXIT[ending];
    expect(documented.get(code)).toContain(`Exit code ${exit}.`);
    expect(documented.get(code)).toContain(`**${advice}**`);
  });
});

test("advice is one sentence", () => {
  for (const code of CODES) expect(ERRORS[code][1]).toMatch(/^[A-Z][^\n]*\.$/);
});

test("every error of the catalogue can happen", () => {
  const thrown = new Set([...typescriptIn("src")].flatMap(([path, text]) => thrownIn(path, text)));
  expect(CODES.filter((code) => !thrown.has(code))).toEqual([]);
});

test("each method of the library says which of them it throws", () => {
  const methods = documentedIn(readFile("src/library/inputs.ts"), "Memory");
  expect([...methods.keys()]).toEqual(expect.arrayContaining(["say", "searchEvents", "history"]));
  for (const [method, text] of methods) {
    const [, thrown = ""] = /\bThrows\b([^]*)$/.exec(text) ?? [];
    const codes = [...thrown.matchAll(/`([a-z_]+)`/g)].map((match) => match[1] ?? "");
    // What takes nothing and waits for nobody cannot go wrong.
    if (method !== "close") expect([method, codes.length > 0]).toEqual([method, true]);
    expect([method, codes.filter((code) => !Object.hasOwn(ERRORS, code))]).toEqual([method, []]);
  }
});

test("codes are found wherever they are thrown from", () => {
  const text = `
    throw new MemdError("busy", "…");
    const e = bad ? new MemdError(late ? "timeout" : "internal", "…") : undefined;
    class NotSynced extends MemdError { constructor(c) { super(c?.code ?? "disk_fault", "…"); } }
    // new MemdError("usage", "…")
    isMemdError(error, "lock_lost");`;
  expect(thrownIn("a.ts", text)).toEqual(["busy", "timeout", "internal", "disk_fault"]);
});

/** Methods of an interface, each with what stands above it. */
function documentedIn(text: string, name: string): Map<string, string> {
  const source = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, true);
  const methods = new Map<string, string>();
  for (const statement of source.statements)
    if (ts.isInterfaceDeclaration(statement) && statement.name.text === name)
      for (const member of statement.members)
        if (ts.isMethodSignature(member))
          methods.set(member.name.getText(), member.getFullText().slice(0, member.getLeadingTriviaWidth()));
  return methods;
}

/** Codes given to `new MemdError(…)`, or to `super(…)` in a class that extends it. */
function thrownIn(path: string, text: string): string[] {
  const codes: string[] = [];
  const visit = (node: ts.Node): void => {
    const isNew = ts.isNewExpression(node) && node.expression.getText() === "MemdError";
    const isSuper = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword;
    if (isNew || (isSuper && extendsMemdError(node))) codes.push(...literalsIn(node.arguments?.[0]));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return codes;
}

function extendsMemdError(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) {
    if (ts.isClassLike(at)) {
      return (at.heritageClauses ?? []).some(({ types }) =>
        types.some((type) => type.getText() === "MemdError"),
      );
    }
  }
  return false;
}

/** What a code may be: a literal, either branch of a choice, or what stands in for a missing one. */
function literalsIn(code: ts.Expression | undefined): string[] {
  if (code === undefined) return [];
  if (ts.isStringLiteralLike(code)) return [code.text];
  if (ts.isParenthesizedExpression(code)) return literalsIn(code.expression);
  if (ts.isConditionalExpression(code)) return [...literalsIn(code.whenTrue), ...literalsIn(code.whenFalse)];
  if (ts.isBinaryExpression(code)) return [...literalsIn(code.left), ...literalsIn(code.right)];
  return [];
}
