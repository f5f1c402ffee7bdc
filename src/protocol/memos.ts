/** `memory/memos.json`: the latest memos, each with its address, oldest first. Pure. */
import { z } from "zod";
import type { ScopeId } from "../model/message.js";
import type { Memo } from "../model/record.js";
import { isoOf, parseInstant } from "../model/time.js";

const memo = z.looseObject({
  at: z.string(),
  user: z.string().min(1).optional(),
  scope: z.string().min(1),
  session: z.string().min(1),
  text: z.string(),
});
const shape = z.looseObject({ memos: z.array(z.unknown()) });

/** Throws SyntaxError for what is no such file; an entry that is no memo is left out. */
export function parseMemos(text: string): Memo[] {
  const file = shape.safeParse(JSON.parse(text));
  if (!file.success) throw new SyntaxError("it has no list `memos`");
  return file.data.memos.flatMap((value): Memo[] => {
    const parsed = memo.safeParse(value);
    const at = parsed.success ? parseInstant(parsed.data.at) : undefined;
    if (!parsed.success || at === undefined) return [];
    const { user, scope, session, text: said } = parsed.data;
    return [{ at, ...(user === undefined ? {} : { user }), scope: scope as ScopeId, session, text: said }];
  });
}

export function printMemos(memos: readonly Memo[]): string {
  const printed = memos.map(({ at, ...rest }) => ({ at: isoOf(at), ...rest }));
  return `${JSON.stringify({ version: 1, memos: printed }, null, 2)}\n`;
}
