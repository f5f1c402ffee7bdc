/** Items by key, in order of first appearance. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** What stands there under the key, put there the first time. */
export function entryOf<K, V>(map: Map<K, V>, key: K, first: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = first();
  map.set(key, value);
  return value;
}

/** How often each stands there, in order of first appearance. */
export function tally<T>(items: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** An object without the fields that are undefined, as optional fields are to be left out. */
type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** `defined({ id, user })` is `{ id }` where `user` is undefined. The order of the fields stays. */
export function defined<const T extends object>(fields: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) kept[name] = value;
  return kept as Defined<T>;
}

/** How much each may take so that together they take no more than `total`: small ones all of it, large ones alike. */
export function fairShare(sizes: readonly number[], total: number): number {
  const rising = [...sizes].sort((a, b) => a - b);
  let left = total;
  for (const [index, size] of rising.entries()) {
    const share = Math.floor(left / (rising.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Infinity;
}

/** `push(...more)` fails where there are more than a call can be given: a hundred thousand. */
export function addAll<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}
