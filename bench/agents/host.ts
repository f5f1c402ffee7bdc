/** A host that knows memd by its files alone: it hands over messages, reads the prompt, and writes down answers. */
import fs from "node:fs/promises";
import path from "node:path";

const PATIENCE_MS = 20_000;
const LOOK_MS = 15;

interface Entry {
  id: string;
  role: string;
  text: string;
  createdAt: string;
}

export class Host {
  /** Prompts that did not show the newest input in time, or without its words. */
  wrongPrompts = 0;
  readonly said: string[] = [];
  #turns = 0;

  constructor(readonly root: string) {}

  /** A message, its prompt, its answer. The last message of a conversation may wait for its answer. */
  async turn({ isAnswered = true } = {}): Promise<void> {
    const turn = ++this.#turns;
    const [question, answer] = [`heron${turn}x`, `stork${turn}x`];
    const asked = entry(`q${turn}`, "user", `When does the ferry to ${question} leave?`);
    await this.#replace("inbox.json", [asked]);
    this.said.push(question);
    if (!(await this.shows(asked.id, question))) this.wrongPrompts++;
    if (!isAnswered) return;
    const history = JSON.parse(await this.#read("history.json")) as Entry[];
    const answered = entry(`a${turn}`, "agent", `It leaves from ${answer} at noon.`);
    await this.#replace("history.json", [...history, asked, answered]);
    await this.#replace("inbox.json", []);
    this.said.push(answer);
  }

  /** Whether the prompt of the conversation comes to show this input. */
  async shows(id: string, word: string): Promise<boolean> {
    for (const late = Date.now() + PATIENCE_MS; Date.now() < late; await pause(LOOK_MS)) {
      const data = await this.#read("teller/prompt.json").catch(() => undefined);
      if (data === undefined || !(JSON.parse(data) as { inboxIds: string[] }).inboxIds.includes(id)) continue;
      const [, input = ""] = (await this.#read("teller/prompt.md")).split(/^## Input$/m);
      return input.includes(word);
    }
    return false;
  }

  #read(file: string): Promise<string> {
    return fs.readFile(path.join(this.root, file), "utf8");
  }

  async #replace(file: string, list: readonly Entry[]): Promise<void> {
    const temp = path.join(this.root, `.host-${file}`);
    await fs.writeFile(temp, JSON.stringify(list, null, 2));
    await fs.rename(temp, path.join(this.root, file));
  }
}

function entry(id: string, role: string, text: string): Entry {
  return { id, role, text, createdAt: new Date().toISOString() };
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
