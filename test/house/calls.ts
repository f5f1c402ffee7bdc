/** The table of calls in docs/PROTOCOL.md, as it follows from the table of operations. */
import { TOOLS } from "../../src/serve/mcp/tools.js";
import * as z from "zod";
import type { Operation } from "../../src/service/operations/operation.js";

/** Beyond so many fields their own are not told. */
const MOST_NESTED = 3;

/** By path. */
export function callsTable(operations: readonly (Operation & { name: string })[]): string[][] {
  return operations
    .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
    .map((operation) => [
      `\`${operation.call}\``,
      `\`${operation.name}\``,
      takes(operation),
      gives(operation),
    ]);
}

function placeOf({ call }: Operation): string {
  const [method = "", path = ""] = call.split(" ");
  return `${path} ${["GET", "POST", "DELETE"].indexOf(method)}`;
}
function takes({ call, input, access }: Operation): string {
  const inPath = (name: string): boolean => call.split("/").includes(`:${name}`);
  const fields = Object.entries<z.ZodType>(input.shape).flatMap(([name, field]) =>
    inPath(name) ? [] : [`"${name}"${isOptional(field) ? "?" : ""}`],
  );
  if (access === "viewer") fields.push('"as"?');
  if (fields.length === 0) return "";
  return call.startsWith("POST ")
    ? `\`{${fields.join(", ")}}\``
    : `in the address: ${fields.map((field) => `\`${field.replace(/["?]/g, "")}\``).join(", ")}`;
}

function gives({ output, summary }: Operation): string {
  const shape = printed(output, true);
  return shape === "" ? summary : `\`${shape}\`: ${summary}`;
}

function printed(type: z.core.$ZodType, isOuter: boolean): string {
  if (type instanceof z.ZodExactOptional || type instanceof z.ZodReadonly || type instanceof z.ZodNullable)
    return printed(type.unwrap(), isOuter);
  if (type instanceof z.ZodArray) {
    const inner = printed(type.unwrap(), false);
    return inner === "" ? "" : `[${inner}]`;
  }
  if (!(type instanceof z.ZodObject)) return "";
  const fields = Object.entries<z.ZodType>(type.shape);
  const nests = isOuter && fields.length <= MOST_NESTED;
  const parts = fields.map(([name, field]) => {
    const inner = nests ? printed(field, false) : "";
    return `"${name}"${isOptional(field) ? "?" : ""}${inner === "" ? "" : `: ${inner}`}`;
  });
  return `{${parts.join(", ")}}`;
}

function isOptional(field: z.ZodType): boolean {
  return field.safeParse(undefined).success || field instanceof z.ZodExactOptional;
}

/** The tools of docs/MCP.md, in the order in which an agent is shown them. */
export function toolsTable(): string[][] {
  return TOOLS.map(({ name, access, description }) => [`\`${name}\``, access, description]);
}
