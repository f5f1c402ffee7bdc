/**
 * `queue/cursors.json`: how far each conversation has been looked at for what
 * is worth remembering, and what was said since it was last told as a whole.
 *
 * Pure. It cannot be read off the outputs: most rounds leave none.
 */
import { defined } from "../model/collections.js";
import * as z from "zod";
import type { MessageId } from "../model/message.js";
import { isoOf, parseInstant, type EpochMs } from "../model/time.js";
import { spokenLine, type SpokenLine } from "./queue-job.js";
import { instant } from "./records.js";

export interface Cursor {
  /** The last message that was looked at. */
  through: { id: MessageId; at: EpochMs };
  /** What no episode tells yet. */
  stretch: { rounds: number; said: SpokenLine[] };
}

/** Of one user's conversation; of a group's, whose user is empty, only when it was closed. */
export interface CursorEntry extends Cursor {
  scope: string;
  session: string;
  user: string;
  /** Of what was imported into it, which is looked at by itself. */
  of?: "import";
  /** It was closed then: of what was said before nothing is kept that is of the conversation alone. */
  closedAt?: EpochMs;
}

const entry = z.object({
  scope: z.string().min(1),
  session: z.string().min(1),
  user: z.string(),
  of: z.literal("import").optional(),
  through: z.object({ id: z.string().min(1), at: instant }),
  stretch: z.object({ rounds: z.number().int().nonnegative(), said: z.array(spokenLine) }),
  closedAt: z.string().transform(parseInstant).optional(),
});
const shape = z.looseObject({ conversations: z.array(z.unknown()) });

/** Throws SyntaxError for what is no such file; an entry that cannot be read is left out. */
export function parseCursors(text: string): CursorEntry[] {
  const file = shape.safeParse(JSON.parse(text));
  if (!file.success) throw new SyntaxError("it has no list `conversations`");
  return file.data.conversations.flatMap((value): CursorEntry[] => {
    const { data } = entry.safeParse(value);
    return data === undefined ? [] : [defined(data) as CursorEntry];
  });
}

export function printCursors(entries: readonly CursorEntry[]): string {
  const conversations = entries.map(({ scope, session, user, of, through, stretch, closedAt }) => ({
    scope,
    session,
    user,
    of,
    through: { id: through.id, at: isoOf(through.at) },
    stretch,
    closedAt: closedAt === undefined ? undefined : isoOf(closedAt),
  }));
  return `${JSON.stringify({ version: 1, conversations })}\n`;
}
