/** Whether a model reads Chinese, found out by asking it. Pure. */

/** Three sentences that have nothing to do with one another. */
export const HAN_PROBE = ["我下个月搬去里斯本工作。", "这只猫对花生过敏。", "数据库昨晚又超时了。"] as const;

const ALIKE = 0.95;

/** A model that does not know Chinese gives all Chinese sentences nearly the same vector. */
export function readsHan(probe: readonly (readonly number[])[]): boolean {
  const pairs = probe.flatMap((one, index) => probe.slice(index + 1).map((other) => cosine(one, other)));
  return pairs.some((likeness) => likeness < ALIKE);
}

function cosine(one: readonly number[], other: readonly number[]): number {
  const product = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other) || 1);
}
