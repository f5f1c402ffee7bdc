/** The longest time the event loop did not turn. */
export function watchStalls(): { maxMs: () => number; stop: () => void } {
  let last = performance.now();
  let max = 0;
  const look = (): void => {
    const now = performance.now();
    max = Math.max(max, now - last);
    last = now;
    handle = setImmediate(look);
  };
  let handle = setImmediate(look);
  return {
    maxMs: () => max,
    stop: () => clearImmediate(handle),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** `share` of the values are not above it; .5 is the median. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
