import { expect, test } from "vitest";
import { time } from "./time/part.js";

test("whatever clocks and zones do: nothing early, nothing twice, order kept", async () => {
  const { failures, ...figures } = await time({ seed: 1, slice: true, say: () => undefined });
  expect(failures).toEqual([]);
  for (const name of ["cases", "disturbedPasses", "steps", "jumps", "calls", "deadModelCalls", "realRuns"])
    expect(figures[name], name).toBeGreaterThan(0);
});
