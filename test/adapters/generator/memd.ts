/** memd's own lines, `{id, role, text, createdAt, conversation?}`: several conversations in one file, or one. */
import { iso, jsonLines, type Yard } from "./yard.js";
import type { Session } from "./talk.js";

interface Line {
  id?: string | number;
  role: string;
  text: string;
  createdAt: string | number;
  conversation?: string;
}

export function writeMemd(yard: Yard): string[] {
  const paths: string[] = [];
  const together: Line[] = [];
  let length = 0;
  for (let number = 0; number < yard.sessions; number++) {
    const session = yard.talk.session();
    const alone = number % 4 === 3;
    const name = alone ? `notes-${number}` : session.id;
    const lines = linesOf(yard, session, name);
    if (alone) {
      yard.odd("file of one conversation, without its name");
      paths.push(yard.write(`memd/${name}.jsonl`, asText(yard, lines), session.endsAt));
    } else {
      together.push(...lines.map((line) => ({ ...line, conversation: name })));
      length += lines.reduce((sum, line) => sum + line.text.length, 0);
      // Much more would not fit into one string.
      if (length < 16e6) continue;
      length = 0;
      paths.push(flush(yard, together, paths.length));
    }
  }
  if (together.length > 0) paths.push(flush(yard, together, paths.length));
  return paths;
}

function flush(yard: Yard, together: Line[], number: number): string {
  return yard.write(`memd/all-${number}.jsonl`, asText(yard, together.splice(0)));
}

function linesOf(yard: Yard, session: Session, conversation: string): Line[] {
  const lines: Line[] = [];
  const replies = Math.max(1, session.turns.flatMap((turn) => turn.steps).length);
  const say = (role: "user" | "assistant", text: string, at: number): void => {
    const line = lineOf(yard, role, text, at);
    yard.say(conversation, role, text, at);
    lines.push(line);
    if (line.id !== undefined && yard.happens("same line twice", 0.02)) lines.push(line);
  };
  for (const turn of session.turns) {
    say("user", turn.human, turn.at);
    for (const step of turn.steps) {
      if (step.tool !== undefined && yard.happens("tool and system lines", 0.1))
        lines.push({ ...lineOf(yard, "user", step.tool.output, step.at), role: "tool" });
      if (step.texts.length === 0) continue;
      const room = session.roomBytes / replies;
      const more = yard.bytes !== undefined && room > 500 ? [yard.prose.essay(room)] : [];
      const text = [...step.texts, ...more].join("\n\n");
      if (yard.happens("answer that grew under the same id", 0.03)) {
        const grown = { ...lineOf(yard, "assistant", text, step.at), id: yard.random.uuid() };
        lines.push({ ...grown, text: text.slice(0, Math.ceil(text.length / 2)).trimEnd() }, grown);
        yard.say(conversation, "assistant", text, step.at);
      } else say("assistant", text, step.at);
    }
  }
  return lines;
}

function lineOf(yard: Yard, role: "user" | "assistant", text: string, at: number): Line {
  const line: Line = {
    id: yard.random.uuid(),
    role: role === "user" ? "user" : yard.random.pick(["agent", "agent", "assistant"]),
    text,
    createdAt: iso(at),
  };
  if (yard.happens("lines without an id", 0.04)) delete line.id;
  else if (yard.happens("ids that are numbers", 0.04)) line.id = yard.random.between(1e11, 9e11);
  if (yard.happens("times in milliseconds since 1970", 0.05)) line.createdAt = at;
  else if (yard.happens("times with an offset", 0.1))
    line.createdAt = iso(at + 8 * 3_600_000).replace("Z", "+08:00");
  else if (yard.happens("times without an offset, in UTC", 0.03)) line.createdAt = iso(at).replace("Z", "");
  return line;
}

function asText(yard: Yard, lines: readonly Line[]): string {
  let text = jsonLines(lines);
  if (yard.happens("empty lines", 0.3)) text = text.replace("\n", "\n\n");
  if (yard.happens("CRLF", 0.1)) text = text.replaceAll("\n", "\r\n");
  if (yard.happens("BOM", 0.1)) text = `\ufeff${text}`;
  if (yard.happens("last line without a line end", 0.2)) text = text.trimEnd();
  return text;
}
