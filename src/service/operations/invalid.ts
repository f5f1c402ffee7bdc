/** What was asked wrongly, in a sentence. */
import type { z } from "zod";

/** `known`: the fields that there are, where whoever asked has not got the table before them. */
export function invalidIn({ issues }: z.ZodError, known: readonly string[] = []): string {
  const [issue] = issues;
  if (issue?.code === "unrecognized_keys") {
    const strange = issue.keys.map((key) => `"${key}"`).join(", ");
    return known.length === 0
      ? `${strange} is no field of this call.`
      : `${strange} must be one of ${known.join(", ")}.`;
  }
  const field = issue?.path.join(".") ?? "";
  return `${field === "" ? "The body" : `"${field}"`}: ${issue?.message ?? "is not valid"}.`;
}
