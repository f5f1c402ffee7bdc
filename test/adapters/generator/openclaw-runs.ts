/** Which sessions an OpenClaw agent has: talk under keys that are reset now and then, and runs of its own. */
import { grow, PiTree } from "./pi-entries.js";
import type { Session, Turn } from "./talk.js";
import type { Yard } from "./yard.js";

export interface Run {
  /** Without one no index knows the session. */
  key: string | undefined;
  /** The last session of its key. */
  latest: boolean;
  counts: boolean;
  what: "talk" | "cron" | "heartbeat" | "subagent";
}

export function planOf(yard: Yard, agent: string): Run[] {
  const keys = [
    `agent:${agent}:main`,
    `agent:${agent}:telegram:group:-100${yard.random.between(1e6, 9e6)}`,
    `agent:${agent}:whatsapp:direct:+86138${yard.random.between(1e6, 9e6)}`,
  ];
  const runs: Run[] = [];
  for (let number = 0; number < yard.sessions; number++)
    runs.push({ key: yard.random.pick(keys), latest: false, counts: true, what: "talk" });
  for (const key of keys) {
    const last = runs.findLast((run) => run.key === key);
    if (last !== undefined) last.latest = true;
  }
  const own = [
    { key: `cron:${yard.random.uuid()}`, what: "cron" as const },
    { key: `agent:${agent}:main:heartbeat`, what: "heartbeat" as const },
    { key: `agent:${agent}:subagent:${yard.random.uuid()}`, what: "subagent" as const },
  ];
  for (const run of own)
    runs.splice(yard.random.between(0, runs.length), 0, { ...run, latest: true, counts: false });
  return runs;
}

/** A session's entries; `turns` where it is no whole session of the plan. */
export function addRun(yard: Yard, run: Run, turns?: Turn[]): { session: Session; tree: PiTree } {
  const session = run.counts ? yard.talk.session() : shortSession(yard, turns ?? yard.talk.more(2));
  const tree = new PiTree(yard);
  if (!run.counts) yard.odd(`sessions that do not count: ${run.what === "talk" ? "deleted" : run.what}`);
  if (run.counts && yard.happens("sessions that begin with a compaction", 0.06))
    tree.add("compaction", (session.turns[0]?.at ?? 0) - 99, {
      summary: `What the session before was about: ${yard.prose.word()}`,
      firstKeptEntryId: "00000000",
      tokensBefore: 150_000,
    });
  const half = Math.ceil(session.turns.length / 2);
  grow(yard, tree, session.turns.slice(0, half));
  const at = (session.turns[half - 1]?.steps.at(-1)?.at ?? session.turns[half - 1]?.at ?? 0) + 650;
  if (yard.happens("NO_REPLY turns", 0.3)) flush(yard, tree, at);
  if (yard.happens("heartbeat turns in the main session", 0.3)) heartbeat(tree, at + 50);
  grow(yard, tree, session.turns.slice(half));
  return { session, tree };
}

function shortSession(yard: Yard, turns: Turn[]): Session {
  const last = turns.at(-1);
  const endsAt = last?.steps.at(-1)?.at ?? last?.at ?? 0;
  return { id: yard.random.uuid(), cwd: "/w/boat", title: "", turns, endsAt, roomBytes: 0 };
}

/** The silent turn before a compaction. All of it is the program's. */
function flush(yard: Yard, tree: PiTree, at: number): void {
  const human = "Pre-compaction memory flush. Store durable memories now; if there are none, reply NO_REPLY.";
  const tool = {
    id: `call_${yard.random.hex(12)}`,
    name: "write",
    input: { path: "memory/2026-05-01.md" },
    output: "written",
    failed: false,
  };
  const steps = [
    { at: at + 1, thinking: undefined, texts: [`I keep this: ${yard.prose.word()}`], tool },
    { at: at + 2, thinking: undefined, texts: ["NO_REPLY"], tool: undefined },
  ];
  tree.turn({ at, human, steps }, false);
}

function heartbeat(tree: PiTree, at: number): void {
  const human = "Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.";
  const steps = [{ at: at + 1, thinking: undefined, texts: ["HEARTBEAT_OK"], tool: undefined }];
  tree.turn({ at, human, steps }, false);
}
