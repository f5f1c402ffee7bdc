/**
 * What a running memd answers on its socket: a route for each operation of the
 * table, and one for all of them by name. Only the owner of the workspace can
 * connect.
 */
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { streamSSE } from "hono/streaming";
import { z } from "zod";
import { EXIT, MemdError, troubleOf } from "../model/errors.js";
import type { LogEvent } from "../platform/log.js";
import { invalidIn } from "../service/operations/operation.js";
import { SERVED } from "../service/runs.js";
import type { Served, Service } from "../service/served.js";
import { ensureNoFields, fieldsIn } from "./fields.js";

export interface ServeParts extends Service {
  /** Calls back for each event until the returned function is called. */
  listen: (hear: (event: LogEvent) => void) => () => void;
}

export function createApp({ listen, ...service }: ServeParts, operations: readonly Served[] = SERVED): Hono {
  const { memd } = service;
  const app = new Hono();
  app.use(bodyLimit({ maxSize: MOST_BODY_BYTES, onError: tooLarge }));
  // Who asks while memd ends is told so, and asks whoever comes next.
  app.use(async (_context, next) => {
    if (memd.isStopping) throw ended();
    await next();
  });
  app.onError((error, context) => {
    const trouble = answerable(error);
    // What was cut off in its midst is no fault of its own.
    const { code, message, exit } = trouble.code === "internal" && memd.isStopping ? ended(error) : trouble;
    return context.json({ error: { code, message } }, exit === EXIT.usage ? 400 : 500);
  });
  app.get("/ping", async (context) => {
    await ensureNoFields(context.req);
    return context.json({ memd: true });
  });
  app.get("/events", async (context) => {
    await ensureNoFields(context.req);
    return streamSSE(context, async (stream) => {
      const end = new Promise<void>((resolve) => stream.onAbort(resolve));
      const stopListening = listen((event) => void stream.writeSSE({ data: JSON.stringify(event) }));
      await end;
      stopListening();
    });
  });
  for (const operation of operations) {
    const [method = "", path = ""] = operation.call.split(" ");
    app.on(method, path, async ({ req }) =>
      Response.json(await operation.answer(service, await fieldsIn(req, operation.input, req.param()))),
    );
  }
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  app.post("/operations/:name", async ({ req }) => {
    const operation = byName.get(req.param("name"));
    if (operation === undefined) throw new MemdError("usage", `There is no operation ${req.param("name")}.`);
    return Response.json(await operation.answer(service, await fieldsIn(req, operation.input, {})));
  });
  return app;
}

/** Of one call: a longer list is imported in pieces. */
const MOST_BODY_BYTES = 64 * 1024 * 1024;

function tooLarge(context: Context): Response {
  const message = `A body of more than ${MOST_BODY_BYTES / 1024 / 1024} MB is not read: send it in pieces.`;
  return context.json({ error: { code: "usage", message } }, 413);
}

function ended(cause?: Error): MemdError {
  return new MemdError("not_running", "memd ended before it answered.", { cause });
}

/** What was asked wrongly is told in a sentence. */
function answerable(error: unknown): MemdError {
  if (error instanceof SyntaxError) return new MemdError("usage", "The body is not JSON.", { cause: error });
  if (error instanceof z.ZodError) return new MemdError("usage", invalidIn(error), { cause: error });
  return troubleOf(error);
}
