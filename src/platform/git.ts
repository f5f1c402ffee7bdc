/**
 * Git as a port: the program that is installed, with an argument array and never a
 * shell. It runs no hook, asks for nothing, signs nothing, opens no editor and
 * reaches no other machine; what `GIT_*` says in the environment is not heard. It
 * looks for a repository in the folder itself alone unless it is told otherwise.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import path from "node:path";
import type { Readable, Writable } from "node:stream";

export interface GitRequest {
  args: readonly string[];
  /** Its standard input. */
  input?: string;
  /** Absolute: in place of the repository's own index. */
  index?: string;
  /** ISO 8601: when what it writes was written. */
  at?: string;
}

export type GitEnd =
  | { is: "done"; out: string }
  | { is: "refused"; code: number; says: string }
  /** There is none here, or it did not end in time. */
  | { is: "missing"; says: string };

export type Git = (request: GitRequest) => Promise<GitEnd>;

interface GitPlace {
  /** Absolute, links resolved. */
  folder: string;
  /** A repository of a folder above counts too. */
  parent: boolean;
  environment: Readonly<Record<string, string | undefined>>;
}

const LIMITS = { deadlineMs: 20_000, graceMs: 2_000, outputBytes: 16 * 1024 * 1024, saysBytes: 2_000 };
/** Of the environment git is told what it finds its programs and the user's settings by. */
const HEARD = [
  "PATH",
  "HOME",
  "XDG_CONFIG_HOME",
  "TMPDIR",
  "SystemRoot",
  "USERPROFILE",
  "APPDATA",
  "PATHEXT",
];
const SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.quotePath=false",
  "commit.gpgSign=false",
  "log.showSignature=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "advice.addEmbeddedRepo=false",
];

export function systemGit(place: GitPlace, limits: Partial<typeof LIMITS> = {}): Git {
  const options = ["--no-pager", ...SETTINGS.flatMap((setting) => ["-c", setting])];
  return (request) => {
    const environment = environmentOf(place, request);
    const args = [...options, ...request.args];
    return run(args, place.folder, environment, request.input ?? "", { ...LIMITS, ...limits });
  };
}

function environmentOf({ folder, parent, environment }: GitPlace, { index, at }: GitRequest) {
  const heard = HEARD.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const who = ["AUTHOR", "COMMITTER"].flatMap((as) => [
    [`GIT_${as}_NAME`, "memd"] as const,
    [`GIT_${as}_EMAIL`, "memd@localhost"] as const,
    ...(at === undefined ? [] : [[`GIT_${as}_DATE`, at] as const]),
  ]);
  return Object.fromEntries([
    ...heard,
    ...who,
    ["LC_ALL", "C"],
    ["GIT_TERMINAL_PROMPT", "0"],
    ["GIT_EDITOR", "false"],
    ["GIT_OPTIONAL_LOCKS", "0"],
    ...(parent ? [] : [["GIT_CEILING_DIRECTORIES", path.dirname(folder)] as const]),
    ...(index === undefined ? [] : [["GIT_INDEX_FILE", index] as const]),
  ]);
}

type GitProcess = ChildProcessByStdio<Writable, Readable, Readable>;

function run(
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
  input: string,
  limits: typeof LIMITS,
): Promise<GitEnd> {
  return new Promise((resolve) => {
    const child: GitProcess = spawn("git", args, {
      cwd,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    const out: Buffer[] = [];
    let bytes = 0;
    let says = "";
    let cut: string | undefined;
    const end = (why: string): void => {
      cut ??= why;
      // Told to end it takes its locks away; killed it would leave them.
      signalGroup(child, "SIGTERM");
      grace ??= setTimeout(() => signalGroup(child, "SIGKILL"), limits.graceMs);
    };
    let grace: NodeJS.Timeout | undefined;
    const deadline = setTimeout(() => end("it did not end in time"), limits.deadlineMs);
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > limits.outputBytes) end("it said too much");
      else out.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      says = `${says}${chunk.toString("utf8")}`.slice(-limits.saysBytes);
    });
    // One that ends before it has read everything says why by its code.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
    child.stdin.end(input);
    const settle = (ended: GitEnd): void => {
      clearTimeout(deadline);
      clearTimeout(grace);
      resolve(ended);
    };
    child.once("exit", () => {
      if (cut === undefined) return;
      // What it has started would hold its output open for as long as it likes.
      signalGroup(child, "SIGKILL");
      settle({ is: "missing", says: cut });
    });
    child.once("error", (error) => settle({ is: "missing", says: error.message }));
    child.once("close", (code) => {
      if (cut !== undefined || code === null) settle({ is: "missing", says: cut ?? "it was killed" });
      else if (code === 0) settle({ is: "done", out: Buffer.concat(out).toString("utf8") });
      else settle({ is: "refused", code, says: sentenceOf(says) });
    });
  });
}

function signalGroup(child: GitProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // ESRCH: all of it has ended already.
  }
}

/** The last line that says something, without what git calls it. */
function sentenceOf(says: string): string {
  const lines = says.split("\n").map((line) => line.trim());
  const telling = lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines.filter(Boolean).at(-1);
  return (telling ?? "").replace(/^(?:fatal|error): /, "");
}
