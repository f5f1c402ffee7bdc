/**
 * The same text in memory of its own. A piece that was cut out of a file's text
 * keeps the whole of it in memory for as long as the piece is kept.
 */
export function own<T extends string | object>(held: T): T {
  return JSON.parse(JSON.stringify(held)) as T;
}
