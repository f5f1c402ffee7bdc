/**
 * Documents of one index file that were read and stay in memory by their id,
 * for as long as they are true: whoever drives it says which have changed.
 */
import type { Passage, PassageKind } from "../../../model/passage.js";
import { epochMs } from "../../../model/time.js";
import type { Database, Statement } from "../../../platform/sqlite.js";
import type { Document } from "../document.js";

/** A document with what a filter asks of it. */
export interface Stored {
  id: number;
  document: Document;
  kind: PassageKind;
  user?: string;
  session?: string;
  day: string;
  saidAt: Passage["saidAt"];
}

/** Kept by one partition; the oldest go first. */
const MOST_REMEMBERED = 40_000;
/** What most documents take counts as one; that of a long text as more. */
const SIZE_OF_ONE = 512;
/** The vector of a text of more terms is read when it is looked into: thousands of long ones would be the whole index. */
const LONG_TERMS = 1000;

export class RememberedDocuments {
  readonly #byId = new Map<number, Stored | undefined>();
  readonly #strings = new Map<string, string>();
  #size = 0;
  #longVector: Statement | undefined;

  constructor(readonly db: Database) {}

  /** How many short ones would take as much. */
  get size(): number {
    return this.#size;
  }

  /** Of these ids those that are there. */
  among(ids: ReadonlySet<number>): Stored[] {
    const missing = [...ids].filter((id) => !this.#byId.has(id));
    if (missing.length > 0) this.#read(missing);
    const found = [...ids].flatMap((id) => this.#byId.get(id) ?? []);
    this.#forgetOldest();
    return found;
  }

  forget(id: number): void {
    if (this.#byId.has(id)) this.#size -= sizeOf(this.#byId.get(id));
    this.#byId.delete(id);
  }

  forgetAll(): void {
    this.#byId.clear();
    this.#size = 0;
    this.#strings.clear();
  }

  #read(ids: readonly number[]): void {
    const rows = this.db
      .prepare(
        "SELECT id, kind, user, session, day, said_at, document, signature, CASE WHEN length <= ? THEN vector END AS vector FROM passages WHERE id IN (SELECT value FROM json_each(?))",
      )
      .all(LONG_TERMS, JSON.stringify(ids));
    for (const id of ids) this.#put(id, undefined);
    for (const { id, kind, user, session, day, said_at, document, vector, signature } of rows) {
      this.#put(Number(id), {
        id: Number(id),
        document: this.#documentOf(Number(id), document, vector, signature),
        kind: kind as PassageKind,
        ...(user === null ? {} : { user: this.#shared(String(user)) }),
        ...(session === null ? {} : { session: this.#shared(String(session)) }),
        day: this.#shared(String(day)),
        saidAt: epochMs(Number(said_at)),
      });
    }
  }

  #documentOf(id: number, stored: unknown, vector: unknown, signature: unknown): Document {
    const document = JSON.parse(String(stored)) as Document;
    const { day, conversation, speaker } = document;
    document.day = this.#shared(day);
    if (conversation !== undefined) document.conversation = this.#shared(conversation);
    if (speaker !== undefined) document.speaker = this.#shared(speaker);
    if (typeof vector === "string") document.vector = vector;
    else Object.defineProperty(document, "vector", { get: () => this.#vectorOf(id) });
    if (signature instanceof Uint8Array) document.signature = new Int32Array(signature.slice().buffer);
    return document;
  }

  #vectorOf(id: number): string {
    this.#longVector ??= this.db.prepare("SELECT vector FROM passages WHERE id = ?");
    return (this.#longVector.get(id)?.["vector"] ?? "") as string;
  }

  /** Thousands of documents have the same few conversations, days and speakers: one string each. */
  #shared(text: string): string {
    const known = this.#strings.get(text);
    if (known === undefined) this.#strings.set(text, text);
    return known ?? text;
  }

  #forgetOldest(): void {
    if (this.#size <= MOST_REMEMBERED) return;
    for (const id of this.#byId.keys()) {
      if (this.#size <= MOST_REMEMBERED * 0.9) return;
      this.forget(id);
    }
  }

  #put(id: number, stored: Stored | undefined): void {
    this.forget(id);
    this.#byId.set(id, stored);
    this.#size += sizeOf(stored);
  }
}

function sizeOf(stored: Stored | undefined): number {
  if (stored === undefined) return 1;
  const { length, windows } = stored.document;
  const vectorChars = length > LONG_TERMS ? 0 : stored.document.vector.length;
  return 1 + Math.floor((vectorChars + 8 * windows.length) / SIZE_OF_ONE);
}
