/** What an OpenAPI document publishes: its calls, with what goes in and what comes out. Pure. */
import * as z from "zod";

export type Schema = Readonly<Record<string, unknown>>;

const schema = z.record(z.string(), z.unknown());
const content = z.record(z.string(), z.looseObject({ schema }));
const response = z.union([
  z.strictObject({ $ref: z.string() }),
  z.looseObject({ content: content.exactOptional() }),
]);
const parameter = z.looseObject({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean().default(false),
  schema,
});
const operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(parameter).default([]),
  requestBody: z.looseObject({ required: z.boolean().default(false), content }).exactOptional(),
  responses: z.record(z.string(), response),
  "x-errors": z.array(z.string()).exactOptional(),
});
const document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), schema) }),
});

export type Parameter = z.output<typeof parameter>;

export interface Call {
  name: string;
  /** In capital letters. */
  method: string;
  /** `/queue/{id}`. */
  template: string;
  parameters: readonly Parameter[];
  body?: { schema: Schema; isRequired: boolean };
  /** Of the 200 answer, by its type. */
  answers: Readonly<Record<string, Schema>>;
  /** Codes that it may be answered with, where they are told. */
  errors?: readonly string[];
}

export interface Published {
  document: Schema;
  calls: readonly Call[];
}

/** Throws a ZodError for what is no such document. */
export function publishedIn(given: unknown): Published {
  const { paths } = document.parse(given);
  const calls = Object.entries(paths).flatMap(([template, byMethod]) =>
    Object.entries(byMethod).map(([method, told]): Call => {
      const { operationId: name, parameters, requestBody, responses, "x-errors": errors } = told;
      const body = requestBody?.content["application/json"]?.schema;
      const good = responses["200"];
      const types = good !== undefined && "content" in good ? good.content : undefined;
      return {
        name,
        method: method.toUpperCase(),
        template,
        parameters,
        answers: Object.fromEntries(Object.entries(types ?? {}).map(([type, one]) => [type, one.schema])),
        ...(body !== undefined && { body: { schema: body, isRequired: requestBody?.required === true } }),
        ...(errors !== undefined && { errors }),
      };
    }),
  );
  return { document: schema.parse(given), calls };
}

/** The call that a request is one of, as the document says it; a HEAD is a GET without its body. */
export function callAt({ calls }: Published, method: string, path: string): Call | undefined {
  const verb = method === "HEAD" ? "GET" : method;
  const given = path.split("/");
  const isAt = ({ template }: Call): boolean => {
    const wanted = template.split("/");
    return (
      wanted.length === given.length &&
      wanted.every((part, at) => (part.startsWith("{") ? given[at] !== "" : part === given[at]))
    );
  };
  return calls.find((call) => call.method === verb && isAt(call));
}

/** What a pointer such as `#/components/schemas/Hit` points to. */
export function pointedAt(root: Schema, pointer: string): Schema {
  const names = pointer.replace(/^#\//, "").split("/");
  return names.reduce((at, name) => schema.parse(at[name.replace(/~1/g, "/").replace(/~0/g, "~")]), root);
}
