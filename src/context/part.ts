/** A part of a message, ready to be cut: whose it is, how it is told, and its texts with what each may have. */
import { plain } from "./quote.js";

export interface Part {
  /** Date, time and whose it is. */
  head: string;
  voice: "spoken" | "quoted";
  fields: Field[];
  /** Of a record: the call it is of, and what was called. */
  call?: { id: string; name: string };
}

export interface Field {
  label: string;
  text: string;
  maxChars: number;
}

/** The line above or before what a part says, without its colon. */
export function headOf({ head, call }: Part): string {
  return call === undefined ? head : `${head}, ${call.name === "" ? "tool" : call.name}`;
}

/** A huge text is not gone through for its first lines: a little more is taken than can be shown. */
export function field(label: string, text: string, maxChars: number): Field {
  const looked = text.slice(0, 2 * maxChars + 64);
  const clean = plain(looked);
  // Whatever cleaning took away, what was not looked at must show as cut.
  return {
    label,
    text: clean,
    maxChars: looked.length < text.length ? Math.min(maxChars, clean.length - 1) : maxChars,
  };
}
