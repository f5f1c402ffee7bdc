/** `memory/memos.json`: the latest memos, each with its address, oldest first. Pure. */
import { defined } from "../model/collections.js";
import * as z from "zod";
import type { ScopeId } from "../model/address.js";
import type { Memo } from "../model/record.js";
import { isoOf, parseInstant, type EpochMs } from "../model/time.js";

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
  return parsedFile(text).memos.flatMap((value): Memo[] => {
    const { data } = memo.safeParse(value);
    const at = data && parseInstant(data.at);
    if (data === undefined || at === undefined) return [];
    const { user, scope, session, text: said } = data;
    return [defined({ at, user, scope: scope as ScopeId, session, text: said })];
  });
}

/**
 * The text with the memo in it, once: one of the same id is left as it stands,
 * and so is everything that is no memo. The newest `most` stay. Undefined where
 * nothing changes; throws SyntaxError for what is no such file.
 */
export function withMemo(text: string | undefined, memo: Memo, most: number): string | undefined {
  const file = text === undefined ? shape.parse({ version: 1, memos: [] }) : parsedFile(text);
  const isThis = (value: unknown): boolean =>
    memo.id !== undefined && (value as { id?: unknown } | null)?.id === memo.id;
  if (file.memos.some(isThis)) return undefined;
  const after = file.memos.findLastIndex((value) => (momentOf(value) ?? Infinity) <= memo.at);
  const memos = [...file.memos.slice(0, after + 1), printed(memo), ...file.memos.slice(after + 1)].slice(
    -most,
  );
  return memos.some(isThis) ? `${JSON.stringify({ ...file, memos }, null, 2)}\n` : undefined;
}

/** The text without the memos of an address; undefined where none stands in it. Throws SyntaxError for what is no such file. */
export function withoutMemos(
  text: string,
  goes: (address: Pick<z.infer<typeof memo>, "scope" | "session" | "user">) => boolean,
): string | undefined {
  const file = parsedFile(text);
  const memos = file.memos.filter((value) => {
    const { data } = memo.safeParse(value);
    return data === undefined || !goes(data);
  });
  if (memos.length === file.memos.length) return undefined;
  return `${JSON.stringify({ ...file, memos }, null, 2)}\n`;
}

function parsedFile(text: string): z.infer<typeof shape> {
  const file = shape.safeParse(JSON.parse(text));
  if (!file.success) throw new SyntaxError("it has no list `memos`");
  return file.data;
}

function momentOf(value: unknown): EpochMs | undefined {
  const at = (value as { at?: unknown } | null)?.at;
  return typeof at === "string" ? parseInstant(at) : undefined;
}

function printed({ at, ...rest }: Memo): Record<string, unknown> {
  return { at: isoOf(at), ...rest };
}

export function printMemos(memos: readonly Memo[]): string {
  return `${JSON.stringify({ version: 1, memos: memos.map(printed) }, null, 2)}\n`;
}
