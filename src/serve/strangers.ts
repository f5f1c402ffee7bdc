/** Whoever brings nothing that counts: they use up what strangers have, and never what somebody else has. */
import { MemdError } from "../model/errors.js";
import { Allowance, LIMITS } from "./allowance.js";
import { problem } from "./problem.js";

export class Strangers {
  readonly #allowance = new Allowance(LIMITS.stranger);

  constructor(readonly monotonicMs: () => number) {}

  refused(why: string, status: 401 | 403): Response {
    const waitS = this.#allowance.enter(this.monotonicMs());
    if (waitS !== undefined) return tooMany(waitS);
    this.#allowance.leave();
    return problem(new MemdError("refused", why), status, status === 401 ? CHALLENGE : {});
  }
}

const CHALLENGE = { "www-authenticate": "Bearer" };

export function tooMany(waitS: number): Response {
  const error = new MemdError("rate_limited", `Too many requests: the next one may come in ${waitS} s.`);
  return problem(error, 429, { "retry-after": String(waitS) });
}
