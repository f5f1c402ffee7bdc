/**
 * A private place for real processes of memd: a workspace, a home, a runtime
 * folder for the socket and a temp folder that tells whose processes they are.
 *
 * Whoever opens a place ends it: then what it started is killed by pid and all
 * is removed.
 */
import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Binary } from "./binary.js";
import { atTheLatestAtExit } from "./leftovers.js";
import { ORDERS, type Orders } from "./point.js";

const LOOK_MS = 10;
const GONE_MS = 5000;

export interface Ended {
  /** Null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** Labels of its file operations, in order; empty without orders. */
  operations: string[];
}

export interface RunOptions {
  /** MEMD_FAKE_NOW. */
  now: string;
  orders?: Omit<Orders, "notes">;
}

export interface Started {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  hasEnded(): boolean;
  output(): string;
  kill(signal: NodeJS.Signals): void;
}

export interface Place {
  /** The workspace. */
  readonly root: string;
  /** For other files. */
  readonly outside: string;
  launch(args: readonly string[], options: RunOptions): Started;
  /** Runs one command to its end. */
  memd(args: readonly string[], options: RunOptions): Promise<Ended>;
  /** Pids of all that was started for this place, workers too, and still runs. */
  processes(): number[];
  end(): Promise<void>;
}

/** `root`: a folder that becomes the workspace; a new one unless it is named. */
export function openPlace(binary: Binary, root?: string): Place {
  const outside = fs.realpathSync(fs.mkdtempSync(path.join(fastTemp(), "memd-kills-")));
  const here = root ?? path.join(outside, "ws");
  const [home, run, tmp] = ["home", "run", "tmp"].map((name) => path.join(outside, name)) as [
    string,
    string,
    string,
  ];
  for (const dir of [here, home, run, tmp]) fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_RUNTIME_DIR: run,
    TMPDIR: tmp,
    TZ: "UTC",
    NO_COLOR: "1",
  };
  const living = new Set<ChildProcess>();
  let notes = 0;
  const killAll = (): void => {
    for (const child of living) child.kill("SIGKILL");
    for (const pid of processesWith(`TMPDIR=${tmp}`)) killed(pid);
  };
  const clear = atTheLatestAtExit(() => {
    killAll();
    fs.rmSync(outside, { recursive: true, force: true, maxRetries: 5 });
  });

  const launch = (args: readonly string[], { now, orders }: RunOptions): Started => {
    const file = path.join(outside, `notes-${notes++}`);
    const told: Orders = { ...orders, notes: file };
    const watched = orders === undefined ? [] : ["--import", pathToFileURL(binary.preload).href];
    const child = spawn(process.execPath, [...watched, binary.entry, ...args], {
      cwd: here,
      env: {
        ...environment,
        MEMD_FAKE_NOW: now,
        ...(orders === undefined ? {} : { [ORDERS]: JSON.stringify(told) }),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    living.add(child);
    return follow(child, () => {
      living.delete(child);
      return takeNotes(file);
    });
  };

  return {
    root: here,
    outside,
    launch,
    memd: (args, options) => launch(args, options).ended,
    processes: () => processesWith(`TMPDIR=${tmp}`),
    end: async () => {
      killAll();
      await eventually(() => living.size === 0, GONE_MS);
      clear();
    },
  };
}

/** Whether it comes true in time. */
export async function eventually(isSo: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  for (const until = performance.now() + withinMs; !(await isSo()); await pause(LOOK_MS))
    if (performance.now() > until) return false;
  return true;
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** In memory where the system has that: what is killed here need not survive a power cut. */
export function fastTemp(): string {
  try {
    fs.accessSync("/dev/shm", fs.constants.W_OK);
    return "/dev/shm";
  } catch {
    // No such folder on this system.
    return os.tmpdir();
  }
}

function follow(child: ChildProcess, onEnd: () => string[]): Started {
  let stdout = "";
  let stderr = "";
  let over = false;
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      over = true;
      resolve({ code, signal, stdout, stderr, operations: onEnd() });
    });
  });
  return {
    pid: child.pid ?? -1,
    ended,
    hasEnded: () => over,
    output: () => stdout + stderr,
    kill: (signal) => void child.kill(signal),
  };
}

function takeNotes(file: string): string[] {
  if (!fs.existsSync(file)) return [];
  const lines = fs.readFileSync(file, "utf8").split("\n").slice(0, -1);
  fs.unlinkSync(file);
  return lines;
}

function killed(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself meanwhile.
  }
}

/** A temp folder that nobody shares tells whose they are. */
function processesWith(variable: string): number[] {
  // Only Linux lists processes with their environment as files.
  if (!fs.existsSync("/proc/self/environ")) return [];
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environmentOf(pid).includes(variable))
    .map(Number);
}

function environmentOf(pid: string): string[] {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    // A process of somebody else, or one that has ended since it was listed.
    return [];
  }
}
