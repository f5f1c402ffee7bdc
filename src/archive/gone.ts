/** Whether a message is among those that are forgotten. Pure. */
import type { FiledMessage } from "../model/message.js";
import { keyOfMessage } from "../model/address.js";
import type { Forgotten } from "../protocol/forgotten.js";
import { placeHash } from "./identity.js";

export function goneFrom(gone: Forgotten): (filed: FiledMessage) => boolean {
  return ({ message }) => gone.hasMessage(keyOfMessage(message), placeHash(message));
}
