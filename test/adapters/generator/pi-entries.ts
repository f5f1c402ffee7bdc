/** pi's entries, which OpenClaw keeps too: a tree in which the last entry's way to the root is the session. */
import { iso, joined, type Yard } from "./yard.js";
import type { Step, Turn } from "./talk.js";

export interface Entry {
  type: string;
  id: string;
  parentId: string | null;
  timestamp: string;
  [field: string]: unknown;
}

interface Said {
  role: "user" | "assistant";
  text: string;
  at: number;
}

export class PiTree {
  readonly entries: Entry[] = [];
  leaf: string | null = null;
  readonly #yard: Yard;
  readonly #said = new Map<string, Said>();
  readonly #parents = new Map<string, string | null>();

  constructor(yard: Yard) {
    this.#yard = yard;
  }

  add(type: string, at: number, own: Record<string, unknown>): Entry {
    let id = this.#yard.random.hex(8);
    while (this.#parents.has(id)) id = this.#yard.random.hex(8);
    const entry = { type, id, parentId: this.leaf, timestamp: iso(at), ...own };
    this.entries.push(entry);
    this.#parents.set(id, this.leaf);
    this.leaf = id;
    return entry;
  }

  /** What a person typed, or a program in their place: then it does not count. */
  human(text: string, at: number, counts = true): void {
    const content = this.#yard.random.chance(0.4) ? text : [{ type: "text", text }];
    const entry = this.#message(at, { role: "user", content });
    if (counts) this.#said.set(entry.id, { role: "user", text, at });
  }

  reply(step: Step, counts = true): void {
    const content: object[] = [];
    if (step.thinking !== undefined) content.push({ type: "thinking", thinking: step.thinking });
    content.push(...step.texts.map((text) => ({ type: "text", text })));
    const { tool } = step;
    if (tool !== undefined)
      content.push({ type: "toolCall", id: tool.id, name: tool.name, arguments: tool.input });
    const own = { api: "messages", provider: "p", model: "m", stopReason: tool ? "toolUse" : "stop" };
    const entry = this.#message(step.at, { role: "assistant", content, ...own });
    if (counts && step.texts.length > 0)
      this.#said.set(entry.id, { role: "assistant", text: joined(step.texts), at: step.at });
    if (tool === undefined) return;
    const result = [{ type: "text", text: tool.output }];
    const head = { role: "toolResult", toolCallId: tool.id, toolName: tool.name };
    this.#message(step.at + 400, { ...head, content: result, isError: tool.failed });
  }

  turn(turn: Turn, counts = true): void {
    this.human(turn.human, turn.at, counts);
    for (const step of turn.steps) this.reply(step, counts);
  }

  /** Entries that are no talk; each hangs in the tree like the others. */
  noise(at: number): void {
    const yard = this.#yard;
    const word = yard.prose.word();
    if (yard.happens("custom messages and entries", 0.05)) {
      this.add("custom_message", at, {
        customType: "memo",
        content: `put in by a program ${word}`,
        display: true,
      });
      this.add("custom", at + 1, { customType: "state", data: { text: word } });
    }
    if (yard.happens("bash executions and custom roles", 0.05)) {
      this.#message(at + 2, { role: "bashExecution", command: "ls", output: word, exitCode: 0 });
      this.#message(at + 3, { role: "custom", customType: "note", content: `custom role ${word}` });
    }
    if (yard.happens("model changes", 0.05))
      this.add("model_change", at + 4, { provider: "p", modelId: word });
    if (yard.happens("unknown types", 0.03))
      this.add("of_tomorrow", at + 5, { message: { role: "user", content: `of tomorrow ${word}` } });
    if (yard.happens("compactions", 0.04)) {
      const firstKeptEntryId = this.entries.at(-3)?.id ?? this.leaf;
      const summary = `Summary of what came before: ${word}`;
      this.add("compaction", at + 6, { summary, firstKeptEntryId, tokensBefore: 90_000 });
    }
  }

  /** Says what lies on the way from the root to the last entry. */
  say(conversation: string): void {
    const way: Said[] = [];
    for (let id = this.entries.at(-1)?.id ?? null; id !== null; id = this.#parents.get(id) ?? null) {
      const said = this.#said.get(id);
      if (said !== undefined) way.unshift(said);
    }
    for (const { role, text, at } of way) this.#yard.say(conversation, role, text, at);
  }

  #message(at: number, message: Record<string, unknown>): Entry {
    // The message's own time is a little earlier than its entry's.
    return this.add("message", at, { message: { ...message, timestamp: at - 3 } });
  }
}

/** Turns of which some are given up for a sibling: what was given up is not on the way any more. */
export function grow(yard: Yard, tree: PiTree, turns: readonly Turn[]): void {
  turns.forEach((turn, number) => {
    const before = tree.leaf;
    tree.turn(turn);
    const at = (turn.steps.at(-1)?.at ?? turn.at) + 600;
    tree.noise(at);
    if (number === turns.length - 1 || !yard.happens("branches given up", 0.05)) return;
    tree.leaf = before;
    if (yard.happens("branch summaries", 0.3))
      tree.add("branch_summary", at + 30, { fromId: before, summary: `Given up: ${yard.prose.word()}` });
  });
}
