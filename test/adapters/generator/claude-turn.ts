/** One turn of a Claude Code transcript: the prompt, the replies, and what comes between and after them. */
import type { Transcript } from "./claude-lines.js";
import { addNoise } from "./claude-noise.js";
import type { Turn } from "./talk.js";
import { iso, type Yard } from "./yard.js";

export function addTurn(yard: Yard, lines: Transcript, turn: Turn, last: boolean): void {
  const before = lines.parent;
  lines.human(turn.human, turn.at);
  turn.steps.forEach((step, number) => {
    lines.reply(step);
    if (number < turn.steps.length - 1 && yard.happens("prompts typed in mid-turn", 0.04))
      typeInMidTurn(yard, lines, step.at + 650);
  });
  const at = (turn.steps.at(-1)?.at ?? turn.at) + 600;
  if (yard.happens("lines without a uuid, twice", 0.008)) sayWithoutUuid(yard, lines, at - 40);
  addNoise(yard, lines, at);
  if (yard.happens("working directory changes", 0.01)) lines.cwd = `${lines.cwd}/packages`;
  const earlier = lines.lines.slice(lines.ends.at(-2) ?? 0);
  if (yard.happens("lines copied again into the same file", 0.015)) lines.lines.push(...earlier);
  lines.endTurn();
  if (!last && yard.happens("branches: the next prompt is a sibling", 0.03)) lines.parent = before;
}

function typeInMidTurn(yard: Yard, lines: Transcript, at: number): void {
  const prompt = yard.prose.human();
  const base = { type: "queue-operation", timestamp: iso(at), sessionId: lines.id };
  lines.aside({ ...base, operation: "enqueue", content: prompt });
  lines.aside({ ...base, operation: "remove" });
  const origin = { kind: "human" };
  lines.add("attachment", at, {
    attachment: { type: "queued_command", prompt, commandMode: "prompt", origin },
  });
  yard.say(lines.id, "user", prompt, at);
}

function sayWithoutUuid(yard: Yard, lines: Transcript, at: number): void {
  const { parent } = lines;
  const line = lines.human(yard.prose.human(), at);
  delete line["uuid"];
  lines.parent = parent;
  lines.lines.push({ ...line });
}
