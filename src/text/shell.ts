/** A text as one word of a shell's. Pure. */
export function shellQuoted(text: string): string {
  return /^[\w./~-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
