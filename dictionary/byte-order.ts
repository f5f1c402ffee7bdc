/** The lines of a table as they are looked up: in the order of their bytes. */
export function inByteOrder(lines: readonly string[]): string {
  const bytes = lines
    .map((line) => Buffer.from(`${line}\n`))
    .sort((one, other) => Buffer.compare(one, other));
  return Buffer.concat(bytes).toString();
}
