/** Gemini CLI: lines of which the last one of an id wins, with `$set` and `$rewindTo`; older: one JSON a session. */
import { hashOf } from "./random.js";
import type { Session, Step, Turn } from "./talk.js";
import { iso, joined, jsonLines, type Yard } from "./yard.js";

const TMP = ".gemini/tmp";

interface Message {
  id: string;
  timestamp: string;
  type: string;
  content: unknown;
  [field: string]: unknown;
}

/** A message and, where a person or the agent says something in it, what. */
interface Kept {
  message: Message;
  said: { role: "user" | "assistant"; text: string; at: number } | undefined;
}

interface Recording {
  kept: Kept[];
  lines: object[];
}

export function writeGemini(yard: Yard): string[] {
  const projects: Record<string, string> = {};
  for (let number = 0; number < yard.sessions; number++) {
    const session = yard.talk.session();
    const shortId = `p-${hashOf(session.cwd).toString(36)}`;
    projects[session.cwd] = shortId;
    const whole = yard.happens("sessions as one old .json", 0.15);
    const { kept, lines } = record(yard, session);
    for (const { said } of kept) if (said !== undefined) yard.say(session.id, said.role, said.text, said.at);
    if (whole) writeWhole(yard, session, kept);
    else writeLines(yard, session, shortId, lines);
    if (yard.happens("subagent files", 0.1)) writeSubagent(yard, session, shortId);
  }
  yard.write(".gemini/projects.json", JSON.stringify({ projects }, undefined, 2));
  return [yard.at(".gemini")];
}

function record(yard: Yard, session: Session): Recording {
  const recording: Recording = { kept: [], lines: [] };
  session.turns.forEach((turn, number) => {
    const from = recording.kept.length;
    addTurn(yard, recording, turn);
    if (number === 0 && yard.happens("messages that are only in $set", 0.08)) {
      recording.lines = [{ $set: { messages: recording.kept.map(({ message }) => message) } }];
      return;
    }
    if (yard.happens("$set without messages", 0.3))
      recording.lines.push({
        $set: { lastUpdated: iso(turn.at + 700), summary: `About ${yard.prose.word()}` },
      });
    if (yard.happens("$rewindTo", 0.04)) rewind(recording, from);
    if (yard.happens("$set with all messages", 0.03) && JSON.stringify(recording.kept).length < 1e6)
      recording.lines.push({ $set: { messages: recording.kept.map(({ message }) => message) } });
  });
  return recording;
}

/** The message named, and all that came after it, are gone. */
function rewind(recording: Recording, from: number): void {
  const first = recording.kept[from];
  if (first === undefined) return;
  recording.lines.push({ $rewindTo: first.message.id });
  recording.kept.splice(from);
}

function addTurn(yard: Yard, recording: Recording, turn: Turn): void {
  const human = messageOf(yard, "user", turn.at, humanContent(yard, turn.human));
  keep(recording, human, [human], { role: "user", text: turn.human, at: turn.at });
  for (const step of turn.steps) addReply(yard, recording, step);
  if (yard.happens("info, warning and error lines", 0.1))
    for (const type of ["info", "warning", "error"]) {
      const notice = messageOf(yard, type, turn.at + 1, `Told by the program: ${yard.prose.word()}`);
      keep(recording, notice, [notice], undefined);
    }
  if (yard.happens("unknown types", 0.03)) {
    const odd = messageOf(yard, "of_tomorrow", turn.at + 2, `of tomorrow ${yard.prose.word()}`);
    keep(recording, odd, [odd], undefined);
  }
}

function keep(recording: Recording, message: Message, lines: readonly object[], said: Kept["said"]): void {
  recording.kept.push({ message, said });
  recording.lines.push(...lines);
}

/** Up to three lines of one id: as it thinks, as it calls, with what the tool gave. The last one wins. */
function addReply(yard: Yard, recording: Recording, step: Step): void {
  const texts = step.texts.map((text) => ({ text }));
  const content = yard.random.chance(0.7) ? joined(step.texts) : texts;
  const first = messageOf(yard, "gemini", step.at, "");
  first["model"] = "gemini-x";
  if (step.thinking !== undefined)
    first["thoughts"] = [{ subject: "Thinking", description: step.thinking, timestamp: iso(step.at) }];
  const lines: Message[] = [];
  if (yard.happens("several lines of one id", 0.4)) {
    const begun = joined(step.texts).slice(0, 12);
    lines.push(first, { ...first, content: begun });
  }
  const last: Message = { ...first, content };
  const { tool } = step;
  if (tool !== undefined) {
    const call = { id: tool.id, name: tool.name, args: tool.input, timestamp: iso(step.at) };
    if (lines.length > 0) lines.push({ ...first, content, toolCalls: [{ ...call, status: "executing" }] });
    const response = {
      functionResponse: { id: tool.id, name: tool.name, response: { output: tool.output } },
    };
    last["toolCalls"] = [{ ...call, status: "success", result: [response], resultDisplay: tool.name }];
  }
  lines.push(last);
  const said = { role: "assistant", text: joined(step.texts), at: step.at } as const;
  keep(recording, last, lines, step.texts.length > 0 ? said : undefined);
}

function humanContent(yard: Yard, text: string): unknown {
  if (yard.random.chance(0.4)) return text;
  if (!yard.happens("pictures and tool answers beside text", 0.1)) return [{ text }];
  return [
    { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
    { text },
    { functionResponse: { id: "f", name: "f", response: { output: "no talk" } } },
  ];
}

function messageOf(yard: Yard, type: string, at: number, content: unknown): Message {
  return { id: yard.random.uuid(), timestamp: iso(at), type, content };
}

function headOf(session: Session, kind: string): Record<string, unknown> {
  const startTime = iso((session.turns[0]?.at ?? 0) - 300);
  const projectHash = hashOf(session.cwd).toString(16);
  return { sessionId: session.id, projectHash, startTime, lastUpdated: startTime, kind };
}

function nameOf(session: Session): string {
  const stamp = iso((session.turns[0]?.at ?? 0) - 300)
    .slice(0, 16)
    .replace(":", "-");
  return `session-${stamp}-${session.id.slice(0, 8)}`;
}

function writeLines(yard: Yard, session: Session, shortId: string, lines: readonly object[]): void {
  let text = jsonLines([headOf(session, "main"), ...lines]);
  if (yard.happens("unparsable middle lines", 0.06))
    text = text.replace("\n", '\n{"id":"x","type":"user","con\n');
  if (yard.happens("CRLF files", 0.04)) text = text.replaceAll("\n", "\r\n");
  if (yard.happens("half last lines", 0.08)) {
    const half = messageOf(yard, "user", session.endsAt, `never whole ${yard.prose.word()}`);
    text += JSON.stringify(half).slice(0, -5);
  }
  yard.write(`${TMP}/${shortId}/chats/${nameOf(session)}.jsonl`, text, session.endsAt);
}

function writeWhole(yard: Yard, session: Session, kept: readonly Kept[]): void {
  const folder = hashOf(session.cwd).toString(16).padStart(8, "0").repeat(8);
  const { kind: _, ...head } = headOf(session, "main");
  const whole = { ...head, messages: kept.map(({ message }) => message) };
  yard.write(
    `${TMP}/${folder}/chats/${nameOf(session)}.json`,
    JSON.stringify(whole, undefined, 2),
    session.endsAt,
  );
}

function writeSubagent(yard: Yard, session: Session, shortId: string): void {
  const turns = yard.talk.more(1);
  const id = yard.random.uuid();
  const side: Recording = { kept: [], lines: [] };
  for (const turn of turns) addTurn(yard, side, turn);
  const text = jsonLines([headOf({ ...session, id, turns }, "subagent"), ...side.lines]);
  yard.write(`${TMP}/${shortId}/chats/${nameOf({ ...session, id, turns })}.jsonl`, text);
}
