/** Randomness as a port: names of new things, jitter. */
import { randomBytes } from "node:crypto";

export interface Random {
  /** `length` characters of a-z0-9. */
  name(length: number): string;
}

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

export const systemRandom: Random = {
  name: (length) => Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join(""),
};
