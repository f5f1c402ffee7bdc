/** The slice of the kills: real processes, killed at chosen file operations, on a full disk and with the power cut. */
import { expect, test } from "vitest";
import { kills } from "./kills/part.js";

test("processes that are killed, run out of disk or lose their power lose and double nothing", async () => {
  const { failures, ...figures } = await kills({ seed: 1, slice: true, say: () => undefined });
  expect(failures).toEqual([]);
  expect(figures).toMatchObject({ lost: 0, doubled: 0, torn: 0, leftOver: 0 });
  expect(figures["kills"]).toBeGreaterThanOrEqual(16);
  expect(figures["labels"]).toBeGreaterThanOrEqual(12);
  expect(figures["messages"]).toBeGreaterThanOrEqual(30);
}, 300_000);
