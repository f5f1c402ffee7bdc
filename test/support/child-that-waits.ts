/** A process that does nothing but `first`, and ends with its test. */
import { spawn, type ChildProcess } from "node:child_process";
import { onTestFinished } from "vitest";

export function childThatWaits(first = ""): { pid: number; child: ChildProcess; ended: Promise<void> } {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", `${first}\nsetInterval(() => undefined, 1000);`],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  onTestFinished(() => void child.kill("SIGKILL"));
  return { pid: child.pid ?? -1, child, ended };
}
