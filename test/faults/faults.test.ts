import { expect, test } from "vitest";
import { faults } from "./faults/part.js";

/** Seconds where the machine is quiet. */
const PATIENCE_MS = 240_000;

test(
  "a disk that fails in any way loses, doubles and stops nothing",
  async () => {
    const { failures, ...figures } = await faults({ seed: 1, slice: true, say: () => undefined });
    expect(failures).toEqual([]);
    expect(figures["operations"]).toBeGreaterThan(1000);
    expect(figures["met"]).toBeGreaterThan(15);
    expect(figures["most_operations_per_second"]).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);
