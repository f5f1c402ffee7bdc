/** What was said as it may be handed on, and kept until then: no secret goes into the queue. */
import { type FiledMessage, type Utterance, utteranceOf } from "../model/message.js";
import type { Zone } from "../model/time.js";
import type { Pace } from "../model/work.js";
import { redacted, secretsBeside, withoutValues } from "../text/redact.js";

/** By message; of what no model may see there is none. */
export type Shown = ReadonlyMap<FiledMessage, Utterance>;

/** Of messages of one conversation, one after the other. A long one takes some milliseconds. */
export async function shownOf(conversation: readonly FiledMessage[], zone: Zone, pace: Pace): Promise<Shown> {
  const said: { filed: FiledMessage; utterance: Utterance; told: ReturnType<typeof redacted> }[] = [];
  for (const filed of conversation) {
    if (filed.message.private === true) continue;
    const utterance = utteranceOf(filed, zone);
    said.push({ filed, utterance, told: redacted(utterance.text) });
    await pace();
  }
  const shown = new Map<FiledMessage, Utterance>();
  for (const [index, { filed, utterance, told }] of said.entries()) {
    const beside = secretsBeside(said, index, (other) => other.told.secrets);
    shown.set(filed, { ...utterance, text: withoutValues(told.clean, beside) });
    await pace();
  }
  return shown;
}
