/**
 * `bench import --mb N --sessions N`: `memd import` of Claude Code transcripts, from the shell to its
 * report, into a fresh workspace: with a memd that runs and without, where most of the bytes are
 * what tools gave (as in real ones) and where all of them are talk. Beside it the floor of the
 * same run: reading the files and parsing every line.
 */
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DAY_MS, epochMs, isoOf, SECOND_MS } from "../src/model/time.js";
import { randomOf } from "../test/faults/random.js";
import { chinese, english, type Language } from "./search/corpus.js";
import { startDaemon } from "./search/daemon.js";
import { hundredths } from "./stall.js";

const SEED = 23;
const MB = 1_000_000;
const BINARY = path.resolve(import.meta.dirname, "../bin/memd.js");
const PER_DAY = 2;
const TURN_MS = 90 * SECOND_MS;
/** Words of what a person says, and of an answer. */
const [ASKED_WORDS, ANSWERED_WORDS] = [20, 90];
const PIECES = 64;

const KINDS = ["tools", "talk"] as const;
type Kind = (typeof KINDS)[number];
/** What tools gave, of all bytes. */
const TOOL_SHARE: Record<Kind, number> = { tools: 0.8, talk: 0 };

export async function benchImport(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const mb = Number(options.get("mb") ?? 100);
  const sessions = Number(options.get("sessions") ?? 50);
  const asked = options.get("kind");
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-import-"));
  const figures: Record<string, unknown> = { mb, sessions };
  try {
    for (const kind of KINDS.filter((one) => asked === undefined || asked === one)) {
      const folder = path.join(home, kind, "projects", "-w-boat");
      await writeTranscripts(folder, { bytes: mb * MB, sessions, toolShare: TOOL_SHARE[kind] });
      const floorSeconds = await floor(folder);
      const alone = await importedInto(home, `${kind}-alone`, folder, false);
      const running = await importedInto(home, `${kind}-running`, folder, true);
      figures[kind] = {
        floor_s: hundredths(floorSeconds),
        alone_s: hundredths(alone.seconds),
        alone_mb_s: hundredths(mb / alone.seconds),
        running_s: hundredths(running.seconds),
        running_mb_s: hundredths(mb / running.seconds),
        messages: alone.messages,
        same: alone.messages === running.messages,
      };
      await fs.rm(path.join(home, kind), { recursive: true });
    }
    return figures;
  } finally {
    await fs.rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Size {
  bytes: number;
  sessions: number;
  toolShare: number;
}

async function writeTranscripts(folder: string, { bytes, sessions, toolShare }: Size): Promise<void> {
  await fs.mkdir(folder, { recursive: true });
  const random = randomOf(SEED);
  const languages = [english(random), english(random), chinese(random)];
  const prose = (words: number): string => {
    const language = languages[Math.floor(random() * languages.length)] as Language;
    return Array.from({ length: Math.ceil(words / 15) }, () => language.sentence(15)).join(" ");
  };
  // Made once: what is measured is not how fast a bench makes words.
  const questions = Array.from({ length: PIECES }, () => prose(ASKED_WORDS));
  const answers = Array.from({ length: PIECES }, () => prose(ANSWERED_WORDS));
  const output = Array.from({ length: 400 }, () => prose(15)).join("\n");
  for (let session = 0; session < sessions; session++) {
    const lines = new Transcript(session, sessions);
    let [talk, tools] = [0, 0];
    for (let turn = 0; talk + tools < bytes / sessions; turn++) {
      const pick = (of: readonly string[]): string => of[Math.floor(random() * of.length)] ?? "";
      talk += lines.said("user", `${pick(questions)} (${session}.${turn})`);
      talk += lines.said("assistant", [{ type: "text", text: `${pick(answers)} (${session}.${turn})` }]);
      while (tools < (talk + tools) * toolShare)
        tools += lines.called(output.slice(0, 2000 + random() * 20_000));
    }
    await fs.writeFile(path.join(folder, `${lines.id}.jsonl`), lines.text());
  }
}

/** One that grows. */
class Transcript {
  readonly id: string;
  readonly #lines: string[] = [];
  #at: number;
  #count = 0;
  #parent: string | null = null;

  constructor(
    readonly session: number,
    sessions: number,
  ) {
    this.id = `00000000-0000-4000-8000-${String(session).padStart(12, "0")}`;
    const day = Math.floor((sessions - session) / PER_DAY) + 10;
    this.#at =
      Math.floor(Date.now() / DAY_MS) * DAY_MS - day * DAY_MS + (session % PER_DAY) * (DAY_MS / PER_DAY);
  }

  /** How long the line is. */
  said(role: "user" | "assistant", content: unknown): number {
    const id = role === "assistant" ? { id: `msg_${this.session}_${this.#count}` } : {};
    return this.#add(role, { message: { ...id, role, content } });
  }

  called(output: string): number {
    const call = `toolu_${this.session}_${this.#count}`;
    const use = { type: "tool_use", id: call, name: "Bash", input: { command: "make check" } };
    const result = { type: "tool_result", tool_use_id: call, content: output };
    return (
      this.said("assistant", [use]) +
      this.#add("user", {
        message: { role: "user", content: [result] },
        toolUseResult: { stdout: output.slice(0, 500) },
      })
    );
  }

  text(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  #add(type: string, own: object): number {
    this.#at += TURN_MS / 10;
    const uuid = `${String(this.session).padStart(8, "0")}-0000-4000-8000-${String(this.#count++).padStart(12, "0")}`;
    const line = JSON.stringify({
      parentUuid: this.#parent,
      isSidechain: false,
      userType: "external",
      cwd: "/w/boat",
      sessionId: this.id,
      version: "2.1.240",
      gitBranch: "main",
      type,
      uuid,
      timestamp: isoOf(epochMs(this.#at)),
      ...own,
    });
    this.#parent = uuid;
    this.#lines.push(line);
    return Buffer.byteLength(line) + 1;
  }
}

/** Seconds for reading the files and parsing each of their lines. */
async function floor(folder: string): Promise<number> {
  const started = performance.now();
  for (const name of await fs.readdir(folder))
    for (const line of (await fs.readFile(path.join(folder, name), "utf8")).split("\n"))
      if (line !== "") JSON.parse(line);
  return (performance.now() - started) / 1000;
}

async function importedInto(
  home: string,
  name: string,
  folder: string,
  isRunning: boolean,
): Promise<{ seconds: number; messages: number }> {
  const root = path.join(home, name);
  await memd(home, root, "init", root);
  const daemon = isRunning ? await startDaemon(home, root) : undefined;
  try {
    const started = performance.now();
    const said = await memd(home, root, "import", path.dirname(folder), "--json");
    const seconds = (performance.now() - started) / 1000;
    return { seconds, messages: (JSON.parse(said) as { messages: number }).messages };
  } finally {
    await daemon?.stop();
    await fs.rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function memd(home: string, root: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, XDG_RUNTIME_DIR: home, HOME: home, MEMD_WORKSPACE: root };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BINARY, ...args], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.once("exit", (code) =>
      code === 0 ? resolve(said) : reject(new Error(`memd ${args.join(" ")}: ${String(code)}`)),
    );
  });
}
