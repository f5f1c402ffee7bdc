/** Fields of somebody else's JSON, read leniently: of the wrong type is as good as absent. Pure. */

export type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = Object.freeze({});

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : NONE;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectsIn(value: unknown): Fields[] {
  return listOf(value).filter(isFields);
}

/** Not empty. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** ISO 8601 of a date, of seconds, or of milliseconds; undefined for what is no time. */
export function timeOf(value: unknown): string | undefined {
  const ms =
    typeof value === "number" ? (value < 1e11 ? value * 1000 : value) : Date.parse(stringOf(value) ?? "");
  return Number.isFinite(ms) && ms > 0 && ms < 8.64e15 ? new Date(ms).toISOString() : undefined;
}

/** A string, or the text of its blocks of these types, a blank line between them. */
export function wordsOf(content: unknown, types: readonly string[] = ["text"]): string {
  if (typeof content === "string") return content;
  return objectsIn(content)
    .flatMap(({ type, text }) => (types.includes(String(type)) ? (stringOf(text) ?? []) : []))
    .join("\n\n");
}
