/** A note in Markdown, of a vault or of anybody's: its text without what stands above it. Pure. */
import { defined } from "../../model/collections.js";
import { basename } from "../../platform/files.js";
import { stringOf, timeOf } from "../fields.js";
import type { Note } from "../told.js";

const HEAD = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?\r?\n|)---[ \t]*(?:\r?\n|$)/;

/** Links, tags and embeds stay as they were written. Undefined for a note that says nothing. */
export function readNote(path: string, whole: string, changedAt: string | undefined): Note | undefined {
  const head = HEAD.exec(whole);
  const text = whole
    .slice(head?.[0].length ?? 0)
    .replaceAll("\r\n", "\n")
    .replace(/^\uFEFF/, "")
    .trim();
  if (text === "") return undefined;
  const of = (name: string): string | undefined => propertyOf(head?.[1] ?? "", name);
  const title = of("title") ?? basename(path).replace(/\.(?:md|markdown)$/i, "");
  return defined({ id: path, title, text, at: timeOf(of("created")) ?? timeOf(changedAt) });
}

/** A property that is one line of text. */
function propertyOf(head: string, name: string): string | undefined {
  const line = head.split("\n").find((each) => each.startsWith(`${name}:`));
  const value = line?.slice(name.length + 1).trim();
  const quoted = value === undefined ? undefined : /^(["'])(.*)\1$/.exec(value)?.[2];
  return stringOf(quoted ?? value);
}
