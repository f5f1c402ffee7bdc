/**
 * Finds whole messages in a text that is no JSON any more.
 *
 * Pure. From an opening brace it reads as strict JSON and stops at the first
 * character that is none, so what is broken costs no more than its own length.
 * One reading answers for every brace that it passed outside of strings.
 */

/** What is nested deeper is neither printed again nor copied between threads. */
const DEEPEST = 1000;

export class WholeObjects {
  /** Where the lists begin that stand under `messages` in the outermost object read. */
  readonly lists: number[] = [];
  /** Braces that are answered for. */
  readonly #passed: Uint8Array;
  /** Objects with a role and a text, by their first character: the index after the last one. */
  readonly #messages = new Map<number, number>();

  constructor(private readonly text: string) {
    this.#passed = new Uint8Array(text.length);
  }

  /** The index after the message that begins at this brace, when there is a whole one; and how many characters were read. */
  messageAt(brace: number): { end: number | undefined; read: number } {
    const read = this.#passed[brace] === 1 ? 0 : this.#read(brace) - brace;
    return { end: this.#messages.get(brace), read };
  }

  /** Reads the value at `start`; the index where it ends or is broken. */
  #read(start: number): number {
    const open: Frame[] = [];
    let next: "first name" | "name" | "first value" | "value" | "more" = "value";
    for (let at = this.#afterBlanks(start); ; at = this.#afterBlanks(at)) {
      const code = this.text.charCodeAt(at);
      const frame = open.at(-1);
      const mayClose = next === "more" || next === "first name" || next === "first value";
      if (frame !== undefined && mayClose && code === (frame.isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
        at++;
        open.pop();
        this.#close(frame, open.at(-1), at);
        if (open.length === 0) return at;
        next = "more";
      } else if (next === "more") {
        if (code !== COMMA) return at;
        next = frame?.isObject === true ? "name" : "value";
        at++;
      } else if (next === "name" || next === "first name") {
        const end = this.#afterString(at);
        const colon = end === undefined ? at : this.#afterBlanks(end);
        if (end === undefined || this.text.charCodeAt(colon) !== COLON) return at;
        if (frame !== undefined) this.#hear(frame, at, end, this.#afterBlanks(colon + 1), open.length);
        at = colon + 1;
        next = "value";
      } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        const isObject = code === OPEN_BRACE;
        if (isObject) this.#passed[at] = 1;
        open.push({ at, isObject, hasRole: false, hasText: false, levels: 1 });
        next = isObject ? "first name" : "first value";
        at++;
      } else {
        const end = this.#afterScalar(at);
        if (end === undefined || open.length === 0) return at;
        at = end;
        next = "more";
      }
    }
  }

  #close(frame: Frame, outer: Frame | undefined, end: number): void {
    if (frame.hasRole && frame.hasText && frame.levels <= DEEPEST) this.#messages.set(frame.at, end);
    if (outer !== undefined) outer.levels = Math.max(outer.levels, frame.levels + 1);
  }

  /** What a name says of its object. */
  #hear(frame: Frame, from: number, to: number, value: number, depth: number): void {
    const quoted = this.text.slice(from, to);
    const name: unknown = quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1);
    const code = this.text.charCodeAt(value);
    if (name === "role" && code === QUOTE) frame.hasRole = true;
    if ((name === "text" || name === "content") && code === QUOTE) frame.hasText = true;
    if (name === "messages" && depth === 1) this.lists.push(value);
  }

  #afterBlanks(from: number): number {
    BLANKS.lastIndex = from;
    BLANKS.test(this.text);
    return BLANKS.lastIndex;
  }

  #afterScalar(from: number): number | undefined {
    if (this.text.charCodeAt(from) === QUOTE) return this.#afterString(from);
    WORD.lastIndex = from;
    return WORD.test(this.text) ? WORD.lastIndex : undefined;
  }

  #afterString(from: number): number | undefined {
    if (this.text.charCodeAt(from) !== QUOTE) return undefined;
    for (let at = from + 1; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === QUOTE) return at + 1;
      if (code < BLANK) return undefined;
      if (code !== BACKSLASH) continue;
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(this.text)) return undefined;
      at = ESCAPE.lastIndex - 1;
    }
    return undefined;
  }
}

interface Frame {
  at: number;
  isObject: boolean;
  hasRole: boolean;
  hasText: boolean;
  /** Of nesting, its own included. */
  levels: number;
}

const BLANKS = /[ \t\r\n]*/y;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BLANK = 0x20;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
