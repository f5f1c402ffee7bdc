/** Starting a process that outlives this one. */
import { spawn } from "node:child_process";
import fs from "node:fs";

export interface Detached {
  pid: number | undefined;
  /** Settles with the exit code when it ends while this process still lives. */
  ended: Promise<number | null>;
}

/** Runs this program again with other arguments, its output appended to `output`. */
export function startDetached(args: readonly string[], output: string): Detached {
  const fd = fs.openSync(output, "a", 0o600);
  const [script = ""] = process.argv.slice(1);
  const child = spawn(process.execPath, [...process.execArgv, script, ...args], {
    detached: true,
    stdio: ["ignore", fd, fd],
  });
  fs.closeSync(fd);
  child.unref();
  return { pid: child.pid, ended: new Promise((resolve) => child.once("exit", (code) => resolve(code))) };
}
