/**
 * The evidence: what each contender wrote, in one file that all append to, about
 * when it believed to own the name. Times are of one monotonic clock.
 */
export interface LedgerLine {
  who: string;
  round: number;
  at: number;
  /** `act`: told at `lookedAt` or later that it still owns, and so it would have published. */
  is: "enter" | "act" | "lost" | "leave";
  lookedAt?: number;
}

/**
 * Two owners: somebody was told that the name is still its own, in a look that
 * began after a later owner had entered. One sentence for each such round.
 */
export function twoOwners(lines: readonly LedgerLine[]): string[] {
  const entered = new Map<string, LedgerLine>();
  const latest = new Map<number, LedgerLine>();
  const broken = new Map<number, string>();
  for (const line of [...lines].sort((a, b) => a.at - b.at)) {
    if (line.is === "enter") {
      entered.set(line.who, line);
      latest.set(line.round, line);
    }
    const mine = entered.get(line.who);
    const newest = latest.get(line.round);
    if (line.is !== "act" || mine === undefined || newest === undefined) continue;
    if (newest.who !== line.who && newest.at > mine.at && newest.at < (line.lookedAt ?? 0))
      broken.set(
        line.round,
        `round ${line.round}: ${line.who} acted as owner after ${newest.who} had become it`,
      );
  }
  return [...broken.values()];
}

/** Without the torn lines of those that were killed while they wrote. */
export function parseLedger(text: string): LedgerLine[] {
  return text
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line) as LedgerLine);
}
