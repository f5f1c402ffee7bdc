/**
 * A kind of input: something that memd reads, made whole and then damaged.
 *
 * Trying a damaged input either parses or refuses it; a broken promise is
 * thrown as `Broken`, and whatever else is thrown is a crash.
 */
import { isMemdError } from "../../../src/model/errors.js";
import type { Rng } from "./seed.js";

export type Outcome = "parsed" | "refused";

export interface Case {
  /** Before the damage. */
  whole: Uint8Array;
  try(input: Uint8Array): Outcome | Promise<Outcome>;
}

export interface Kind {
  name: string;
  /** Its part of all inputs, relative to the others. */
  share: number;
  /** Damaged inputs made of one whole one; few where each case is another place. */
  perCase?: number;
  make(rng: Rng): Case | Promise<Case>;
}

/** `dropped`: something valid did not come out. `changed`: what came out is not what went in. */
export class Broken extends Error {
  constructor(
    readonly promise: "dropped" | "changed",
    message: string,
  ) {
    super(message);
    this.name = "Broken";
  }
}

/** What the parser gives; undefined where it refuses in the way it may. */
export async function given<T>(parse: () => T | Promise<T>): Promise<{ value: T } | undefined> {
  try {
    return { value: await parse() };
  } catch (error) {
    if (error instanceof SyntaxError || isMemdError(error)) return undefined;
    throw error;
  }
}

/** What was printed must be read again: a refusal here is a change. */
export async function readAgain<T>(what: string, parse: () => T | Promise<T>): Promise<T> {
  const again = await given(parse);
  if (again === undefined) throw new Broken("changed", `${what}: what was printed cannot be read again`);
  return again.value;
}

export function mustBe(promise: "dropped" | "changed", isKept: boolean, message: string): void {
  if (!isKept) throw new Broken(promise, message);
}
