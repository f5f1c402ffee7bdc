import { expect, test } from "vitest";
import { PromptPace } from "../../src/prompt/writer.js";

test("at once, then one a second", () => {
  const pace = new PromptPace();
  const times: number[] = [];
  for (let ms = 0; ms < 3000; ms += 50)
    if (pace.waitMs(ms) === 0) {
      pace.wrote(ms);
      times.push(ms);
    }
  expect(times).toEqual([0, 1000, 2000]);
});

test("what is held up is told how long", () => {
  const pace = new PromptPace();
  expect(pace.waitMs(0)).toBe(0);
  pace.wrote(250);
  expect(pace.waitMs(500)).toBe(750);
  expect(pace.waitMs(1250)).toBe(0);
});
