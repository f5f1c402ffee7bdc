/** One Claude Code transcript as it grows: its lines, their chain of parents, and what of it counts. */
import { iso, type Yard } from "./yard.js";
import type { Step, Tool } from "./talk.js";

export type Line = Record<string, unknown>;

export class Transcript {
  readonly lines: Line[] = [];
  /** How many lines there are after each turn: where copies may be cut. */
  readonly ends: number[] = [];
  parent: string | null = null;
  cwd: string;
  readonly id: string;
  readonly #yard: Yard;
  readonly #version: string;

  constructor(yard: Yard, id: string, cwd: string) {
    this.#yard = yard;
    this.id = id;
    this.cwd = cwd;
    this.#version = `2.1.${yard.random.between(60, 240)}`;
  }

  /** A line with the fields that all lines of talk have; the next one hangs under it. */
  add(type: string, at: number, own: Line): Line {
    const uuid = this.#yard.random.uuid();
    const line = {
      parentUuid: this.parent,
      isSidechain: false,
      userType: "external",
      cwd: this.cwd,
      sessionId: this.id,
      version: this.#version,
      gitBranch: "main",
      type,
      uuid,
      timestamp: iso(at),
      ...own,
    };
    this.lines.push(line);
    this.parent = uuid;
    return line;
  }

  /** A line without those fields, outside the chain. */
  aside(line: Line): void {
    this.lines.push(line);
  }

  human(text: string, at: number): Line {
    const content = this.#humanContent(text);
    const line = this.add("user", at, { message: { role: "user", content } });
    if (this.#yard.happens("origin human", 0.3)) line["origin"] = { kind: "human" };
    if (this.#yard.random.chance(0.2)) line["promptSource"] = "typed";
    if (this.#yard.happens("human line without a time", 0.004)) {
      delete line["timestamp"];
      this.#yard.say(this.id, "user", text);
    } else this.#yard.say(this.id, "user", text, at);
    return line;
  }

  /** One API reply: a line for each of its blocks, all with one `message.id`. */
  reply(step: Step): void {
    const yard = this.#yard;
    const id = `msg_${yard.random.hex(22)}`;
    const requestId = `req_${yard.random.hex(22)}`;
    const blocks = blocksOf(yard, step);
    if (blocks.length > 1) yard.odd("replies over several lines of one message.id");
    const late =
      step.texts.length > 0 &&
      step.tool !== undefined &&
      yard.happens("text after the tool result, same message.id", 0.02);
    if (late) blocks.reverse();
    let saidAt: number | undefined;
    blocks.forEach((block, number) => {
      const at = step.at + number * 7;
      if (block["type"] === "text") saidAt ??= at;
      const message = {
        id,
        type: "message",
        role: "assistant",
        model: "claude-x",
        content: [block],
        stop_reason: number === blocks.length - 1 ? (step.tool ? "tool_use" : "end_turn") : null,
        usage: { input_tokens: 4, output_tokens: 90 },
      };
      this.add("assistant", at, { message, requestId });
      if (late && block["type"] === "tool_use" && step.tool) this.result(step.tool, at + 3);
    });
    const texts = late ? [...step.texts].reverse() : step.texts;
    if (texts.length > 0) yard.say(this.id, "assistant", texts, saidAt);
    if (step.tool !== undefined && !late) this.result(step.tool, step.at + 500);
  }

  result(tool: Tool, at: number): void {
    const yard = this.#yard;
    const blocks = [
      { type: "text", text: tool.output },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
    ];
    const block = {
      tool_use_id: tool.id,
      type: "tool_result",
      content: yard.random.chance(0.7) ? tool.output : blocks,
      is_error: tool.failed,
    };
    const content: Line[] = [block];
    if (yard.happens("text beside a tool result", 0.02))
      content.push({ type: "text", text: "The user doesn't want to proceed with this tool use." });
    const toolUseResult = yard.random.pick<unknown>([
      `Error: ${tool.name}`,
      { stdout: tool.output.slice(0, 2_000), stderr: "", interrupted: false },
      [{ type: "text", text: tool.output.slice(0, 2_000) }],
    ]);
    const own = { message: { role: "user", content }, toolUseResult };
    this.add("user", at, own);
  }

  endTurn(): void {
    this.ends.push(this.lines.length);
  }

  #humanContent(text: string): unknown {
    const yard = this.#yard;
    const reminder = `<system-reminder>\nThe user opened a file. Not typed: ${yard.prose.word()}\n</system-reminder>`;
    if (yard.happens("reminder at the end of human text", 0.04)) return `${text}\n\n${reminder}`;
    if (yard.happens("reminders before human text", 0.03)) return `${reminder}\n${reminder}\n${text}`;
    if (yard.happens("reminder in a block of its own", 0.03))
      return [
        { type: "text", text: reminder },
        { type: "text", text },
      ];
    if (!yard.happens("human content in blocks", 0.25)) return text;
    if (!yard.happens("picture beside human text", 0.2)) return [{ type: "text", text }];
    const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };
    return [
      { type: "image", source },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "a document" } },
      { type: "text", text },
    ];
  }
}

function blocksOf(yard: Yard, step: Step): Line[] {
  const blocks: Line[] = [];
  if (step.thinking !== undefined)
    blocks.push({ type: "thinking", thinking: step.thinking, signature: yard.random.hex(64) });
  if (yard.happens("unknown blocks", 0.01))
    blocks.push({ type: "new_block", text: "of a type no one knows" });
  blocks.push(...step.texts.map((text) => ({ type: "text", text })));
  const { tool } = step;
  if (tool !== undefined) blocks.push({ type: "tool_use", id: tool.id, name: tool.name, input: tool.input });
  return blocks;
}
