/**
 * How the page gets in: whoever holds the socket has a code made, the page gives it back once, within a minute,
 * and has a key for it, which counts until memd ends. Neither stands anywhere but here, and in the page.
 */
import type { Seat } from "../../model/address.js";
import { MINUTE_MS } from "../../model/time.js";
import { sameSecret, sha256 } from "../../platform/files.js";
import { TOKEN_CHARS } from "../../protocol/tokens.js";

/** As whom a page reads; the owner where there is no seat. `hash` tells one key from another. */
export interface PageKey {
  hash: string;
  seat: Seat | undefined;
}

interface Code {
  code: string;
  seat: Seat | undefined;
  untilMs: number;
}

const CODE_MS = MINUTE_MS;
/** Of each the newest count: whoever opens page after page ends the oldest. */
const MOST = 64;

export class PageKeys {
  #codes: Code[] = [];
  #keys: PageKey[] = [];

  /** `random`: so many characters that nobody guesses. */
  constructor(readonly random: (length: number) => string) {}

  /** `nowMs` never jumps. */
  code(seat: Seat | undefined, nowMs: number): string {
    const code = this.random(TOKEN_CHARS);
    this.#codes = [...this.#codes, { code, seat, untilMs: nowMs + CODE_MS }].slice(-MOST);
    return code;
  }

  /** The key for a code that was not given back yet; undefined for any other. */
  redeem(given: string, nowMs: number): string | undefined {
    this.#codes = this.#codes.filter(({ untilMs }) => untilMs > nowMs);
    const known = this.#codes.find(({ code }) => sameSecret(given, code));
    if (known === undefined) return undefined;
    this.#codes = this.#codes.filter((code) => code !== known);
    const key = this.random(TOKEN_CHARS);
    this.#keys = [...this.#keys, { hash: sha256(key), seat: known.seat }].slice(-MOST);
    return key;
  }

  /** Whose key it is. */
  holder(given: string): PageKey | undefined {
    const hash = sha256(given);
    return this.#keys.find((key) => sameSecret(hash, key.hash));
  }
}
