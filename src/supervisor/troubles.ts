/** What keeps memd from getting on: logged once, and over when a tick goes well. */
import { isMemdError, MemdError, messageOf } from "../model/errors.js";
import type { Log } from "../platform/log.js";

export class Troubles {
  /** The one there is now. */
  current: MemdError | undefined;

  constructor(readonly log: Log) {}

  /** Temporary names differ from try to try: the same trouble is logged once. */
  begin(trouble: MemdError): void {
    const { current, log } = this;
    const { code, message, cause } = trouble;
    this.current = trouble;
    const isKnown = current?.code === code && (code !== "internal" || current.message === message);
    if (isKnown) return;
    const stack = code === "internal" && cause instanceof Error ? { stack: cause.stack } : {};
    log.write({ level: "error", event: "trouble", code, reason: message, ...stack });
  }

  end(): void {
    if (this.current === undefined) return;
    this.log.write({ level: "info", event: "trouble_over", code: this.current.code });
    this.current = undefined;
  }
}

/** What is no error of memd's own is a bug in it. */
export function troubleOf(error: unknown): MemdError {
  return isMemdError(error) ? error : new MemdError("internal", messageOf(error), { cause: error });
}
