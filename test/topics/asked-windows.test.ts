import { expect, test } from "vitest";
import type { TopicId } from "../../src/model/topic.js";
import { AskedWindows } from "../../src/topics/asked-windows.js";

const ids = (...names: string[]): TopicId[] => names as TopicId[];

test("two askings of one turn at once spend its tokens once, and ask no window twice", async () => {
  const asked = new AskedWindows();
  const seen: { fresh: readonly TopicId[]; left: number }[] = [];
  const release: (() => void)[] = [];
  const askFresh = async (fresh: readonly TopicId[], left: number): Promise<number> => {
    seen.push({ fresh, left });
    await new Promise<void>((resolve) => release.push(resolve));
    return 600;
  };
  const first = asked.ask("set", "turn", ids("a", "b"), 1000, askFresh);
  const second = asked.ask("set", "turn", ids("b", "c"), 1000, askFresh);
  const third = asked.ask("set", "turn", ids("c", "d"), 1000, askFresh);
  await expect.poll(() => release.length).toBe(1);
  expect(seen).toEqual([{ fresh: ids("a", "b"), left: 1000 }]);
  release[0]?.();
  await first;
  await expect.poll(() => release.length).toBe(2);
  release[1]?.();
  await second;
  // Nothing is left: the last one is not asked.
  await third;
  expect(seen).toEqual([
    { fresh: ids("a", "b"), left: 1000 },
    { fresh: ids("c"), left: 400 },
  ]);
});

test("what failed costs the others of the turn nothing, and the next turn begins anew", async () => {
  const asked = new AskedWindows();
  const broken = asked.ask("set", "one", ids("a"), 1000, () => Promise.reject(new Error("disk")));
  await expect(broken).rejects.toThrow("disk");
  const lefts: number[] = [];
  const askFresh = (_fresh: readonly TopicId[], left: number): Promise<number> => {
    lefts.push(left);
    return Promise.resolve(left);
  };
  await asked.ask("set", "one", ids("b"), 1000, askFresh);
  await asked.ask("set", "two", ids("b"), 1000, askFresh);
  expect(lefts).toEqual([1000, 1000]);
});
