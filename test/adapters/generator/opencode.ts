/** opencode: what `opencode export <id>` prints, a file a session. Each text part is a message of its own. */
import type { Session, Step } from "./talk.js";
import type { Yard } from "./yard.js";

type Part = Record<string, unknown>;

export function writeOpenCode(yard: Yard): string[] {
  const paths: string[] = [];
  for (let number = 0; number < yard.sessions; number++) {
    const session = yard.talk.session();
    const id = `ses_${yard.random.hex(24)}`;
    const messages = messagesOf(yard, session, id, true);
    paths.push(writeExport(yard, `${id}.json`, session, id, messages));
    if (yard.happens("the same session exported earlier", 0.06)) {
      const early = messages.slice(0, Math.ceil(messages.length / 2));
      paths.push(writeExport(yard, `${id}-early.json`, session, id, early));
    }
    if (yard.happens("exports of subagents", 0.08)) {
      const turns = yard.talk.more(1);
      const child = `ses_${yard.random.hex(24)}`;
      const side = messagesOf(yard, { ...session, turns }, child, false);
      paths.push(writeExport(yard, `${child}.json`, { ...session, turns }, child, side, id));
    }
  }
  return paths;
}

function writeExport(
  yard: Yard,
  name: string,
  session: Session,
  id: string,
  messages: readonly object[],
  parentID?: string,
): string {
  const created = (session.turns[0]?.at ?? 0) - 200;
  const info = {
    id,
    projectID: "p0",
    directory: session.cwd,
    ...(parentID === undefined ? {} : { parentID }),
    title: session.title,
    version: "1.2.0",
    time: { created, updated: session.endsAt },
  };
  return yard.write(`opencode/${name}`, JSON.stringify({ info, messages }, undefined, 2), session.endsAt);
}

function messagesOf(yard: Yard, session: Session, sessionID: string, counts: boolean): object[] {
  const messages: object[] = [];
  const add = (role: "user" | "assistant", at: number, parts: readonly Part[], own: object = {}): void => {
    const id = `msg_${yard.random.hex(24)}`;
    const info = { id, sessionID, role, time: { created: at }, ...own };
    const named = parts.map((part) => ({
      id: `prt_${yard.random.hex(24)}`,
      sessionID,
      messageID: id,
      ...part,
    }));
    messages.push({ info, parts: named });
    if (counts) sayParts(yard, sessionID, role, at, parts);
  };
  for (const turn of session.turns) {
    add("user", turn.at, humanParts(yard, turn.human), { agent: "build" });
    for (const step of turn.steps)
      add("assistant", step.at, replyParts(yard, step), { modelID: "m", providerID: "p", cost: 0 });
    if (yard.happens("compaction parts", 0.03))
      add("user", turn.at + 1, [{ type: "compaction", auto: true }]);
  }
  return messages;
}

function sayParts(
  yard: Yard,
  conversation: string,
  role: "user" | "assistant",
  at: number,
  parts: readonly Part[],
): void {
  for (const part of parts) {
    if (part["type"] !== "text" || part["synthetic"] === true || part["ignored"] === true) continue;
    if (typeof part["text"] === "string") yard.say(conversation, role, part["text"], at);
  }
}

function humanParts(yard: Yard, text: string): Part[] {
  const parts: Part[] = [{ type: "text", text }];
  if (yard.happens("synthetic text", 0.08)) {
    parts.push({ type: "text", text: `Called the Read tool: ${yard.prose.word()}`, synthetic: true });
    parts.push({ type: "file", mime: "text/plain", filename: "a.ts", url: "file:///w/a.ts" });
  }
  if (yard.happens("ignored text", 0.04))
    parts.push({ type: "text", text: `Shown to the person only: ${yard.prose.word()}`, ignored: true });
  return parts;
}

function replyParts(yard: Yard, step: Step): Part[] {
  const parts: Part[] = [{ type: "step-start", snapshot: yard.random.hex(8) }];
  const time = { start: step.at, end: step.at + 300 };
  if (step.thinking !== undefined) parts.push({ type: "reasoning", text: step.thinking, time });
  parts.push(...step.texts.map((text) => ({ type: "text", text, time })));
  if (step.texts.length > 1) yard.odd("messages with two text parts");
  if (step.tool !== undefined) {
    const { id: callID, name, input, output, failed } = step.tool;
    const state = failed
      ? { status: "error", input, error: output, time }
      : { status: "completed", input, output, title: name, metadata: { text: "no talk" }, time };
    parts.push({ type: "tool", callID, tool: name.toLowerCase(), state });
  }
  if (yard.happens("unknown parts", 0.03))
    parts.push({ type: "of-tomorrow", text: "of a type no one knows" });
  parts.push({ type: "step-finish", reason: "stop", cost: 0, tokens: { input: 1, output: 2 } });
  return parts;
}
