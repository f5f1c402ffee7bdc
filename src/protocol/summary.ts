/**
 * Summaries of a day or a month: Markdown with one section per user.
 *
 * Pure. The head lists the days it stands for, each with the hash of its ids:
 * that is how a summary is known to be there, to be stale, or to hide another.
 */
import { defined } from "../model/collections.js";
import * as z from "zod";
import { contentHash } from "../platform/files.js";
import type { ScopeId } from "../model/address.js";
import { isDay, isMonth, type Day, type Month } from "../model/time.js";
import type { Tier } from "../model/work.js";
import { parseFields, parseFrontMatter, printFields, printFrontMatter } from "./front-matter.js";

export interface CoveredDay {
  day: Day;
  /** `coverHash` of the day when it was summarised. */
  hash: string;
  messages: number;
}

export interface SummarySection {
  /** Whose section; absent in a group, and in what a person wrote above the first section. */
  user?: string;
  text: string;
  /** First and last line in the file, 1-based, heading included. */
  lines: readonly [number, number];
}

export interface SummaryFile {
  tier: Tier;
  scope: ScopeId;
  date: Day | Month;
  /** `builtin`, or the model's name. */
  by: string;
  covers: CoveredDay[];
  sections: SummarySection[];
  /** Everything under the head, as it stands. */
  body: string;
  /** A person has changed the body, now or before: it is carried on word for word. */
  edited: boolean;
}

const head = z.looseObject({
  kind: z.enum(["day-summary", "month-summary"]),
  date: z.string(),
  scope: z.string(),
  by: z.string(),
  covers: z.array(
    z.strictObject({
      day: z.string().refine(isDay),
      hash: z.string(),
      messages: z.number().int().nonnegative(),
    }),
  ),
  edited: z.boolean().optional(),
  hash: z.string(),
});

const SECTION = /^## .*?<!-- (user=\S*|everyone) -->\s*$/;

/** Undefined when the text is no summary; throws SyntaxError when its head cannot be read. */
export function parseSummary(text: string): SummaryFile | undefined {
  const { data, body, bodyLine } = parseFrontMatter(text);
  const known = head.safeParse(data).data;
  if (known === undefined) return undefined;
  const { kind, date, scope, by, covers, hash, edited } = known;
  const tier: Tier = kind === "day-summary" ? "day" : "month";
  if (tier === "day" ? !isDay(date) : !isMonth(date)) return undefined;
  const of = { tier, scope: scope as ScopeId, date: date as Day | Month, by, covers };
  const isEdited = edited === true || hash !== contentHash(body);
  return { ...of, sections: parseSections(body, bodyLine), body, edited: isEdited };
}

export function printSummary({
  tier,
  date,
  scope,
  by,
  covers,
  edited,
  body,
}: Omit<SummaryFile, "sections">): string {
  const kind = tier === "day" ? "day-summary" : "month-summary";
  const mark = edited ? { edited } : {};
  return printFrontMatter({ kind, date, scope, by, covers, ...mark, hash: contentHash(body) }, body);
}

/** The body of a summary that memd writes. Section texts hold no headings above level 3. */
export function printSections(title: string, sections: readonly { user?: string; text: string }[]): string {
  const parts = sections.map(
    ({ user, text }) => `${sectionHeading(user)}\n\n${withoutSections(text).trim()}\n`,
  );
  return `\n# ${title}\n\n${parts.join("\n")}`;
}

/** Text that reads like the heading of a section would put words into another user's: a backslash makes it plain text. */
function withoutSections(text: string): string {
  return text
    .split("\n")
    .map((line) => (SECTION.test(line) ? `\\${line}` : line))
    .join("\n");
}

export function sectionHeading(user: string | undefined): string {
  if (user === undefined) return "## Everyone <!-- everyone -->";
  const shown = user.replace(/[\s<>#]+/g, " ").trim();
  return `## ${shown} <!-- ${printFields([["user", user]])} -->`;
}

function parseSections(body: string, bodyLine: number): SummarySection[] {
  const sections: SummarySection[] = [];
  const lines = body.split("\n");
  let open: { user?: string; from: number; text: string[]; isTop?: true } = {
    from: 0,
    text: [],
    isTop: true,
  };
  const close = (to: number): void => {
    const { user, from, isTop } = open;
    const text = open.text.join("\n").trim();
    // Above the first section the title alone is nobody's words.
    if ((isTop === true ? text.replace(/^# .*$/m, "").trim() : text) === "") return;
    sections.push({ ...defined({ user }), text, lines: [bodyLine + from, bodyLine + to] });
  };
  for (const [index, line] of lines.entries()) {
    const heading = SECTION.exec(line);
    if (heading === null) {
      open.text.push(line);
      continue;
    }
    close(index - 1);
    const user = parseFields(heading[1] ?? "").get("user");
    open = { ...defined({ user }), from: index, text: [] };
  }
  close(lines.length - 1);
  return sections;
}
