/** Asks an index that may not know yet all that has come. */
import { SECOND_MS } from "../model/time.js";
import type { Memd } from "./memd.js";

/** So long it is waited for that all is looked through: after an import of years that takes longer. */
const WAITED_MS = SECOND_MS;
const UNREAD =
  "Not all that has just come is looked through yet: in a moment the same question may find more.";

/** What `ask` finds. That nothing is there is said only once all is looked through; that there may be more, with what is found. */
export async function upToDate<T extends { warnings: string[] }>(
  memd: Memd,
  ask: () => Promise<T>,
  foundIn: (answer: T) => readonly unknown[],
): Promise<T> {
  await memd.caughtUp();
  if (memd.upkeep.hasUnread) await Promise.race([memd.lookedThrough(), memd.parts.clock.sleep(WAITED_MS)]);
  const { hasUnread } = memd.upkeep;
  const answer = await ask();
  if (!hasUnread) return answer;
  if (foundIn(answer).length > 0) return { ...answer, warnings: [...answer.warnings, UNREAD] };
  await memd.lookedThrough();
  return ask();
}
