/** docs/SETTINGS.md, as it follows from the schema of the settings. */
import * as z from "zod";
import { settingsSchema } from "../../src/model/settings.js";
import { reloads } from "../../src/model/settings-changes.js";

interface JsonSchema {
  type?: string;
  description?: string;
  default?: unknown;
  properties?: Record<string, JsonSchema>;
  enum?: readonly string[];
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

/** One setting, by its dotted key. */
export interface Setting {
  key: string;
  type: string;
  default: unknown;
  unit: string;
  meaning: string;
}

const HEAD = `# Settings

\`memd.toml\` stands at the top of a workspace. Every setting may be left out, and so may the file. \`memd config check\` says whether it is valid, and on which line it is not.

memd looks at the file while it runs. A setting that *reloads* counts from the next moment on; of every other one \`memd status\` says \`restart needed\` with its name until memd is started again. A file that is wrong changes nothing: the log and \`memd status\` say what is wrong on which line, and what counted before goes on.

\`npm run settings\` writes this page from the schema in \`src/model/settings.ts\`.
`;

export function settingsPage(): string {
  const tables = new Map<string, Setting[]>();
  for (const setting of allSettings()) {
    const [first = "", ...rest] = setting.key.split(".");
    const table = rest.length === 0 ? "" : first;
    tables.set(table, [...(tables.get(table) ?? []), setting]);
  }
  const parts = [...tables].map(([table, settings]) => {
    const title = table === "" ? "## At the top" : `## ${table}`;
    const rows = settings.map((setting) => `| ${cellsOf(setting).join(" | ")} |`);
    return [
      title,
      "",
      "| setting | type | default | unit | counts | meaning |",
      "|---|---|---|---|---|---|",
      ...rows,
    ].join("\n");
  });
  return `${[HEAD.trimEnd(), ...parts].join("\n\n")}\n`;
}

export function allSettings(): Setting[] {
  return collected(z.toJSONSchema(settingsSchema, { io: "input" }) as JsonSchema, []);
}

function collected(schema: JsonSchema, trail: readonly string[]): Setting[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const path = [...trail, name];
    if (inner.properties !== undefined) return collected(inner, path);
    const { default: value, description: meaning = "" } = inner;
    const unit = isNumber(inner.items ?? inner) ? unitOf(path) : "";
    return [{ key: path.join("."), type: typeOf(inner), default: value, unit, meaning }];
  });
}

function isNumber({ type }: JsonSchema): boolean {
  return type === "integer" || type === "number";
}

function cellsOf({ key, type, default: value, unit, meaning }: Setting): string[] {
  const shown = value === undefined ? "–" : `\`${JSON.stringify(value).replaceAll(",", ", ")}\``;
  const counts = reloads(key) ? "reloads" : "after a restart";
  return [`\`${key}\``, type, shown, unit === "" ? "–" : unit, counts, meaning].map((cell) =>
    cell.replaceAll("|", "\\|"),
  );
}

/** The largest whole number that is one; a schema says it of every whole number. */
const MOST = Number.MAX_SAFE_INTEGER;

function typeOf({ type, enum: values, items, ...range }: JsonSchema): string {
  if (values !== undefined) return values.map((value) => `\`"${value}"\``).join(", ");
  if (type === "array") return `list of: ${items === undefined ? "anything" : typeOf(items)}`;
  if (type === "boolean") return "`true`, `false`";
  if (type === "string") return "text";
  const { minimum, exclusiveMinimum, maximum = MOST } = range;
  const least =
    minimum === undefined || minimum <= -MOST ? `above ${exclusiveMinimum ?? "–"}` : `from ${minimum}`;
  return `${type === "integer" ? "whole number" : "number"} ${least}${maximum >= MOST ? "" : ` to ${maximum}`}`;
}

/** Of a number, as its name says. */
const UNITS = ["tokens", "messages", "chars", "seconds", "minutes", "hours", "days", "mb", "rounds", "files"];

function unitOf(path: readonly string[]): string {
  const words = path.flatMap((name) => name.split("_")).toReversed();
  const unit = words.find((word) => UNITS.includes(word)) ?? "";
  return { mb: "MB", chars: "characters", rounds: "exchanges" }[unit] ?? unit;
}
