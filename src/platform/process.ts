/** This process: its environment, its signals, its terminal; and one that outlives it. */
import { Console } from "node:console";
import fs from "node:fs";
import os from "node:os";
import { createInterface } from "node:readline";
import v8 from "node:v8";
import { diskError } from "./disk.js";
import { shown } from "../text/shown.js";
import { openPlain } from "./files.js";

export const terminal = {
  get isTTY(): boolean {
    return process.stdout.isTTY === true;
  },
  get columns(): number {
    return process.stdout.columns ?? 80;
  },
  /** Standard output. Whatever stands in a text, a terminal is driven by memd alone. */
  out: (text: string): void => void process.stdout.write(printable(text, process.stdout.isTTY)),
  /** Standard error. */
  err: (text: string): void => void process.stderr.write(printable(text, process.stderr.isTTY)),
  /** The line that is being written begins again. */
  clearLine: (): void => void process.stdout.write("\r\u001b[K"),
};

/** Bold, dim, red, green, yellow, and their ends: what the commands use. */
const STYLE = /(\u001b\[(?:[012]|22|3[1239])m)/;

function printable(text: string, isStyled: boolean): string {
  if (!isStyled) return shown(text);
  return text
    .split(STYLE)
    .map((part, index) => (index % 2 === 1 ? part : shown(part)))
    .join("");
}

export const environment = (): Readonly<Record<string, string | undefined>> => process.env;
export const arguments_ = (): readonly string[] => process.argv;
export const homeDir = (): string => os.homedir();
export const currentDir = (): string => process.cwd();
/** Where what is needed for a while may stand. */
export const tempDir = (): string => os.tmpdir();
export const processId = (): number => process.pid;
export const nodeVersion = (): string => process.versions.node;
/** `linux`, `darwin`, `win32`. */
export const platform = (): string => process.platform;
/** Of this user; 0 where users have none. */
export const userId = (): number => process.getuid?.() ?? 0;
export const memoryBytes = (): number => process.memoryUsage.rss();

/**
 * For a process that mostly waits: what is garbage soon is collected often, in
 * place of growing room that is never given back: 10 to 20 MB of a daemon's memory.
 */
export function stayLean(): void {
  v8.setFlagsFromString("--semi-space-growth-factor=1");
  // Before the next collection the heap grows by so much of what is in use, in place of up to three times that.
  v8.setFlagsFromString("--heap-growing-percent=30");
}

/**
 * Gives back to the machine what nobody uses any more: the young heap too, which a collection alone leaves as large
 * as it ever was. The loop stands still for as long as that takes, some tenths of a second where years are known.
 */
export async function giveBackMemory(): Promise<void> {
  // A Node without an inspector keeps what it has.
  const { Session } = await import("node:inspector").catch(() => ({ Session: undefined }));
  if (Session === undefined) return;
  const session = new Session();
  session.connect();
  await new Promise<void>((done) => session.post("HeapProfiler.collectGarbage", () => done()));
  session.disconnect();
}

/** Ends the process with this code once everything pending has run. */
export function setExitCode(code: number): void {
  process.exitCode = code;
}

/** Ends the process now. */
export function exitNow(code: number): never {
  process.exit(code);
}

/** Runs `stop` on the first SIGTERM, SIGINT or SIGHUP; a second one ends the process at once. */
export function onStopSignal(stop: (signal: string) => void): void {
  let asked = false;
  const handler = (signal: string): void => {
    if (asked) process.exit(130);
    asked = true;
    stop(signal);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, handler);
}

/** A reader of standard output that went away (`| head`) ends the process quietly. */
export function endOnClosedPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? 0 : 1);
  });
}

/** Standard output is the protocol's alone: what anything else writes to a console goes to standard error. */
export function protocolOnly(): void {
  globalThis.console = new Console(process.stderr);
}

/** Who started this process, as early as that can be told: who is gone later has left it to another. */
const PARENT = process.ppid;
const LOOK_FOR_PARENT_MS = 250;

/** Ends the process as soon as whoever started it has closed its input or its output, or is gone. */
export function endWithParent(): void {
  process.stdin.once("end", () => process.exit(0));
  process.stdin.once("close", () => process.exit(0));
  const isSocket = fs.fstatSync(process.stdout.fd).isSocket();
  setInterval(() => {
    if (process.ppid !== PARENT || (isSocket && !isHeard(process.stdout.fd))) process.exit(0);
  }, LOOK_FOR_PARENT_MS).unref();
}

/** Whether anybody is at the other end. A socket tells it of a write of nothing, a pipe only of the next line. */
function isHeard(socket: number): boolean {
  try {
    fs.writeSync(socket, "");
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EAGAIN";
  }
}

/** Whether somebody sits there who reads and types. */
export const canBeAsked = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

/** Lines as they are typed, each asked for with `prompt`. */
export async function* readLines(prompt: string): AsyncGenerator<string> {
  const reader = createInterface({ input: process.stdin, terminal: false });
  process.stdout.write(prompt);
  for await (const line of reader) {
    yield line;
    process.stdout.write(prompt);
  }
}

export async function readStandardInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/**
 * Runs this program again with other arguments, its output appended to `output`, in a process that
 * outlives this one. `ended` settles with the exit code when it ends while this process still lives.
 */
export async function startDetached(args: readonly string[], output: string) {
  const { spawn } = await startsPrograms();
  const fd = openOutput(output);
  const [script = ""] = process.argv.slice(1);
  const child = spawn(process.execPath, [...process.execArgv, script, ...args], {
    detached: true,
    stdio: ["ignore", fd, fd],
  });
  fs.closeSync(fd);
  child.unref();
  return {
    pid: child.pid,
    ended: new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code))),
  };
}

/** A hook, which is run at every word, seldom starts any. */
const startsPrograms = () => import("node:child_process");

function openOutput(output: string): number {
  try {
    return openPlain(output, fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_CREAT);
  } catch (error) {
    throw diskError(error, "write", output);
  }
}

/** Whether something was there that opens an address. */
export async function openInBrowser(url: string): Promise<boolean> {
  const program =
    process.platform === "darwin" ? "open" : process.platform === "win32" ? "explorer" : "xdg-open";
  const hasScreen =
    process.platform !== "linux" || (process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"]) !== undefined;
  if (!hasScreen) return false;
  const { spawn } = await startsPrograms();
  return new Promise((resolve) => {
    const child = spawn(program, [url], { detached: true, stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => resolve(true));
    child.unref();
  });
}
