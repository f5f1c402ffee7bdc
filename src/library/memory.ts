/**
 * memd as a library: an agent says things and leaves behind what it learned,
 * each as one durable file, whether memd runs or not; and asks what is
 * remembered. What becomes of the files is the running memd's business.
 *
 * Kept light, since agents load it: no supervisor, no index, no schemas. What
 * it takes to ask is loaded with the first question.
 */
import type { Found } from "../model/found.js";
import type { PassageKind } from "../model/passage.js";
import type { RecallMode } from "../model/recall-mode.js";
import type { RecordKind } from "../model/record.js";
import { epochMs, later, type EpochMs } from "../model/time.js";
import { systemClock } from "../platform/clock.js";
import { nodeDisk } from "../platform/node-disk.js";
import { resolve } from "../platform/path.js";
import { systemRandom } from "../platform/random.js";
import { writeDrop } from "../protocol/drops.js";
import { openWorkspaceAt } from "../protocol/workspace-file.js";
import { writeJob } from "../protocol/queue.js";
import { endedJob, givenDocument, spokenMessage } from "./checked.js";

/** A message; fields that are not named here are kept as they are. */
export interface SayInput {
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
export interface EndInput {
  /** One line on what the agent did. */
  memo?: string;
  /** What is worth keeping, one thing each. */
  observations?: readonly string[];
  /** Keep an observation as it is, even where it does not stand alone. */
  force?: boolean;
  /** The conversation is over: facts that are of it alone go once this turn is worked. */
  close?: boolean;
  user?: string;
  scope?: string;
  session?: string;
  createdAt?: string | Date;
}

/** A text that is looked up. */
export interface DocumentInput {
  text: string;
  /** What it is known by: the same id again replaces it. Its title when not given. */
  id?: string;
  /** Its first heading when not given. */
  title?: string;
  /** Whose documents it is of; `main` unless it says otherwise. */
  scope?: string;
  user?: string;
}

/** From where is read. What is left out is `main`. */
export interface AddressInput {
  user: string;
  scope?: string;
  session?: string;
}

/** Part of every question. */
export interface ReadOptions {
  /**
   * On whose behalf: an address, or `user/scope/session` with each part
   * percent-encoded. Only what may be read from there is found, whatever else is
   * asked. Left out, the owner asks, who may read everything; there without a
   * value it is an error.
   */
  as?: string | AddressInput;
}

/** Filters inside what may be read. A date is a local day, `2026-01-28`, or an instant. */
export interface FilterOptions extends ReadOptions {
  /** Only what is of this user. */
  user?: string;
  /** Only what is of this group, by its id. */
  group?: string;
  from?: string | Date;
  to?: string | Date;
  /** At most so many, 1000 at most. */
  limit?: number;
}

export interface EventsOptions extends FilterOptions {
  /** Without it the newest events of the time. */
  query?: string;
  /** `event` alone unless it says otherwise. 12 are given unless `limit` says otherwise. */
  kinds?: readonly RecordKind[];
}

export interface ListOptions extends FilterOptions {
  /** All of them unless it says otherwise. 50 are given at a time unless `limit` says otherwise. */
  kinds?: readonly (RecordKind | "profile")[];
  /** `next` of the page before. */
  cursor?: string;
}

export interface MemoriesOptions extends ReadOptions {
  query: string;
  user?: string;
  scope?: string;
  session?: string;
  from?: string | Date;
  to?: string | Date;
  /** Only what had been said by then. */
  asOf?: string | Date;
  kinds?: readonly PassageKind[];
  /** At most so many, 1000 at most; `recall.limit` of the settings when not given. */
  limit?: number;
  /** By words, by meaning, by both, or again with other words of a model's; `recall.mode` when not given. */
  mode?: RecallMode;
  /** False leaves the order as it is where a rerank model is named. */
  rerank?: boolean;
}

/** Of a user or a group; of the reader where neither is named. */
export interface ProfileOptions extends ReadOptions {
  user?: string;
  group?: string;
}

export interface ProfilesOptions extends ReadOptions {
  query: string;
  /** Both when not given. */
  entity?: "user" | "group";
  /** 8 when not given. */
  limit?: number;
}

export interface TopicsOptions extends ReadOptions {
  /** What may have been forgotten. */
  query: string;
  /** Only topics of that day or later, earlier. */
  from?: string | Date;
  to?: string | Date;
}

export interface TopicFound {
  id: string;
  name: string;
  /** From the first day to the last: `2026-03-01 to 2026-03-04`. */
  dates: string;
  /** The beginning of its brief. */
  about: string;
  /** Relative to the workspace. */
  file: string;
  /** 0–1. */
  score: number;
  state: "active" | "dormant" | "archived" | "divided" | "merged";
  /** Whether it slept until now. */
  woken: boolean;
}

export interface TopicsFound {
  /** That know of it, best first; the prompt shows them from now on. */
  found: TopicFound[];
  /** Where none surely does: the likeliest, to ask about. */
  candidates: TopicFound[];
}

export interface Answer {
  /** Each with its date and source, and its score where something was asked. */
  found: Found[];
  /** Sentences on how it was found, such as a time that was turned. */
  warnings: string[];
  /** Where nothing was found: what to try. */
  advice?: string;
}

export interface ProfileFound {
  entity: "user" | "group";
  id: string;
  /** Relative to the workspace. */
  file: string;
  /** The whole file. */
  text: string;
  name?: string;
  tags?: readonly string[];
  /** ISO 8601. */
  updatedAt?: string;
  /** Its bullets, as Markdown. */
  body?: string;
}

/**
 * Questions are answered by the running memd; where none runs, by a process that
 * is started for the answer, which takes about a second. They throw `not_running`
 * where that cannot be had, `usage` or `value_invalid` for what cannot be asked.
 */
export interface Memory {
  /** The workspace's folder, absolute, links resolved. */
  readonly folder: string;
  /** Durable when it returns; the message's id. */
  say(message: SayInput): Promise<string>;
  /** Durable when it returns; the job's id, or undefined when there was nothing to keep. */
  end(turn: EndInput): Promise<string | undefined>;
  /** Durable when it returns; the document's id. */
  addDocument(document: DocumentInput): Promise<string>;
  /** What happened: best first, the newer a little higher (half-life 60 days); without a query the newest first. */
  searchEvents(asked?: EventsOptions): Promise<Answer>;
  /** Everything that is remembered, the words of conversations too; best first. */
  searchMemories(asked: MemoriesOptions): Promise<Answer>;
  /** Records and profiles, newest first, a page at a time; `next` is the cursor of the next page. */
  listMemories(asked?: ListOptions): Promise<Answer & { next?: string }>;
  /** Undefined where nothing is known, or nothing that may be read. */
  getProfile(asked?: ProfileOptions): Promise<ProfileFound | undefined>;
  /** Of whom something is said; best first. */
  searchProfiles(asked: ProfilesOptions): Promise<Answer>;
  /** Wakes the topics that know of something, archived ones too. Throws `topics_off` where there are none. */
  activateTopics(asked: TopicsOptions): Promise<TopicsFound>;
}

/**
 * The memory of a workspace. Throws an error with a `code` of docs/ERRORS.md,
 * a sentence in `message` and what to do in `advice`.
 */
export async function openWorkspace(folder: string): Promise<Memory> {
  const workspace = await openWorkspaceAt(nodeDisk, resolve(folder));
  const writer = { disk: nodeDisk, random: systemRandom, guard: () => Promise.resolve() };
  const clock = systemClock();
  const rising = risingTimes();
  let questions: Promise<Questions> | undefined;
  const ask = (): Promise<Questions> =>
    (questions ??= import("./questions.js").then(({ questionsTo }) => questionsTo(workspace)));
  return {
    folder: workspace.root,
    say: async (message) => {
      const now = clock.now();
      return writeDrop(writer, workspace, spokenMessage(message, now), now);
    },
    end: async (turn) => {
      const now = clock.now();
      const job = endedJob(turn, now);
      return job && writeJob(writer, workspace, job, rising(now));
    },
    addDocument: async (document) => {
      const given = givenDocument(document);
      // Brings the reader of front matter, which those who only talk do without.
      const { putDocument } = await import("../protocol/documents.js");
      return (await putDocument(writer, workspace, given, clock.now())).document.id;
    },
    searchEvents: async (asked = {}) => (await ask()).searchEvents(asked),
    searchMemories: async (asked) => (await ask()).searchMemories(asked),
    listMemories: async (asked = {}) => (await ask()).listMemories(asked),
    getProfile: async (asked = {}) => (await ask()).getProfile(asked),
    searchProfiles: async (asked) => (await ask()).searchProfiles(asked),
    activateTopics: async (asked) => (await ask()).activateTopics(asked),
  };
}

type Questions = Omit<Memory, "folder" | "say" | "end" | "addDocument">;

/** Each later than the one before: turns that end within a millisecond, or after a clock was set back, keep their order. */
function risingTimes(): (now: EpochMs) => EpochMs {
  let last = epochMs(0);
  return (now) => {
    last = now > last ? now : later(last, 1);
    return last;
  };
}
