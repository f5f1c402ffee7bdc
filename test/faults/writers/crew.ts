/**
 * The processes of a run: all from one bundle, each with a role. They say JSON
 * lines; the last one is what they have done. Nothing outlives the run.
 */
import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { bundle } from "../bundle.js";
import type { Plant } from "../plants.js";
import type { Role } from "./member.js";
import { PLANTS } from "./plants.js";

export interface Member {
  /** The next line it says; undefined once it has ended. */
  next(): Promise<unknown>;
  /** Its last line, once it has ended by itself; throws when it failed. */
  done(): Promise<unknown>;
  tell(line: string): void;
  /** As a terminal does it. */
  stop(): void;
}

export interface Crew {
  /** A new workspace's folder. */
  workspace(files: Readonly<Record<string, string>>): string;
  member(role: Role): Member;
  /** The real command line, with these arguments. */
  memd(from: "binary" | "source", args: readonly string[]): Member;
  /** Ends what still runs and removes the workspaces. */
  dismiss(): Promise<void>;
}

export async function gatherCrew(): Promise<Crew> {
  const name = process.env["MEMD_FAULTS_PLANT"];
  const plant: Plant | undefined = PLANTS.find((each) => each.name === name);
  const entry = await bundle("test/faults/writers/member.ts", { plant });
  const folders: string[] = [];
  const running = new Set<ChildProcess>();
  const start = (file: string, args: readonly string[]): Member => {
    const child = spawn(process.execPath, [file, ...args], { stdio: ["pipe", "pipe", "pipe"] });
    running.add(child);
    child.once("close", () => running.delete(child));
    return memberOf(child);
  };
  return {
    workspace: (files) => {
      const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "memd-writers-")));
      folders.push(root);
      fs.mkdirSync(path.join(root, "inbox.d"));
      for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(root, file), text);
      return root;
    },
    member: (role) => start(entry, [JSON.stringify(role)]),
    memd: (from, args) =>
      from === "binary"
        ? start("bin/memd.js", args)
        : start(entry, [JSON.stringify({ plays: "command", args })]),
    dismiss: async () => {
      const ends = [...running].map((child) => new Promise((ended) => child.once("close", ended)));
      for (const child of running) child.kill("SIGKILL");
      await Promise.all(ends);
      for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

function memberOf(child: ChildProcess): Member {
  const said: unknown[] = [];
  let last: unknown;
  let wake: () => void = () => undefined;
  let ended = false;
  let complaint = "";
  child.stderr?.on("data", (piece: Buffer) => (complaint = (complaint + String(piece)).slice(-2000)));
  // It may have ended before it is told to.
  child.stdin?.on("error", () => undefined);
  const lines = readline.createInterface({ input: child.stdout! });
  lines.on("line", (line) => {
    if (!line.startsWith("{")) return;
    last = JSON.parse(line);
    said.push(last);
    wake();
  });
  const over = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      ended = true;
      wake();
      resolve(code);
    });
  });
  return {
    tell: (line) => void child.stdin?.write(`${line}\n`),
    stop: () => void child.kill("SIGTERM"),
    next: async () => {
      while (said.length === 0 && !ended) await new Promise<void>((heard) => (wake = heard));
      return said.shift();
    },
    done: async () => {
      const code = await over;
      if (code !== 0) throw new Error(`a process of the run failed (${code}): ${complaint}`);
      return last;
    },
  };
}
