/**
 * Members and items of settings that are JSON, put in by the names that lead to them, changed, and taken away.
 *
 * Pure. What is in the way in another shape throws `Unusable`.
 */
import { addAll } from "../model/collections.js";
import { type Fields, fieldsOf } from "./fields.js";
import { withoutPart, withPart, withValue } from "./json-edit.js";
import { partAt, type Tree, treeAtPath, treeOf, valueOf } from "./json-tree.js";
import { Unusable } from "./unusable.js";

/** Adds to the container at `path`: an item, or with a `key` a member. Those on the way that are not there are made. */
export function placed(
  text: string,
  path: readonly string[],
  value: unknown,
  made: string[],
  key?: string,
): string {
  let tree = treeOf(text);
  for (const [depth, name] of path.entries()) {
    const part = partAt(tree, [name]);
    if (part === undefined) {
      const inside = path.slice(depth + 1);
      const last = key === undefined ? [value] : { [key]: value };
      addAll(
        made,
        path.slice(depth).map((_, more) => pointerOf(path.slice(0, depth + more + 1))),
      );
      return added(
        text,
        tree,
        inside.reduceRight<unknown>((all, each) => ({ [each]: all }), last),
        name,
      );
    }
    tree = part.value;
    const kind = depth === path.length - 1 && key === undefined ? "array" : "object";
    if (tree.kind !== kind) {
      const what = kind === "array" ? "list" : "object";
      throw new Unusable(`${path.slice(0, depth + 1).join(".")} is no ${what}`, lineAt(text, tree.start));
    }
  }
  if (path.length === 0 && key !== undefined) made.push(pointerOf([key]));
  return added(text, tree, value, key);
}

function added(text: string, tree: Tree | undefined, value: unknown, key?: string): string {
  return tree === undefined || tree.kind === "plain" ? text : withPart(text, tree, value, key);
}

/** The member set to that value; of a list each item, where it has as many. */
export function withMember(text: string, path: readonly string[], key: string, value: unknown): string {
  const root = treeOf(text);
  const standing = partAt(root, [...path, key]);
  if (standing === undefined) return added(text, treeAtPath(root, path), value, key);
  const { value: tree } = standing;
  if (Array.isArray(value) && tree.kind === "array" && tree.parts.length === value.length)
    return value.reduce<string>(
      (now, item, index) => withMember(now, [...path, key], String(index), item),
      text,
    );
  return JSON.stringify(valueOf(tree)) === JSON.stringify(value) ? text : withValue(text, standing, value);
}

export function without(text: string, path: readonly string[]): string {
  const root = treeOf(text);
  const [container, part] = [treeAtPath(root, path.slice(0, -1)), partAt(root, path)];
  return container === undefined || container.kind === "plain" || part === undefined
    ? text
    : withoutPart(text, container, part);
}

export function fieldsIn(text: string): Fields {
  return fieldsOf(valueOf(treeOf(text)));
}

export function pointerOf(path: readonly string[]): string {
  return path.map((name) => `/${name}`).join("");
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
