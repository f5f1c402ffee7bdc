/**
 * One Codex rollout as it grows. The builds differ in the copies they write: events, newer items, or only
 * response items. What counts is the best copy of each turn, with its line's time.
 */
import { iso, type Yard } from "./yard.js";
import type { Step, Turn } from "./talk.js";

export interface Line {
  timestamp: string;
  type: string;
  payload: Record<string, unknown>;
  ordinal?: number;
}

export type Build = "events" | "items" | "bare";

interface Said {
  role: "user" | "assistant";
  text: string;
  at: number;
  /** The number of the line whose copy counts. */
  line: number;
  /** How many lines there are when its turn is over. */
  end: number;
}

export class Rollout {
  readonly lines: Line[] = [];
  readonly said: Said[] = [];
  build: Build;
  readonly id: string;
  #turns = 0;
  readonly #yard: Yard;

  constructor(yard: Yard, id: string, build: Build) {
    this.#yard = yard;
    this.id = id;
    this.build = build;
  }

  add(type: string, at: number, payload: Record<string, unknown>): void {
    const line: Line = { timestamp: iso(at), type, payload };
    if (this.build === "items") line.ordinal = this.lines.length;
    this.lines.push(line);
  }

  event(at: number, payload: Record<string, unknown>): void {
    this.add("event_msg", at, payload);
  }

  item(at: number, payload: Record<string, unknown>): void {
    this.add("response_item", at, payload);
  }

  turn(turn: Turn, cwd: string): void {
    const turnId = `turn-${this.#yard.random.hex(8)}`;
    const started = this.build === "items" ? "turn_started" : "task_started";
    if (this.build !== "bare") this.event(turn.at - 2, { type: started, turn_id: turnId });
    this.add("turn_context", turn.at - 1, { turn_id: turnId, cwd, model: "gpt-x", effort: "high" });
    if (this.#turns === 0) this.injected(turn.at - 1, cwd);
    this.#turns += 1;
    this.#speak("user", turn.human, turn.at);
    for (const step of turn.steps) this.#step(step);
    const at = (turn.steps.at(-1)?.at ?? turn.at) + 600;
    if (turn.steps.length === 0) this.#abort(at, turnId);
    else if (this.build === "events") this.event(at, { type: "task_complete", turn_id: turnId });
    else if (this.build === "items") this.event(at, { type: "turn_complete", turn_id: turnId });
    for (const said of this.said) if (said.end === 0) said.end = this.lines.length;
  }

  /** Texts under the role of the user that no one typed. */
  injected(at: number, cwd: string): void {
    const yard = this.#yard;
    const word = yard.prose.word();
    const instructions = `# AGENTS.md instructions for ${cwd}\n\n<INSTRUCTIONS>\nBe ${word}.\n</INSTRUCTIONS>`;
    const environment = `<environment_context>\n  <cwd>${cwd}</cwd>\n</environment_context>`;
    this.item(at, message("developer", `<permissions instructions>${word}</permissions instructions>`));
    if (yard.random.chance(0.5)) {
      const content = [instructions, environment].map((text) => ({ type: "input_text", text }));
      this.item(at, { type: "message", role: "user", content });
    } else {
      this.item(at, message("user", instructions));
      this.item(at, message("user", environment));
    }
    if (yard.random.chance(0.2)) this.item(at, message("user", `<hook_prompt>${word}</hook_prompt>`));
    yard.odd("injected texts as the user's");
  }

  #abort(at: number, turnId: string): void {
    this.#yard.odd("turns aborted");
    this.item(
      at,
      message("user", "<turn_aborted>\nThe user interrupted the previous turn.\n</turn_aborted>"),
    );
    if (this.build !== "bare")
      this.event(at + 1, { type: "turn_aborted", turn_id: turnId, reason: "interrupted" });
  }

  #step(step: Step): void {
    const yard = this.#yard;
    if (step.thinking !== undefined) {
      const summary = [{ type: "summary_text", text: step.thinking }];
      this.item(step.at - 5, {
        type: "reasoning",
        summary,
        content: null,
        encrypted_content: yard.random.hex(80),
      });
      if (this.build === "events") this.event(step.at - 4, { type: "agent_reasoning", text: step.thinking });
    }
    step.texts.forEach((text, number) => this.#speak("assistant", text, step.at + number * 9));
    const { tool } = step;
    if (tool === undefined) return;
    const [call, output] = yard.random.chance(0.8)
      ? ["function_call", { arguments: JSON.stringify(tool.input) }]
      : ["custom_tool_call", { input: tool.input["command"] }];
    this.item(step.at + 90, { type: call, name: tool.name, call_id: tool.id, ...output });
    this.item(step.at + 400, { type: `${call}_output`, call_id: tool.id, output: tool.output });
    if (this.build !== "bare")
      this.event(step.at + 401, { type: "token_count", info: null, rate_limits: null });
  }

  /** The same text in up to three copies, in an order that differs between builds. */
  #speak(role: Said["role"], text: string, at: number): void {
    const yard = this.#yard;
    const later = yard.random.chance(0.3) ? 1 : 0;
    const itemFirst = this.build === "bare" || yard.random.chance(0.5);
    if (itemFirst) this.item(at, this.#responseItem(role, text));
    const line = this.build === "bare" ? this.lines.length - 1 : this.lines.length;
    if (this.build === "items") {
      const type = role === "user" ? "UserMessage" : "AgentMessage";
      const content = [{ type: role === "user" ? "text" : "Text", text }];
      this.event(at + later, { type: "item_completed", item: { type, id: yard.random.hex(12), content } });
      if (yard.happens("item_completed and the older event in one turn", 0.1))
        this.event(at + later, this.#olderEvent(role, text));
    }
    if (this.build === "events") this.event(at + later, this.#olderEvent(role, text));
    if (!itemFirst) this.item(at + 2, this.#responseItem(role, text));
    if (this.build !== "bare") yard.odd("texts in two copies");
    this.said.push({ role, text, at: this.build === "bare" ? at : at + later, line, end: 0 });
  }

  #olderEvent(role: Said["role"], text: string): Record<string, unknown> {
    if (role === "assistant") return { type: "agent_message", message: text };
    return { type: "user_message", message: text, images: [] };
  }

  #responseItem(role: Said["role"], text: string): Record<string, unknown> {
    const item = message(role, text);
    if (role === "assistant")
      return { ...item, phase: this.#yard.random.pick(["commentary", "final_answer"]) };
    if (this.build === "bare" || !this.#yard.happens("pictures beside text", 0.03)) return item;
    const picture = { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" };
    return { ...item, content: [{ type: "input_text", text }, picture] };
  }
}

export function message(role: string, text: string): Record<string, unknown> {
  const type = role === "assistant" ? "output_text" : "input_text";
  return { type: "message", role, content: [{ type, text }] };
}
