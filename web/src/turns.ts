/** What is drawn anew comes one after the other, a frame for each: together they would take several at once. */

let last: Promise<void> = Promise.resolve();

/** Resolves in a frame that nobody else has. */
export function ownFrame(): Promise<void> {
  last = last.then(() => new Promise((resolve) => requestAnimationFrame(() => resolve())));
  return last;
}
