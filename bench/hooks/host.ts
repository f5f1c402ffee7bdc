/**
 * An agent with hooks, as far as memd sees it: it runs `memd hook` at each turn as its contract says, and
 * writes its transcript when it comes to it. Hooks are killed, transcripts late, conversations resumed,
 * forked and compacted, and the folder is sometimes a worktree.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import path from "node:path";

const BINARY = path.resolve(import.meta.dirname, "../../bin/memd.js");

export type Agent = "claude-code" | "codex";

export interface HookRun {
  ms: number;
  output: string;
}

export interface Said {
  role: "user" | "agent";
  text: string;
}

export class Host {
  readonly said: Said[] = [];
  readonly runs: HookRun[] = [];
  #lines: object[] = [];
  #session = "";
  #file = "";
  #turn = 0;
  #at = 0;

  constructor(
    readonly agent: Agent,
    readonly home: string,
    readonly root: string,
    readonly folders: readonly string[],
    readonly random: () => number,
  ) {}

  /** A new conversation, or one that begins with what was said in the last one. */
  async begin(how: "startup" | "resume" | "fork"): Promise<void> {
    const before = { lines: this.#lines, session: this.#session };
    this.#session = this.#uuid();
    const folder = path.join(this.home, "sessions", "2026", "11");
    await fs.mkdir(folder, { recursive: true });
    const name = this.agent === "codex" ? `rollout-${Date.now()}-${this.#session}` : this.#session;
    this.#file = path.join(folder, `${name}.jsonl`);
    this.#lines =
      how === "startup" || before.session === ""
        ? []
        : before.lines.filter((line) => !("payload" in line) || this.agent === "codex");
    if (this.agent === "codex") {
      const payload = {
        id: this.#session,
        cwd: this.#folder(),
        ...(this.#lines.length > 0 && { forked_from_id: before.session }),
      };
      const copied = this.#lines.map((line) => ({ ...line, timestamp: this.#time() }));
      this.#lines = [{ timestamp: this.#time(), type: "session_meta", payload }, ...copied];
    }
    await this.run({ hook_event_name: "SessionStart", source: how });
  }

  async turn(text: string, answer: string): Promise<void> {
    this.#turn++;
    const happens = (share: number): boolean => this.random() < share;
    await this.run({ hook_event_name: "UserPromptSubmit", prompt: text }, happens(0.08));
    this.#say("user", text);
    if (happens(0.5)) await this.write(happens(0.2) ? 9 : 0);
    // What a tool gave is no message.
    this.#line("tool", "x".repeat(2000));
    this.#say("agent", answer);
    if (happens(0.05) && this.agent === "claude-code")
      this.#lines.push({
        type: "system",
        subtype: "compact_boundary",
        uuid: this.#uuid(),
        timestamp: this.#time(),
      });
    if (happens(0.4)) await this.write();
    await this.run({ hook_event_name: "Stop", last_assistant_message: answer }, happens(0.08));
    if (happens(0.3)) await this.write();
  }

  /** So many characters of its last line are still to come. */
  async write(cut = 0): Promise<void> {
    const text = this.#lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    await fs.writeFile(this.#file, text.slice(0, text.length - cut));
  }

  /** `killed`: before it has said anything to memd. */
  async run(event: object, killed = false): Promise<HookRun | undefined> {
    const begun = performance.now();
    const env = { ...process.env, XDG_RUNTIME_DIR: this.home, HOME: this.home };
    const args = [BINARY, "hook", this.agent, "--workspace", this.root];
    const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(child, "close");
    if (killed) child.kill("SIGKILL");
    child.stdin.on("error", () => undefined);
    const base = { session_id: this.#session, transcript_path: this.#file, cwd: this.#folder() };
    child.stdin.end(JSON.stringify({ ...base, ...event }));
    await ended;
    const run = { ms: performance.now() - begun, output };
    if (killed) return undefined;
    this.runs.push(run);
    return run;
  }

  #say(role: Said["role"], text: string): void {
    this.said.push({ role, text });
    this.#line(role, text);
  }

  #line(role: Said["role"] | "tool", text: string): void {
    const timestamp = this.#time();
    if (this.agent === "codex") {
      if (role === "user")
        this.#lines.push({ timestamp, type: "turn_context", payload: { cwd: this.#folder() } });
      const type = role === "user" ? "user_message" : role === "agent" ? "agent_message" : "token_count";
      this.#lines.push({ timestamp, type: "event_msg", payload: { type, message: text } });
      return;
    }
    const uuid = this.#uuid();
    const shared = { uuid, sessionId: this.#session, timestamp, cwd: this.#folder() };
    const content = role === "tool" ? [{ type: "tool_result", tool_use_id: "t", content: text }] : text;
    this.#lines.push(
      role === "agent"
        ? {
            ...shared,
            type: "assistant",
            message: { id: `msg_${uuid}`, role: "assistant", content: [{ type: "text", text }] },
          }
        : { ...shared, type: "user", message: { role: "user", content } },
    );
  }

  #folder(): string {
    return this.folders[this.#turn % this.folders.length] as string;
  }

  #time(): string {
    this.#at = Math.max(Date.now(), this.#at + 1);
    return new Date(this.#at).toISOString();
  }

  #uuid(): string {
    const hex = (length: number): string =>
      Array.from({ length }, () => Math.floor(this.random() * 16).toString(16)).join("");
    return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
  }
}
