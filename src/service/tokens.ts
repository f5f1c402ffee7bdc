/** Tokens as they are told: never with their hash, so that whoever reads it over a shoulder has nothing to try. */
import { seatText } from "../model/address.js";
import { defined } from "../model/collections.js";
import type { Token } from "../protocol/tokens.js";
import type { AnswerOf } from "./operations.js";

export function shownToken({ id, name, seat, createdAt }: Token): AnswerOf<"listTokens">["tokens"][number] {
  return defined({ id, name, viewer: seatText(seat), createdAt });
}
