/** How often something took how long, as Prometheus counts it. Pure. */

export class Histogram {
  /** Of each bound how many were no more than it, and more than the one before. */
  readonly counts: number[];
  count = 0;
  sum = 0;

  /** `bounds`: from the least. */
  constructor(readonly bounds: readonly number[]) {
    this.counts = bounds.map(() => 0);
  }

  note(value: number): void {
    const at = this.bounds.findIndex((bound) => value <= bound);
    if (at !== -1) this.counts[at] = (this.counts[at] ?? 0) + 1;
    this.count += 1;
    this.sum += value;
  }
}
