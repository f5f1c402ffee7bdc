/** What is typed after a command or an option, as it is meant. Throws commander's mistake for what is none. */
import { InvalidArgumentError } from "commander";

/** A text of several words that the shell took apart. */
export function inOne(word: string, before?: string): string {
  return before === undefined ? word : `${before} ${word}`;
}

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a whole number above 0.");
  return Number(text);
}

export function hitLimit(text: string): number {
  const limit = wholeNumber(text);
  if (limit > 1000) throw new InvalidArgumentError("It must be 1000 at most.");
  return limit;
}

export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > 65_535) throw new InvalidArgumentError("It must be a port number.");
  return port;
}
