/** Takes the lines of forgotten messages out of the journal. */
import type { MessageKey, ScopeId } from "../model/address.js";
import { pacer } from "../platform/clock.js";
import type { Forgotten } from "../protocol/forgotten.js";
import {
  journalPaths,
  parseJournalEntry,
  printJournalEntry,
  type JournalEntry,
} from "../protocol/journal.js";
import { publish } from "../protocol/publish.js";
import { at } from "../protocol/workspace.js";
import type { ArchiveContext } from "./context.js";
import { goneFrom } from "./identity.js";

/** Lines are left blank, so that every other one keeps its number. */
export async function forgetLines(
  context: ArchiveContext,
  gone: Forgotten,
  scopes: readonly ScopeId[],
): Promise<void> {
  const { writer, workspace, clock } = context;
  const pace = pacer(clock);
  for (const path of await journalPaths(writer.disk, workspace)) {
    const text = new TextDecoder().decode((await writer.disk.read(at(workspace, path))) ?? new Uint8Array());
    const kept: string[] = [];
    for (const raw of text.split("\n")) {
      kept.push(keptLine(raw, gone, scopes));
      await pace();
    }
    const next = kept.join("\n");
    if (next !== text) await publish(writer, at(workspace, path), next);
  }
}

function keptLine(raw: string, gone: Forgotten, scopes: readonly ScopeId[]): string {
  if (raw.trim() === "") return raw;
  let value: unknown;
  try {
    value = JSON.parse(raw.replace(/^\ufeff+/, ""));
  } catch {
    // Torn by a crash: what it holds of a message is no more than that message's.
    const id = jsonText(/"id":("(?:[^"\\]|\\.)*")/.exec(raw)?.[1]);
    return id !== undefined && gone.hasId(id, scopes) ? "" : raw;
  }
  const entry = parseJournalEntry(value);
  if (entry === undefined) return raw;
  const left = remaining(entry, gone);
  if (left === entry) return raw;
  return left === undefined ? "" : printJournalEntry(left).join("");
}

function remaining(entry: JournalEntry, gone: Forgotten): JournalEntry | undefined {
  const has = (key: MessageKey, place?: string): boolean => gone.hasMessage(key, place);
  switch (entry.op) {
    case "message":
      return goneFrom(gone)(entry.filed) ? undefined : entry;
    case "alias":
      return has(entry.of) || has(entry.key) ? undefined : entry;
    case "settled": {
      const keys = entry.keys.filter(({ key, place }) => !has(key, place));
      if (keys.length === entry.keys.length) return entry;
      return keys.length === 0 ? undefined : { op: "settled", keys };
    }
    case "removed":
    case "restored": {
      const keys = entry.keys.filter((key) => !has(key));
      if (keys.length === entry.keys.length) return entry;
      return keys.length === 0 ? undefined : { op: entry.op, keys };
    }
    default:
      return entry satisfies never;
  }
}

function jsonText(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : String(JSON.parse(text));
  } catch {
    // No text either.
    return undefined;
  }
}
