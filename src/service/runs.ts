/** What each operation does. */
import type { Marks } from "./operations/memories.js";
import { addressIn } from "../model/address-text.js";
import { MemdError } from "../model/errors.js";
import { foundOf } from "../model/found.js";
import type { Passage } from "../model/passage.js";
import { parseUsage } from "../llm/usage.js";
import { parseMessage } from "../protocol/message.js";
import { markerOf } from "../recall/marks.js";
import type { Supervisor } from "../supervisor/supervisor.js";
import { addDocument, listDocuments, removeDocument } from "./documents.js";
import { listMessages } from "./history.js";
import { OPERATIONS, type OperationName, type Operations } from "./operations.js";
import { addPinned, changePinned, listPinned, removePinned } from "./pinned.js";
import { planOf } from "./plan.js";
import { listProfiles, listRevisions, rollbackProfile } from "./profiles.js";
import { pruneNow } from "./prune.js";
import {
  getProfile,
  listMemories,
  periodIn,
  searchEvents,
  searchMemories,
  searchProfiles,
} from "./questions.js";
import { dropJob, listQueue, retryJob, showJob } from "./queue.js";
import { reindexNow } from "./reindex.js";
import { served, type Run, type Served } from "./served.js";
import { statusOf } from "./status.js";
import {
  archiveTopic,
  listTopics,
  mergeTopics,
  renameTopic,
  reviewTopics,
  showTopic,
  splitTopic,
} from "./topics.js";
import { addressOf } from "./viewer-address.js";

const RUNS: { readonly [N in OperationName]: Run<Operations[N]> } = {
  status: ({ supervisor, socket }) => statusOf(supervisor, socket),
  archive: async ({ supervisor }, _viewer, { dryRun = false }) => {
    if (!dryRun) return supervisor.archiveNow();
    await supervisor.settled();
    return planOf(supervisor.archive);
  },
  prune: ({ supervisor }, _viewer, { dryRun }) => pruneNow(supervisor, dryRun),
  reindex: ({ supervisor }) => reindexNow(supervisor),
  budget: ({ supervisor }) => {
    const leftTokens = supervisor.usage.budgetTokens();
    return Promise.resolve(leftTokens === undefined ? {} : { leftTokens });
  },
  addUsage: async ({ supervisor }, _viewer, { calls }) => {
    const readable = calls.map(parseUsage).filter((call) => call !== undefined);
    await supervisor.exclusive(() => supervisor.usage.add(readable));
    return { kept: readable.length };
  },
  stop: ({ stop }) => {
    stop();
    return Promise.resolve({ stopping: true });
  },

  prompt: async ({ supervisor }, viewer, { for: of }) => {
    if (viewer.kind === "address" && of !== undefined)
      throw new MemdError("usage", 'A prompt is of whoever reads ("as") or of a conversation ("for").');
    await supervisor.settled();
    if (viewer.kind === "address") return supervisor.prompt.compose(addressOf(viewer));
    if (of !== undefined) return supervisor.prompt.compose(addressIn(of));
    return supervisor.prompt.current ?? null;
  },
  history: ({ supervisor }, viewer, asked) => listMessages(supervisor, viewer, asked),
  importMessages: async ({ supervisor }, _viewer, { messages }) => {
    const readable = messages.map(parseMessage).filter((message) => message !== undefined);
    return { fresh: await supervisor.importMessages(readable) };
  },

  searchEvents: async ({ supervisor }, viewer, asked) => {
    const { found, ...remarks } = await searchEvents(supervisor, viewer, asked);
    const marksIn = marker(asked);
    return { events: found.map((one) => ({ ...foundOf(one), ...marksIn(one) })), ...remarks };
  },
  searchMemories: async ({ supervisor }, viewer, asked) => {
    const { hits, ...remarks } = await searchMemories(supervisor, viewer, asked);
    const marksIn = marker(asked);
    return { hits: hits.map((hit) => ({ ...hit, ...marksIn(hit) })), ...remarks };
  },
  listMemories: async ({ supervisor }, viewer, asked) => {
    const { found, ...remarks } = await listMemories(supervisor, viewer, asked);
    return { memories: found.map(foundOf), ...remarks };
  },
  forget: ({ supervisor }, _viewer, { dryRun = false, ...of }) => supervisor.forget(of, dryRun),
  forgetSession: ({ supervisor }, _viewer, { id: session, ...of }) =>
    supervisor.forget({ session, ...of }, false),
  forgetScope: ({ supervisor }, _viewer, { id: scope }) => supervisor.forget({ scope }, false),
  deleteMemory: ({ supervisor }, _viewer, { id: record }) => supervisor.forget({ record }, false),

  listProfiles: async ({ supervisor }, viewer) => ({ profiles: await listProfiles(supervisor, viewer) }),
  getProfile: ({ supervisor }, viewer, asked) => getProfile(supervisor, viewer, asked),
  listRevisions: ({ supervisor }, viewer, target) => listRevisions(supervisor, viewer, target),
  rollbackProfile: ({ supervisor }, _viewer, { revision, ...target }) =>
    rollbackProfile(supervisor, target, revision),
  searchProfiles: ({ supervisor }, viewer, asked) => searchProfiles(supervisor, viewer, asked),

  listTopics: ({ supervisor }, viewer, { all = false }) => listTopics(supervisor, addressOf(viewer), all),
  activateTopics: ({ supervisor }, viewer, asked) => {
    if (!supervisor.topics.isOn) throw new MemdError("topics_off", "Topics are off in this workspace.");
    // Whoever asked reads the prompt next.
    return settled(supervisor, supervisor.activateTopics(addressOf(viewer), asked.query, periodIn(asked)));
  },
  showTopic: ({ supervisor }, viewer, { topic }) => showTopic(supervisor, addressOf(viewer), topic),
  renameTopic: ({ supervisor }, viewer, { topic, name }) =>
    renameTopic(supervisor, addressOf(viewer), topic, name),
  mergeTopics: ({ supervisor }, viewer, { topics, into }) =>
    mergeTopics(supervisor, addressOf(viewer), topics, into),
  splitTopic: async ({ supervisor }, viewer, { topic }) => ({
    topics: await splitTopic(supervisor, addressOf(viewer), topic),
  }),
  archiveTopic: ({ supervisor }, viewer, { topic }) => archiveTopic(supervisor, addressOf(viewer), topic),
  reviewTopics: ({ supervisor }, viewer) => reviewTopics(supervisor, addressOf(viewer)),

  listPinned: async ({ supervisor }) => ({ entries: await listPinned(supervisor) }),
  addPinned: ({ supervisor }, _viewer, asked) => settled(supervisor, addPinned(supervisor, asked)),
  updatePinned: ({ supervisor }, _viewer, { entry, text }) =>
    settled(supervisor, changePinned(supervisor, entry, text)),
  removePinned: ({ supervisor }, _viewer, { entry }) => settled(supervisor, removePinned(supervisor, entry)),
  listDocuments: async ({ supervisor }) => ({ documents: await listDocuments(supervisor) }),
  addDocument: async ({ supervisor }, _viewer, asked) => ({
    document: await settled(supervisor, addDocument(supervisor, asked)),
  }),
  removeDocument: async ({ supervisor }, _viewer, { id, scope }) => ({
    removed: await settled(supervisor, removeDocument(supervisor, id, scope)),
  }),

  listQueue: async ({ supervisor }) => ({ jobs: await listQueue(supervisor.archive.context) }),
  showJob: ({ supervisor }, _viewer, { id }) => showJob(supervisor.archive.context, id),
  retryJob: async ({ supervisor }, _viewer, { id }) => {
    const entry = await retryJob(supervisor, id);
    supervisor.wake();
    return entry;
  },
  dropJob: ({ supervisor }, _viewer, { id }) => dropJob(supervisor, id),
};

/** Every operation of the table. */
export const SERVED: readonly Served[] = namesOf(OPERATIONS).map(servedAs);

function servedAs<N extends OperationName>(name: N): Served {
  return served<Operations[N]>(name, OPERATIONS[name], RUNS[name]);
}

function namesOf<T extends object>(table: T): Extract<keyof T, string>[] {
  const names: Extract<keyof T, string>[] = [];
  for (const name in table) names.push(name);
  return names;
}

/** Once prompt and index know of it too. */
async function settled<T>(supervisor: Supervisor, work: Promise<T>): Promise<T> {
  const done = await work;
  await supervisor.settled();
  return done;
}

function marker({
  query = "",
  marks = false,
}: {
  query?: string;
  marks?: boolean;
}): (of: { passage: Passage }) => { marks?: Marks } {
  if (!marks) return () => ({});
  const marksIn = markerOf(query);
  return ({ passage }) => ({ marks: marksIn(passage.text) });
}
