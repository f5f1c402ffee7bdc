/**
 * The client of the table of operations: what is asked is checked by the row
 * before anything is started, and what is answered is parsed by it.
 *
 * Loaded with the first question, since it brings the table's schemas.
 */
import { z } from "zod";
import { isMemdError, MemdError } from "../model/errors.js";
import { foundOf } from "../model/found.js";
import type { Hit } from "../model/passage.js";
import { OPERATIONS, type AnswerOf, type OperationName, type Operations } from "../service/operations.js";
import { only } from "../service/operations/fields.js";
import { invalidIn, type Lenient, type Operation, reader } from "../service/operations/operation.js";
import { withFullNames, type ShortInput } from "../service/operations/short-names.js";
import { Asking } from "./asking.js";
import type { Answer, ProfileOptions } from "./inputs.js";

export class Client extends Asking {
  async ask<N extends OperationName>(
    name: N,
    given: Lenient<ShortInput<Operations[N]>>,
  ): Promise<AnswerOf<N>> {
    const answer = await this.answer(name, checked(OPERATIONS[name], given));
    return answerIn<Operations[N]>(OPERATIONS[name], answer);
  }

  /** In the form of all other answers. */
  async found<N extends "searchMemories" | "searchProfiles">(
    name: N,
    given: Lenient<ShortInput<Operations[N]>>,
  ): Promise<Answer> {
    const { hits, ...remarks }: { hits: Hit[] } & Omit<Answer, "found"> = await this.ask(name, given);
    return { found: hits.map(foundOf), ...remarks };
  }

  /** Undefined where there is none that may be read. */
  async profile(asked: ProfileOptions): Promise<AnswerOf<"getProfile"> | undefined> {
    const { user, group, ...more } = asked;
    if ("user" in asked && "group" in asked)
      throw new MemdError("value_invalid", 'A profile is of one: name "user" or "group".');
    const ofGroup = { entity: "group", id: group?.replace(/^group:/, "") } as const;
    const target =
      "group" in asked ? ofGroup : "user" in asked ? ({ entity: "user", id: user } as const) : {};
    try {
      return await this.ask("getProfile", { ...target, ...more });
    } catch (error) {
      if (isMemdError(error, "profile_unknown")) return undefined;
      throw error;
    }
  }
}

function answerIn<O extends Operation>({ output }: O, answer: unknown): z.output<O["output"]> {
  return z.parse<O["output"]>(output, answer);
}

/** With the names of the table. Throws `value_invalid`. */
function checked({ input, access }: Operation, given: object): Record<string, unknown> {
  try {
    const { as, ...asked } = withFullNames(input, given);
    // What is undefined is not there; but a name that was lost must not open what is of others.
    const kept = Object.fromEntries(
      Object.entries(asked).filter(([field, value]) => value !== undefined || input.shape[field] === only),
    );
    input.parse(kept);
    if (!("as" in given)) return kept;
    if (access === "owner")
      throw new MemdError("usage", 'Only the owner may ask this: "as" must be left out.');
    z.object({ as: reader }).parse({ as });
    return { as, ...kept };
  } catch (error) {
    if (error instanceof z.ZodError) {
      const message = invalidIn(error, Object.keys(input.shape));
      throw new MemdError("value_invalid", message, { cause: error });
    }
    if (isMemdError(error, "usage")) throw new MemdError("value_invalid", error.message, { cause: error });
    throw error;
  }
}
