/** How long things took, in milliseconds. */
export interface Quantiles {
  count: number;
  p50: number;
  p95: number;
  max: number;
}

export function quantiles(values: readonly number[]): Quantiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    return Math.round(value * 10) / 10;
  };
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: at(1) };
}
