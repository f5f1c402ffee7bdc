/** The smallest input that still fails in the same way: parts are left out, ever smaller ones (ddmin). */
const MOST_TRIES = 600;

export async function shrunk(
  input: Uint8Array,
  fails: (smaller: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> {
  let best = input;
  let tries = 0;
  for (let parts = 2; best.length > 1 && tries < MOST_TRIES;) {
    const size = Math.ceil(best.length / parts);
    let smaller: Uint8Array | undefined;
    for (let from = 0; from < best.length && smaller === undefined && tries < MOST_TRIES; from += size) {
      const without = Buffer.concat([best.subarray(0, from), best.subarray(from + size)]);
      tries++;
      if (await fails(without)) smaller = without;
    }
    if (smaller !== undefined) {
      best = smaller;
      parts = Math.max(2, parts - 1);
    } else if (size === 1) {
      break;
    } else {
      parts = Math.min(best.length, parts * 2);
    }
  }
  return best;
}

/** For a person, and to be pasted back: text where it is text, else base64. */
export function shown(input: Uint8Array): string {
  const text = Buffer.from(input).toString("utf8");
  const plain = Buffer.compare(Buffer.from(text), input) === 0;
  const whole = plain ? JSON.stringify(text) : `base64 ${Buffer.from(input).toString("base64")}`;
  return whole.length <= 600 ? whole : `${whole.slice(0, 600)}… (${input.length} bytes)`;
}
