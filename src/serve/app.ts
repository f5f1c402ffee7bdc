/**
 * What a running memd answers: a route for each operation of the table, and one for
 * all of them by name. Who asks is known by then (door.ts): the owner, or whoever
 * reads as one viewer, for whom there is nothing but what a viewer may ask.
 */
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { streamSSE } from "hono/streaming";
import * as z from "zod";
import type { Seat } from "../model/address.js";
import { entryOf } from "../model/collections.js";
import { MemdError, troubleOf } from "../model/errors.js";
import { MINUTE_MS } from "../model/time.js";
import type { Clock } from "../platform/clock.js";
import { packageVersion } from "../platform/package-root.js";
import { invalidIn } from "../service/operations/operation.js";
import { SERVED } from "../service/runs.js";
import { statusOf } from "../service/status.js";
import { existsFor, noOperation, type Served, type Service } from "../service/served.js";
import { type Listen, MISSED, type Numbered, RecentEvents } from "./events.js";
import { ensureNoFields, fieldsIn } from "./fields.js";
import { McpEndpoint } from "./mcp/endpoint.js";
import { type Lags, METRICS_TYPE, metricsOf } from "./metrics.js";
import { openapiOf } from "./openapi.js";
import { problem } from "./problem.js";

export interface ServeParts extends Service {
  listen: Listen;
}

/** With each request: the viewer that asks, if it is not the owner. */
interface Asked {
  Bindings: { seat?: Seat | undefined };
}

export type App = Hono<Asked>;

export function createApp({ listen, ...service }: ServeParts, operations: readonly Served[] = SERVED): App {
  const { memd } = service;
  const app = new Hono<Asked>();
  app.use((context, next) => (seatOf(context) === undefined ? OWNERS_BODY : VIEWERS_BODY)(context, next));
  // Who asks while memd ends is told so, and asks whoever comes next.
  app.use(async (_context, next) => {
    if (memd.isStopping) throw ended();
    await next();
  });
  app.onError((error) => {
    const trouble = answerable(error);
    // What was cut off in its midst is no fault of its own.
    return problem(trouble.code === "internal" && memd.isStopping ? ended(error) : trouble);
  });
  app.notFound(({ req: { method, path } }) =>
    problem(new MemdError("usage", `There is nothing at ${method} ${path}.`), 404),
  );
  const documents = new Map<boolean, object>();
  const documentFor = (seat: Seat | undefined): object =>
    entryOf(documents, seat === undefined, () => {
      const rows = operations.filter(({ access }) => existsFor(seat, access));
      return openapiOf(rows, packageVersion());
    });
  app.get("/ping", async (context) => {
    await ensureNoFields(context.req);
    return context.json({ memd: true });
  });
  app.get("/openapi.json", async (context) => {
    await ensureNoFields(context.req);
    return context.json(documentFor(seatOf(context)));
  });
  app.get("/metrics", async (context) => {
    if (seatOf(context) !== undefined) return context.notFound();
    await ensureNoFields(context.req);
    const figures = metricsOf(await statusOf(memd, service.socket), lagsOf(memd), packageVersion());
    return context.body(figures, 200, { "content-type": METRICS_TYPE });
  });
  const events = new RecentEvents(listen, String(memd.startedAt));
  app.get("/events", async (context) => {
    if (seatOf(context) !== undefined) return context.notFound();
    await ensureNoFields(context.req);
    const last = context.req.header("last-event-id");
    // Nobody would read the stream, and nothing would end it.
    if (context.req.method === "HEAD") return context.body(null);
    return streamSSE(context, async (stream) => {
      const end = new Promise<void>((resolve) => stream.onAbort(resolve));
      const tell = ({ id, event }: Numbered): void =>
        void stream.writeSSE({ id, data: JSON.stringify(event) });
      const stopListening = events.hear(tell);
      const missed = last === undefined ? [] : events.after(last);
      // What is gone cannot be told: whoever shows something reads it anew.
      if (missed === undefined) await stream.writeSSE({ event: MISSED, data: "{}" });
      for (const numbered of missed ?? []) tell(numbered);
      await end;
      stopListening();
    });
  });
  const mcp = new McpEndpoint(service, operations, listen);
  app.all("/mcp", (context) => mcp.answer(context.req.raw, seatOf(context)));
  const answered = async (operation: Served, context: Context<Asked>, path: Fields): Promise<Response> => {
    memd.parts.doing?.(operation.name);
    const given = await fieldsIn(context.req, operation.input, path);
    const answer = operation.answer(service, given, seatOf(context));
    // The owner may wait for a pass as long as it takes; nobody else asks for what takes so long.
    return Response.json(await (operation.access === "owner" ? answer : within(memd.parts.clock, answer)));
  };
  for (const operation of operations) {
    const [method = "", path = ""] = operation.call.split(" ");
    app.on(method, path, (context) =>
      existsFor(seatOf(context), operation.access)
        ? answered(operation, context, context.req.param())
        : context.notFound(),
    );
  }
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  app.post("/operations/:name", (context) => {
    const name = context.req.param("name");
    const operation = byName.get(name);
    if (operation === undefined || !existsFor(seatOf(context), operation.access)) throw noOperation(name);
    return answered(operation, context, {});
  });
  return app;
}

function lagsOf({ archive, parts, upkeep, usage }: Service["memd"]): Lags {
  const now = parts.clock.now();
  return {
    archiveMs: now - (archive.oldestUnsettled() ?? now),
    indexMs: upkeep.unreadForMs,
    prompts: upkeep.promptTimes,
    usage: usage.totals({}),
  };
}

type Fields = Readonly<Record<string, string>>;

/** In tests nothing is bound. */
function seatOf(context: Context<Asked>): Seat | undefined {
  return (context.env as Asked["Bindings"] | undefined)?.seat;
}

const MEGABYTE = 1024 * 1024;
/** Of one call: a longer list is imported in pieces. */
const OWNERS_BODY = bodyOf(64);
/** A viewer asks questions, and hands nothing over. */
const VIEWERS_BODY = bodyOf(1);

function bodyOf(mostMb: number): ReturnType<typeof bodyLimit> {
  const message = `A body of more than ${mostMb} MB is not read: send it in pieces.`;
  return bodyLimit({
    maxSize: mostMb * MEGABYTE,
    onError: () => problem(new MemdError("usage", message), 413),
  });
}

/** A topic that a model divides takes minutes. */
const ANSWER_MS = 10 * MINUTE_MS;

/** What was begun goes on. Throws `timeout`. */
async function within<T>(clock: Clock, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = `There is no answer after ${ANSWER_MS / MINUTE_MS} minutes.`;
    const timer = clock.after(ANSWER_MS, () => reject(new MemdError("timeout", late)));
    void answer.then(resolve, reject).finally(() => timer.cancel());
  });
}

function ended(cause?: Error): MemdError {
  return new MemdError("not_running", "memd ended before it answered.", { cause });
}

/** What was asked wrongly is told in a sentence. */
function answerable(error: unknown): MemdError {
  if (error instanceof SyntaxError)
    return new MemdError("usage", "The body is not JSON, or nested too deeply.", { cause: error });
  if (error instanceof z.ZodError) return new MemdError("usage", invalidIn(error), { cause: error });
  return troubleOf(error);
}
