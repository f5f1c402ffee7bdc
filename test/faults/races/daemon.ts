/** Real `memd` processes on a workspace of their own: started, stopped, killed, and what they said. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { packageRoot } from "../../../src/platform/package-root.js";
import { answers } from "../../../src/platform/owner.js";
import { bundle } from "../bundle.js";
import { comesTrue } from "./looking.js";
import type { Plant } from "../plants.js";

/** What runs as `memd`. */
export interface Program {
  entry: string;
  /** Makes calls to the system stop the process, see slow-calls.ts. */
  preload: string;
}

export interface Daemon {
  readonly pid: number;
  readonly startedAt: number;
  /** When it said that it is ready, by performance.now(). */
  readyAt(): number | undefined;
  ended(): { code: number | null; stderr: string } | undefined;
  signal(signal: NodeJS.Signals): void;
  /** As a crash does it; resolves once it is gone. */
  kill(): Promise<void>;
}

export interface Place {
  root: string;
  /** For XDG_RUNTIME_DIR: what login shells have, and what others may have. */
  runtimes: [string, string];
  daemons: Daemon[];
}

/** The built binary. */
export async function builtProgram(): Promise<Program> {
  return {
    preload: await bundle("test/faults/races/slow-calls.ts"),
    entry: path.join(packageRoot(), "bin", "memd.js"),
  };
}

/** The sources in one file, which starts sooner, with a bug planted or without. */
export async function quickProgram(plant: Plant | undefined): Promise<Program> {
  return {
    preload: await bundle("test/faults/races/slow-calls.ts"),
    entry: await bundle("test/faults/memd.ts", { plant, whole: true }),
  };
}

/** A workspace with a conversation of `messages`, spoken in the last hours. */
export function newPlace(dir: string, name: string, messages: number): Place {
  const root = path.join(dir, name, "ws");
  const runtimes: [string, string] = [path.join(dir, name, "a"), path.join(dir, name, "b")];
  for (const made of [root, ...runtimes]) fs.mkdirSync(made, { recursive: true, mode: 0o700 });
  const startMs = Date.now() - messages * 1000;
  const history = Array.from({ length: messages }, (_, n) => ({
    id: `m${n}`,
    role: n % 2 === 0 ? "user" : "agent",
    text: `Sentence number ${n} of a quiet conversation.`,
    createdAt: new Date(startMs + n * 1000).toISOString(),
  }));
  fs.writeFileSync(path.join(root, "workspace.json"), JSON.stringify({ format: 1, id: name }));
  fs.writeFileSync(path.join(root, "history.json"), JSON.stringify(history, null, 2));
  return { root, runtimes, daemons: [] };
}

export function launch(
  memd: Program,
  place: Place,
  options: { runtime?: 0 | 1; stopAt?: string } = {},
): Daemon {
  const startedAt = performance.now();
  const { stopAt, runtime = 0 } = options;
  const preload = stopAt === undefined ? [] : ["--import", memd.preload];
  const child = spawn(process.execPath, [...preload, memd.entry, "start"], {
    cwd: place.root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: path.dirname(place.root),
      XDG_RUNTIME_DIR: place.runtimes[runtime],
      NO_COLOR: "1",
      ...(stopAt === undefined ? {} : { MEMD_RACES_STOP: stopAt }),
    },
  });
  let readyAt: number | undefined;
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
    if (stdout.includes("Ready.")) readyAt ??= performance.now();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  let ended: { code: number | null; stderr: string } | undefined;
  const over = new Promise<void>((done) =>
    child.once("close", (code) => {
      ended = { code, stderr };
      done();
    }),
  );
  const daemon: Daemon = {
    pid: child.pid ?? -1,
    startedAt,
    readyAt: () => readyAt,
    ended: () => ended,
    signal: (signal) => void child.kill(signal),
    kill: async () => {
      child.kill("SIGKILL");
      await over;
    },
  };
  place.daemons.push(daemon);
  return daemon;
}

export async function endAll(place: Place): Promise<void> {
  await Promise.all(place.daemons.map((daemon) => daemon.kill()));
}

/** Ready, or over before it came to that. */
export async function settled(daemon: Daemon): Promise<boolean> {
  await comesTrue(() => daemon.readyAt() !== undefined || daemon.ended() !== undefined);
  return daemon.readyAt() !== undefined && daemon.ended() === undefined;
}

/** The process that answers as the owner that the workspace notes. */
export async function isOwned(place: Place): Promise<boolean> {
  const note = path.join(place.root, ".memd", "owner");
  const socket = fs.existsSync(note) ? fs.readFileSync(note, "utf8").split("\n")[0]! : "";
  return path.isAbsolute(socket) && (await answers(socket).catch(() => false));
}
