/**
 * `.memd/tokens.jsonl`: who may ask besides the owner, a line each. A token itself
 * stands nowhere, only its SHA-256: it has more than 256 bits, so that nobody finds
 * it from that.
 *
 * Edited under its lock, whether memd runs or not, and read anew for every request
 * that brings a token: one that was removed lets nobody in from then on. A line that is
 * no token lets nobody in either, and goes with the next edit.
 */
import * as z from "zod";
import { type Seat, seatIn, seatText } from "../model/address.js";
import { defined } from "../model/collections.js";
import { isMemdError, MemdError } from "../model/errors.js";
import { type EpochMs, isoOf } from "../model/time.js";
import type { Disk } from "../platform/disk.js";
import { dirname, sameSecret, sha256 } from "../platform/files.js";
import type { Locks } from "../platform/lock.js";
import { parseLines } from "./jsonl.js";
import { type FileWriter, publish, textIn } from "./publish.js";
import { at, FILES, type Workspace } from "./workspace.js";

/** In characters of `a-z0-9`: more than 256 bits. What is shorter is no token, whatever a file says. */
export const TOKEN_CHARS = 52;
/** Tells people and scanners what it is. */
const PREFIX = "memd_";
const ID_CHARS = 8;

export interface Token {
  /** The first of its hash. */
  id: string;
  name?: string;
  /** As whom it reads. */
  seat: Seat;
  /** ISO 8601. */
  createdAt: string;
  hash: string;
}

const line = z.object({
  viewer: z.string(),
  name: z.string().optional(),
  createdAt: z.string(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

/** Oldest first. */
export async function readTokens(disk: Disk, workspace: Workspace): Promise<Token[]> {
  const bytes = await disk.read(at(workspace, FILES.tokens));
  return parseTokens(bytes && textIn(bytes));
}

/** Whose it is, in a time that says nothing about which one is nearly right. */
export function tokenThatIs(given: string, tokens: readonly Token[]): Token | undefined {
  const hash = sha256(given);
  const [found] = tokens.filter((token) => sameSecret(hash, token.hash));
  return given.length < TOKEN_CHARS ? undefined : found;
}

/** With the token itself, which nobody can be told again. Throws `value_invalid` for a name that another one has, or that is none. */
export async function addToken(
  writer: FileWriter & { locks: Locks },
  workspace: Workspace,
  { seat, name }: { seat: Seat; name?: string },
  now: EpochMs,
): Promise<{ secret: string; token: Token }> {
  if (name !== undefined && (!/^[^\p{C}]{1,80}$/u.test(name.trim()) || isId(name)))
    throw new MemdError("value_invalid", "A name has 1 to 80 characters, and is not what an id looks like.");
  const secret = `${PREFIX}${writer.random.name(TOKEN_CHARS)}`;
  const hash = sha256(secret);
  const token = defined({ id: hash.slice(0, ID_CHARS), name, seat, createdAt: isoOf(now), hash });
  return editTokens(writer, workspace, (tokens) => {
    if (name !== undefined && tokens.some((other) => other.name === name))
      throw new MemdError("value_invalid", `There is a token with the name "${name}" already.`);
    return { left: [...tokens, token], outcome: { secret, token } };
  });
}

/** By its name or id. Throws `token_unknown`. */
export function removeToken(
  writer: FileWriter & { locks: Locks },
  workspace: Workspace,
  named: string,
): Promise<Token> {
  return editTokens(writer, workspace, (tokens) => {
    const removed = tokens.find(({ id, name }) => (isId(named) ? id : name) === named);
    if (removed === undefined)
      throw new MemdError("token_unknown", `There is no token with the name or id "${named}".`);
    return { left: tokens.filter((token) => token !== removed), outcome: removed };
  });
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}$/.test(text);
}

async function editTokens<T>(
  writer: FileWriter & { locks: Locks },
  workspace: Workspace,
  edit: (tokens: Token[]) => { left: Token[]; outcome: T },
): Promise<T> {
  const file = at(workspace, FILES.tokens);
  await writer.disk.makeDir(dirname(file));
  return writer.locks.withLock(file, async (lock) => {
    const { left, outcome } = edit(await readTokens(writer.disk, workspace));
    lock.assertHeld();
    await publish(writer, file, left.map(printToken).join(""));
    return outcome;
  });
}

function parseTokens(text = ""): Token[] {
  return parseLines(text).flatMap(({ value }): Token[] => {
    const parsed = line.safeParse(value);
    if (!parsed.success) return [];
    const { viewer, name, createdAt, hash } = parsed.data;
    const seat = seatOf(viewer);
    return seat === undefined ? [] : [defined({ id: hash.slice(0, ID_CHARS), name, seat, createdAt, hash })];
  });
}

function seatOf(viewer: string): Seat | undefined {
  try {
    return seatIn(viewer);
  } catch (error) {
    // Somebody has edited it: nobody is let in as whom it does not name.
    if (!isMemdError(error, "usage")) throw error;
    return undefined;
  }
}

function printToken({ name, seat, createdAt, hash }: Token): string {
  return `${JSON.stringify(defined({ viewer: seatText(seat), name, createdAt, hash }))}\n`;
}
