/**
 * `memd mcp` as the client has it that started it: lines in, lines out, and a client that goes away in one way or
 * another. Knows no test runner, so that benches start it too; whoever starts one ends it.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../bin/memd.js", import.meta.url));

/** How a client goes: it closes the input, is killed, or reads the output no more. */
export const GOINGS = ["eof", "killed", "pipe"] as const;
export type Going = (typeof GOINGS)[number];

/** A client that does nothing but hand on; it says the pid of what it started. */
const PARENT = `
const child = require("node:child_process").spawn(process.execPath, process.argv.slice(1), { stdio: "pipe" });
process.send({ pid: child.pid });
process.stdin.pipe(child.stdin).on("error", () => undefined);
child.stdout.pipe(process.stdout);
child.stderr.pipe(process.stderr);
child.once("exit", (code) => process.exit(code ?? 1));
`;

export interface Reply {
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

export interface McpProcess {
  readonly pid: number;
  /** Every whole line of its standard output so far. */
  readonly lines: readonly string[];
  /** Standard error so far. */
  said(): string;
  send(message: object | string): void;
  /** A request, answered; undefined where the output ends first. */
  ask(method: string, params?: object): Promise<Reply | undefined>;
  /** The handshake of 2025. */
  shakeHands(): Promise<void>;
  /** A tool's answer as text; undefined where none comes. */
  call(tool: string, given: object): Promise<{ text: string; isError: boolean } | undefined>;
  /** The client goes as it was said when this was started. */
  leave(): void;
  /** Whatever is left of it. */
  kill(): void;
}

export interface McpStart {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  going?: Going;
}

export async function startMcp({ args, env, going = "eof" }: McpStart): Promise<McpProcess> {
  const isThrough = going === "killed";
  const argv = [BIN, "mcp", ...args];
  const client = spawn(process.execPath, isThrough ? ["-e", PARENT, ...argv] : argv, {
    env,
    stdio: isThrough ? ["pipe", "pipe", "pipe", "ipc"] : ["pipe", "pipe", "pipe"],
  });
  const { stdin, stdout, stderr } = client;
  if (stdin === null || stdout === null || stderr === null) throw new Error("it has no pipes");
  const lines: string[] = [];
  const waiting = new Map<number, (reply: Reply | undefined) => void>();
  let rest = "";
  let said = "";
  let asked = 0;
  let isOver = false;
  stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const whole = (rest + chunk).split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) {
      lines.push(line);
      const message = rpcOf(line);
      const id = message?.["id"];
      if (typeof id !== "number") continue;
      waiting.get(id)?.(message);
      waiting.delete(id);
    }
  });
  stderr.setEncoding("utf8").on("data", (chunk: string) => (said += chunk));
  stdin.on("error", () => undefined);
  stdout.once("close", () => {
    isOver = true;
    if (rest !== "") lines.push(rest);
    for (const answer of waiting.values()) answer(undefined);
    waiting.clear();
  });
  const pid = isThrough
    ? await new Promise<number>((resolve) =>
        client.once("message", (message) => resolve((message as { pid: number }).pid)),
      )
    : (client.pid ?? -1);

  const send = (message: object | string): void => {
    stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  };
  const ask = (method: string, params: object = {}): Promise<Reply | undefined> => {
    if (isOver) return Promise.resolve(undefined);
    const id = ++asked;
    const answered = new Promise<Reply | undefined>((resolve) => waiting.set(id, resolve));
    send({ jsonrpc: "2.0", id, method, params });
    return answered;
  };
  return {
    pid,
    lines,
    send,
    ask,
    said: () => said,
    shakeHands: async () => {
      const clientInfo = { name: "a client", version: "1.0.0" };
      await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
      send({ jsonrpc: "2.0", method: "notifications/initialized" });
    },
    call: async (tool, given) => {
      const reply = await ask("tools/call", { name: tool, arguments: given });
      if (reply === undefined) return undefined;
      const { content, isError } = (reply.result ?? {}) as {
        content?: { text?: string }[];
        isError?: boolean;
      };
      const text = content?.map((part) => part.text ?? "").join("\n") ?? reply.error?.message ?? "";
      return { text, isError: isError === true || reply.error !== undefined };
    },
    leave: () => {
      if (going === "eof") stdin.end();
      if (going === "killed") client.kill("SIGKILL");
      if (going === "pipe") stdout.destroy();
    },
    kill: () => {
      client.kill("SIGKILL");
      if (!isGone(pid)) process.kill(pid, "SIGKILL");
    },
  };
}

/** Those lines that are no JSON-RPC. */
export function strangeLines(lines: readonly string[]): string[] {
  return lines.filter((line) => rpcOf(line)?.["jsonrpc"] !== "2.0");
}

function rpcOf(line: string): Record<string, unknown> | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === "object" && message !== null ? { ...message } : undefined;
  } catch {
    // Whoever looks through the lines finds it.
    return undefined;
  }
}

/** Whether a process has ended. Nobody may have reaped it yet. */
export function isGone(pid: number): boolean {
  try {
    return /^State:\s+[ZX]/m.test(fs.readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    // ENOENT, or ESRCH between the opening and the reading.
    return true;
  }
}

/** What a process has started and what still runs. */
export function childrenOf(pid: number): number[] {
  try {
    return fs
      .readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
      .split(" ")
      .filter((child) => child !== "")
      .map(Number);
  } catch {
    // It has ended itself.
    return [];
  }
}
