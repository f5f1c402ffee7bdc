/**
 * How a source is named: `memory/2026-03-07.md:12-14` as a search prints it, `memd://memory/2026-03-07.md#L12-L14`
 * as a resource. Pure.
 */
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";

export const SCHEME = "memd://";

export interface SourceName {
  /** Relative to the workspace. */
  path: string;
  from?: number;
  to?: number;
}

/** The folders and names of a workspace are percent-encoded ids; here they are so once more. */
export function sourceUri(path: string, lines?: readonly [first: number, last: number]): string {
  const uri = `${SCHEME}${path.split("/").map(encodeURIComponent).join("/")}`;
  if (lines === undefined) return uri;
  const [first, last] = lines;
  return first === last ? `${uri}#L${first}` : `${uri}#L${first}-L${last}`;
}

/** Throws `source_unknown` for what is no name of one. */
export function sourceNamed(name: string): SourceName {
  const lines = /(?:#L|:)(?<from>[1-9]\d{0,8})(?:-L?(?<to>[1-9]\d{0,8}))?$/.exec(name);
  const place = lines === null ? name : name.slice(0, lines.index);
  const path = place.startsWith(SCHEME) ? decoded(place.slice(SCHEME.length), name) : place;
  const { from, to = from } = lines?.groups ?? {};
  return defined({
    path,
    from: from === undefined ? undefined : Number(from),
    to: to === undefined ? undefined : Number(to),
  });
}

function decoded(encoded: string, name: string): string {
  try {
    return encoded.split("/").map(decodeURIComponent).join("/");
  } catch (error) {
    throw new MemdError("source_unknown", `${name} names no source.`, { cause: error });
  }
}
