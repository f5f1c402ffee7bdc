/**
 * Where tables and their entries stand in a TOML text that can be read.
 *
 * Pure. What a header or an entry is called is left to the parser, one statement at a time.
 */
import { parse } from "smol-toml";
import { fieldsOf, isFields } from "../fields.js";

/** A table under a header of its own, to the end of its last entry. */
export interface Block {
  path: readonly string[];
  start: number;
  headerEnd: number;
  end: number;
}

/** An entry or a header, over as many lines as it has. */
interface Statement {
  start: number;
  end: number;
}

export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  for (const { start, end } of statementsIn(text)) {
    if (text[start] === "[") {
      const path = namesIn(text.slice(start, end));
      blocks.push({ path, start, headerEnd: end, end });
      continue;
    }
    const block = blocks.at(-1);
    if (block !== undefined) block.end = end;
  }
  return blocks;
}

/** The entry of that name in the table itself. */
export function statementOf(text: string, block: Block, name: string): Statement | undefined {
  return statementsIn(text).find(
    ({ start, end }) =>
      start > block.start && end <= block.end && Object.hasOwn(parse(text.slice(start, end)), name),
  );
}

/** Of a header: the way down to its table, which is empty. */
function namesIn(header: string): string[] {
  const names: string[] = [];
  for (let at: unknown = parse(header); ;) {
    const [name, inner] = Object.entries(fieldsOf(at))[0] ?? [];
    if (name === undefined) return names;
    names.push(name);
    at = isFields(inner) ? inner : undefined;
  }
}

function statementsIn(text: string): Statement[] {
  const statements: Statement[] = [];
  for (let at = 0; at < text.length;) {
    const char = text[at] ?? "";
    if (char === "#") at = lineEnd(text, at);
    else if (char.trim() === "" || char === "\uFEFF") at++;
    else {
      const end = statementEnd(text, at);
      statements.push({ start: at, end });
      at = end;
    }
  }
  return statements;
}

/** Behind the last character that counts: a remark on the same line, too, goes with it. */
function statementEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length;) {
    const char = text[at] ?? "";
    if (char === "#") at = lineEnd(text, at);
    else if (char === '"' || char === "'") at = stringEnd(text, at);
    else if (char === "\n" && depth === 0) return text[at - 1] === "\r" ? at - 1 : at;
    else {
      if (char === "[" || char === "{") depth++;
      if (char === "]" || char === "}") depth--;
      at++;
    }
  }
  return text.length;
}

/** The end of the line on which `at` stands. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function stringEnd(text: string, open: number): number {
  const quote = text[open] ?? "";
  const isLong = text.startsWith(quote.repeat(3), open);
  const closing = isLong ? quote.repeat(3) : quote;
  for (let at = open + closing.length; at < text.length; at++) {
    if (quote === '"' && text[at] === "\\") at++;
    else if (text.startsWith(closing, at)) {
      // Up to two quotes more may stand before the three that end it.
      let end = at + closing.length;
      while (isLong && text[end] === quote) end++;
      return end;
    }
  }
  return text.length;
}
