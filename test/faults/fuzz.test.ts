/** The slice of the fuzz part: whatever stands in a file, nothing that is whole is dropped. */
import { expect, test } from "vitest";
import { fuzz } from "./fuzz/part.js";

test("thousands of damaged inputs: read or refused, in time, and nothing whole is dropped", async () => {
  const { failures, inputs, parsed, refused, ...none } = await fuzz({
    seed: 1,
    slice: true,
    say: () => undefined,
  });
  expect(failures).toEqual([]);
  expect(inputs).toBeGreaterThanOrEqual(6_000);
  // Damage that everything refuses, or that nothing notices, would try nothing.
  expect(Math.min(Number(parsed), Number(refused))).toBeGreaterThan(1_200);
  expect(none).toMatchObject({ crashes: 0, hangs: 0, dropped: 0, changed: 0, polluted: 0 });
});
