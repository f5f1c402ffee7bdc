/** Cursor's agent transcripts: lines without ids and times. */
import { jsonLines, sayAll, type Yard } from "./yard.js";
import type { Session, Step } from "./talk.js";

export function writeCursor(yard: Yard): string[] {
  for (let number = 0; number < yard.sessions; number++) {
    const session = yard.talk.session();
    sayAll(yard, session.id, session, false);
    let text = jsonLines(linesOf(yard, session));
    if (yard.happens("unparsable middle line", 0.08)) text = text.replace("\n", '\n{"role":"user","mess\n');
    if (yard.happens("half last line", 0.1)) text += half(yard);
    const slug = session.cwd.slice(1).replace(/[/.]/g, "-");
    const file = `.cursor/projects/${slug}/agent-transcripts/${session.id}/${session.id}.jsonl`;
    yard.write(file, text, session.endsAt);
  }
  return [yard.at(".cursor/projects")];
}

function linesOf(yard: Yard, session: Session): object[] {
  const lines: object[] = [];
  for (const turn of session.turns) {
    lines.push(line("user", [{ type: "text", text: turn.human }]));
    for (const step of turn.steps) {
      lines.push(line("assistant", blocks(step)));
      if (step.texts.length === 0) yard.odd("lines without text");
    }
    if (yard.happens("unknown lines", 0.05)) lines.push({ type: "turn_ended", status: "success" });
  }
  return lines;
}

function blocks(step: Step): object[] {
  const content: object[] = step.texts.map((text) => ({ type: "text", text }));
  if (step.tool !== undefined)
    content.push({
      type: "tool_use",
      name: step.tool.name,
      input: { ...step.tool.input, contents: step.tool.output },
    });
  return content;
}

function line(role: string, content: object[]): object {
  return { role, message: { content } };
}

function half(yard: Yard): string {
  const whole = JSON.stringify(line("user", [{ type: "text", text: `never whole ${yard.prose.word()}` }]));
  return whole.slice(0, whole.length - 9);
}
