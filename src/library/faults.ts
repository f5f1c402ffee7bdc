/** An error on its way from the memd that answers to the program that asked: `{"error": {"code", "message"}}`. */
import { ERRORS, isMemdError, MemdError, messageOf, type ErrorCode } from "../model/errors.js";

export function printError(error: unknown): { error: { code: ErrorCode; message: string } } {
  return { error: { code: isMemdError(error) ? error.code : "internal", message: messageOf(error) } };
}

/** Of a code that this memd does not know it is `internal`. */
export function errorIn(body: unknown): MemdError {
  const { code, message } = fieldsOf(fieldsOf(body)["error"]);
  return new MemdError(
    isCode(code) ? code : "internal",
    typeof message === "string" ? message : "memd gave no answer.",
  );
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(ERRORS, code);
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
