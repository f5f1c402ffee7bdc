/**
 * Loaded before everything else: a process whose calls to the system can be made
 * slow, stopped (as SIGSTOP does) or its last (as SIGKILL does).
 *
 * It wraps the functions of node:fs and node:net in place, before any library
 * keeps a copy, so the code under test is what runs, and any gap between two
 * of its calls can be as long as a busy machine may make it.
 */
import fs from "node:fs";
import net from "node:net";

/** Runs before each call; `name` as in node:fs, `target` its first path. */
export type BeforeCall = (name: string, target: string) => void;

const CALLS = ["link", "rename", "unlink", "lstat", "stat", "mkdir", "rmdir", "chmod", "utimes", "readdir"];
const SYNC_CALLS = ["renameSync", "lstatSync", "rmdirSync", "mkdirSync", "linkSync", "statSync"];

const hooks: { before: BeforeCall } = { before: () => undefined };
(globalThis as { memdSlowCalls?: typeof hooks }).memdSlowCalls = hooks;

wrap(fs, [...CALLS, ...SYNC_CALLS]);
wrap(fs.promises, [...CALLS, "open"]);
wrap(net, ["connect"]);

// A whole program is told by its environment: "open memory/2026" stops it before it opens such a file, once.
const [name, part] = (process.env["MEMD_RACES_STOP"] ?? "").split(" ");
if (name !== undefined && part !== undefined)
  hooks.before = (call, target) => {
    if (call !== name || !target.includes(part)) return;
    hooks.before = () => undefined;
    process.kill(process.pid, "SIGSTOP");
  };

function wrap(of: object, names: readonly string[]): void {
  const calls = of as Record<string, (...given: unknown[]) => unknown>;
  for (const call of names) {
    const real = calls[call];
    if (real === undefined) continue;
    calls[call] = Object.assign((...given: unknown[]) => {
      hooks.before(call, targetOf(given[0]));
      return real.apply(of, given);
    }, real);
  }
}

function targetOf(given: unknown): string {
  if (typeof given === "string") return given;
  const path = (given as { path?: unknown } | undefined)?.path;
  return typeof path === "string" ? path : "";
}
