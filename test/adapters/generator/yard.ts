/** What every family of formats works with: chance, texts, a folder to write into, and the list of what counts. */
import fs from "node:fs";
import path from "node:path";
import type { Expected, Generated, Options } from "./expected.js";
import { Prose } from "./prose.js";
import { Random } from "./random.js";
import { Talk, type Session } from "./talk.js";

type Piece = string | Uint8Array;

export class Yard {
  readonly random: Random;
  readonly prose: Prose;
  readonly talk: Talk;
  readonly sessions: number;
  readonly bytes: number | undefined;
  readonly #root: string;
  readonly #messages: Expected[] = [];
  readonly #notes: { text: string; at?: string }[] = [];
  readonly #oddities: Record<string, number> = {};
  #written = 0;

  constructor(kind: string, root: string, options: Options) {
    this.#root = root;
    this.random = new Random(options.seed, kind);
    this.prose = new Prose(new Random(options.seed, `${kind} prose`), `${options.seed}/${kind}`);
    this.talk = new Talk(
      new Random(options.seed, `${kind} talk`),
      this.prose,
      options.sessions,
      options.bytes,
    );
    this.sessions = options.sessions;
    this.bytes = options.bytes;
  }

  /** Writes a file and gives its absolute path. `at` becomes its time of change. */
  write(relative: string, content: Piece | Iterable<Piece>, at?: number): string {
    const file = path.join(this.#root, relative);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const handle = fs.openSync(file, "w");
    const pieces = typeof content === "string" || content instanceof Uint8Array ? [content] : content;
    for (const piece of pieces) {
      const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
      this.#written += writeAll(handle, bytes);
    }
    fs.closeSync(handle);
    if (at !== undefined) fs.utimesSync(file, at / 1000, at / 1000);
    return file;
  }

  at(relative: string): string {
    return path.join(this.#root, relative);
  }

  /** A file that something else wrote. */
  countFile(relative: string): void {
    this.#written += fs.statSync(this.at(relative)).size;
  }

  say(conversation: string, role: Expected["role"], texts: string | readonly string[], at?: number): void {
    const text = typeof texts === "string" ? texts : joined(texts);
    this.#messages.push({ conversation, role, text, at: at === undefined ? undefined : iso(at) });
  }

  note(text: string, at?: number): void {
    this.#notes.push(at === undefined ? { text } : { text, at: iso(at) });
  }

  odd(name: string, count = 1): void {
    this.#oddities[name] = (this.#oddities[name] ?? 0) + count;
  }

  /** By chance, and sooner where it never happened yet. Counts itself. */
  happens(name: string, probability: number): boolean {
    const never = this.#oddities[name] === undefined;
    if (!this.random.chance(never ? Math.max(probability, 0.35) : probability)) return false;
    this.odd(name);
    return true;
  }

  result(paths: string[]): Generated {
    const oddities = { ...this.#oddities, ...this.prose.counts };
    if (this.talk.repeats > 0) oddities["equal short texts said twice on purpose"] = this.talk.repeats;
    return { paths, messages: this.#messages, notes: this.#notes, bytes: this.#written, oddities };
  }
}

/** Every human text and every reply with text of a session, as most formats keep them. */
export function sayAll(yard: Yard, conversation: string, session: Session, timed: boolean): void {
  for (const turn of session.turns) {
    yard.say(conversation, "user", turn.human, timed ? turn.at : undefined);
    for (const step of turn.steps)
      if (step.texts.length > 0) yard.say(conversation, "assistant", step.texts, timed ? step.at : undefined);
  }
}

/** Texts of one message are paragraphs of it. */
export function joined(texts: readonly string[]): string {
  return texts.join("\n\n");
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

export function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** A JSON array in pieces, since one string cannot hold more than 512 MB. */
export function* jsonArray(values: Iterable<unknown>): Generator<string> {
  let before = "[";
  for (const value of values) {
    yield before + JSON.stringify(value);
    before = ",\n";
  }
  yield before === "[" ? "[]" : "]";
}

/** The same of values that are JSON already, kept as bytes, which take less room than strings. */
export function* rawArray(values: readonly Uint8Array[]): Generator<Piece> {
  yield "[";
  for (const [number, value] of values.entries()) {
    if (number > 0) yield ", ";
    yield value;
  }
  yield "]";
}

export function concat(pieces: Iterable<Piece>): Buffer {
  return Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece)));
}

export function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function writeAll(handle: number, bytes: Uint8Array): number {
  for (let done = 0; done < bytes.length;) done += fs.writeSync(handle, bytes, done);
  return bytes.length;
}
