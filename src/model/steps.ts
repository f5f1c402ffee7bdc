/**
 * Pure work that takes a while, in steps: each `yield` is a place where whoever goes
 * through it may let others have their turn. What it gives does not depend on that.
 */
import type { Pace } from "./work.js";

export type Steps<T> = Generator<undefined, T>;

export function atOnce<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** `pace` is awaited between steps, where it asks for it. */
export async function inSteps<T>(steps: Steps<T>, pace: Pace): Promise<T> {
  let step = steps.next();
  while (step.done !== true) {
    await pace();
    step = steps.next();
  }
  return step.value;
}
