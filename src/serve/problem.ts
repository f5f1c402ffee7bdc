/** An error as an answer: `{"error": {"code", "message", "advice"}}` with its status. Pure. */
import { EXIT, type MemdError, problemOf } from "../model/errors.js";

export function problem(
  error: MemdError,
  status: number = statusOf(error),
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error: problemOf(error) }, { status, headers });
}

function statusOf({ code, exit }: MemdError): number {
  if (code === "refused") return 403;
  if (code === "rate_limited") return 429;
  if (code === "timeout") return 504;
  // It stands otherwise than whoever asked has seen it.
  if (code === "entry_changed") return 409;
  // What the owner has turned off is no fault of the server, and no other request mends it.
  if (exit === EXIT.workspace) return 409;
  return exit === EXIT.usage ? 400 : 500;
}
