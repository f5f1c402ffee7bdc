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
import { diskBelow, nodeDisk, ownerless } from "../platform/node-disk.js";
import { resolve } from "../platform/files.js";
import { writeDrop } from "../protocol/read-list.js";
import { openWorkspaceAt } from "../protocol/workspace-file.js";
import { writeJob } from "../protocol/queue.js";
import { endedJob, givenDocument, importedMessages, spokenMessage } from "../service/given.js";
import type { Client } from "./client.js";
import type { Memory } from "./inputs.js";

/**
 * The memory of a workspace. What it throws is a `MemdError`, with a `code` of
 * docs/ERRORS.md, a sentence in `message` and what to do in `advice`. Throws
 * `no_workspace`, `workspace_newer`, `workspace_unreadable`.
 */
export async function openWorkspace(folder: string): Promise<Memory> {
  const workspace = await openWorkspaceAt(nodeDisk, resolve(folder));
  const clock = systemClock();
  const writer = { ...ownerless, disk: diskBelow(workspace.root) };
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
    importMessages: async (given) => {
      const messages = importedMessages(given);
      let fresh = 0;
      for (let done = 0; done < messages.length; done += IMPORT_BATCH) {
        const batch = messages.slice(done, done + IMPORT_BATCH);
        const more = done + IMPORT_BATCH < messages.length;
        fresh += (await (await client()).ask("importMessages", { messages: batch, more })).fresh;
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
    ask: async (operation, asked) => (await client()).ask(operation, asked ?? {}),
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
