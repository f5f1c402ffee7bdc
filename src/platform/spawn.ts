/**
 * Child processes as a port: an argv array, an explicit environment, a process group of their own, lines in
 * and lines out; and the child's own side of it. A child is expected to end when its stdin closes, so that
 * nothing is left over when this process is killed; `killGroup` is for those that do not. Nothing here
 * survives a crash, and nothing has to.
 */
import { type ChildProcessWithoutNullStreams, spawn as nodeSpawnChild } from "node:child_process";
import { messageOf } from "../model/errors.js";

export interface ChildRequest {
  argv: readonly [string, ...string[]];
  /** The whole environment of the child; nothing is inherited. */
  environment: Readonly<Record<string, string | undefined>>;
  /** More output than this after one `send` and the group is killed. */
  outputLimitBytes: number;
  /** How long SIGTERM has before SIGKILL. */
  graceMs: number;
  onLine: (line: string) => void;
}

export interface ChildEnd {
  code?: number;
  signal?: string;
  /** Why it could not even be started. */
  fault?: string;
  overflowed: boolean;
}

export interface Child {
  readonly pid: number | undefined;
  /** Settles once the child and its group are gone; never rejects. */
  readonly ended: Promise<ChildEnd>;
  /** Lost without an error when the child has ended: `ended` tells. */
  send(line: string): void;
  /** The last few kilobytes that it wrote to stderr. */
  stderrTail(): string;
  /** SIGTERM to the group, SIGKILL after the grace, to the grandchildren in any case. */
  killGroup(): Promise<ChildEnd>;
}

export type Spawn = (request: ChildRequest) => Child;

/** The program that runs this process; what a worker is started with. */
export const NODE = process.execPath;

const STDERR_TAIL_BYTES = 4096;
/** A grandchild outside the group may hold our pipes open: they are not waited for beyond this. */
const DRAIN_MS = 1000;

export const nodeSpawn: Spawn = (request) => {
  const [program, ...args] = request.argv;
  let child: ChildProcessWithoutNullStreams;
  try {
    child = nodeSpawnChild(program, args, {
      env: { ...request.environment },
      stdio: "pipe",
      detached: process.platform !== "win32",
      windowsHide: true,
    });
  } catch (error) {
    return stillborn(messageOf(error));
  }

  let outputBytes = 0;
  let overflowed = false;
  let stderr = Buffer.alloc(0);
  let killing = false;

  const split = lineSplitter(request.onLine);
  child.stdout.on("data", (chunk: Buffer) => {
    if (overflowed) return;
    outputBytes += chunk.length;
    if (outputBytes <= request.outputLimitBytes) return split(chunk);
    overflowed = true;
    void killGroup();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-STDERR_TAIL_BYTES);
  });
  // A child that dies while it is written to: `ended` says so, the broken pipe is no news.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);

  const ended = new Promise<ChildEnd>((resolve) => {
    child.on("error", (error) => {
      if (child.pid === undefined) resolve({ fault: error.message, overflowed });
    });
    child.once("exit", (code, signal) => {
      signalGroup(child, "SIGKILL");
      const finish = (): void => {
        clearTimeout(drain);
        child.stdout.destroy();
        child.stderr.destroy();
        resolve({ ...(code === null ? {} : { code }), ...(signal === null ? {} : { signal }), overflowed });
      };
      const drain = setTimeout(finish, DRAIN_MS);
      child.once("close", finish);
    });
  });

  const killGroup = (): Promise<ChildEnd> => {
    if (!killing && child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      killing = true;
      signalGroup(child, "SIGTERM");
      const grace = setTimeout(() => signalGroup(child, "SIGKILL"), request.graceMs);
      child.once("exit", () => clearTimeout(grace));
    }
    return ended;
  };

  return {
    pid: child.pid,
    ended,
    killGroup,
    stderrTail: () => stderr.toString("utf8"),
    send: (line) => {
      outputBytes = 0;
      // What it says of this is told of nothing that comes after.
      stderr = Buffer.alloc(0);
      child.stdin.write(`${line}\n`);
    },
  };
};

function stillborn(fault: string): Child {
  const ended = Promise.resolve<ChildEnd>({ fault, overflowed: false });
  return { pid: undefined, ended, send: () => undefined, stderrTail: () => "", killGroup: () => ended };
}

function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // ESRCH: the group is gone already, which is what was wanted.
  }
}

/**
 * The worker's side of its pipes: lines from its own stdin, lines to its own stdout, its environment. Ends the
 * process as soon as stdin closes, whatever is under way: the one who asked is gone, even when by `kill -9`.
 */
export function workerIo() {
  const end = (): never => process.exit(0);
  return {
    onLine: (listener: (line: string) => void): void => {
      process.stdin.on("data", lineSplitter(listener));
      process.stdin.once("end", end).once("error", end);
      process.stdout.once("error", end);
    },
    send: (line: string): void => void process.stdout.write(`${line}\n`),
    environment: (name: string): string | undefined => process.env[name],
  };
}

/** Bytes to lines: partial chunks, characters cut in two and lines of megabytes included. */
const NEWLINE = 0x0a;

/** Feed it chunks; `onLine` gets every whole line, without its newline. What follows the last newline waits. */
export function lineSplitter(onLine: (line: string) => void): (chunk: Uint8Array) => void {
  let waiting: Uint8Array[] = [];
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      // Joined only here: a long line is copied once, however many chunks it came in.
      const line = Buffer.concat([...waiting, chunk.subarray(from, at)]).toString("utf8");
      waiting = [];
      from = at + 1;
      onLine(line);
    }
    if (from < chunk.length) waiting.push(chunk.subarray(from));
  };
}
