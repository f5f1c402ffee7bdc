/** What a request says, as the fields of an operation's input: from its path, its address, and its body. */
import type { HonoRequest } from "hono";
import { z } from "zod";
import { MemdError } from "../model/errors.js";

/** Throws a ZodError or SyntaxError for a body that is no JSON object, and `usage` for what is given twice. */
export async function fieldsIn(request: HonoRequest, input: z.ZodObject): Promise<unknown> {
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
