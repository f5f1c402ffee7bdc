/**
 * What must be so, as a scenario goes on: facts with the moment from which, and
 * until which, they hold.
 */

export type Fact =
  /** Acknowledged: this text of the message must be kept, once. */
  | { is: "kept"; id: string; token: string }
  /** Taken in: it is in no topic, or in one. */
  | { is: "sorted"; token: string }
  /** Delivered once: it stands in inbox.json, once. */
  | { is: "waits"; token: string }
  /** It stands in history.json as its host left it: memd cannot read it and leaves it alone. */
  | { is: "untouched"; token: string }
  /** It stands whole in this file, which nobody has changed since. */
  | { is: "stands"; token: string; file: string; text: string }
  /** An agent observed it: one record says it, or one job that waits. */
  | { is: "observed"; token: string }
  /** What an agent did: it stands in memos.json once, or in a job that waits. */
  | { is: "noted"; token: string }
  /** It is looked up: it stands in a document, which the historian was given. */
  | { is: "looked_up"; token: string }
  /** Of every document that stands from now on the jobs wait. */
  | { is: "handed"; token: string }
  /** It was found in a text that stands no more: no record says it. */
  | { is: "gone"; token: string }
  /** A person wrote it: it stands somewhere where people look. */
  | { is: "written"; token: string }
  /** It is being forgotten: it stands as it did, or is nowhere. */
  | { is: "wholly"; token: string }
  /** It was forgotten: it is nowhere. */
  | { is: "forgotten"; token: string }
  /** A person deleted it from a verbatim file: it does not come back there. */
  | { is: "deleted"; token: string };

interface Held {
  fact: Fact;
  from: number;
  until: number;
}

export class Facts {
  readonly #held: Held[] = [];

  /** `at`: how many effects the log had. */
  from(at: number, fact: Fact): void {
    // A newer version of a message is what counts from now on.
    if (fact.is === "kept")
      for (const held of this.#held)
        if (held.fact.is === "kept" && held.fact.id === fact.id) held.until = Math.min(held.until, at);
    this.#held.push({ fact, from: at, until: Infinity });
  }

  /** From now on nobody promises anything of this token. */
  until(at: number, token: string): void {
    for (const held of this.#held) if (held.fact.token === token) held.until = Math.min(held.until, at);
  }

  drop(at: number, fact: Fact): void {
    for (const held of this.#held) if (held.fact === fact) held.until = at;
  }

  /** What nobody has taken back. */
  standing(): Fact[] {
    return this.#held.filter(({ until }) => until === Infinity).map(({ fact }) => fact);
  }

  at(at: number): Fact[] {
    return this.#held.filter(({ from, until }) => from <= at && at < until).map(({ fact }) => fact);
  }
}

/** Marks that texts carry so that they are found again wherever they stand. */
const TOKEN = /⟦([a-z0-9-]+)⟧/g;

export function tokensIn(text: string): string[] {
  return [...text.matchAll(TOKEN)].map(([, token]) => token ?? "");
}
