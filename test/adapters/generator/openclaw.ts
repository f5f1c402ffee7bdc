/** OpenClaw before SQLite: pi entries in a file a session, and `sessions.json`, which knows their keys. */
import { addRun, planOf, type Run } from "./openclaw-runs.js";
import type { Entry } from "./pi-entries.js";
import { iso, jsonLines, type Yard } from "./yard.js";
import { zstdFrames } from "./zstd.js";

const SESSIONS = ".openclaw/agents/main/sessions";

export function writeOpenClaw(yard: Yard): string[] {
  const index: Record<string, object> = {};
  for (const run of planOf(yard, "main")) {
    const { session, tree } = addRun(yard, run);
    // Of a key's sessions the index only knows the latest; the others go by their own ids.
    const known = run.key !== undefined && run.latest;
    if (run.counts) tree.say(known ? (run.key ?? session.id) : session.id);
    if (known && run.key !== undefined)
      index[run.key] = { sessionId: session.id, updatedAt: session.endsAt, chatType: "direct" };
    const header = headerOf(session.id, session.cwd, (session.turns[0]?.at ?? 0) - 400);
    yard.write(`${SESSIONS}/${session.id}.jsonl`, piecesOf(yard, header, tree.entries), session.endsAt);
  }
  yard.write(`${SESSIONS}/sessions.json`, JSON.stringify(index, undefined, 2));
  writeDeleted(yard);
  return [yard.at(".openclaw")];
}

export function headerOf(id: string, cwd: string, at: number): object {
  return { type: "session", version: 3, id, timestamp: iso(at), cwd };
}

function* piecesOf(yard: Yard, header: object, entries: readonly Entry[]): Generator<string> {
  const end = yard.happens("CRLF files", 0.04) ? "\r\n" : "\n";
  if (yard.happens("files with a BOM", 0.03)) yield "\ufeff";
  yield JSON.stringify(header) + end;
  const damageAt = yard.happens("unparsable middle lines", 0.06)
    ? yard.random.between(0, entries.length - 2)
    : -1;
  for (const [number, entry] of entries.entries()) {
    yield JSON.stringify(entry) + end;
    if (number === damageAt) yield `{"type":"message","id":"0000${end}`;
  }
  if (!yard.happens("half last lines", 0.08)) return;
  const message = { role: "user", content: `never whole ${yard.prose.word()}` };
  const parentId = entries.at(-1)?.id ?? null;
  yield JSON.stringify({ type: "message", id: "ffffffff", parentId, message }).slice(0, -4);
}

/** What its owner deleted lies about under another name. */
function writeDeleted(yard: Yard): void {
  for (const packed of [false, true]) {
    const run: Run = { key: undefined, latest: false, counts: false, what: "talk" };
    const { session, tree } = addRun(yard, run, yard.talk.more(2));
    const text = Buffer.from(jsonLines([headerOf(session.id, session.cwd, session.endsAt), ...tree.entries]));
    const name = `${SESSIONS}/${session.id}.jsonl.deleted.${iso(session.endsAt).replaceAll(":", "-")}`;
    if (packed) yard.write(`${name}.zst`, zstdFrames(yard, text));
    else yard.write(name, text);
    yard.odd("deleted sessions");
  }
}
