/**
 * What a running memd answers on its socket: a route for each operation of the
 * table, and one for all of them by name. Only the owner of the workspace can
 * connect; what names an address (`as`) is read from there, other fields from the path
 * and the body.
 */
import { type Context, Hono, type HonoRequest } from "hono";
import { bodyLimit } from "hono/body-limit";
import { streamSSE } from "hono/streaming";
import { z } from "zod";
import { EXIT, MemdError, troubleOf } from "../model/errors.js";
import type { LogEvent } from "../platform/log.js";
import { invalidIn } from "../service/operations/operation.js";
import { SERVED } from "../service/runs.js";
import type { Served, Service } from "../service/served.js";

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
  app.get("/ping", (context) => context.json({ memd: true }));
  app.get("/events", (context) =>
    streamSSE(context, async (stream) => {
      const end = new Promise<void>((resolve) => stream.onAbort(resolve));
      const stopListening = listen((event) => void stream.writeSSE({ data: JSON.stringify(event) }));
      await end;
      stopListening();
    }),
  );
  const answer = async (operation: Served, given: unknown): Promise<Response> => {
    memd.parts.doing?.(operation.name);
    return Response.json(await operation.answer(service, given));
  };
  for (const operation of operations) {
    const [method = "", path = ""] = operation.call.split(" ");
    app.on(method, path, async ({ req }) => answer(operation, await fieldsIn(req, operation.input)));
  }
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  app.post("/operations/:name", async ({ req }) => {
    const operation = byName.get(req.param("name"));
    if (operation === undefined) throw new MemdError("usage", `There is no operation ${req.param("name")}.`);
    return answer(operation, await req.json());
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

/** Throws a ZodError or SyntaxError for a body that is no JSON object, and `usage` for what is given twice. */
async function fieldsIn(request: HonoRequest, input: z.ZodObject): Promise<unknown> {
  const shape: Readonly<Record<string, z.core.$ZodType>> = input.shape;
  const path: Readonly<Record<string, string>> = request.param();
  const address = request.method === "POST" ? {} : request.queries();
  const said = new Map(Object.entries(path).map(([name, text]) => [name, fromText(shape[name], text)]));
  for (const [name, [text = "", ...more]] of Object.entries(address)) {
    if (said.has(name) || more.length > 0) throw new MemdError("usage", `"${name}" is given more than once.`);
    said.set(name, fromText(shape[name], text));
  }
  const body = request.method === "POST" ? await request.text() : "";
  return { ...Object.fromEntries(said), ...(body === "" ? {} : object.parse(JSON.parse(body))) };
}

const object = z.record(z.string(), z.unknown());

/** In an address everything is text: `limit=3` is a number, and `memory_types=event,fact` a list, where the field is one. */
function fromText(field: z.core.$ZodType | undefined, text: string): unknown {
  if (field instanceof z.ZodExactOptional || field instanceof z.ZodReadonly)
    return fromText(field.unwrap(), text);
  if (field instanceof z.ZodNumber) return /^\d+$/.test(text) ? Number(text) : text;
  if (field instanceof z.ZodBoolean) return text === "true" || (text === "false" ? false : text);
  if (field instanceof z.ZodArray) return text.split(",");
  return text;
}
