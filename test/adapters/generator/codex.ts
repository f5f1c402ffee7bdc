/**
 * Codex: rollouts in folders of days, plain or compressed, with forks, subagents, archived ones, and sessions
 * that Codex took over from Claude Code.
 */
import { Rollout, type Build, type Line } from "./codex-lines.js";
import { addNoise } from "./codex-noise.js";
import type { Session, Turn } from "./talk.js";
import { iso, jsonLines, type Yard } from "./yard.js";
import { zstdFrames } from "./zstd.js";

const HOME = ".codex";
const COPY_BYTES = 2_000_000;
/** The path speaks local time. */
const LOCAL_OFFSET_MS = 8 * 3_600_000;

type Meta = Record<string, unknown>;

export function writeCodex(yard: Yard, compressed: boolean): string[] {
  const index: object[] = [];
  const taken: string[] = [];
  for (let number = 0; number < yard.sessions; number++) {
    const session = yard.talk.session();
    const rollout = rolloutOf(yard, session, {});
    index.push({ id: rollout.id, thread_name: session.title, updated_at: iso(session.endsAt) });
    if (yard.happens("sessions taken over from Claude Code", 0.04)) {
      taken.push(rollout.id);
      writeRollout(yard, rollout, session, compressed);
    } else if (yard.happens("forks whose parent is gone", 0.04)) {
      writeFork(yard, rollout, session, true, compressed);
    } else {
      say(yard, rollout.id, rollout);
      writeParent(yard, rollout, session, compressed);
      if (yard.happens("forks with a second session_meta and fresh times", 0.08))
        writeFork(yard, rollout, session, false, compressed);
      if (yard.happens("subagent files", 0.15)) writeSubagent(yard, rollout, session, compressed);
    }
  }
  writeLedgers(yard, index, taken);
  return [yard.at(HOME)];
}

function rolloutOf(yard: Yard, session: Session, meta: Meta): Rollout {
  const build = yard.random.pick<Build>(["events", "items", "items", "bare"]);
  yard.odd(`sessions of the build that writes ${build}`);
  const rollout = new Rollout(yard, session.id, build);
  rollout.add("session_meta", (session.turns[0]?.at ?? 0) - 900, { ...metaOf(session), ...meta });
  const change = yard.happens("resumed under a newer build", 0.06)
    ? yard.random.between(1, session.turns.length)
    : -1;
  session.turns.forEach((turn, number) => {
    if (number === change) rollout.build = "items";
    addTurn(yard, rollout, turn, session.cwd);
  });
  return rollout;
}

function addTurn(yard: Yard, rollout: Rollout, turn: Turn, cwd: string): void {
  const there = yard.happens("working directory changes", 0.03) ? `${cwd}/packages` : cwd;
  rollout.turn(turn, there);
  addNoise(yard, rollout, (turn.steps.at(-1)?.at ?? turn.at) + 650);
}

function metaOf(session: Session): Meta {
  return {
    id: session.id,
    session_id: session.id,
    timestamp: iso((session.turns[0]?.at ?? 0) - 900),
    cwd: session.cwd,
    originator: "codex_cli",
    cli_version: "0.153.0",
    source: "cli",
    base_instructions: { text: "You are an agent. This was typed by no one." },
    git: { branch: "main", commit_hash: "0f0f0f" },
  };
}

function say(yard: Yard, conversation: string, rollout: Rollout): void {
  for (const said of rollout.said) yard.say(conversation, said.role, said.text, said.at);
}

/** The parent's lines with the time of the copying, its own session_meta among them, then new turns. */
function writeFork(
  yard: Yard,
  parent: Rollout,
  session: Session,
  orphan: boolean,
  compressed: boolean,
): void {
  const id = yard.random.uuid();
  const at = yard.talk.tick();
  const fork = new Rollout(yard, id, parent.build);
  fork.add("session_meta", at, {
    ...metaOf({ ...session, id }),
    timestamp: iso(at),
    forked_from_id: parent.id,
  });
  const end = endOfCopy(yard, parent);
  const delay = (number: number): number => at + 1 + Math.floor(number / 50);
  parent.lines
    .slice(0, end)
    .forEach((line, number) => fork.lines.push({ ...line, timestamp: iso(delay(number)) }));
  yard.odd("lines copied into forks", end);
  const copied = parent.said.filter((said) => said.end <= end);
  if (orphan) for (const said of copied) yard.say(id, said.role, said.text, delay(said.line));
  const turns = yard.talk.more(yard.random.between(1, 3));
  for (const turn of turns) addTurn(yard, fork, turn, session.cwd);
  say(yard, id, fork);
  writeRollout(yard, fork, { ...session, id, turns }, compressed);
}

function endOfCopy(yard: Yard, parent: Rollout): number {
  let bytes = 0;
  let fitting = 0;
  for (const line of parent.lines) {
    bytes += JSON.stringify(line).length;
    if (bytes > COPY_BYTES) break;
    fitting += 1;
  }
  const ends = [...new Set(parent.said.map((said) => said.end))].filter((end) => end <= fitting);
  return ends.length === 0 ? 1 : yard.random.pick(ends);
}

function writeSubagent(yard: Yard, parent: Rollout, session: Session, compressed: boolean): void {
  const turns = yard.talk.more(1);
  const id = yard.random.uuid();
  const side = new Rollout(yard, id, parent.build === "bare" ? "bare" : "items");
  const spawn = { parent_thread_id: parent.id, depth: 1, agent_nickname: "Scout" };
  const meta = { parent_thread_id: parent.id, source: { subagent: { thread_spawn: spawn } } };
  side.add("session_meta", yard.talk.tick(), {
    ...metaOf({ ...session, id }),
    ...meta,
    agent_role: "explorer",
  });
  for (const turn of turns) side.turn(turn, session.cwd);
  writeRollout(yard, side, { ...session, id, turns }, compressed);
}

function writeParent(yard: Yard, rollout: Rollout, session: Session, compressed: boolean): void {
  const file = pathOf(yard, session);
  if (compressed && yard.happens("both plain and compressed", 0.1)) {
    // The plain one was unpacked and went on; the old frame may be cut as well.
    const half = rollout.lines.slice(0, rollout.said[0]?.end ?? 1);
    const frames = zstdFrames(yard, Buffer.from(jsonLines(half)));
    const cut = yard.happens("a cut .zst beside its plain file", 0.5) ? frames.length - 7 : frames.length;
    yard.write(`${file}.zst`, frames.subarray(0, cut));
    yard.write(file, piecesOf(yard, rollout.lines), session.endsAt);
    return;
  }
  if (yard.happens("both in sessions and in archived_sessions", 0.03))
    for (const place of [file, archived(file)]) yard.write(place, jsonLines(rollout.lines), session.endsAt);
  else writeRollout(yard, rollout, session, compressed);
}

function writeRollout(yard: Yard, rollout: Rollout, session: Session, compressed: boolean): void {
  const file = pathOf(yard, session);
  const place = yard.happens("archived sessions", 0.1) ? archived(file) : file;
  if (!compressed || yard.happens("plain files among the compressed", 0.15))
    yard.write(place, piecesOf(yard, rollout.lines), session.endsAt);
  else yard.write(`${place}.zst`, zstdFrames(yard, Buffer.from(jsonLines(rollout.lines))), session.endsAt);
}

function archived(file: string): string {
  return `${HOME}/archived_sessions/${file.slice(file.lastIndexOf("/") + 1)}`;
}

function* piecesOf(yard: Yard, lines: readonly Line[]): Generator<string> {
  const end = yard.happens("CRLF files", 0.03) ? "\r\n" : "\n";
  if (yard.happens("files with a BOM", 0.02)) yield "\ufeff";
  const damageAt = yard.happens("unparsable middle lines", 0.06)
    ? yard.random.between(0, lines.length - 2)
    : -1;
  for (const [number, line] of lines.entries()) {
    yield JSON.stringify(line) + end;
    if (number === damageAt) yield `{"timestamp":"2026-05-01T00:00:00.000Z","type":"event_msg","pay${end}`;
  }
  if (!yard.happens("half last lines", 0.08)) return;
  const payload = { type: "user_message", message: `never whole ${yard.prose.word()}` };
  yield JSON.stringify({ timestamp: iso(yard.talk.tick()), type: "event_msg", payload }).slice(0, -6);
}

function pathOf(yard: Yard, session: Session): string {
  const local = iso((session.turns[0]?.at ?? 0) - 900 + LOCAL_OFFSET_MS);
  const day = local.slice(0, 10).replaceAll("-", "/");
  const name = `rollout-${local.slice(0, 19).replaceAll(":", "-")}-${session.id}.jsonl`;
  return `${HOME}/sessions/${day}/${name}`;
}

function writeLedgers(yard: Yard, index: readonly object[], taken: readonly string[]): void {
  yard.write(`${HOME}/session_index.jsonl`, jsonLines(index));
  yard.write(`${HOME}/sessions/2026/03/01/rollout-2026-03-01T00-00-00-${yard.random.uuid()}.jsonl`, "");
  yard.odd("empty files");
  if (taken.length === 0) return;
  const records = taken.map((imported_thread_id) => ({
    source_path: `/home/alice/.claude/projects/-w-boat/${yard.random.uuid()}.jsonl`,
    content_sha256: yard.random.hex(64),
    imported_thread_id,
    imported_at: 1_780_000_000,
  }));
  yard.write(`${HOME}/external_agent_session_imports.json`, JSON.stringify({ records }));
}
