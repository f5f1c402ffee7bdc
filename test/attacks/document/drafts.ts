/** A request as its call is published, before it is sent. Pure: fast-check draws them. */
import fc from "fast-check";
import type { Call, Schema } from "./published.js";
import { type Drawing, valuesOf } from "./values.js";

export type Fields = Readonly<Record<string, unknown>>;

export interface Draft {
  call: Call;
  method: string;
  /** By the name of the parameter. */
  path: Fields;
  query: Fields;
  body?: Fields;
  /** Instead of a body: text that need not be JSON. */
  raw?: string;
  contentType: string;
}

/** What is sent; without headers that every request has. */
export interface Sent {
  method: string;
  /** With the query. */
  address: string;
  contentType?: string;
  body?: string;
}

const JSON_TYPE = "application/json";

/** All that the document says is right. */
export function draftsOf(call: Call, drawing: Drawing): fc.Arbitrary<Draft> {
  const at = (place: string): fc.Arbitrary<Fields> => {
    const here = call.parameters.filter((one) => one.in === place);
    const drawn = here.map(({ name, schema }) => [name, valuesOf(schema, drawing, name)] as const);
    const requiredKeys = here.filter(({ required }) => required).map(({ name }) => name);
    return fc.record(Object.fromEntries(drawn), { requiredKeys, noNullPrototype: true });
  };
  const bodies = call.body === undefined ? fc.constant(undefined) : bodiesOf(call.body, drawing);
  return fc.record({ path: at("path"), query: at("query"), body: bodies }).map(({ path, query, body }) => ({
    call,
    method: call.method,
    path,
    query,
    ...(body !== undefined && { body }),
    contentType: JSON_TYPE,
  }));
}

function bodiesOf(
  { schema, isRequired }: { schema: Schema; isRequired: boolean },
  drawing: Drawing,
): fc.Arbitrary<Fields | undefined> {
  const drawn = valuesOf(schema, drawing) as fc.Arbitrary<Fields>;
  return isRequired ? drawn : fc.option(drawn, { nil: undefined });
}

/** A body is sent only by a method that has one. */
export function sentOf({ call, method, path, query, body, raw, contentType }: Draft): Sent {
  const place = call.template.replace(/\{(\w+)\}/g, (_all, name: string) => encoded(textOf(path[name])));
  const fields = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(textOf(value))}`);
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const hasBody = text !== undefined && !["GET", "HEAD"].includes(method.toUpperCase());
  return {
    method,
    address: fields.length === 0 ? place : `${place}?${fields.join("&")}`,
    ...((hasBody || method === "POST") && { contentType }),
    ...(hasBody && { body: text }),
  };
}

/** In an address everything is text, and a list has commas (`style: form`, `explode: false`). */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map(textOf).join(",") : (JSON.stringify(value) ?? "");
}

/** What is percent-encoded wrongly, and stands so in an address. */
export const BROKEN_CODES = ["%", "%zz", "%E0%A4%A", "%00", "%ff"] as const;

/** Half a character cannot stand in an address. */
function encoded(text: string): string {
  return BROKEN_CODES.some((code) => code === text) ? text : encodeURIComponent(text.toWellFormed());
}
