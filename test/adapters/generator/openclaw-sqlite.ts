/**
 * OpenClaw's SQLite files: one agent with the newest tables, one of an earlier build, and beside the first the
 * JSONL files from which some of its sessions were taken over.
 */
import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { headerOf } from "./openclaw.js";
import { addRun, planOf, type Run } from "./openclaw-runs.js";
import { jsonLines, type Yard } from "./yard.js";

const AGENTS = ".openclaw/agents";
const NEWEST = `
  CREATE TABLE session_nodes (session_key TEXT NOT NULL PRIMARY KEY, current_session_id TEXT NOT NULL,
    entry_json TEXT NOT NULL, updated_at INTEGER NOT NULL, status TEXT, created_via TEXT) STRICT;
  CREATE TABLE session_windows (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL,
    previous_session_id TEXT, reason TEXT, channel TEXT, chat_type TEXT, started_at INTEGER,
    ended_at INTEGER) STRICT;
  CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT NOT NULL,
    created_at INTEGER NOT NULL, PRIMARY KEY (session_id, seq)) STRICT;`;
const EARLIER = `
  CREATE TABLE sessions (session_id TEXT PRIMARY KEY, created_at INTEGER, updated_at INTEGER);
  CREATE TABLE session_entries (session_key TEXT, session_id TEXT, entry_json TEXT, updated_at INTEGER);
  CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT NOT NULL,
    created_at INTEGER NOT NULL, PRIMARY KEY (session_id, seq));`;

type Build = "newest" | "earlier";

export function writeOpenClawSqlite(yard: Yard): string[] {
  const runs = planOf(yard, "main");
  // Every third of the talk belongs to the agent of the earlier build.
  const earlier = runs.filter((run, number) => run.what === "talk" && number % 3 === 1);
  const others = runs.filter((run) => !earlier.includes(run));
  writeAgent(yard, "main", "newest", others);
  for (const run of earlier) run.key = run.key?.replace("agent:main:", "agent:work:");
  writeAgent(yard, "work", "earlier", earlier);
  return [yard.at(".openclaw")];
}

function writeAgent(yard: Yard, agent: string, build: Build, runs: readonly Run[]): void {
  const file = `${AGENTS}/${agent}/agent/openclaw-agent.sqlite`;
  fs.mkdirSync(path.dirname(yard.at(file)), { recursive: true });
  const db = new DatabaseSync(yard.at(file));
  db.exec(`PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; ${build === "newest" ? NEWEST : EARLIER}`);
  db.exec("BEGIN");
  const previous = new Map<string, string>();
  for (const run of runs) {
    const key = run.key ?? "";
    const sessionId = writeRun(yard, db, run, key, build, previous.get(key));
    previous.set(key, sessionId);
  }
  db.exec("COMMIT");
  db.close();
  yard.countFile(file);
}

function writeRun(
  yard: Yard,
  db: InstanceType<typeof DatabaseSync>,
  run: Run,
  key: string,
  build: Build,
  previous: string | undefined,
): string {
  const { session, tree } = addRun(yard, run);
  const startsAt = (session.turns[0]?.at ?? 0) - 400;
  if (run.counts) tree.say(key);
  const header = headerOf(session.id, session.cwd, startsAt);
  const insert = db.prepare("INSERT INTO transcript_events VALUES (?, ?, ?, ?)");
  let seq = 0;
  for (const event of [header, ...tree.entries]) {
    insert.run(session.id, seq, JSON.stringify(event), startsAt + seq);
    seq += yard.happens("gaps between the numbers of events", 0.01) ? 2 : 1;
    if (seq > 2 && yard.happens("events that are no JSON", 0.004))
      insert.run(session.id, seq++, '{"type":"message","id":"00', startsAt + seq);
    if (seq > 2 && yard.happens("the same event twice", 0.004))
      insert.run(session.id, seq++, JSON.stringify(event), startsAt + seq);
  }
  const entry = JSON.stringify({ sessionId: session.id, updatedAt: session.endsAt, displayName: "Lin" });
  if (build === "newest") {
    const reason = previous === undefined ? "initial" : yard.random.pick(["reset", "rollover", "compaction"]);
    const channel = key.split(":")[2] ?? "main";
    db.prepare("INSERT INTO session_windows VALUES (?, ?, ?, ?, ?, ?, ?, ?)").run(
      ...[session.id, key, previous ?? null, reason, channel, "direct", startsAt, session.endsAt],
    );
    const via = run.what === "talk" ? "channel" : run.what === "cron" ? "cron" : "spawn";
    db.prepare("INSERT OR REPLACE INTO session_nodes VALUES (?, ?, ?, ?, ?, ?)").run(
      ...[key, session.id, entry, session.endsAt, "done", via],
    );
  } else {
    db.prepare("INSERT INTO sessions VALUES (?, ?, ?)").run(session.id, startsAt, session.endsAt);
    db.prepare("INSERT INTO session_entries VALUES (?, ?, ?, ?)").run(key, session.id, entry, session.endsAt);
  }
  if (run.counts && build === "newest" && yard.happens("JSONL files of sessions that were taken over", 0.1))
    yard.write(
      `${AGENTS}/main/sessions/session-sqlite-import-archive/${session.id}.jsonl`,
      jsonLines([header, ...tree.entries]),
    );
  return session.id;
}
