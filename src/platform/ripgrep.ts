/**
 * Looking for words in files with ripgrep's bundled binary. Fixed strings as an argument array, never a
 * shell; bounded in output and time. A last resort must not become a fault: no binary, or one that fails,
 * finds nothing.
 */
import { spawn } from "node:child_process";
import os from "node:os";

export interface RipgrepQuery {
  /** Absolute. */
  root: string;
  /** Files and folders under the root; those that are not there are passed over. */
  places: readonly string[];
  /** Case is ignored. A word with a line break in it matches nothing. */
  words: readonly string[];
}

export interface MatchingLine {
  /** Relative to the root, `/` between parts. */
  path: string;
  /** 1-based. */
  line: number;
}

/** Lines that hold at least one of the words, sorted by path and line. */
export type Ripgrep = (query: RipgrepQuery) => Promise<MatchingLine[]>;

const LIMITS = { timeoutMs: 1_500, outputBytes: 512 * 1024, linesPerFile: 50 };
type RipgrepLimits = typeof LIMITS;

/** `binary` finds the executable; undefined or an error means there is none. */
export function systemRipgrep(
  binary: () => Promise<string | undefined> = bundledBinary,
  limits: RipgrepLimits = LIMITS,
): Ripgrep {
  return async ({ root, places, words }) => {
    const wanted = words.filter((word) => word !== "" && !/[\r\n\0]/.test(word));
    const executable = await binary().catch(() => undefined);
    if (executable === undefined || wanted.length === 0 || places.length === 0) return [];
    return linesOf(await run(executable, argumentsFor(wanted, places, limits), root, limits));
  };
}

/** The platform's package is optional: importing throws where it is missing. */
async function bundledBinary(): Promise<string> {
  return (await import("@vscode/ripgrep")).rgPath;
}

function argumentsFor(words: readonly string[], places: readonly string[], limits: RipgrepLimits): string[] {
  const options = [
    "--no-config",
    "--no-ignore",
    "--no-messages",
    "--no-follow",
    "--text",
    "--color=never",
    "--no-heading",
  ];
  const shape = [
    "--with-filename",
    "--null",
    "--line-number",
    "--only-matching",
    `--max-count=${limits.linesPerFile}`,
  ];
  const files = ["--glob=*.md", "--glob=*.jsonl", "--threads=2"];
  const patterns = words.flatMap((word) => ["-e", word]);
  return [...options, ...shape, ...files, "--fixed-strings", "--ignore-case", ...patterns, "--", ...places];
}

/** What the program printed until it ended, was too slow or had said enough. */
async function run(executable: string, args: string[], cwd: string, limits: RipgrepLimits): Promise<string> {
  const child = spawn(executable, args, {
    cwd,
    env: {},
    stdio: ["ignore", "pipe", "ignore"],
    windowsHide: true,
  });
  if (child.pid !== undefined) stepBack(child.pid);
  const timer = setTimeout(() => child.kill("SIGKILL"), limits.timeoutMs);
  const ended = new Promise<void>((done) => {
    child.on("error", () => done());
    child.on("close", () => done());
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    if (bytes >= limits.outputBytes) return;
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= limits.outputBytes) child.kill("SIGKILL");
  });
  await ended;
  clearTimeout(timer);
  return Buffer.concat(chunks).toString("utf8");
}

/** It reads as fast as the machine can: whoever waits for an answer meanwhile comes first. */
function stepBack(pid: number): void {
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or this system knows no priorities.
  }
}

/** `path NUL line:match`, one per match; the last may have been cut short. */
function linesOf(output: string): MatchingLine[] {
  const found = new Map<string, MatchingLine>();
  for (const printed of output.split("\n").slice(0, -1)) {
    const parsed = /^(.+)\0(\d+):/.exec(printed);
    if (parsed === null) continue;
    const path = (parsed[1] ?? "").replaceAll("\\", "/").replace(/^\.\//, "");
    const line = Number(parsed[2]);
    found.set(`${path}\0${line}`, { path, line });
  }
  return [...found.values()].sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}
