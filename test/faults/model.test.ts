/** The slice of the model: what a loss of power may leave, recovered by the real code; and the planted bugs. */
import { expect, test } from "vitest";
import { model } from "./model/part.js";
import { PLANTS } from "./model/plants.js";

test("whenever the power goes nothing is lost or doubled, and each planted bug is noticed", async () => {
  const { failures, ...figures } = await model({ seed: 1, slice: true, say: () => undefined });
  expect(failures).toEqual([]);
  expect(figures).toMatchObject({ lost: 0, doubled: 0, unrecoverable: 0, caught: PLANTS.length });
  expect(figures["states"]).toBeGreaterThanOrEqual(50_000);
}, 300_000);
