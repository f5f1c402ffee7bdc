/** One ChatGPT conversation: a mapping of nodes, of which the way from `current_node` to the root is what holds. */
import type { Step, Turn } from "./talk.js";
import { joined, type Yard } from "./yard.js";

interface Node {
  id: string;
  parent: string | null;
  message: Record<string, unknown> | null;
  said: { role: "user" | "assistant"; text: string; at: number | undefined } | undefined;
}

type Said = Node["said"];

/** The export has microseconds; these keep the millisecond whichever way one rounds. */
const MICROSECONDS = 0.000231;

export class ChatTree {
  readonly #yard: Yard;
  readonly #id: string;
  readonly #nodes: Node[] = [];
  /** The last node and the number of nodes after each turn on the way that holds. */
  readonly #ends: { leaf: string; count: number }[] = [];
  #leaf: string | null = null;

  constructor(yard: Yard, id: string) {
    this.#yard = yard;
    this.#id = id;
    this.#add(null, undefined);
    const hidden = { is_visually_hidden_from_conversation: true };
    this.#message("system", yard.talk.tick(), text(""), undefined, { metadata: hidden });
    if (yard.happens("user_editable_context", 0.2))
      this.#message(
        "user",
        yard.talk.tick(),
        {
          content_type: "user_editable_context",
          user_profile: `Lin ${yard.prose.word()}`,
          user_instructions: "",
        },
        undefined,
        { metadata: hidden },
      );
  }

  turn(turn: Turn): void {
    const yard = this.#yard;
    const before = this.#leaf;
    if (yard.happens("edited prompts, the older left as a branch", 0.04)) {
      this.#human(yard.prose.human(), turn.at - 300, false);
      this.#message("assistant", turn.at - 200, text(yard.prose.agent()), undefined);
      this.#leaf = before;
    }
    this.#human(turn.human, turn.at, true);
    for (const step of turn.steps) this.#step(step);
    this.#ends.push({ leaf: this.#leaf ?? "", count: this.#nodes.length });
  }

  /** As `mapping` and `current_node`, in an order of nodes that says nothing. */
  whole(): object {
    return this.#upTo(this.#nodes.length, this.#leaf);
  }

  /** As it was about half way. */
  early(): object {
    const end = this.#ends[Math.floor((this.#ends.length - 1) / 2)];
    return this.#upTo(end?.count ?? 0, end?.leaf ?? null);
  }

  say(): void {
    const way: NonNullable<Said>[] = [];
    const byId = new Map(this.#nodes.map((node) => [node.id, node]));
    for (let id = this.#leaf; id !== null; id = byId.get(id)?.parent ?? null) {
      const said = byId.get(id)?.said;
      if (said !== undefined) way.unshift(said);
    }
    for (const { role, text: words, at } of way) this.#yard.say(this.#id, role, words, at);
  }

  #upTo(count: number, leaf: string | null): object {
    const nodes = this.#nodes.slice(0, count);
    const mapping: Record<string, object> = {};
    for (const { id, message, parent } of this.#yard.random.shuffled(nodes)) {
      const children = nodes.filter((node) => node.parent === id).map((node) => node.id);
      mapping[id] = { id, message, parent, children };
    }
    return { mapping, current_node: leaf };
  }

  #human(words: string, at: number, counts: boolean): void {
    const yard = this.#yard;
    const pointer = { content_type: "image_asset_pointer", asset_pointer: "file-service://f", width: 3 };
    let content: object = text(words);
    if (yard.happens("multimodal: picture and text", 0.05))
      content = { content_type: "multimodal_text", parts: [pointer, words] };
    else if (yard.happens("multimodal: what was spoken", 0.04)) {
      const spoken = { content_type: "audio_transcription", text: words, direction: "in" };
      const sound = { content_type: "audio_asset_pointer", asset_pointer: "sediment://a", format: "wav" };
      content = { content_type: "multimodal_text", parts: [spoken, sound] };
    }
    this.#message("user", at, content, counts ? { role: "user", text: words, at } : undefined);
  }

  #step(step: Step): void {
    const yard = this.#yard;
    const { thinking, tool, texts } = step;
    if (thinking !== undefined) {
      const thoughts = [{ summary: "Thinking", content: thinking }];
      this.#message("assistant", step.at - 200, { content_type: "thoughts", thoughts }, undefined);
      const recap = { content_type: "reasoning_recap", content: "Thought for 3 seconds" };
      this.#message("assistant", step.at - 100, recap, undefined);
    }
    if (texts.length > 0) this.#answer(step);
    if (tool !== undefined) {
      const code = { content_type: "code", language: "unknown", text: JSON.stringify(tool.input) };
      this.#message("assistant", step.at + 100, code, undefined, { recipient: "python" });
      const output = { content_type: "execution_output", text: tool.output };
      this.#message("tool", step.at + 400, output, undefined, { author: { role: "tool", name: "python" } });
    }
    if (yard.happens("quotes of pages", 0.04)) {
      const quote = { content_type: "tether_quote", url: "https://example.org", text: yard.prose.human() };
      this.#message("tool", step.at + 500, quote, undefined, { author: { role: "tool", name: "browser" } });
      const page = { content_type: "tether_browsing_display", result: yard.prose.human() };
      this.#message("assistant", step.at + 501, page, undefined);
    }
    if (yard.happens("hidden messages", 0.04))
      this.#message("user", step.at + 600, text(`hidden ${yard.prose.word()}`), undefined, {
        metadata: { is_visually_hidden_from_conversation: true },
      });
    if (yard.happens("messages with nothing in them", 0.04))
      this.#message("assistant", step.at + 700, text(""), undefined);
  }

  #answer(step: Step): void {
    const yard = this.#yard;
    const { at } = step;
    if (yard.happens("answers made again, the older left as a branch", 0.05)) {
      const before = this.#leaf;
      this.#message("assistant", at - 50, text(yard.prose.agent()), undefined);
      this.#leaf = before;
    }
    const said = { role: "assistant", text: joined(step.texts), at } as const;
    if (step.texts.length === 1 && yard.happens("code said to the person", 0.02)) {
      const content = { content_type: "code", language: "ts", text: step.texts[0] };
      this.#message("assistant", at, content, said);
    } else this.#message("assistant", at, { content_type: "text", parts: step.texts }, said);
  }

  #message(role: string, at: number, content: object, said: Said, own: Record<string, unknown> = {}): void {
    const timeless = said !== undefined && this.#yard.happens("null times of messages", 0.02);
    const message = {
      author: { role },
      create_time: timeless || role === "system" ? null : at / 1000 + MICROSECONDS,
      content,
      status: "finished_successfully",
      end_turn: role === "assistant" ? true : null,
      weight: 1,
      metadata: {},
      recipient: "all",
      ...own,
    };
    this.#add(message, timeless ? { ...said, at: undefined } : said);
  }

  #add(message: Record<string, unknown> | null, said: Said): void {
    const id = this.#yard.random.uuid();
    const parent = this.#leaf;
    this.#nodes.push({ id, parent, message: message === null ? null : { id, ...message }, said });
    this.#leaf = id;
  }
}

function text(words: string): object {
  return { content_type: "text", parts: [words] };
}
