/**
 * Names that hosts give (of scopes, sessions, users) as others may read them: a
 * secret in one is told nowhere, though the folder that is called by it keeps its
 * name, for its host looks for it there. Pure.
 */
import { redactSecrets } from "./redact.js";

/** Fields of a log's line that hold such a name, or a path through folders that are called by some. */
const NAMES: ReadonlySet<string> = new Set(["scope", "session", "user"]);
const PATHS: ReadonlySet<string> = new Set(["file", "path"]);

/** The same fields, with no secret in a name. */
export function withToldNames<T extends Record<string, unknown>>(fields: T): T {
  const told = Object.entries(fields).map(([field, value]): [string, unknown] => {
    if (typeof value !== "string") return [field, value];
    if (NAMES.has(field)) return [field, redactSecrets(value)];
    return [field, PATHS.has(field) ? toldPath(value) : value];
  });
  return Object.fromEntries(told) as T;
}

/** What a file itself is called is memd's choice, or its owner's. */
function toldPath(path: string): string {
  const parts = path.split("/");
  return parts.map((part, index) => (index === parts.length - 1 ? part : toldPart(part))).join("/");
}

function toldPart(part: string): string {
  const name = decoded(part);
  const told = redactSecrets(name);
  return told === name ? part : told.replaceAll("/", "%2F");
}

/** A folder may be called by what is no percent-encoded text. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
