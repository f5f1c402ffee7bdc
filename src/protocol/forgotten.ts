/**
 * `memory/forgotten.jsonl`: what was told to be forgotten. A line that is under
 * way says what, so that the next start can end it; one that is done holds only
 * hashes, by which a message that comes again is known.
 *
 * Pure but for reading. The file is published whole: a line is there, or not.
 */
import * as z from "zod";
import { defined } from "../model/collections.js";
import type { MessageId } from "../model/message.js";
import { keyOf, type MessageKey, type ScopeId } from "../model/address.js";
import type { RecordId } from "../model/record.js";
import { isoOf, parseInstant, type EpochMs } from "../model/time.js";
import { sha256 } from "../platform/files.js";
import { ifReadable } from "./publish.js";

/** What a person may name. `user`: only what is of that user's conversation. */
export type ForgetTarget =
  | { is: "session"; session: string; scope: ScopeId; user?: string }
  | { is: "scope"; scope: ScopeId }
  | { is: "message"; message: MessageId; scope: ScopeId }
  /** `scope`: of the record. */
  | { is: "record"; record: RecordId; scope?: ScopeId };

/** Of a message, or of a record. */
export interface ForgottenKey {
  hash: string;
  /** `placeHash` of the message: another one under the same id is not forgotten. Without it, every one is. */
  place?: string;
}

export interface Forgetting {
  id: string;
  at: EpochMs;
  target: ForgetTarget;
  /** Users and groups whose profiles were told from it: `user:lin`. */
  profiles: string[];
  keys: ForgottenKey[];
}

const name = z.string().min(1);
const targetShape = z.discriminatedUnion("is", [
  z.object({ is: z.literal("session"), session: name, scope: name, user: name.optional() }),
  z.object({ is: z.literal("scope"), scope: name }),
  z.object({ is: z.literal("message"), message: name, scope: name }),
  z.object({ is: z.literal("record"), record: name, scope: name.optional() }),
]);
const keys = z.array(z.tuple([name]).or(z.tuple([name, name])));
const begun = z.object({
  op: z.literal("forget"),
  id: name,
  at: name,
  target: targetShape,
  profiles: z.array(name),
  keys,
});
const done = z.object({ op: z.literal("forgotten"), id: name, at: name, keys });
const line = z.discriminatedUnion("op", [begun, done]);

export interface ForgottenFile {
  /** Of all lines. */
  keys: ForgottenKey[];
  /** Begun and not done, oldest first. */
  open: Forgetting[];
}

/** A line that is none is left alone. */
export function parseForgotten(text: string): ForgottenFile {
  const file: ForgottenFile = { keys: [], open: [] };
  for (const raw of text.split("\n")) {
    const data = parsedLine(raw);
    if (data === undefined) continue;
    const known = data.keys.map(([hash, place]): ForgottenKey => defined({ hash, place }));
    for (const key of known) file.keys.push(key);
    const at = parseInstant(data.at);
    if (data.op !== "forget" || at === undefined) continue;
    const { id, profiles, target } = data;
    file.open.push({ id, at, profiles, target: target as ForgetTarget, keys: known });
  }
  return file;
}

/** The text with a forgetting that begins. */
export function withBegun(text: string, { id, at, target, profiles, keys: all }: Forgetting): string {
  const fresh = { op: "forget", id, at: isoOf(at), target, profiles, keys: printedKeys(all) };
  return `${ended(text)}${JSON.stringify(fresh)}\n`;
}

/** The text without the names of one that is done. */
export function withDone(text: string, { id, at, keys: all }: Forgetting): string {
  const lines = text.split("\n").map((raw) => {
    if (parsedLine(raw)?.id !== id) return raw;
    return JSON.stringify({ op: "forgotten", id, at: isoOf(at), keys: printedKeys(all) });
  });
  return lines.join("\n");
}

export function hashOfMessage(key: MessageKey): string {
  return sha256(`message\u0000${key}`).slice(0, 32);
}

export function hashOfRecord(id: string): string {
  return sha256(`record\u0000${id}`).slice(0, 32);
}

/** Which keys are forgotten. Built from the file, and added to as lines become durable. */
export class Forgotten {
  /**
   * Changes when a forgetting begins and when it ends; odd in between. What was
   * made of what was read under one number is not published under another.
   */
  epoch = 0;
  /** The places of each; undefined for one whose place does not matter. */
  readonly #places = new Map<string, Set<string> | undefined>();

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  add(all: readonly ForgottenKey[]): void {
    for (const { hash, place } of all) {
      const before = this.#places.get(hash);
      if (place === undefined) this.#places.set(hash, undefined);
      else if (!this.#places.has(hash)) this.#places.set(hash, new Set([place]));
      else before?.add(place);
    }
  }

  /** `place`: whether it may be the message of that place. */
  hasMessage(key: MessageKey, place?: string): boolean {
    if (this.isEmpty) return false;
    const hash = hashOfMessage(key);
    if (!this.#places.has(hash)) return false;
    const places = this.#places.get(hash);
    return place === undefined || places === undefined || places.has(place);
  }

  hasRecord(id: string): boolean {
    return this.#places.size > 0 && this.#places.has(hashOfRecord(id));
  }

  /** Whether a message of this id is, in one of the scopes. */
  hasId(id: string, scopes: readonly ScopeId[]): boolean {
    return scopes.some((scope) => this.hasMessage(keyOf(scope, id as MessageId)));
  }
}

/** Documents of a scope stand in a tree of their own. */
function docsOf(scope: ScopeId): ScopeId {
  return `${scope}:docs` as ScopeId;
}

/** Where messages of it were said. */
export function scopesOf(target: ForgetTarget): ScopeId[] {
  switch (target.is) {
    case "scope":
      return [target.scope, docsOf(target.scope)];
    case "session":
    case "message":
      return [target.scope];
    case "record":
      return [];
    default:
      return target satisfies never;
  }
}

/** Whether all that is of this address goes. */
export function isOf(
  target: ForgetTarget,
  { scope, session, user }: { [name in "scope" | "session" | "user"]?: string | undefined },
): boolean {
  if (target.is === "scope") return scope === target.scope || scope === docsOf(target.scope);
  if (target.is !== "session") return false;
  const isTheirs = target.user === undefined || target.user === user;
  return scope === target.scope && session === target.session && isTheirs;
}

function printedKeys(all: readonly ForgottenKey[]): string[][] {
  return all.map(({ hash, place }) => (place === undefined ? [hash] : [hash, place]));
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** Undefined for a person's line, or none. */
function parsedLine(raw: string): z.infer<typeof line> | undefined {
  return line.safeParse(ifReadable((): unknown => JSON.parse(raw))).data;
}
