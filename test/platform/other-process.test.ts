import { expect, test } from "vitest";
import { markOf, signal } from "../../src/platform/other-process.js";
import { childThatWaits } from "../support/child-that-waits.js";

/** Beyond what any system numbers. */
const NOBODY = 2 ** 30;

const isTold = process.platform === "linux" || process.platform === "darwin";

test.runIf(isTold)(
  "a process is the same for as long as it runs, another than any other, and none afterwards",
  async () => {
    const { pid, ended } = childThatWaits();
    const mark = await markOf(pid);
    expect(mark).toMatch(/\S/);
    expect(await markOf(pid)).toBe(mark);
    if (process.platform === "linux") expect(await markOf(process.pid)).not.toBe(mark);
    expect(signal(pid, "SIGKILL")).toBe(true);
    await ended;
    expect(await markOf(pid)).toBeUndefined();
    expect(signal(NOBODY, "SIGTERM")).toBe(false);
    expect(await markOf(NOBODY)).toBeUndefined();
  },
);
