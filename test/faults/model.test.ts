/** The slice of the model: what a loss of power may leave, recovered by the real code; and some of the planted bugs. */
import { expect, test } from "vitest";
import { modelWith } from "./model/part.js";
import { PLANTS } from "./model/plants.js";

/** All of them are put in by `npm run test:faults -- --part model --slice`. */
const plants = PLANTS.filter((_, index) => index % 8 === 0);

test("whenever the power goes nothing is lost or doubled, and planted bugs are noticed", async () => {
  const options = { seed: 1, slice: true, say: () => undefined };
  const { failures, ...figures } = await modelWith(plants, options);
  expect(failures).toEqual([]);
  expect(figures).toMatchObject({ lost: 0, doubled: 0, unrecoverable: 0, caught: plants.length });
  expect(figures["states"]).toBeGreaterThanOrEqual(50_000);
}, 300_000);
