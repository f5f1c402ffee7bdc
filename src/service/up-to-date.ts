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
  if (memd.upkeep.hasUnread) await waitedFor(memd);
  const { hasUnread } = memd.upkeep;
  const answer = await ask();
  if (!hasUnread) return answer;
  if (foundIn(answer).length > 0) return withRemark(answer);
  await memd.lookedThrough();
  const isStill = memd.upkeep.hasUnread;
  const whole = await ask();
  // In trouble nothing is looked through.
  return isStill ? withRemark(whole) : whole;
}

function withRemark<T extends { warnings: string[] }>(answer: T): T {
  return { ...answer, warnings: [...answer.warnings, UNREAD] };
}

async function waitedFor(memd: Memd): Promise<void> {
  let tellLate: () => void = () => undefined;
  const isLate = new Promise<void>((resolve) => (tellLate = resolve));
  const timer = memd.parts.clock.after(WAITED_MS, () => tellLate());
  await Promise.race([memd.lookedThrough(), isLate]).finally(() => timer.cancel());
}
