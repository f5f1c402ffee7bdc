/**
 * The built `memd`, run as a user runs it, in a private place: a workspace, a
 * home, a runtime folder for the socket and a time zone of its own.
 *
 * A place ends with its test: every process it started is killed (by pid, and
 * workers by the temp folder that only this place has), then all is removed.
 */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const BIN = fileURLToPath(new URL("../../bin/memd.js", import.meta.url));
const WORKER = "dist/programs/worker-main.js";
const LOOK_MS = 20;

export interface Ended {
  /** Null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** MEMD_FAKE_NOW. */
  now?: string;
  /** Standard input. */
  input?: string;
  env?: Readonly<Record<string, string>>;
  /** Working folder; the workspace unless another is named. */
  cwd?: string;
}

/** A memd that runs on until it is told to end. */
export interface Started {
  readonly pid: number;
  /** What it has printed so far, both streams. */
  output(): string;
  /** Resolves once the output holds it; rejects when the process ends first. */
  says(text: string | RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

export interface Place {
  /** The workspace. */
  readonly root: string;
  /** What its processes are given. */
  readonly environment: Readonly<Record<string, string>>;
  /** Parent of workspace, home, runtime and temp folder; other files of a test go here. */
  readonly outside: string;
  /** Runs one command in the workspace to its end. */
  memd(args: readonly string[], options?: RunOptions): Promise<Ended>;
  /** Starts a command and returns at once. */
  launch(args: readonly string[], options?: RunOptions): Started;
  write(file: string, content: unknown): void;
  /** By a temporary file and a rename, as careful hosts save. */
  replace(file: string, content: unknown): void;
  read(file: string): string;
  json<T>(file: string): T;
  exists(file: string): boolean;
  /** Relative paths of all files under a folder, sorted. */
  files(folder?: string): string[];
  /** Path and content of all files under a folder. */
  snapshot(folder?: string): Record<string, string>;
  /** Pids of worker processes that were started for this place and still run. */
  workers(): number[];
}

export interface PlaceOptions {
  zone?: string;
  /** False for a folder that is no workspace. */
  workspace?: boolean;
  /** Folder that becomes the workspace; a new one unless it is named. */
  root?: string;
  /** Content of files to begin with; what is not a string is written as JSON. */
  files?: Readonly<Record<string, unknown>>;
}

/** A new place, which ends with the test that asks for it. */
export function cliPlace(options: PlaceOptions = {}): Place {
  const { place, end } = openPlace(options);
  onTestFinished(end);
  return place;
}

/** A place for several tests; the caller ends it. */
export function openPlace({ zone = "UTC", workspace = true, root, files = {} }: PlaceOptions = {}): {
  place: Place;
  end: () => Promise<void>;
} {
  const outside = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "memd-e2e-")));
  const here = root ?? path.join(outside, "ws");
  const dirs = Object.fromEntries(["home", "run", "tmp"].map((name) => [name, path.join(outside, name)]));
  for (const dir of [here, ...Object.values(dirs)]) fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: dirs["home"] ?? "",
    XDG_RUNTIME_DIR: dirs["run"] ?? "",
    TMPDIR: dirs["tmp"] ?? "",
    TZ: zone,
    NO_COLOR: "1",
  };
  const living = new Set<ChildProcessWithoutNullStreams>();

  const launch = (args: readonly string[], options: RunOptions = {}): Started => {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: options.cwd ?? here,
      env: {
        ...environment,
        ...(options.now === undefined ? {} : { MEMD_FAKE_NOW: options.now }),
        ...options.env,
      },
    });
    living.add(child);
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
    return follow(child, () => living.delete(child));
  };

  const at = (file: string): string => path.join(here, file);
  const write = (file: string, content: unknown): void => {
    fs.mkdirSync(path.dirname(at(file)), { recursive: true });
    fs.writeFileSync(at(file), bytesOf(content));
  };
  for (const [file, content] of Object.entries(files)) write(file, content);
  if (workspace && !fs.existsSync(at("workspace.json"))) write("workspace.json", { format: 1, id: "e2e" });

  const place: Place = {
    root: here,
    outside,
    environment,
    launch,
    memd: async (args, options) => launch(args, options).ended,
    write,
    replace: (file, content) => {
      const temp = at(`.host-${path.basename(file)}`);
      fs.writeFileSync(temp, bytesOf(content));
      fs.renameSync(temp, at(file));
    },
    read: (file) => fs.readFileSync(at(file), "utf8"),
    json: (file) => JSON.parse(fs.readFileSync(at(file), "utf8")) as never,
    exists: (file) => fs.existsSync(at(file)),
    files: (folder = "") => filesUnder(here, folder),
    snapshot: (folder = "") =>
      Object.fromEntries(filesUnder(here, folder).map((file) => [file, fs.readFileSync(at(file), "latin1")])),
    workers: () => workersWith(`TMPDIR=${environment.TMPDIR}`),
  };

  const end = async (): Promise<void> => {
    const left = [...living];
    for (const child of left) child.kill("SIGKILL");
    await Promise.all(left.map(gone));
    for (const pid of workersWith(`TMPDIR=${environment.TMPDIR}`)) killed(pid);
    fs.rmSync(outside, { recursive: true, force: true, maxRetries: 5 });
  };
  return { place, end };
}

/** What makes a process take its output for a terminal so wide. */
export function atTerminal(columns: number): Record<string, string> {
  const preload = `process.stdout.isTTY=true;process.stdout.columns=${columns}`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` };
}

/** Looks again and again; fails with what it waited for. */
export async function eventually(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  withinMs = 20_000,
): Promise<void> {
  for (const until = Date.now() + withinMs; !(await isSo()); await pause(LOOK_MS)) {
    if (Date.now() > until) throw new Error(`not within ${withinMs} ms: ${what}`);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !fs.readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    // ESRCH, or gone between the two looks.
    return false;
  }
}

function follow(child: ChildProcessWithoutNullStreams, onEnd: () => void): Started {
  let stdout = "";
  let stderr = "";
  let over = false;
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signal) => {
      over = true;
      onEnd();
      resolve({ code, signal, stdout, stderr });
    });
  });
  const output = (): string => stdout + stderr;
  return {
    pid: child.pid ?? -1,
    output,
    ended,
    kill: (signal) => void child.kill(signal),
    says: async (text) => {
      const said = (): boolean => (typeof text === "string" ? output().includes(text) : text.test(output()));
      await eventually(`${String(text)} in the output:\n${output()}`, () => {
        if (over && !said()) throw new Error(`ended without saying ${String(text)}:\n${output()}`);
        return said();
      });
    },
  };
}

function gone(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => child.once("exit", () => done()));
}

function killed(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself meanwhile.
  }
}

/** Workers are given TMPDIR and little else: a temp folder that nobody shares tells whose they are. */
function workersWith(variable: string): number[] {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const command = procText(pid, "cmdline");
      return command.includes(WORKER) && procText(pid, "environ").split("\0").includes(variable);
    })
    .map(Number);
}

function procText(pid: string, name: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    // A process that has ended since it was listed.
    return "";
  }
}

function filesUnder(root: string, folder: string): string[] {
  const start = path.join(root, folder);
  if (!fs.existsSync(start)) return [];
  return fs
    .readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

function bytesOf(content: unknown): string | Uint8Array {
  if (typeof content === "string" || content instanceof Uint8Array) return content;
  return `${JSON.stringify(content, null, 2)}\n`;
}
