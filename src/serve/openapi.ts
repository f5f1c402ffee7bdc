/**
 * The table of operations as an OpenAPI 3.1 document, for programs that read no docs. Pure: whatever
 * stands in a row stands here, in the same words.
 */
import * as z from "zod";
import { type ErrorCode, ERRORS } from "../model/errors.js";
import { type Access, type Operation, reader } from "../service/operations/operation.js";
import * as shapes from "../service/operations/shapes.js";

type Schema = Record<string, unknown>;

/** What any call may be answered with. */
const COMMON = ["usage", "refused", "rate_limited", "not_running", "disk_fault", "internal"] as const;

const FOR: Readonly<Record<Access, string>> = {
  owner: "For the owner",
  viewer: "For the owner and for viewers",
};
const PROBLEMS = {
  "4XX": { $ref: "#/components/responses/Problem" },
  "5XX": { $ref: "#/components/responses/Problem" },
};

const STYLE = {
  target: "draft-2020-12",
  unrepresentable: "any",
  override: ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Schema }): void => {
    delete jsonSchema["readOnly"];
    if (zodSchema._zod.def.type !== "date") return;
    Object.assign(jsonSchema, { type: "string", format: "date-time" });
  },
} as const;

type Row = Operation & { name: string };

/** `version` is memd's. */
export function openapiOf(table: readonly Row[], version: string): Schema {
  const rows = [...table].sort((one, other) => (one.call < other.call ? -1 : 1));
  return {
    openapi: "3.1.1",
    info: {
      title: "memd",
      version,
      summary: "A memory made of plain files for an AI agent.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "http://127.0.0.1:{port}", variables: { port: { default: "7337" } } }],
    security: [{ token: [] }],
    paths: pathsOf(rows),
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "The owner's, in `.memd/token`, or a viewer's, of `memd token add`.",
        },
      },
      responses: { Problem: { description: "Why not, and what to do.", content: json(ref("Problem")) } },
      schemas: { Problem: problemSchema(), ...answerSchemas(rows) },
    },
  };
}

function pathsOf(rows: readonly Row[]): Record<string, Schema> {
  const paths: Record<string, Schema> = {};
  for (const row of rows) {
    const [method = "", path = ""] = row.call.split(" ");
    const template = path.replace(/:(\w+)/g, "{$1}");
    paths[template] = { ...paths[template], [method.toLowerCase()]: described(row, template) };
  }
  const isOwners = rows.some(({ access }) => access === "owner");
  for (const [path, { access, get }] of Object.entries(BESIDES))
    if (isOwners || access === "viewer")
      paths[path] = { get: { ...get, responses: { ...get.responses, ...PROBLEMS } } };
  return paths;
}

function described(operation: Row, path: string): Schema {
  const { name, call, summary, access, errors = [] } = operation;
  const { properties, required } = inputOf(operation);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, field = ""]) => field);
  const others = Object.keys(properties).filter((field) => !inPath.includes(field));
  const isAsked = !call.startsWith("POST");
  const parameters = [
    ...inPath.map((field) => ({ name: field, in: "path", required: true, schema: properties[field] })),
    ...(isAsked ? others.map((field) => inQuery(field, properties[field] ?? {}, required)) : []),
  ];
  const codes = [...COMMON, ...errors.filter((code) => !COMMON.some((one) => one === code))];
  return {
    operationId: name,
    tags: [path.split("/")[1] ?? ""],
    summary: FOR[access],
    description: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ...(parameters.length > 0 && { parameters }),
    ...(!isAsked && { requestBody: bodyOf(operation, others, { properties, required }) }),
    responses: {
      "200": { description: "The answer.", content: json(ref(answerName(name))) },
      ...PROBLEMS,
    },
    "x-errors": codes,
  };
}

interface Fields {
  properties: Readonly<Record<string, Schema>>;
  required: readonly string[];
}

/** With `as`, where it is asked on somebody's behalf. */
function inputOf({ input, access }: Operation): Fields {
  const { properties = {}, required = [] } = schemaOf(input, "input") as Partial<Fields>;
  return { properties: access === "viewer" ? { ...properties, as: readerSchema() } : properties, required };
}

function readerSchema(): Schema {
  return { ...schemaOf(reader, "input"), description: "On whose behalf; left out, the owner reads." };
}

/** In an address everything is text, and a list has commas. */
function inQuery(name: string, schema: Schema, required: readonly string[]): Schema {
  const isList = schema["type"] === "array";
  return {
    name,
    in: "query",
    required: required.includes(name),
    schema: name === "as" ? { type: "string" } : schema,
    ...(isList && { style: "form", explode: false }),
  };
}

function bodyOf({ example }: Operation, names: readonly string[], { properties, required }: Fields): Schema {
  const fields = Object.fromEntries(names.map((name) => [name, properties[name]]));
  const needed = required.filter((name) => names.includes(name));
  const schema = {
    type: "object",
    properties: fields,
    ...(needed.length > 0 && { required: needed }),
    additionalProperties: false,
  };
  return {
    required: needed.length > 0,
    content: { "application/json": { schema, ...(example !== undefined && { example }) } },
  };
}

/** What several answers are made of has a name of its own. */
function answerSchemas(rows: readonly Row[]): Record<string, Schema> {
  const registry = z.registry<{ id: string }>();
  for (const [name, shape] of Object.entries(shapes).sort()) registry.add(shape, { id: capitalised(name) });
  for (const { name, output } of rows)
    if (registry.get(output) === undefined) registry.add(output, { id: answerName(name) });
  const { schemas } = z.toJSONSchema(registry, { ...STYLE, io: "output", uri: refTo });
  const made = Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutOwnId(schema)]));
  // Two rows that answer alike have one schema; each is known by its own name all the same.
  for (const { name, output } of rows) made[answerName(name)] ??= ref(registry.get(output)?.id ?? "");
  return made;
}

function withoutOwnId({ $id: _id, $schema: _schema, ...schema }: Schema): Schema {
  return schema;
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Schema {
  return withoutOwnId(z.toJSONSchema(schema, { ...STYLE, io }));
}

function problemSchema(): Schema {
  const code = z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]);
  return schemaOf(z.object({ error: z.object({ code, message: z.string(), advice: z.string() }) }), "output");
}

interface Beside {
  access: Access;
  get: Schema & { responses: Schema };
}

/** What is asked over HTTP and is no operation. */
const BESIDES: Readonly<Record<string, Beside>> = {
  "/ping": {
    access: "viewer",
    get: {
      operationId: "ping",
      tags: ["ping"],
      summary: FOR.viewer,
      description: "Whether memd is there, at once, whatever else goes on.",
      responses: {
        "200": {
          description: "It is.",
          content: json({ type: "object", properties: { memd: { const: true } }, required: ["memd"] }),
        },
      },
    },
  },
  "/openapi.json": {
    access: "viewer",
    get: {
      operationId: "openapi",
      tags: ["openapi.json"],
      summary: FOR.viewer,
      description: "This document: what whoever asks for it may ask.",
      responses: { "200": { description: "The document.", content: json({ type: "object" }) } },
    },
  },
  "/metrics": {
    access: "owner",
    get: {
      operationId: "metrics",
      tags: ["metrics"],
      summary: FOR.owner,
      description: "The figures of the status, for Prometheus.",
      responses: {
        "200": {
          description: "Text format 0.0.4.",
          content: { "text/plain": { schema: { type: "string" } } },
        },
      },
    },
  },
  "/events": {
    access: "owner",
    get: {
      operationId: "events",
      tags: ["events"],
      summary: FOR.owner,
      description:
        "What happens, as server-sent events: one for each event of the log, with an `id`. With the header `Last-Event-ID` what came since is sent first; where nobody can tell any more, an event `missed`.",
      parameters: [{ name: "Last-Event-ID", in: "header", schema: { type: "string" } }],
      responses: {
        "200": { description: "A stream.", content: { "text/event-stream": { schema: { type: "string" } } } },
      },
    },
  },
};

function json(schema: Schema): Schema {
  return { "application/json": { schema } };
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`;
}

function ref(name: string): Schema {
  return { $ref: refTo(name) };
}

function answerName(operation: string): string {
  return `${capitalised(operation)}Answer`;
}

function capitalised(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
