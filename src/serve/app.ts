/**
 * What a running memd answers on its socket. Only the owner of the workspace
 * can connect, so everything here is asked on the owner's behalf, but for what
 * names an address (`as`) from which it is read.
 */
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { z } from "zod";
import { addressIn } from "../model/address-text.js";
import { EXIT, isMemdError, MemdError, messageOf } from "../model/errors.js";
import type { IncomingMessage } from "../model/message.js";
import type { LogEvent } from "../platform/log.js";
import { parseUsage } from "../llm/usage.js";
import { parseMessage } from "../protocol/message.js";
import { addMemoryCalls, viewerOf } from "./memory-calls.js";
import { addTopicCalls } from "./topic-calls.js";
import type { Memd as Supervisor } from "../service/memd.js";
import { addPinned, changePinned, listPinned, removePinned } from "../service/pinned.js";
import { planOf } from "../service/plan.js";
import { statusOf } from "../service/status.js";
import { addDocument, listDocuments, removeDocument } from "../service/documents.js";
import { pruneNow } from "../service/prune.js";
import { listProfiles, listRevisions, rollbackProfile } from "../service/profiles.js";
import { getProfile } from "../service/questions.js";
import { dropJob, listQueue, retryJob, showJob } from "../service/queue.js";
import { reindexNow } from "../service/reindex.js";

export interface ServeParts {
  supervisor: Supervisor;
  socket: string;
  /** Calls back for each event until the returned function is called. */
  listen: (hear: (event: LogEvent) => void) => () => void;
  stop: () => void;
}

const archiveBody = z.strictObject({ dryRun: z.boolean().optional() });
const pruneBody = z.strictObject({ dryRun: z.boolean() });
const name = z.string().min(1);
const forgetBody = z.strictObject({
  session: name.optional(),
  scope: name.optional(),
  user: name.optional(),
  id: name.optional(),
  dryRun: z.boolean().optional(),
});
const memoryBody = z.strictObject({ text: z.string(), heading: z.string().optional() });
const entry = z.union([z.string().min(1), z.number().int().positive()], {
  error: "is a number of the list, an id or a text",
});
const memoryRemoveBody = z.strictObject({ entry });
const memoryUpdateBody = z.strictObject({ entry, text: z.string() });
const profileBody = z.strictObject({
  entity: z.enum(["user", "group"]),
  id: z.string().min(1),
  revision: z.string().min(1).optional(),
});
const profileReadBody = profileBody.extend({ as: z.string().optional() });
/** Without a target the reader's own. */
const profileShowBody = profileReadBody
  .partial()
  .refine(({ entity, id }) => (entity === undefined) === (id === undefined), {
    error: "has an entity and an id, or neither",
  });
const jobBody = z.strictObject({ id: z.string().min(1) });
const documentBody = z.strictObject({
  text: z.string(),
  id: z.string().optional(),
  title: z.string().optional(),
  scope: z.string().optional(),
  user: z.string().optional(),
  source: z.string().optional(),
});
const usageBody = z.strictObject({ calls: z.array(z.unknown()).max(1000) });
const messagesBody = z.strictObject({ messages: z.array(z.unknown()) });

export function createApp({ supervisor, socket, listen, stop }: ServeParts): Hono {
  const app = new Hono();
  // Who asks while memd ends is told so, and asks whoever comes next.
  app.use(async (_context, next) => {
    if (supervisor.isStopping) throw ended();
    await next();
  });
  app.onError((error, context) => {
    const told = troubleOf(error);
    // What was cut off in its midst is no fault of its own.
    const trouble = told.code === "internal" && supervisor.isStopping ? ended(error) : told;
    return context.json(
      { error: { code: trouble.code, message: trouble.message } },
      trouble.exit === EXIT.usage ? 400 : 500,
    );
  });
  app.get("/ping", (context) => context.json({ memd: true }));
  app.get("/status", async (context) => context.json(await statusOf(supervisor, socket)));
  app.get("/prompt", async (context) => {
    const wanted = context.req.query("for");
    await supervisor.settled();
    if (wanted === undefined) return context.json(supervisor.prompt.current ?? null);
    return context.json(await supervisor.prompt.compose(addressIn(wanted)));
  });
  app.get("/events", (context) =>
    streamSSE(context, async (stream) => {
      const end = new Promise<void>((resolve) => stream.onAbort(resolve));
      const stopListening = listen((event) => void stream.writeSSE({ data: JSON.stringify(event) }));
      await end;
      stopListening();
    }),
  );
  app.post("/archive", async (context) => {
    const { dryRun } = archiveBody.parse(await context.req.json());
    if (dryRun !== true) return context.json(await supervisor.archiveNow());
    await supervisor.settled();
    return context.json(await planOf(supervisor.archive));
  });
  addMemoryCalls(app, supervisor);
  addTopicCalls(app, supervisor);
  app.post("/reindex", async (context) => context.json(await reindexNow(supervisor)));
  app.post("/import", async (context) => {
    const { messages } = messagesBody.parse(await context.req.json());
    const parsed = messages
      .map(parseMessage)
      .filter((message): message is IncomingMessage => message !== undefined);
    return context.json({ fresh: await supervisor.importMessages(parsed) });
  });
  app.post("/prune", async (context) => {
    const { dryRun } = pruneBody.parse(await context.req.json());
    return context.json(await pruneNow(supervisor, dryRun));
  });
  app.post("/forget", async (context) => {
    const { dryRun = false, ...request } = forgetBody.parse(await context.req.json());
    return context.json(await supervisor.forget(request, dryRun));
  });
  app.delete("/sessions/:id", async (context) => {
    const { scope, user } = context.req.query();
    const session = context.req.param("id");
    return context.json(await supervisor.forget({ session, scope, user }, false));
  });
  app.delete("/scopes/:id", async (context) =>
    context.json(await supervisor.forget({ scope: context.req.param("id") }, false)),
  );
  app.get("/memory", async (context) => context.json({ entries: await listPinned(supervisor) }));
  app.post("/memory", async (context) => {
    const pinned = await addPinned(supervisor, memoryBody.parse(await context.req.json()));
    await supervisor.settled();
    return context.json(pinned);
  });
  app.post("/memory/update", async (context) => {
    const { entry, text } = memoryUpdateBody.parse(await context.req.json());
    const changed = await changePinned(supervisor, entry, text);
    await supervisor.settled();
    return context.json(changed);
  });
  app.post("/memory/remove", async (context) => {
    const { entry } = memoryRemoveBody.parse(await context.req.json());
    const removed = await removePinned(supervisor, entry);
    await supervisor.settled();
    return context.json(removed);
  });
  app.get("/queue", async (context) => {
    const { writer, workspace } = supervisor.archive.context;
    return context.json({ jobs: await listQueue(writer, workspace) });
  });
  app.get("/queue/:id", async (context) => {
    const { writer, workspace } = supervisor.archive.context;
    return context.json(await showJob(writer, workspace, context.req.param("id")));
  });
  app.post("/queue/retry", async (context) => {
    const { id } = jobBody.parse(await context.req.json());
    const entry = await retryJob(supervisor, id);
    supervisor.wake();
    return context.json(entry);
  });
  app.post("/queue/drop", async (context) => {
    const { id } = jobBody.parse(await context.req.json());
    return context.json(await dropJob(supervisor, id));
  });
  app.get("/profiles", async (context) =>
    context.json({ profiles: await listProfiles(supervisor, viewerOf(context.req.query("as"))) }),
  );
  app.post("/profiles/show", async (context) => {
    const { entity, id, revision, as } = profileShowBody.parse(await context.req.json());
    const target = entity === undefined || id === undefined ? undefined : { entity, id };
    return context.json(await getProfile(supervisor, viewerOf(as), target, revision));
  });
  app.post("/profiles/history", async (context) => {
    const { revision: _none, as, ...target } = profileReadBody.parse(await context.req.json());
    return context.json(await listRevisions(supervisor, viewerOf(as), target));
  });
  app.post("/profiles/rollback", async (context) => {
    const { revision, ...target } = profileBody.parse(await context.req.json());
    return context.json(await rollbackProfile(supervisor, target, revision));
  });
  app.get("/documents", async (context) => context.json({ documents: await listDocuments(supervisor) }));
  app.post("/documents", async (context) => {
    const added = await addDocument(supervisor, documentBody.parse(await context.req.json()));
    await supervisor.settled();
    return context.json({ document: added });
  });
  app.delete("/documents/:id", async (context) => {
    const removed = await removeDocument(supervisor, context.req.param("id"), context.req.query("scope"));
    await supervisor.settled();
    return context.json({ removed });
  });
  app.get("/usage", (context) => context.json({ leftTokens: supervisor.usage.budgetTokens() }));
  app.post("/usage", async (context) => {
    const { calls } = usageBody.parse(await context.req.json());
    const readable = calls.map(parseUsage).filter((call) => call !== undefined);
    await supervisor.exclusive(() => supervisor.usage.add(readable));
    return context.json({ kept: readable.length });
  });
  app.post("/stop", (context) => {
    stop();
    return context.json({ stopping: true });
  });
  return app;
}

function ended(cause?: Error): MemdError {
  return new MemdError("not_running", "memd ended before it answered.", { cause });
}

/** What was asked wrongly is told in a sentence. */
function troubleOf(error: unknown): MemdError {
  if (isMemdError(error)) return error;
  if (error instanceof SyntaxError) return new MemdError("usage", "The body is not JSON.", { cause: error });
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    const field = issue?.path.join(".") ?? "";
    return new MemdError(
      "usage",
      `${field === "" ? "The body" : `"${field}"`}: ${issue?.message ?? "is not valid"}.`,
      { cause: error },
    );
  }
  return new MemdError("internal", messageOf(error), { cause: error });
}
