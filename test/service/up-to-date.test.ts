import { expect, test } from "vitest";
import type { Memd } from "../../src/service/memd.js";
import { upToDate } from "../../src/service/up-to-date.js";

/** A memd whose look through all files finds `there`, once it comes to its end. */
function memdWith(looks: { takesLong?: boolean; fails?: boolean }): {
  memd: Memd;
  ask: () => Promise<{ found: string[]; warnings: string[] }>;
  asked: () => number;
} {
  const state = { hasUnread: true, looked: 0, asked: 0 };
  const memd = {
    caughtUp: () => Promise.resolve(),
    lookedThrough: () => {
      state.looked += 1;
      if (looks.takesLong === true && state.looked === 1) return new Promise<void>(() => undefined);
      if (looks.fails !== true) state.hasUnread = false;
      return Promise.resolve();
    },
    upkeep: state,
    parts: {
      clock: { after: (_ms: number, tell: () => void) => (setTimeout(tell, 1), { cancel: () => undefined }) },
    },
  } as unknown as Memd;
  const ask = async (): Promise<{ found: string[]; warnings: string[] }> => {
    state.asked += 1;
    return { found: state.hasUnread ? [] : ["there"], warnings: [] };
  };
  return { memd, ask, asked: () => state.asked };
}

const foundIn = ({ found }: { found: string[] }): string[] => found;

test("what is looked through within a moment is waited for", async () => {
  const { memd, ask, asked } = memdWith({});
  expect(await upToDate(memd, ask, foundIn)).toEqual({ found: ["there"], warnings: [] });
  expect(asked()).toBe(1);
});

test("that nothing is there is said once all is looked through, however long that takes", async () => {
  const { memd, ask, asked } = memdWith({ takesLong: true });
  expect(await upToDate(memd, ask, foundIn)).toEqual({ found: ["there"], warnings: [] });
  expect(asked()).toBe(2);
});

test("where more may be found in a moment, or nothing can be looked through, the answer says so", async () => {
  const long = memdWith({ takesLong: true });
  const some = async (): Promise<{ found: string[]; warnings: string[] }> => ({
    found: ["one"],
    warnings: [],
  });
  const remark = [expect.stringContaining("may find more") as string];
  expect(await upToDate(long.memd, some, foundIn)).toEqual({ found: ["one"], warnings: remark });
  const { memd, ask } = memdWith({ fails: true });
  expect(await upToDate(memd, ask, foundIn)).toEqual({ found: [], warnings: remark });
});
