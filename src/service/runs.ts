/** What each operation does. */
import { parseUsage } from "../llm/usage.js";
import { addressIn } from "../model/address.js";
import { MOST_BRIEFED_CHARS } from "../model/briefing.js";
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import { foundOf } from "../model/found.js";
import type { Passage } from "../model/passage.js";
import { parseMessage } from "../protocol/message.js";
import { writeJob } from "../protocol/queue.js";
import { writeDrop } from "../protocol/read-list.js";
import { readSettings } from "../protocol/settings.js";
import { addToken, readTokens, removeToken } from "../protocol/tokens.js";
import { markerOf } from "../recall/question.js";
import { checkWorkspace } from "./checks.js";
import { listDays } from "./days.js";
import { addDocument, listDocuments, removeDocument } from "./documents.js";
import { acceptEmbedding, declineEmbedding, embeddingOf } from "./embedding.js";
import { exportFiles } from "./exports.js";
import { askedBy, endedJob, placeOfTurn, spokenMessage } from "./given.js";
import { addressOf, listMessages } from "./history.js";
import { newestLines } from "./log-lines.js";
import type { Memd } from "./memd.js";
import { type OperationName, OPERATIONS, type Operations } from "./operations.js";
import type { Marked } from "./operations/shapes.js";
import { reindexNow, resummarizeNow } from "./made-anew.js";
import { addPinned, changePinned, listPinned, removePinned } from "./pinned.js";
import { listScopes, listSessions } from "./places.js";
import {
  addRemembered,
  changeRemembered,
  listRemembered,
  rememberedBy,
  removeRemembered,
} from "./remembered.js";
import { planOf } from "./plan.js";
import { pruneNow } from "./pruning.js";
import { diffProfile, listProfiles, listRevisions, rollbackProfile, updateProfile } from "./profiles.js";
import * as questions from "./questions.js";
import { dropJob, listQueue, retryJob, showJob } from "./queue.js";
import { type Run, served, type Served } from "./served.js";
import { listSources, readSource } from "./sources.js";
import { statusOf } from "./status.js";
import { shownToken } from "./tokens.js";
import {
  archiveTopic,
  listTopics,
  mergeTopics,
  renameTopic,
  reviewTopics,
  showTopic,
  splitTopic,
} from "./topics.js";

const RUNS: { readonly [N in OperationName]: Run<Operations[N]> } = {
  status: ({ memd, socket }) => statusOf(memd, socket),
  archive: async ({ memd }, _viewer, { dryRun = false }) => {
    if (!dryRun) return memd.archiveNow();
    await memd.settled();
    return planOf(memd.archive);
  },
  resummarize: ({ memd }, _viewer, asked) => resummarizeNow(memd, asked),
  prune: ({ memd }, _viewer, { dryRun }) => pruneNow(memd, dryRun),
  exportFiles: ({ memd }, _viewer, asked) => exportFiles(memd, asked),
  reindex: ({ memd }) => reindexNow(memd),
  stop: ({ stop }) => {
    stop();
    return Promise.resolve({ stopping: true });
  },

  prompt: async ({ memd }, viewer, { for: of, wait = true }) => {
    if (viewer.kind === "address" && of !== undefined)
      throw new MemdError("usage", 'A prompt is of whoever reads ("as") or of a conversation ("for").');
    await (wait ? memd.settled() : memd.caughtUp());
    if (viewer.kind === "address") return memd.prompt.compose(addressOf(viewer));
    if (of !== undefined) return memd.prompt.compose(addressIn(of));
    return memd.prompt.current ?? null;
  },
  briefing: async ({ memd }, viewer, { asked, id, max_chars: mostChars = MOST_BRIEFED_CHARS, shown }) => {
    await memd.caughtUp();
    const address = addressOf(viewer);
    const filed = asked === undefined ? undefined : askedBy(address, asked, id, memd.parts.clock.now());
    return { text: await memd.prompt.briefing(address, filed, defined({ mostChars, shown })) };
  },
  history: ({ memd }, viewer, asked) => listMessages(memd, viewer, asked),
  say: async ({ memd }, _viewer, message) => {
    const { archive, parts } = memd;
    const now = parts.clock.now();
    const { writer, workspace } = archive.context;
    const id = await writeDrop(writer, workspace, spokenMessage(message, now), now);
    memd.wake();
    return { id };
  },
  end: async ({ memd }, viewer, turn) => {
    const { archive, parts } = memd;
    const now = parts.clock.now();
    const job = endedJob({ ...turn, ...placeOfTurn(viewer, turn) }, now);
    if (job === undefined) return {};
    const id = await writeJob(archive.context.writer, archive.context.workspace, job, now);
    memd.wake();
    return { id };
  },
  listScopes: ({ memd }, viewer) => listScopes(memd, viewer),
  listSessions: ({ memd }, viewer, asked) => listSessions(memd, viewer, asked),
  importMessages: async ({ memd }, _viewer, { messages, more = false }) => {
    const readable = messages.map(parseMessage).filter((message) => message !== undefined);
    if (more) return { fresh: await memd.importMessages(readable).finally(() => memd.expectMore()) };
    memd.expectNoMore();
    // What an import before it had put off goes on, whatever becomes of this one.
    return { fresh: await memd.importMessages(readable).finally(() => memd.wake()) };
  },

  searchEvents: async ({ memd }, viewer, asked) => {
    const { found, ...remarks } = await questions.searchEvents(memd, viewer, asked);
    const marksIn = marker(asked);
    return { events: found.map((one) => ({ ...foundOf(one), ...marksIn(one) })), ...remarks };
  },
  searchMemories: async ({ memd }, viewer, asked) => {
    const { hits, ...remarks } = await questions.searchMemories(memd, viewer, asked);
    const marksIn = marker(asked);
    return { hits: hits.map((hit) => ({ ...hit, ...marksIn(hit) })), ...remarks };
  },
  listMemories: async ({ memd }, viewer, asked) => {
    const { found, ...remarks } = await questions.listMemories(memd, viewer, asked);
    return { memories: found.map(foundOf), ...remarks };
  },
  forget: ({ memd }, _viewer, { dryRun = false, ...of }) => memd.forget(of, dryRun),
  forgetSession: ({ memd }, _viewer, { id: session, ...of }) => memd.forget({ session, ...of }, false),
  forgetScope: ({ memd }, _viewer, { id: scope }) => memd.forget({ scope }, false),
  deleteMemory: ({ memd }, _viewer, { id: record }) => memd.forget({ record }, false),

  listProfiles: async ({ memd }, viewer) => ({ profiles: await listProfiles(memd, viewer) }),
  getProfile: ({ memd }, viewer, asked) => questions.getProfile(memd, viewer, asked),
  listRevisions: ({ memd }, viewer, target) => listRevisions(memd, viewer, target),
  diffProfile: ({ memd }, viewer, { revision, ...target }) => diffProfile(memd, viewer, target, revision),
  rollbackProfile: ({ memd }, _viewer, { revision, ...target }) => rollbackProfile(memd, target, revision),
  updateProfile: ({ memd }, _viewer, asked) => updateProfile(memd, asked),
  searchProfiles: ({ memd }, viewer, asked) => questions.searchProfiles(memd, viewer, asked),

  listTopics: ({ memd }, viewer, { all = false }) => listTopics(memd, addressOf(viewer), all),
  activateTopics: ({ memd }, viewer, asked) => {
    if (!memd.topics.isOn) throw new MemdError("topics_off", "Topics are off in this workspace.");
    // Whoever asked reads the prompt next.
    return settled(memd, memd.activateTopics(addressOf(viewer), asked.query, questions.periodIn(asked)));
  },
  showTopic: ({ memd }, viewer, { topic }) => showTopic(memd, addressOf(viewer), topic),
  renameTopic: ({ memd }, viewer, asked) => renameTopic(memd, addressOf(viewer), asked),
  mergeTopics: ({ memd }, viewer, { topics, into }) => mergeTopics(memd, addressOf(viewer), topics, into),
  splitTopic: async ({ memd }, viewer, { topic }) => ({
    topics: await splitTopic(memd, addressOf(viewer), topic),
  }),
  archiveTopic: ({ memd }, viewer, { topic }) => archiveTopic(memd, addressOf(viewer), topic),
  reviewTopics: ({ memd }, viewer) => reviewTopics(memd, addressOf(viewer)),

  listPinned: async ({ memd }, viewer) => {
    const of = rememberedBy(viewer);
    return { entries: await (of === undefined ? listPinned(memd) : listRemembered(memd, of)) };
  },
  addPinned: ({ memd }, viewer, asked) => {
    const of = rememberedBy(viewer);
    if (of === undefined) return settled(memd, addPinned(memd, asked));
    if (asked.heading !== undefined)
      throw new MemdError("value_invalid", '"heading" must be left out: it is one of memory.md.');
    return settled(memd, addRemembered(memd, of, asked.text));
  },
  updatePinned: ({ memd }, viewer, { entry, text, shown }) => {
    const of = rememberedBy(viewer);
    return settled(
      memd,
      of === undefined
        ? changePinned(memd, entry, text, shown)
        : changeRemembered(memd, of, entry, text, shown),
    );
  },
  removePinned: ({ memd }, viewer, { entry, shown }) => {
    const of = rememberedBy(viewer);
    return settled(
      memd,
      of === undefined ? removePinned(memd, entry, shown) : removeRemembered(memd, of, entry, shown),
    );
  },
  listDocuments: async ({ memd }) => ({ documents: await listDocuments(memd) }),
  addDocument: async ({ memd }, _viewer, asked) => ({
    document: await settled(memd, addDocument(memd, asked)),
  }),
  removeDocument: async ({ memd }, _viewer, { id, scope }) => ({
    removed: await settled(memd, removeDocument(memd, id, scope)),
  }),

  listSources: ({ memd }, viewer, asked) => listSources(memd, viewer, asked),
  listDays: ({ memd }, viewer) => listDays(memd, viewer),
  readSource: ({ memd }, viewer, asked) => readSource(memd, viewer, asked),

  listQueue: async ({ memd }) => ({ jobs: await listQueue(memd.archive.context) }),
  showJob: ({ memd }, _viewer, { id }) => showJob(memd.archive.context, id),
  retryJob: async ({ memd }, _viewer, { id }) => {
    const entry = await retryJob(memd, id);
    memd.wake();
    return entry;
  },
  dropJob: ({ memd }, _viewer, { id }) => dropJob(memd, id),

  doctor: ({ memd: { archive, parts }, socket }) =>
    checkWorkspace({ ...parts, writer: archive.context.writer, socket }, parts.workspace),
  settings: ({ memd }) => readSettings(memd.parts.disk, memd.parts.workspace),
  logs: async ({ memd }, _viewer, { limit = 50 }) => ({
    lines: await newestLines(memd.parts.disk, memd.parts.workspace, limit),
  }),
  usage: ({ memd }, _viewer, asked) => {
    const leftTokens = memd.usage.budgetTokens();
    return Promise.resolve(defined({ totals: memd.usage.totals(questions.periodIn(asked)), leftTokens }));
  },
  addUsage: async ({ memd }, _viewer, { calls }) => {
    const readable = calls.map(parseUsage).filter((call) => call !== undefined);
    await memd.exclusive(() => memd.usage.add(readable));
    return { kept: readable.length };
  },

  addToken: async ({ memd }, _viewer, { viewer: seat, name }) => {
    const { writer, workspace } = memd.archive.context;
    const now = memd.parts.clock.now();
    const { secret, token } = await addToken(writer, workspace, defined({ seat, name }), now);
    return { token: secret, ...shownToken(token) };
  },
  listTokens: async ({ memd }) => ({
    tokens: (await readTokens(memd.parts.disk, memd.parts.workspace)).map(shownToken),
  }),
  removeToken: async ({ memd }, _viewer, { id }) => {
    const { writer, workspace } = memd.archive.context;
    return { removed: shownToken(await removeToken(writer, workspace, id)) };
  },

  openPage: ({ openPage }, _viewer, { viewer: seat }) => {
    if (openPage === undefined) throw new MemdError("usage", "No page is served here.");
    return openPage(seat);
  },

  embedding: ({ memd }) => embeddingOf(memd),
  acceptEmbedding: ({ memd }, _viewer, { model }) => acceptEmbedding(memd, model),
  declineEmbedding: ({ memd }) => declineEmbedding(memd),
};

/** Every operation of the table. */
export const SERVED = (Object.keys(OPERATIONS) as OperationName[]).map(servedAs);

function servedAs<N extends OperationName>(name: N): Served {
  return served<Operations[N]>(name, OPERATIONS[name], RUNS[name]);
}

/** Once prompt and index know of it too. */
async function settled<T>(memd: Memd, work: Promise<T>): Promise<T> {
  const done = await work;
  await memd.settled();
  return done;
}

function marker(asked: { query?: string; marks?: boolean }): (of: { passage: Passage }) => Marked {
  if (asked.marks !== true) return () => ({});
  const marksIn = markerOf(asked.query ?? "");
  return ({ passage }) => ({ marks: marksIn(passage.text) });
}
