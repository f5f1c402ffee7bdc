/** How far back the newest of many reach. Pure. */

/** The moment of the last of the `most` newest; -Infinity where there are not as many. */
export function momentOf(moments: readonly number[], most: number): number {
  return Float64Array.from(moments).sort().at(-most) ?? -Infinity;
}
