/** What is made of the times in the sentences that anybody may look at. */
import { expect, test } from "vitest";
import { benchRelative } from "../../bench/relative.js";

test.each([
  ["look", 0, 0.9],
  // Names and titles that nothing marks as such: what is known to be wrong grows no further.
  ["seen", 53, 0.73],
])("of the sentences in %s no more than %i dates are false", async (half, falsified, share) => {
  const told = await benchRelative(new Map([["half", half]]));
  expect(told["falsified"]).toBeLessThanOrEqual(falsified);
  expect(told["definite_share"]).toBeGreaterThanOrEqual(share);
});
