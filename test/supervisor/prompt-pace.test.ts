import { expect, test } from "vitest";
import { PromptPace } from "../../src/supervisor/prompt-pace.js";

test("two at once, then one a second", () => {
  const pace = new PromptPace();
  const times: number[] = [];
  for (let ms = 0; ms < 3000; ms += 50)
    if (pace.waitMs(ms) === 0) {
      pace.wrote(ms);
      times.push(ms);
    }
  expect(times).toEqual([0, 50, 1000, 2000]);
});

test("what can wait leaves one for what cannot", () => {
  const pace = new PromptPace();
  expect(pace.waitMs(0, true)).toBe(0);
  pace.wrote(0);
  expect(pace.waitMs(0, true)).toBe(1000);
  expect(pace.waitMs(0)).toBe(0);
});

test("turn after turn new input is never held up by what else is owed", () => {
  const pace = new PromptPace();
  let owed = false;
  for (let ms = 0; ms < 60_000; ms += 50) {
    const isTurn = ms % 1100 === 0;
    if (isTurn) {
      expect(pace.waitMs(ms)).toBe(0);
      pace.wrote(ms);
      owed = true;
    } else if (owed && pace.waitMs(ms, true) === 0) {
      pace.wrote(ms);
      owed = false;
    }
  }
});
