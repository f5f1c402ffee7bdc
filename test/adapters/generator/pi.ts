/** pi: a file a session, with branches, and forks that begin with their parent's entries. */
import { grow, PiTree, type Entry } from "./pi-entries.js";
import type { Session } from "./talk.js";
import { iso, jsonLines, type Yard } from "./yard.js";

const SESSIONS = ".pi/agent/sessions";

export function writePi(yard: Yard): string[] {
  for (let number = 0; number < yard.sessions; number++) {
    const session = yard.talk.session();
    const startsAt = (session.turns[0]?.at ?? 0) - 500;
    const tree = new PiTree(yard);
    tree.add("thinking_level_change", startsAt + 1, { thinkingLevel: "high" });
    grow(yard, tree, session.turns);
    tree.say(session.id);
    const file = writeSession(yard, session, startsAt, tree.entries, undefined);
    if (yard.happens("forks that copy entries", 0.08)) writeFork(yard, session, tree, file);
  }
  return [yard.at(SESSIONS)];
}

/** The parent's entries up to its last one, with the same ids and times, then new ones of its own. */
function writeFork(yard: Yard, session: Session, parent: PiTree, parentSession: string): void {
  if (JSON.stringify(parent.entries).length > 2_000_000) return;
  const id = yard.random.uuid();
  const turns = yard.talk.more(yard.random.between(1, 3));
  const tree = new PiTree(yard);
  tree.leaf = parent.leaf;
  grow(yard, tree, turns);
  tree.say(id);
  const startsAt = (turns[0]?.at ?? 0) - 500;
  writeSession(
    yard,
    { ...session, id, turns },
    startsAt,
    [...parent.entries, ...tree.entries],
    parentSession,
  );
}

/** Gives the path as the program would have written it. */
function writeSession(
  yard: Yard,
  session: Session,
  startsAt: number,
  entries: readonly Entry[],
  parentSession: string | undefined,
): string {
  const { id, cwd } = session;
  const fork = parentSession === undefined ? {} : { parentSession };
  const header = { type: "session", version: 3, id, timestamp: iso(startsAt), cwd, ...fork };
  let text = jsonLines([header, ...entries]);
  if (yard.happens("unparsable middle lines", 0.06))
    text = text.replace("\n", '\n{"type":"message","id":"00000000","par\n');
  if (yard.happens("CRLF files", 0.04)) text = text.replaceAll("\n", "\r\n");
  if (yard.happens("half last lines", 0.08)) text += halfLine(yard, entries);
  const folder = `--${cwd.slice(1).replaceAll("/", "-")}--`;
  const stamp = iso(startsAt).replace(/[:.]/g, "-");
  const file = `${SESSIONS}/${folder}/${stamp}_${id}.jsonl`;
  yard.write(file, text, session.endsAt);
  return `/home/alice/${file}`;
}

function halfLine(yard: Yard, entries: readonly Entry[]): string {
  const message = { role: "user", content: `never whole ${yard.prose.word()}` };
  const last = entries.at(-1);
  const whole = { ...last, type: "message", id: "ffffffff", parentId: last?.id ?? null, message };
  return JSON.stringify(whole).slice(0, -5);
}
