/** A workspace of many places is looked at now and then while work goes on in it, and as a whole once it has ended. */
import { expect, test } from "vitest";
import { epochMs } from "../../src/model/time.js";
import { Upkeep } from "../../src/supervisor/upkeep.js";
import { handClock } from "../support/hand-clock.js";

/** To look at every file, and at every prompt, takes so long. */
const LOOK_MS = 1000;
const PIECES = 100;
const PIECE_MS = 100;

function upkeepOf() {
  const clock = handClock(epochMs(0));
  const done = { looks: 0, prompts: 0 };
  const state = { isWorking: true, waitMs: 0 };
  const stages = {
    intake: { history: { messages: [] }, inbox: { messages: [] }, isTakingIn: false, epoch: 0 },
    index: {
      isBehind: false,
      refresh: () => {
        done.looks++;
        return clock.advance(LOOK_MS).then(() => true);
      },
    },
    prompts: {
      refresh: () => {
        done.prompts++;
        return clock.advance(LOOK_MS).then(() => 0);
      },
      better: () => Promise.resolve(undefined),
    },
  };
  const upkeep = new Upkeep(stages as never, clock, {
    exclusive: (work) => work(),
    hasNews: () => false,
    isWorking: () => state.isWorking,
    isWanted: () => false,
    wakeAfter: (ms) => (state.waitMs = ms),
    rest: () => undefined,
    fault: (error) => {
      throw error;
    },
  });
  return { upkeep, clock, done, state };
}

async function worked({ upkeep, clock }: ReturnType<typeof upkeepOf>): Promise<void> {
  for (let piece = 0; piece < PIECES; piece++) {
    await clock.advance(PIECE_MS);
    upkeep.stale({ byWork: true });
    await upkeep.refresh();
  }
}

test("a hundred pieces of work take a few looks, also where somebody waits for their end; then one more is taken", async () => {
  const place = upkeepOf();
  const { upkeep, done, state } = place;
  await upkeep.refresh();
  done.looks = done.prompts = 0;
  let end: () => void = () => undefined;
  const ended = upkeep.hurry(new Promise<void>((resolve) => (end = resolve)));
  await worked(place);
  expect(done.looks + done.prompts).toBeLessThan((2 * PIECES * PIECE_MS) / LOOK_MS);
  expect(upkeep.isWaiting).toBe(true);
  expect(state.waitMs).toBeGreaterThan(0);

  state.isWorking = false;
  const before = { ...done };
  await upkeep.refresh();
  expect(done.looks).toBe(before.looks + 1);
  expect(done.prompts).toBeGreaterThan(before.prompts);
  expect(upkeep.isWaiting).toBe(false);
  end();
  await ended;
});

test("what somebody has brought is looked at while work goes on", async () => {
  const { upkeep, done } = upkeepOf();
  await upkeep.refresh();
  upkeep.stale({ byWork: true });
  upkeep.stale();
  const { looks } = done;
  await upkeep.refresh();
  expect(done.looks).toBe(looks + 1);
});
