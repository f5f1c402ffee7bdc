/** Another process of the same program, told what to do line by line; killed with its test. */
import { spawn } from "node:child_process";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const CHILD = fileURLToPath(new URL("./owner-child.ts", import.meta.url));

export interface OtherProcess {
  /** Sends one order; its answer is the next line. */
  ask(order: string): Promise<string>;
  tell(order: string): void;
  next(): Promise<string>;
  /** As a crash does it; resolves once it is gone. */
  kill(): Promise<void>;
}

export async function otherProcess(): Promise<OtherProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", CHILD], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const gone = new Promise<void>((done) => child.once("exit", () => done()));
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await gone;
  };
  onTestFinished(kill);
  const next = async (): Promise<string> => {
    const line = await lines.next();
    return line.done === true ? "gone" : line.value;
  };
  const tell = (order: string): void => void child.stdin.write(`${order}\n`);
  if ((await next()) !== "ready") throw new Error("the other process did not start");
  return {
    tell,
    next,
    kill,
    ask: (order) => {
      tell(order);
      return next();
    },
  };
}
