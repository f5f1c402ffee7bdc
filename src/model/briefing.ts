/** What an agent is told that keeps its conversation itself. */

/** Agents cut what a hook tells them behind so many. */
export const MOST_BRIEFED_CHARS = 10_000;
