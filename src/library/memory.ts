/**
 * memd as a library: an agent says things and leaves behind what it learned,
 * each as one durable file, whether memd runs or not; and asks what is
 * remembered. What becomes of the files is the running memd's business.
 *
 * Kept light, since agents load it: no supervisor, no index, no schemas. What
 * it takes to ask is loaded with the first question.
 */
import { MemdError } from "../model/errors.js";
import { epochMs, later, type EpochMs } from "../model/time.js";
import { systemClock } from "../platform/clock.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { resolve } from "../platform/files.js";
import { writeDrop } from "../protocol/read-list.js";
import { openWorkspaceAt } from "../protocol/workspace-file.js";
import { writeJob } from "../protocol/queue.js";
import { endedJob, givenDocument, importedMessages, spokenMessage } from "./checked.js";
import type { Client } from "./client.js";
import type {
  Answer,
  DocumentInput,
  EndInput,
  EventsOptions,
  History,
  HistoryOptions,
  ImportInput,
  ListOptions,
  MemoriesOptions,
  ProfileFound,
  ProfileOptions,
  ProfilesOptions,
  PromptFound,
  PromptOptions,
  SayInput,
  Status,
  TopicsFound,
  TopicsOptions,
} from "./inputs.js";

/**
 * Questions are answered by the running memd; where none runs, by a process that
 * is started for the answer, which takes about a second. Each throws
 * `value_invalid` for what cannot be asked, and `not_running` where no answer can
 * be had. What writes throws `disk_full`, `disk_denied` or `disk_fault` where the
 * disk refuses: then nothing was acknowledged.
 */
export interface Memory {
  /** The workspace's folder, absolute, links resolved. */
  readonly folder: string;
  /** Durable when it returns; the message's id. Throws `value_invalid`, `disk_full`. */
  say(message: SayInput): Promise<string>;
  /**
   * Durable when it returns; the job's id, or undefined when there was nothing to
   * keep. Throws `value_invalid`, `disk_full`.
   */
  end(turn: EndInput): Promise<string | undefined>;
  /** Durable when it returns; the document's id. Throws `value_invalid`, `disk_full`. */
  addDocument(document: DocumentInput): Promise<string>;
  /**
   * Takes in what was said before, in order; how many messages were new. Throws
   * `value_invalid` before any is taken in, `not_running`, `disk_full`.
   */
  importMessages(messages: readonly ImportInput[]): Promise<number>;
  /**
   * What happened: best first, the newer a little higher (half-life 60 days);
   * without a query the newest first. Throws `value_invalid`, `empty_query`, `not_running`.
   */
  searchEvents(asked?: EventsOptions): Promise<Answer>;
  /**
   * Everything that is remembered, the words of conversations too; best first.
   * Throws `value_invalid`, `empty_query`, `not_running`.
   */
  searchMemories(asked: MemoriesOptions): Promise<Answer>;
  /**
   * Records and profiles, newest first, a page at a time; `next` is the cursor of
   * the next page. Throws `value_invalid`, `usage` for a cursor that is none, `not_running`.
   */
  listMemories(asked?: ListOptions): Promise<Answer & { next?: string }>;
  /**
   * Undefined where nothing is known, or nothing that may be read. Throws
   * `value_invalid`, `not_running`.
   */
  getProfile(asked?: ProfileOptions): Promise<ProfileFound | undefined>;
  /** Of whom something is said; best first. Throws `value_invalid`, `empty_query`, `not_running`. */
  searchProfiles(asked: ProfilesOptions): Promise<Answer>;
  /**
   * Wakes the topics that know of something, archived ones too. Throws `topics_off`
   * where there are none, `value_invalid`, `empty_query`, `not_running`.
   */
  activateTopics(asked: TopicsOptions): Promise<TopicsFound>;
  /**
   * The prompt as the agent reads it: of whoever reads (`as`), of a conversation
   * (`for`), or of the newest input of `local` in `main`; undefined where there is
   * none yet. Throws `value_invalid`, `usage` for an address that is none, `not_running`.
   */
  prompt(asked?: PromptOptions): Promise<PromptFound | undefined>;
  /**
   * What was said in a conversation, newest last, a page at a time; `next` is the
   * cursor of the page before it. Throws `value_invalid`, `usage` for a cursor that
   * is none, `not_running`.
   */
  history(asked?: HistoryOptions): Promise<History>;
  /** What memd knows and what it is doing. Throws `not_running`. */
  status(): Promise<Status>;
  /**
   * Nothing of it is left when this returns: who is asked at this moment, and
   * whoever asks from now on, gets `not_running`. What was written stays.
   */
  close(): Promise<void>;
}

/**
 * The memory of a workspace. What it throws is a `MemdError`, with a `code` of
 * docs/ERRORS.md, a sentence in `message` and what to do in `advice`. Throws
 * `no_workspace`, `workspace_newer`, `workspace_unreadable`.
 */
export async function openWorkspace(folder: string): Promise<Memory> {
  const workspace = await openWorkspaceAt(nodeDisk, resolve(folder));
  const clock = systemClock();
  const rising = risingTimes();
  let loading: Promise<Client> | undefined;
  let isClosed = false;
  const client = async (): Promise<Client> => {
    if (isClosed) throw new MemdError("not_running", "This memory was closed.");
    return (loading ??= import("./client.js").then((loaded) => new loaded.Client(workspace)));
  };
  return {
    folder: workspace.root,
    say: async (message) => {
      const now = clock.now();
      return writeDrop(ownerless, workspace, spokenMessage(message, now), now);
    },
    end: async (turn) => {
      const now = clock.now();
      const job = endedJob(turn, now);
      return job && writeJob(ownerless, workspace, job, rising(now));
    },
    addDocument: async (document) => {
      const given = givenDocument(document);
      // Brings the reader of front matter, which those who only talk do without.
      const { putDocument } = await import("../protocol/documents.js");
      return (await putDocument(ownerless, workspace, given, clock.now())).document.id;
    },
    importMessages: async (given) => {
      const messages = importedMessages(given);
      let fresh = 0;
      for (let done = 0; done < messages.length; done += IMPORT_BATCH) {
        const batch = messages.slice(done, done + IMPORT_BATCH);
        fresh += (await (await client()).ask("importMessages", { messages: batch })).fresh;
      }
      return fresh;
    },
    searchEvents: async (asked = {}) => {
      const { events, ...remarks } = await (await client()).ask("searchEvents", asked);
      return { found: events, ...remarks };
    },
    searchMemories: async (asked) => (await client()).found("searchMemories", asked),
    listMemories: async (asked = {}) => {
      const { memories, ...remarks } = await (await client()).ask("listMemories", asked);
      return { found: memories, ...remarks };
    },
    getProfile: async (asked = {}) => (await client()).profile(asked),
    searchProfiles: async (asked) => (await client()).found("searchProfiles", asked),
    activateTopics: async (asked) => (await client()).ask("activateTopics", asked),
    prompt: async (asked = {}) => (await (await client()).ask("prompt", asked)) ?? undefined,
    history: async (asked = {}) => (await client()).ask("history", asked),
    status: async () => (await client()).ask("status", {}),
    close: async () => {
      isClosed = true;
      await (await loading)?.close();
    },
  };
}

const IMPORT_BATCH = 1000;

/** Each later than the one before: turns that end within a millisecond, or after a clock was set back, keep their order. */
function risingTimes(): (now: EpochMs) => EpochMs {
  let last = epochMs(0);
  return (now) => {
    last = now > last ? now : later(last, 1);
    return last;
  };
}
