/**
 * Notes: bullets under short headings, the form of every summary section.
 *
 * Pure. Plain Markdown, because the smallest models write it without a slip
 * where they break JSON. What is printed cannot break the file around it: no
 * heading above level 3, no HTML comment, no rule, no open fence.
 */
import * as z from "zod";
import type { Reading } from "./ask.js";

const LONGEST_BULLET = 1500;
/** Of one answer: several times what any prompt asks for. */
const MOST_BULLETS = 300;

const bullet = z.string().min(1).max(LONGEST_BULLET, `a bullet is longer than ${LONGEST_BULLET} characters.`);
const group = z.strictObject({
  heading: z.string().min(1).max(120).optional(),
  bullets: z.array(bullet).min(1),
});
const notesSchema = z
  .array(group)
  .min(1, "it holds no bullet points. Every line must start with `- ` or `### `.")
  .refine((groups) => groups.reduce((sum, { bullets }) => sum + bullets.length, 0) <= MOST_BULLETS, {
    error: `it holds more than ${MOST_BULLETS} bullet points.`,
  });

export type Notes = z.infer<typeof notesSchema>;

const HEADING = /^ {0,3}#{1,6}\s+(\S.*)$|^ {0,3}\*\*([^*]+?):?\*\*:?\s*$/;
const BULLET = /^\s*(?:[-*+•‣·]|\d{1,3}[.)])\s+(\S.*)$/;

/** Reads a model's answer: words before the first bullet and after the last are dropped, the rest must be notes. */
export function readNotes(text: string): Reading<Notes> {
  const groups: { heading?: string; bullets: string[] }[] = [];
  let continues = false;
  for (const line of text.split(/\r?\n/)) {
    const heading = HEADING.exec(line);
    const bullet = BULLET.exec(line)?.[1];
    const open = groups.at(-1);
    if (heading !== null) {
      groups.push({ heading: clean(heading[1] ?? heading[2] ?? "").slice(0, 120), bullets: [] });
      continues = false;
    } else if (bullet !== undefined) {
      if (open === undefined) groups.push({ bullets: [clean(bullet)] });
      else open.bullets.push(clean(bullet));
      continues = true;
    } else if (line.trim() === "" || /^\s*(?:```|---)/.test(line)) {
      continues = false;
    } else if (continues && open !== undefined) {
      const before = open.bullets.pop() ?? "";
      // Beyond the limit it is refused, however much more is said.
      open.bullets.push(before.length > LONGEST_BULLET ? before : `${before} ${clean(line)}`.trim());
    }
  }
  const filled = groups
    .map((group) => ({ ...group, bullets: group.bullets.filter((bullet) => bullet !== "") }))
    .filter((group) => group.bullets.length > 0 && group.heading !== "");
  const parsed = notesSchema.safeParse(filled);
  return parsed.success
    ? { value: parsed.data }
    : { problem: parsed.error.issues[0]?.message ?? "it is no list." };
}

export function printNotes(notes: Notes): string {
  return notes
    .map(({ heading, bullets }) => {
      const list = bullets.map((bullet) => `- ${clean(bullet)}`).join("\n");
      return heading === undefined ? list : `### ${clean(heading)}\n\n${list}`;
    })
    .join("\n\n");
}

/** Any Markdown made safe to stand in a section, line by line; a text that is safe stays as it is. */
export function defuse(markdown: string): string {
  const lines = withoutComments(markdown)
    .trim()
    .split(/\r?\n/)
    .map((line) => line.replace(/^( {0,3})#{1,2}(?=\s|$)/, "$1###"))
    .map((line) => (/^ {0,3}(?:=+|-{2,})\s*$/.test(line) ? "" : line));
  const fences = lines.filter((line) => /^ {0,3}```/.test(line)).length;
  return [...lines, ...(fences % 2 === 1 ? ["```"] : [])].join("\n").trim();
}

/** One line that is only text: what a bullet or a heading may hold. */
export function clean(text: string): string {
  return withoutComments(text)
    .replace(/\s+/g, " ")
    .replace(/`{3,}/g, "`")
    .trim()
    .replace(/^(?:(?:#{1,6}|[-*+])\s+)+/, "")
    .trim();
}

function withoutComments(text: string): string {
  return text.replaceAll("<!--", "<! --").replaceAll("-->", "-- >");
}
