/**
 * Whether memd may write to the memory tree. Not where somebody else has moved HEAD
 * to a commit on which something of it is gone: what vanished like that was deleted
 * by nobody, and what was written there would be in the way of going back. Pure.
 */
import type { Head } from "./repository.js";

export type Hold =
  | { is: "free" }
  /** Somebody's git is at work; by the file that says so. */
  | { is: "busy"; by: string }
  | { is: "moved"; from: string; to: string | undefined };

export const FREE: Hold = { is: "free" };

interface Seen {
  /** When memd looked last; nothing where it never has. */
  before: Pick<Head, "commit" | "tree">;
  now: Head;
  /** The commit that a person has told memd to go on from. */
  accepted: string | undefined;
  /** All that stood there before stands there now. */
  keepsAll: boolean;
}

/** When nobody is at work. */
export function holdOf({ before, now, accepted, keepsAll }: Seen): Hold {
  const { commit, tree } = before;
  if (commit === undefined || commit === now.commit) return FREE;
  if (tree !== undefined && tree === now.tree) return FREE;
  if (keepsAll || (accepted !== undefined && accepted === now.commit)) return FREE;
  return { is: "moved", from: commit, to: now.commit };
}

/** For a person; undefined where nothing holds memd up. */
export function heldSentence(hold: Hold): string | undefined {
  switch (hold.is) {
    case "free":
      return undefined;
    case "busy":
      return `Somebody's git is at work here (${hold.by}); until it is done, nothing is archived.`;
    case "moved":
      return `Git has gone from ${shortCommit(hold.from)} to ${hold.to === undefined ? "a branch without commits" : shortCommit(hold.to)}, where some of the memory is not; nothing is archived there.`;
    default:
      return hold satisfies never;
  }
}

export function shortCommit(commit: string): string {
  return commit.slice(0, 10);
}

interface Waiting {
  /** Files that are not committed. */
  pending: number;
  /** Pieces of other work under way, which may write more. */
  working: number;
  /** A pass has ended since the last commit. */
  hasPassed: boolean;
  /** Infinite before the first one. */
  sinceCommitMs: number;
}

/** What is written between passes is committed together. */
const BETWEEN_MS = 60_000;
/** Work without end does not put it off for longer. */
const LONGEST_MS = 10 * 60_000;

/** In how long to commit; undefined where there is nothing to wait for. */
export function commitInMs({ pending, working, hasPassed, sinceCommitMs }: Waiting): number | undefined {
  if (pending === 0) return undefined;
  if (working > 0) return Math.max(0, LONGEST_MS - Math.min(sinceCommitMs, LONGEST_MS - 1));
  return hasPassed ? 0 : Math.max(0, BETWEEN_MS - sinceCommitMs);
}
