/** What was asked wrongly, in a sentence. */
import type { z } from "zod";

export function invalidIn({ issues }: z.ZodError): string {
  const [issue] = issues;
  const field = issue?.path.join(".") ?? "";
  return `${field === "" ? "The body" : `"${field}"`}: ${issue?.message ?? "is not valid"}.`;
}
