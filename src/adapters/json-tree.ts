/**
 * JSON as people write it, with comments, commas too many and JSON5's liberties: what stands where in a text.
 *
 * Pure. A text of blanks alone has no tree.
 */
import { type AnyNode, type NumberNode, parse, type ValueNode } from "@humanwhocodes/momoa";
import { messageOf } from "../model/errors.js";
import { Unusable } from "./unusable.js";

/** A value, with the place of its first character and the place behind its last. */
export type Tree = Container | Plain;

export interface Container {
  kind: "object" | "array";
  start: number;
  end: number;
  parts: Part[];
}

interface Plain {
  kind: "plain";
  start: number;
  end: number;
  value: unknown;
}

/** A member, from its name on, or an item. */
export interface Part {
  key: string;
  start: number;
  end: number;
  value: Tree;
}

const MARK = "\uFEFF";

/** Of one text several things are asked, one after the other, and a long one takes a second. */
let last: { text: string; tree: Tree | undefined } | undefined;

/** Throws `Unusable` for what cannot be read. */
export function treeOf(text: string): Tree | undefined {
  if (last?.text !== text) last = { text, tree: readTree(text) };
  return last.tree;
}

function readTree(text: string): Tree | undefined {
  if (text.trim() === "") return undefined;
  try {
    // A mark at the beginning would be a character that nobody expects; a blank in its place keeps every place.
    const readable = text.startsWith(MARK) ? ` ${text.slice(1)}` : text;
    return treeAt(parse(readable, { mode: "json5", ranges: true, allowTrailingCommas: true }).body);
  } catch (error) {
    const { line } = error as { line?: unknown };
    throw new Unusable(messageOf(error), typeof line === "number" ? line : undefined);
  }
}

function treeAt(node: ValueNode): Tree {
  const [start, end] = placeOf(node);
  switch (node.type) {
    case "Object": {
      const parts = node.members.map((member): Part => {
        const [from, to] = placeOf(member);
        const key = member.name.type === "String" ? member.name.value : member.name.name;
        return { key, start: from, end: to, value: treeAt(member.value) };
      });
      return { kind: "object", start, end, parts };
    }
    case "Array": {
      const parts = node.elements.map(({ value }, index): Part => {
        const tree = treeAt(value);
        return { key: String(index), start: tree.start, end: tree.end, value: tree };
      });
      return { kind: "array", start, end, parts };
    }
    case "String":
    case "Boolean":
    case "Number":
      return { kind: "plain", start, end, value: (node satisfies { value: unknown } | NumberNode).value };
    default:
      return { kind: "plain", start, end, value: null };
  }
}

function placeOf(node: AnyNode): readonly [start: number, end: number] {
  const [start = 0, end = 0] = node.range ?? [];
  return [start, end];
}

/** What stands there as a program has it; of a name that stands twice the last counts. */
export function valueOf(tree: Tree | undefined): unknown {
  if (tree === undefined) return undefined;
  if (tree.kind === "plain") return tree.value;
  if (tree.kind === "array") return tree.parts.map(({ value }) => valueOf(value));
  return Object.fromEntries(tree.parts.map(({ key, value }) => [key, valueOf(value)]));
}

/** The last part of that name. */
function partOf(tree: Tree | undefined, key: string): Part | undefined {
  return tree === undefined || tree.kind === "plain"
    ? undefined
    : tree.parts.findLast((part) => part.key === key);
}

export function partAt(tree: Tree | undefined, path: readonly string[]): Part | undefined {
  const [last] = path.slice(-1);
  return last === undefined ? undefined : partOf(treeAtPath(tree, path.slice(0, -1)), last);
}

export function treeAtPath(tree: Tree | undefined, path: readonly string[]): Tree | undefined {
  return path.reduce<Tree | undefined>((at, key) => partOf(at, key)?.value, tree);
}

/** The place of the next character behind blanks and comments. */
export function behindBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (isBlank(text[at])) at++;
    const end = commentEnd(text, at);
    if (end === at) return at;
    at = end;
  }
}

/** Behind the comment that begins there; the same place where none does. */
export function commentEnd(text: string, at: number): number {
  if (text.startsWith("//", at)) {
    const end = text.indexOf("\n", at);
    return end === -1 ? text.length : text[end - 1] === "\r" ? end - 1 : end;
  }
  if (!text.startsWith("/*", at)) return at;
  const end = text.indexOf("*/", at + 2);
  return end === -1 ? text.length : end + 2;
}

function isBlank(char: string | undefined): boolean {
  return char !== undefined && char.trim() === "";
}
