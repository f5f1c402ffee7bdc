/**
 * What a request asks with: the fields of its path, its address and its body
 * together, whatever its method, so that no name which stands in another place
 * than usual (`?as=lin` of a POST, a body of a DELETE) is passed over.
 */
import type { HonoRequest } from "hono";
import * as z from "zod";
import { MemdError } from "../model/errors.js";
import { parseJson } from "../platform/json.js";
import { readStream, release } from "../platform/read-file.js";

/** Whatever its path is. */
type Asked = Pick<HonoRequest<"/">, "method" | "header" | "queries" | "arrayBuffer" | "raw">;

/**
 * `path`: fields that its path has. Throws `usage` for what is given twice or is in
 * no place of its own, a SyntaxError or ZodError for a body that is no JSON object.
 */
export async function fieldsIn(
  request: Asked,
  input: z.ZodObject,
  path: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const shape: Readonly<Record<string, z.core.$ZodType>> = input.shape;
  const said = new Map<string, unknown>();
  const take = (name: string, value: unknown): void => {
    if (said.has(name)) throw new MemdError("usage", `"${name}" is given more than once.`);
    said.set(name, value);
  };
  for (const [name, text] of Object.entries(path)) take(name, fromText(shape[name], text));
  for (const [name, texts] of Object.entries(request.queries()))
    for (const text of texts) take(name, fromText(shape[name], text));
  const body = await bodyOf(request);
  if (body.byteLength > 0) {
    const value = await parseJson(body).finally(() => release(body));
    for (const [name, field] of Object.entries(object.parse(value))) take(name, field);
  }
  return Object.fromEntries(said);
}

/** What has no fields is not asked with any. Throws `usage`. */
export async function ensureNoFields(request: Asked): Promise<void> {
  const [name] = Object.keys(await fieldsIn(request, z.object({}), {}));
  if (name !== undefined) throw new MemdError("usage", `"${name}" is no field of this call.`);
}

const object = z.record(z.string(), z.unknown());

/** Whether a body comes with it: its length may not be known before. */
export function hasBody(header: (name: string) => string | undefined): boolean {
  return (header("content-length") ?? "0") !== "0" || header("transfer-encoding") !== undefined;
}

/** From so many bytes on a body is worth being given back before the collector comes. */
const LONG_BYTES = 1024 * 1024;

async function bodyOf(request: Asked): Promise<Uint8Array> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    const bytes = Number(request.header("content-length"));
    const long = bytes >= LONG_BYTES ? request.raw.body : null;
    return long === null ? new Uint8Array(await request.arrayBuffer()) : readStream(long, bytes);
  }
  if (hasBody((name) => request.header(name)))
    throw new MemdError("usage", "A GET has no body: its fields stand in the address.");
  return new Uint8Array();
}

/** In an address everything is text: `limit=3` is a number, and `memory_types=event,fact` a list, where the field is one. */
function fromText(field: z.core.$ZodType | undefined, text: string): unknown {
  if (field instanceof z.ZodExactOptional || field instanceof z.ZodReadonly)
    return fromText(field.unwrap(), text);
  if (field instanceof z.ZodNumber) return /^\d+$/.test(text) ? Number(text) : text;
  if (field instanceof z.ZodBoolean) return text === "true" || (text === "false" ? false : text);
  if (field instanceof z.ZodArray) return text.split(",");
  return text;
}
