/** Values that a JSON schema of a document allows. Pure: fast-check draws them. */
import fc from "fast-check";
import { pointedAt, type Schema } from "./published.js";

/** Texts that a field of this name may be about; `attachments.path` is one inside another. */
export type Texts = (field: string) => readonly string[];

/** What is taken into account, and what only tells. */
const KNOWN = new Set([
  ...["$ref", "const", "enum", "anyOf", "oneOf", "type", "format", "pattern", "minLength", "maxLength"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "items", "prefixItems", "minItems"],
  ...["maxItems", "properties", "required", "additionalProperties", "propertyNames"],
  ...["description", "title", "default", "examples"],
]);
/** Arrays of what has no limit. */
const MOST_ITEMS = 4;

type Values = fc.Arbitrary<unknown>;

export interface Drawing {
  root: Schema;
  texts: Texts;
}

/** `field`: the name under which it stands. Throws for a word of JSON Schema that it does not know. */
export function valuesOf(schema: Schema, drawing: Drawing, field = ""): Values {
  const strange = Object.keys(schema).find((word) => !KNOWN.has(word));
  if (strange !== undefined) throw new Error(`Nothing is drawn for "${strange}" of a schema.`);
  const { $ref: pointer, enum: some, anyOf, oneOf, type } = schema;
  if (typeof pointer === "string") return valuesOf(pointedAt(drawing.root, pointer), drawing, field);
  if ("const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(some)) return fc.constantFrom(...(some as unknown[]));
  const ways = anyOf ?? oneOf;
  if (Array.isArray(ways)) return fc.oneof(...ways.map((way: Schema) => valuesOf(way, drawing, field)));
  const types = Array.isArray(type) ? (type as string[]) : [type];
  return fc.oneof(...types.map((one) => ofType(one, schema, drawing, field)));
}

function ofType(type: unknown, schema: Schema, drawing: Drawing, field: string): Values {
  switch (type) {
    case undefined:
      return fc.jsonValue({ maxDepth: 2 });
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "string":
      return textsOf(schema, drawing.texts(field));
    case "integer":
    case "number":
      return numbersOf(schema, type === "integer");
    case "array":
      return listsOf(schema, drawing, field);
    case "object":
      return objectsOf(schema, drawing, field);
    default:
      throw new Error(`Nothing is drawn for the type ${JSON.stringify(type)}.`);
  }
}

function numberIn(schema: Schema, name: string): number | undefined {
  const value = schema[name];
  return typeof value === "number" ? value : undefined;
}

function textsOf(schema: Schema, likely: readonly string[]): fc.Arbitrary<string> {
  const { format, pattern } = schema;
  if (format === "date-time")
    return fc
      .date({ min: new Date("1970-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
      .map((date) => date.toISOString());
  if (format !== undefined) throw new Error(`Nothing is drawn for the format ${JSON.stringify(format)}.`);
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern, "u"));
  const minLength = numberIn(schema, "minLength") ?? 0;
  const any = fc.string({ unit: "grapheme", minLength, maxLength: numberIn(schema, "maxLength") ?? 24 });
  const fitting = likely.filter((text) => text.length >= minLength);
  if (fitting.length === 0) return any;
  return fc.oneof({ arbitrary: fc.constantFrom(...fitting), weight: 9 }, { arbitrary: any, weight: 1 });
}

function numbersOf(schema: Schema, isWhole: boolean): fc.Arbitrary<number> {
  const [above, below] = [numberIn(schema, "exclusiveMinimum"), numberIn(schema, "exclusiveMaximum")];
  const min = numberIn(schema, "minimum") ?? above;
  const max = numberIn(schema, "maximum") ?? below;
  const inside = (value: number): boolean => value !== above && value !== below;
  const limits = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  return isWhole
    ? fc.integer(wholeLimits(limits)).filter(inside)
    : fc.double({ noNaN: true, noDefaultInfinity: true, ...limits }).filter(inside);
}

/** JSON Schema knows no greatest integer; fast-check's have 32 bits. */
function wholeLimits({ min = -(2 ** 31), max = 2 ** 31 - 1 }: { min?: number; max?: number }): {
  min: number;
  max: number;
} {
  return { min: Math.max(min, -(2 ** 31)), max: Math.min(max, 2 ** 31 - 1) };
}

function listsOf(schema: Schema, drawing: Drawing, field: string): Values {
  const { prefixItems, items } = schema;
  if (Array.isArray(prefixItems))
    return fc.tuple(...prefixItems.map((item: Schema) => valuesOf(item, drawing, field)));
  const minLength = numberIn(schema, "minItems") ?? 0;
  const maxLength = Math.min(numberIn(schema, "maxItems") ?? MOST_ITEMS, minLength + MOST_ITEMS);
  return fc.array(valuesOf((items ?? {}) as Schema, drawing, field), { minLength, maxLength });
}

function objectsOf(schema: Schema, drawing: Drawing, field: string): Values {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema["required"] ?? []) as readonly string[];
  const drawn = Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [
      name,
      valuesOf(one, drawing, field === "" ? name : `${field}.${name}`),
    ]),
  );
  const known = fc.record(drawn, { requiredKeys: [...required], noNullPrototype: true });
  const more = schema["additionalProperties"];
  if (more === undefined || more === false || more === true) return known;
  const others = fc.dictionary(fc.string(), valuesOf(more as Schema, drawing), { maxKeys: MOST_ITEMS });
  return fc.tuple(others, known).map(([beside, own]) => ({ ...beside, ...own }));
}
