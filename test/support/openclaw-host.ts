/**
 * OpenClaw as far as a memory plugin sees it: reads its settings, finds the plugin by its manifest, registers it, runs
 * its hooks and tools as its contract says, and keeps the sessions in a store of its own.
 */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { treeOf, valueOf } from "../../src/adapters/json-tree.js";

interface Message {
  role: string;
  content: unknown;
  timestamp: number;
}

interface Session {
  id: string;
  previous: string | null;
  /** What the model is told. */
  messages: Message[];
  /** What the store keeps, the lost past of a compaction too. */
  entries: object[];
  leaf: string | null;
}

type Hook = (event: unknown, context: unknown) => Promise<{ prependContext?: string } | undefined>;
interface Tool {
  name: string;
  execute(callId: string, given: unknown): Promise<{ details: unknown; content: { text: string }[] }>;
}

export interface Played {
  /** What stood in front of the prompt. */
  told: string;
  /** How long the two hooks took. */
  ms: { asked: number; answered: number };
}

interface Settings {
  plugins?: {
    load?: { paths?: string[] };
    slots?: { memory?: string };
    entries?: Record<
      string,
      { enabled?: boolean; hooks?: { allowConversationAccess?: boolean }; config?: unknown }
    >;
  };
}

export class OpenClawHost {
  /** By key, the session that is spoken in. */
  readonly #sessions = new Map<string, Session>();
  readonly #windows: { key: string; session: Session; reason: string }[] = [];
  #hooks = new Map<string, { hear: Hook; timeoutMs: number }>();
  #makers: ((context: unknown) => Tool[] | null)[] = [];
  #promptBuilder: ((given: object) => string[]) | undefined;
  readonly warnings: string[] = [];
  #next = 0;
  #at = 0;

  /** `folder`: `~/.openclaw`. */
  constructor(readonly folder: string) {}

  get workspace(): string {
    return path.join(this.folder, "workspace");
  }

  /** Started, or again: nothing of what a plugin kept in its process is left. */
  async start(): Promise<void> {
    this.#hooks = new Map();
    this.#makers = [];
    const text = fs.readFileSync(path.join(this.folder, "openclaw.json"), "utf8");
    const { plugins = {} } = valueOf(treeOf(text)) as Settings;
    for (const folder of plugins.load?.paths ?? []) await this.#load(folder, plugins);
  }

  async #load(folder: string, plugins: NonNullable<Settings["plugins"]>): Promise<void> {
    const read = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(folder, file), "utf8"));
    const manifest = read("openclaw.plugin.json") as {
      id: string;
      kind: string;
      contracts: { tools: string[] };
      configSchema: { additionalProperties: boolean; properties: object };
    };
    const entry = plugins.entries?.[manifest.id];
    if (entry?.enabled !== true) return;
    if (manifest.kind === "memory" && plugins.slots?.memory !== manifest.id) return;
    for (const name of Object.keys(entry.config ?? {}))
      if (!(name in manifest.configSchema.properties)) throw new Error(`config has ${name}`);
    const { openclaw } = read("package.json") as { openclaw: { extensions: string[] } };
    const file = path.resolve(folder, openclaw.extensions[0] ?? "");
    if (!fs.realpathSync(file).startsWith(`${fs.realpathSync(folder)}${path.sep}`))
      throw new Error("escapes");
    const { default: plugin } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      default: { id: string; register: (api: object) => unknown };
    };
    if (plugin.id !== manifest.id) throw new Error(`${plugin.id} is not ${manifest.id}`);
    const registered = plugin.register({
      id: manifest.id,
      pluginConfig: entry.config,
      logger: { warn: (said: string) => this.warnings.push(said), info: () => undefined },
      registerTool: (make: (context: unknown) => Tool[] | null, { names }: { names: string[] }) => {
        const undeclared = names.filter((name) => !manifest.contracts.tools.includes(name));
        if (undeclared.length > 0) throw new Error(`undeclared tools: ${undeclared.join()}`);
        this.#makers.push(make);
      },
      registerMemoryCapability: ({ promptBuilder }: { promptBuilder: (given: object) => string[] }) =>
        (this.#promptBuilder = promptBuilder),
      on: (name: string, hear: Hook, { timeoutMs }: { timeoutMs: number }) => {
        if (entry.hooks?.allowConversationAccess !== true) throw new Error(`${name} is blocked`);
        this.#hooks.set(name, { hear, timeoutMs });
      },
    });
    if (registered !== undefined) throw new Error("register must be synchronous");
  }

  systemPrompt(): string {
    return (
      this.#promptBuilder?.({ availableTools: new Set(["memory_search", "memory_get"]) }).join("\n") ?? ""
    );
  }

  /** `ends`: how the turn does; a host that is killed tells nobody. `calls`: what it says before a call of a tool. */
  async turn(
    key: string,
    prompt: string,
    answer: string,
    {
      ends = "well",
      trigger = "user",
      calls,
    }: { ends?: "well" | "failed" | "killed"; trigger?: string; calls?: string } = {},
  ): Promise<Played> {
    const session = this.#sessionOf(key);
    const context = this.#contextOf(key, trigger);
    const before = { prompt, messages: structuredClone(session.messages) };
    const asked = await this.#run("before_prompt_build", before, context);
    const told = asked.result?.prependContext ?? "";
    this.#append(session, "user", [{ type: "text", text: told === "" ? prompt : `${told}\n\n${prompt}` }]);
    if (calls !== undefined) {
      const call = { type: "toolCall", id: `call_${this.#id()}`, name: "read", arguments: { path: "x" } };
      this.#append(session, "assistant", [
        { type: "thinking", thinking: "…" },
        { type: "text", text: calls },
        call,
      ]);
      this.#append(session, "toolResult", [{ type: "text", text: "what the tool gave" }]);
    }
    this.#append(session, "assistant", [{ type: "text", text: answer }]);
    if (ends === "killed") return { told, ms: { asked: asked.ms, answered: 0 } };
    const end = { messages: structuredClone(session.messages), success: ends === "well", durationMs: 5 };
    const answered = await this.#run("agent_end", end, context);
    return { told, ms: { asked: asked.ms, answered: answered.ms } };
  }

  /** What the tool of that name answers in a run of this session. */
  async call(key: string, tool: string, given: object): Promise<Record<string, unknown>> {
    for (const make of this.#makers)
      for (const one of make(this.#contextOf(key, "user")) ?? [])
        if (one.name === tool) {
          const { details, content } = await one.execute("call_1", given);
          if (content[0]?.text !== JSON.stringify(details, null, 2)) throw new Error("not what it says");
          return details as Record<string, unknown>;
        }
    throw new Error(`no ${tool}`);
  }

  /** The past becomes a summary but for the last exchange. */
  compact(key: string): void {
    const session = this.#sessionOf(key);
    const kept = session.messages.slice(-2);
    session.messages = [
      { role: "compactionSummary", content: "What was said.", timestamp: this.#time() },
      ...kept,
    ];
    this.#entry(session, "compaction", { summary: "What was said.", firstKeptEntryId: "0", tokensBefore: 9 });
  }

  /** `/new`, or one that goes on with a copy of the past. */
  begin(key: string, how: "reset" | "fork"): void {
    const before = this.#sessionOf(key);
    const session: Session = { id: this.#uuid(), previous: before.id, messages: [], entries: [], leaf: null };
    if (how === "fork")
      Object.assign(session, {
        messages: structuredClone(before.messages),
        entries: structuredClone(before.entries),
        leaf: before.leaf,
      });
    this.#sessions.set(key, session);
    this.#windows.push({ key, session, reason: how });
  }

  /** All sessions, as the newest builds keep them. */
  writeStore(): string {
    const file = path.join(this.folder, "agents", "main", "agent", "openclaw-agent.sqlite");
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.rmSync(file, { force: true });
    const db = new DatabaseSync(file);
    db.exec(TABLES);
    db.exec("BEGIN");
    const insert = db.prepare("INSERT INTO transcript_events VALUES (?, ?, ?, ?)");
    for (const { key, session, reason } of this.#windows) {
      const header = { type: "session", version: 3, id: session.id, cwd: this.workspace };
      for (const [seq, event] of [header, ...session.entries].entries())
        insert.run(session.id, seq, JSON.stringify(event), seq);
      db.prepare("INSERT INTO session_windows VALUES (?, ?, ?, ?, ?)").run(
        session.id,
        key,
        session.previous,
        reason,
        0,
      );
    }
    db.exec("COMMIT");
    db.close();
    return file;
  }

  async #run(
    name: string,
    event: object,
    context: object,
  ): Promise<{ result: Awaited<ReturnType<Hook>>; ms: number }> {
    const hook = this.#hooks.get(name);
    if (hook === undefined) return { result: undefined, ms: 0 };
    const begun = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>(
      (done) => (timer = setTimeout(() => done(undefined), hook.timeoutMs)),
    );
    const result = await Promise.race([hook.hear(event, context), late]);
    clearTimeout(timer);
    return { result, ms: performance.now() - begun };
  }

  #contextOf(key: string, trigger: string): object {
    const agentId = key.split(":")[1] ?? "main";
    const sessionId = this.#sessionOf(key).id;
    return {
      agentId,
      sessionKey: key,
      sessionId,
      workspaceDir: this.workspace,
      trigger,
      runId: this.#uuid(),
    };
  }

  #sessionOf(key: string): Session {
    const standing = this.#sessions.get(key);
    if (standing !== undefined) return standing;
    const session: Session = { id: this.#uuid(), previous: null, messages: [], entries: [], leaf: null };
    this.#sessions.set(key, session);
    this.#windows.push({ key, session, reason: "initial" });
    return session;
  }

  #append(session: Session, role: string, content: unknown): void {
    const message = { role, content, timestamp: this.#time() };
    session.messages.push(message);
    this.#entry(session, "message", { message });
  }

  #entry(session: Session, type: string, own: object): void {
    const id = this.#id();
    // Written down a moment later than it was said.
    const timestamp = new Date(this.#at + 1).toISOString();
    session.entries.push({ type, id, parentId: session.leaf, timestamp, ...own });
    session.leaf = id;
  }

  #time(): number {
    this.#at = Math.max(Date.now(), this.#at + 1);
    return this.#at;
  }

  #id(): string {
    return (++this.#next).toString(16).padStart(8, "0");
  }

  #uuid(): string {
    return `0199aaaa-0000-4000-8000-${(++this.#next).toString(16).padStart(12, "0")}`;
  }
}

const TABLES = `PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF;
  CREATE TABLE session_windows (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL,
    previous_session_id TEXT, reason TEXT, started_at INTEGER) STRICT;
  CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT NOT NULL,
    created_at INTEGER NOT NULL, PRIMARY KEY (session_id, seq)) STRICT;`;
