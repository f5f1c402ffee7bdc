/** A host that knows nothing of memd but its files. */
import fs from "node:fs/promises";
import path from "node:path";

const PATIENCE_MS = 30_000;
/** What a host keeps of a conversation. */
const MOST_IN_HISTORY = 60;

/** Only writes files, each by a rename, and reads what the daemon writes. */
export class Host {
  #history: unknown[] = [];
  #turns = 0;

  /** `name`: of its messages, where several hosts are told apart by them. */
  constructor(
    readonly root: string,
    readonly name = "q",
    /** Many hosts that look at every millisecond would take a processor for themselves. */
    readonly looksEachMs = 1,
  ) {}

  /** From the rename of the inbox until the prompt's data name the message; the prompt itself stands before that. */
  async turn(text: string, pauseS: number): Promise<number> {
    const id = `${this.name}-${this.#turns++}`;
    const message = { id, role: "user", text, createdAt: new Date().toISOString() };
    const tookMs = await this.#answered(id, message);
    const answer = {
      id: `a-${id}`,
      role: "agent",
      text: `Noted: ${text}`,
      createdAt: new Date().toISOString(),
    };
    this.#history = [...this.#history, message, answer].slice(-MOST_IN_HISTORY);
    await this.#replace("history.json", this.#history);
    await this.#replace("inbox.json", []);
    await new Promise((done) => setTimeout(done, pauseS * 1000));
    return tookMs;
  }

  async #answered(id: string, message: unknown): Promise<number> {
    const data = path.join(this.root, "teller", "prompt.json");
    await fs.writeFile(path.join(this.root, "inbox.json.tmp"), JSON.stringify([message]));
    const began = performance.now();
    await fs.rename(path.join(this.root, "inbox.json.tmp"), path.join(this.root, "inbox.json"));
    while (performance.now() - began < PATIENCE_MS) {
      const told = await fs.readFile(data, "utf8").catch(() => "");
      if (told.includes(`"${id}"`)) return performance.now() - began;
      await new Promise((done) => setTimeout(done, this.looksEachMs));
    }
    throw new Error(`no prompt for ${id} within ${PATIENCE_MS} ms`);
  }

  async #replace(name: string, list: readonly unknown[]): Promise<void> {
    const file = path.join(this.root, name);
    await fs.writeFile(`${file}.tmp`, JSON.stringify(list));
    await fs.rename(`${file}.tmp`, file);
  }
}
