import type { JobId } from "../model/work.js";
import { contentHash } from "../platform/hash.js";

/** Of a question to a model: the same for the same thing asked about. */
export function jobIdOf(...about: readonly unknown[]): JobId {
  return contentHash(JSON.stringify(about)) as JobId;
}
