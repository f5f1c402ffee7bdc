/**
 * `memory/window/{session}.md`: the rolling summary of a conversation whose
 * older part no longer fits into the prompt.
 *
 * Pure. The head says up to which message it reaches and which days it was
 * made of; the body is Markdown that people may edit.
 */
import * as z from "zod";
import { contentHash } from "../platform/files.js";
import { defined } from "../model/collections.js";
import type { MessageId } from "../model/message.js";
import type { ScopeId } from "../model/address.js";
import { isoOf, type EpochMs } from "../model/time.js";
import { parseFrontMatter, printFrontMatter } from "./front-matter.js";
import { instant } from "./records.js";

export interface WindowSummary {
  scope: ScopeId;
  session: string;
  /** Whose conversation; absent in a group. */
  user?: string;
  /** `builtin`, or the model's name. */
  by: string;
  /** The last message that it stands for. */
  through: { id: MessageId; at: EpochMs };
  /** What it was made of: messages of a day, or of a month long ago. */
  covers: readonly { date: string; messages: number }[];
  /** Below the head, as it stands. */
  body: string;
  /** A person has changed the body since memd wrote it. */
  edited: boolean;
}

const head = z.looseObject({
  kind: z.literal("window"),
  scope: z.string().min(1),
  session: z.string().min(1),
  user: z.string().min(1).optional(),
  by: z.string(),
  through: z.strictObject({ id: z.string().min(1), at: instant }),
  covers: z.array(z.strictObject({ date: z.string(), messages: z.number().int().nonnegative() })),
  hash: z.string(),
});

/** Undefined when the text is no window summary; throws SyntaxError when its head cannot be read. */
export function parseWindow(text: string): WindowSummary | undefined {
  const { data, body } = parseFrontMatter(text);
  const known = head.safeParse(data).data;
  if (known === undefined) return undefined;
  const { scope, session, user, by, through, covers, hash } = known;
  const of = { scope: scope as ScopeId, session, user, by, through: through as WindowSummary["through"] };
  return defined({ ...of, covers, body, edited: hash !== contentHash(body) });
}

/** The text below a title of memd's. */
export function windowBody(date: string, text: string): string {
  return `\n# Until ${date}\n\n${text.trim()}\n`;
}

/** Without the title that memd puts above it. */
export function windowText({ body }: Pick<WindowSummary, "body">): string {
  return body.replace(/^\s*# Until \d{4}-\d{2}-\d{2}[ \t]*(?:\n|$)/, "").trim();
}

export function printWindow(summary: Omit<WindowSummary, "edited">): string {
  const { scope, session, user, by, through, covers, body } = summary;
  const of = { kind: "window", scope, session, user, by };
  const made = { through: { id: through.id, at: isoOf(through.at) }, covers, hash: contentHash(body) };
  return printFrontMatter({ ...of, ...made }, body);
}
