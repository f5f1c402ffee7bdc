/**
 * Foreign text made safe to stand in the prompt.
 *
 * The rule that keeps it from posing as a section, a message or a source: a
 * line that begins in the first column is memd's own; whatever people, models,
 * tools and documents wrote follows a head on its line or is indented by four,
 * where Markdown knows no heading, fence or quotation. Files of the owner keep
 * their shape, with headings below those of the sections.
 */
import type { Role } from "../model/message.js";
import { characterBorder, fenceAfter } from "../text/cut.js";
import { redactSecrets } from "../text/redact.js";

const INDENT = "    ";
const NAME_CHARS = 60;

/** The text without secrets, control characters and half characters, with `\n` for whatever ends a line. */
export function plain(text: string): string {
  const clean = text
    .toWellFormed()
    .replace(/\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g, "\n")
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g, "")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+/, "")
    .trimEnd();
  return redactSecrets(clean);
}

/** All on one line, heading marks gone; where a line ended stands a blank, in Chinese too. */
export function oneLine(text: string): string {
  return plain(text)
    .replace(/^[ \t]*#{1,6}[ \t]+/gm, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** `head: text`, or the head with the lines of the text below it, indented. */
export function said(head: string, text: string): string {
  if (!text.includes("\n")) return text === "" ? `${head}:` : `${head}: ${text}`;
  return `${head}:\n${eachLine(text, INDENT)}`;
}

/** The lines of a quotation: never anybody's own voice. */
export function quoted(text: string): string {
  return eachLine(text, `${INDENT}> `);
}

/** A name as a head shows it: short, on one line, and no user can be called the agent. */
export function nameOf(from: {
  role?: Role | undefined;
  speaker?: string | undefined;
  user?: string | undefined;
}): string {
  const speaker = shortLine(from.speaker ?? "");
  switch (from.role) {
    case "user":
    case undefined: {
      const user = from.user === "local" ? "" : shortLine(from.user ?? "");
      const name = speaker || user || "user";
      return /\b(?:agent|assistant|system|tool)\b/i.test(name) ? `${name} (user)` : name;
    }
    case "agent":
      return speaker === "" ? "agent" : `${speaker} (agent)`;
    case "system":
    case "tool":
      return from.role;
    default:
      return from.role satisfies never;
  }
}

/** A file name, tool name or label: on one line and not longer than a name. */
export function shortLine(text: string): string {
  const line = oneLine(text.slice(0, 4 * NAME_CHARS));
  return line.slice(0, characterBorder(line, NAME_CHARS));
}

/** A file of the owner below a section's heading: its headings one level down, three at least, an open fence closed. */
export function belowHeading(text: string, sectionTitles: ReadonlySet<string>): string {
  let open: string | undefined;
  const lines = plain(text)
    .split("\n")
    .map((line) => {
      const fenced = open !== undefined;
      open = fenceAfter(line, open);
      const [, marks = "", rest = ""] = /^ {0,3}(#{1,6})((?:[ \t].*)?)$/.exec(line) ?? [];
      if (marks === "") return line;
      // In a code block a heading is not one; only what reads as a section of ours is moved out of the first column.
      if (fenced) return marks.length < 3 && sectionTitles.has(rest.trim()) ? `${INDENT}${line}` : line;
      return `${"#".repeat(Math.min(6, Math.max(3, marks.length + 1)))}${rest}`;
    });
  if (open !== undefined) lines.push(open);
  return lines.join("\n");
}

function eachLine(text: string, prefix: string): string {
  return text
    .split("\n")
    .map((line) => (line.trim() === "" ? prefix.trimEnd() : `${prefix}${line}`))
    .join("\n");
}
