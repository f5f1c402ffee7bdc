/** Claude Code: a folder of transcripts for each working directory, with its forks, copies, subagents and damage. */
import { forkWithoutParent, writeCopies } from "./claude-copies.js";
import { Transcript, type Line } from "./claude-lines.js";
import { strangeSummaries } from "./claude-noise.js";
import { addTurn } from "./claude-turn.js";
import { hashOf } from "./random.js";
import { iso, jsonLines, type Yard } from "./yard.js";

const PROJECTS = ".claude/projects";
const LONG_PLACE = `/w/${"a-folder-with-quite-a-long-name/".repeat(8)}最后`;

export function writeClaudeCode(yard: Yard): string[] {
  let slug = slugOf("/w/boat");
  for (let number = 0; number < yard.sessions; number++) {
    const session = yard.talk.session();
    const cwd = yard.happens("working directory with a slug over 200 characters", 0.03)
      ? LONG_PLACE
      : session.cwd;
    slug = slugOf(cwd);
    const lines = new Transcript(yard, session.id, cwd);
    if (yard.happens("summary lines of another session", 0.2)) lines.lines.push(...strangeSummaries(yard));
    session.turns.forEach((turn, at) => addTurn(yard, lines, turn, at === session.turns.length - 1));
    if (yard.happens("fork whose parent is gone", 0.04)) forkWithoutParent(yard, lines);
    const last = lines.lines.at(-1);
    if (yard.happens("summary line of this session", 0.1))
      lines.aside({ type: "summary", summary: session.title, leafUuid: last?.["uuid"] ?? null });
    writeTranscript(yard, slug, lines, session.endsAt);
    if (yard.happens("subagent files", 0.2)) writeSubagent(yard, slug, lines, session.endsAt);
    if (yard.happens("kept tool results", 0.1))
      yard.write(`${PROJECTS}/${slug}/${session.id}/tool-results/${yard.random.hex(8)}.txt`, outputOf(yard));
    for (const copy of writeCopies(yard, lines)) writeTranscript(yard, slug, copy.lines, copy.endsAt);
  }
  writeStrays(yard, slug);
  return [yard.at(PROJECTS)];
}

/** Every character that is no letter or digit of ASCII becomes a dash; long ones are cut and get a hash. */
function slugOf(cwd: string): string {
  const slug = cwd.replace(/[^a-zA-Z0-9]/g, "-");
  return slug.length > 200 ? `${slug.slice(0, 200)}-${hashOf(cwd).toString(36)}` : slug;
}

function writeTranscript(yard: Yard, slug: string, lines: Transcript, at: number): void {
  const file = `${PROJECTS}/${slug}/${lines.id}.jsonl`;
  yard.write(file, piecesOf(yard, lines.lines), at);
}

function* piecesOf(yard: Yard, lines: readonly Line[]): Generator<string | Uint8Array> {
  const end = yard.happens("CRLF files", 0.04) ? "\r\n" : "\n";
  if (yard.happens("files with a BOM", 0.03)) yield "\ufeff";
  const damageAt = yard.happens("unparsable middle lines", 0.08)
    ? yard.random.between(0, lines.length - 1)
    : -1;
  const emptyAt = yard.happens("empty lines", 0.05) ? yard.random.between(0, lines.length - 1) : -1;
  const unended = yard.happens("last line whole, without a line end", 0.04);
  for (const [number, line] of lines.entries()) {
    const last = number === lines.length - 1;
    yield `${JSON.stringify(line)}${last && unended ? "" : end}`;
    if (number === damageAt && !last) yield `${damage(yard)}${end}`;
    if (number === emptyAt && !last) yield end;
  }
  if (!unended && yard.happens("half last lines", 0.1)) yield halfLine(yard, lines);
}

function damage(yard: Yard): string {
  const cut = `{"type":"user","uuid":"x","message":{"role":"user","content":"cut ${yard.prose.word()}`;
  return yard.random.pick([cut, "\0\0\0\0\0\0\0\0", "<<<<<<< HEAD", `${cut}{"type":"user"}`]);
}

/** A human line that was not written to its end; the cut goes through a Chinese character. */
function halfLine(yard: Yard, lines: readonly Line[]): Uint8Array {
  const like = lines.find((line) => line["type"] === "user") ?? {};
  const text = `never whole ${yard.prose.word()} 半`;
  const whole = { ...like, uuid: yard.random.uuid(), message: { role: "user", content: text } };
  const bytes = Buffer.from(JSON.stringify(whole));
  return bytes.subarray(0, bytes.lastIndexOf(Buffer.from("半")) + 2);
}

function writeSubagent(yard: Yard, slug: string, lines: Transcript, at: number): void {
  const agentId = yard.random.hex(17);
  const side = { isSidechain: true, agentId, sessionId: lines.id, cwd: lines.cwd, userType: "external" };
  let parentUuid: string | null = null;
  const written: Line[] = [];
  const add = (type: "user" | "assistant", content: unknown): void => {
    const uuid = yard.random.uuid();
    const message = type === "user" ? { role: type, content } : { id: `msg_${uuid}`, role: type, content };
    written.push({ ...side, parentUuid, type, uuid, timestamp: iso(at + written.length), message });
    parentUuid = uuid;
  };
  add("user", `Look for ${yard.prose.word()} in the sources.`);
  add("assistant", [{ type: "tool_use", id: "toolu_1", name: "Grep", input: { pattern: "x" } }]);
  add("user", [{ type: "tool_result", tool_use_id: "toolu_1", content: outputOf(yard) }]);
  add("assistant", [{ type: "text", text: `A subagent found ${yard.prose.word()}.` }]);
  yard.write(`${PROJECTS}/${slug}/${lines.id}/subagents/agent-${agentId}.jsonl`, jsonLines(written), at);
}

function outputOf(yard: Yard): string {
  return yard.prose.output(yard.random.between(1_000, 8_000));
}

/** Files that hold no talk at all. */
function writeStrays(yard: Yard, slug: string): void {
  const sessionId = yard.random.uuid();
  const metadata = [
    ...strangeSummaries(yard),
    { type: "file-history-snapshot", messageId: "m", snapshot: {}, isSnapshotUpdate: false },
    { type: "custom-title", customTitle: "Only a title", sessionId },
    { type: "agent-name", agentName: "lone", sessionId },
  ];
  yard.write(`${PROJECTS}/${slug}/${sessionId}.jsonl`, jsonLines(metadata));
  yard.odd("files with nothing but metadata");
  yard.write(`${PROJECTS}/${slug}/${yard.random.uuid()}.jsonl`, "");
  yard.odd("empty files");
  yard.write(`${PROJECTS}/${slug}/memory/MEMORY.md`, `- ${yard.prose.word()} is remembered by itself\n`);
  yard.odd("auto memory files");
}
