/**
 * The store of an OpenClaw agent: entries as pi writes them, by session, in SQLite. Which
 * tables tell of the sessions depends on its version.
 *
 * Reads only. What it says to itself (timers, heartbeats, subagents) is nobody's talk.
 */
import type { Database } from "../../platform/sqlite.js";
import { entryOf, groupBy } from "../../model/collections.js";
import { type Fields, isFields } from "../fields.js";
import { isOfItself } from "./keys.js";
import { readPi } from "../pi/session.js";
import type { Conversation, Skipped } from "../told.js";

export function isOpenClawStore(db: Database): boolean {
  return tablesOf(db).has("transcript_events");
}

export function readOpenClaw(db: Database, skipped: Skipped): Conversation[] {
  const keys = keysOf(db);
  const rows = db
    .prepare("SELECT session_id, event_json FROM transcript_events ORDER BY session_id, seq")
    .all();
  return [...groupBy(rows, (row) => String(row["session_id"]))].flatMap(([session, events]) => {
    const own = [...(keys.get(session) ?? [])];
    if (own.some(isOfItself)) {
      skipped.note("talk of the agent with itself");
      return [];
    }
    const entries = events.flatMap((row) => parsed(row["event_json"], skipped));
    return readPi(entries, session, skipped).map(({ messages }) => ({ id: own[0] ?? session, messages }));
  });
}

function parsed(json: unknown, skipped: Skipped): Fields[] {
  try {
    const value: unknown = JSON.parse(String(json));
    if (isFields(value)) return [value];
  } catch {
    // Counted like what is JSON and no entry.
  }
  skipped.note("entries that cannot be read");
  return [];
}

const KEYED = [
  ["session_windows", "session_id"],
  ["session_nodes", "current_session_id"],
  ["session_entries", "session_id"],
  ["sessions", "session_id"],
] as const;

/** Under which keys a session was spoken in. */
function keysOf(db: Database): Map<string, Set<string>> {
  const keys = new Map<string, Set<string>>();
  for (const [table, session] of KEYED) {
    if (!columnsOf(db, table).has("session_key") || !columnsOf(db, table).has(session)) continue;
    for (const row of db.prepare(`SELECT ${session} AS session, session_key FROM ${table}`).all())
      entryOf(keys, String(row["session"]), () => new Set<string>()).add(String(row["session_key"]));
  }
  return keys;
}

function tablesOf(db: Database): Set<string> {
  return new Set(
    db
      .prepare("SELECT name FROM sqlite_master")
      .all()
      .map(({ name }) => String(name)),
  );
}

function columnsOf(db: Database, table: (typeof KEYED)[number][0]): Set<string> {
  return new Set(
    db
      .prepare(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => String(name)),
  );
}
