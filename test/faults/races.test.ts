/** The short form of the part `races`. */
import { expect, test } from "vitest";
import { races } from "./races/part.js";

const PATIENCE_MS = 180_000;

test(
  "never two owners, whoever starts, dies, sleeps or comes back; no update is lost under the locks",
  async () => {
    const figures = await races({ seed: 7, slice: true, say: () => undefined });
    expect(figures.failures).toEqual([]);
    expect(figures).toMatchObject({
      rounds: { rounds: 40 },
      starts: { rounds: 2 },
      stalled: { cases: 2 },
      leftovers: { cases: 4 },
      locks: { broken: 4 },
    });
  },
  PATIENCE_MS,
);
