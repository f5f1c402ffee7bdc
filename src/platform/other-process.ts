/**
 * A process that is not this one: whether a number still is the process that it was, and its end. Numbers
 * are given anew: a process is told from a later one under its number by when it began, which systems say
 * in ways of their own; where one does not, nothing may be done to it.
 */
import fs from "node:fs/promises";

/** Of the fields of Linux's `stat` behind the name, which may hold blanks: its state, and when it began. */
const STATE = 0;
const BEGAN = 19;
const PS_MS = 2000;

/** The same for as long as it is the same process; undefined where it has ended, or this system does not tell. */
export async function markOf(pid: number): Promise<string | undefined> {
  switch (process.platform) {
    case "linux":
      return markOnLinux(pid).catch(() => undefined);
    case "darwin":
      return said("/bin/ps", "-o", "lstart=", "-p", String(pid));
    default:
      return undefined;
  }
}

/** Sends it a signal; false where there is no such process any more, or it is not this user's. */
export function signal(pid: number, name: "SIGTERM" | "SIGKILL"): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    // ESRCH: gone, as was wanted. EPERM: whoever waits for its end sees that it goes on.
    return false;
  }
}

/** Ticks since the machine began, so which beginning that was too; and in which container the number means it. */
async function markOnLinux(pid: number): Promise<string | undefined> {
  const [stat, boot, space] = await Promise.all([
    fs.readFile(`/proc/${pid}/stat`, "utf8"),
    fs.readFile("/proc/sys/kernel/random/boot_id", "utf8"),
    fs.readlink("/proc/self/ns/pid"),
  ]);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "Z", began] = [fields[STATE], fields[BEGAN]];
  // It has ended, and its parent has not heard of it yet.
  if (state === "Z" || state === "X" || began === undefined) return undefined;
  return `${boot.trim()} ${space} ${began}`;
}

async function said(program: string, ...args: string[]): Promise<string | undefined> {
  const { execFile } = await import("node:child_process");
  return new Promise((resolve) => {
    execFile(program, args, { timeout: PS_MS, env: { LC_ALL: "C", TZ: "UTC" } }, (error, stdout) =>
      resolve(error === null ? stdout.trim() || undefined : undefined),
    );
  });
}
