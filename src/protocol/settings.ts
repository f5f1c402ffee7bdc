/** `memd.toml`: read, checked, and explained by line when it is wrong; works when absent. */
import { parse, TomlError } from "smol-toml";
import { MemdError } from "../model/errors.js";
import { type Settings, settingsSchema } from "../model/settings.js";
import type { Disk } from "../platform/disk.js";
import { readText } from "./publish.js";
import { at, FILES, type Workspace } from "./workspace.js";

/** Throws `settings_invalid` with the line in the sentence. */
export async function readSettings(disk: Disk, workspace: Workspace): Promise<Settings> {
  let text: string | undefined;
  try {
    text = await readText(disk, at(workspace, FILES.settings));
  } catch (error) {
    const isFolder = (await disk.stat(at(workspace, FILES.settings)))?.kind !== "file";
    if (!isFolder && !(error instanceof SyntaxError)) throw error;
    const what = isFolder ? "is not a file" : "is not UTF-8 text";
    throw new MemdError("settings_invalid", `${FILES.settings} ${what}.`, { cause: error });
  }
  return parseSettings(text ?? "");
}

export function parseSettings(text: string): Settings {
  const parsed = settingsSchema.safeParse(parseToml(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).map(String);
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const full = unknown === undefined ? path : [...path, unknown];
  const what = unknown === undefined ? (issue?.message ?? "is not valid") : "is not a setting of memd";
  throw new MemdError(
    "settings_invalid",
    `${FILES.settings}, line ${lineOf(text, full)}: ${full.join(".")}: ${what}.`,
  );
}

function parseToml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = "is not valid TOML"] = error.message.split("\n");
    throw new MemdError(
      "settings_invalid",
      `${FILES.settings}, line ${error.line}, column ${error.column}: ${first}.`,
      {
        cause: error,
      },
    );
  }
}

/** The line on which a setting stands: under its [table], its key. 1 when it cannot be told. */
function lineOf(text: string, path: readonly string[]): number {
  let table = "";
  let best = 1;
  const wanted = path.filter((part) => !/^\d+$/.test(part)).join(".");
  for (const [index, line] of text.split("\n").entries()) {
    const header = /^\s*\[+([^[\]]+)\]/.exec(line);
    if (header !== null) table = (header[1] ?? "").replaceAll(/["'\s]/g, "");
    const key = /^\s*([A-Za-z0-9_."'-]+)\s*=/.exec(line)?.[1]?.replaceAll(/["']/g, "");
    const here =
      header !== null ? table : key === undefined ? undefined : table === "" ? key : `${table}.${key}`;
    if (here === undefined) continue;
    if (here === wanted) return index + 1;
    if (wanted.startsWith(`${here}.`)) best = index + 1;
  }
  return best;
}
