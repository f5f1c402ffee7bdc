/** Times as they are typed: a local day or an instant. */
import { MemdError } from "../model/errors.js";
import { boundOf } from "../model/period.js";

/** By the name of their flag. Throws `usage` for the first that is none. */
export function dateFlags(given: Readonly<Record<string, string | undefined>>): void {
  for (const [flag, text] of Object.entries(given))
    if (text !== undefined && boundOf(text) === undefined)
      throw new MemdError("usage", `--${flag} ${text} is no date such as 2026-01-28.`);
}
