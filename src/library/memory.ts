/**
 * memd as a library: an agent says things and leaves behind what it learned,
 * each as one durable file, whether memd runs or not. What becomes of the files
 * is the running memd's business.
 *
 * Kept light, since agents load it: no supervisor, no index, no schemas.
 */
import { epochMs, later, type EpochMs } from "../model/time.js";
import { systemClock } from "../platform/clock.js";
import { nodeDisk } from "../platform/node-disk.js";
import { resolve } from "../platform/path.js";
import { systemRandom } from "../platform/random.js";
import { writeDrop } from "../protocol/drops.js";
import { openWorkspaceAt } from "../protocol/workspace-file.js";
import { writeJob } from "../protocol/queue.js";
import { endedJob, spokenMessage } from "./checked.js";

/** A message; fields that are not named here are kept as they are. */
export interface Saying {
  text: string;
  /** `user` unless it says otherwise. */
  role?: "user" | "agent" | "tool" | "system";
  /** The sender's id. */
  user?: string;
  /** A name to show. */
  speaker?: string;
  /** The place: `main`, a project, or `group:<id>`. */
  scope?: string;
  session?: string;
  /** ISO 8601; now unless it says otherwise. */
  createdAt?: string | Date;
  scene?: string;
  /** Kept word for word, but never given to a model, searched or put into a prompt. */
  private?: boolean;
  tool?: { name: string; callId: string; input?: unknown; result?: unknown };
  attachments?: readonly { kind: string; path?: string; tokens?: number }[];
  readonly [field: string]: unknown;
}

/** What is kept of a turn. */
export interface Ending {
  /** One line on what the agent did. */
  memo?: string;
  /** What is worth keeping, one thing each. */
  observations?: readonly string[];
  /** Keep an observation as it is, even where it does not stand alone. */
  force?: boolean;
  user?: string;
  scope?: string;
  session?: string;
  createdAt?: string | Date;
}

export interface Memory {
  /** The workspace's folder, absolute, links resolved. */
  readonly folder: string;
  /** Durable when it returns; the message's id. */
  say(message: Saying): Promise<string>;
  /** Durable when it returns; the job's id, or undefined when there was nothing to keep. */
  end(turn: Ending): Promise<string | undefined>;
}

/**
 * The memory of a workspace. Throws an error with a `code` of docs/ERRORS.md,
 * a sentence in `message` and what to do in `advice`.
 */
export async function openWorkspace(folder: string): Promise<Memory> {
  const workspace = await openWorkspaceAt(nodeDisk, resolve(folder));
  const press = { disk: nodeDisk, random: systemRandom, guard: () => Promise.resolve() };
  const clock = systemClock();
  const rising = risingTimes();
  return {
    folder: workspace.root,
    say: async (message) => {
      const now = clock.now();
      return writeDrop(press, workspace, spokenMessage(message, now), now);
    },
    end: async (turn) => {
      const now = clock.now();
      const job = endedJob(turn, now);
      return job && writeJob(press, workspace, job, rising(now));
    },
  };
}

/** Each later than the one before: turns that end within a millisecond, or after a clock was set back, keep their order. */
function risingTimes(): (now: EpochMs) => EpochMs {
  let last = epochMs(0);
  return (now) => {
    last = now > last ? now : later(last, 1);
    return last;
  };
}
