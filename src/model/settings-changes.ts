/** What a change of `memd.toml` means to a memd that runs. Pure. */
import type { Settings } from "./settings.js";

/** The tables that are looked at anew wherever they are used: a change of them counts at once. */
const LIVE_TABLES = ["recall", "cognitive", "historian", "context", "agents"] as const;

/** Whether a change of this setting counts without a restart. */
export function reloads(key: string): boolean {
  const [table] = key.split(".");
  return LIVE_TABLES.some((live) => live === table);
}

/** What counts of the changed settings: all of the live tables, and nothing else. */
export function liveOf(changed: Settings): Pick<Settings, (typeof LIVE_TABLES)[number]> {
  const { recall, cognitive, historian, context, agents } = changed;
  return { recall, cognitive, historian, context, agents };
}

/** Settings with another value, by their keys, `context.tokens.memory`, in the order of their tables. */
export function changedKeys(before: Settings, after: Settings): string[] {
  return differing(before, after, "");
}

function differing(before: unknown, after: unknown, key: string): string[] {
  if (!isTable(before) || !isTable(after))
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [key];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    differing(before[name], after[name], key === "" ? name : `${key}.${name}`),
  );
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
