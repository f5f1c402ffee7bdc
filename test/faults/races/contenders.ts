/** The contenders as the run sees them: long-lived processes that are told what to do, stopped and killed. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import readline from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Answer, Order } from "./contender.js";
import { comesTrue, isStopped } from "./looking.js";

export interface Contender {
  readonly name: string;
  tell(order: Order): void;
  /** The next thing it says; `gone` once it is dead. */
  next(): Promise<Answer | { is: "gone" }>;
  ask(order: Order): Promise<Answer | { is: "gone" }>;
  sleep(): void;
  /** Resolves when it runs again; one that is about to stop is waited for, or it would sleep on. */
  wake(): Promise<void>;
  /** As a crash does it; resolves once it is gone. */
  kill(): Promise<void>;
}

export async function startContender(
  program: { preload: string; entry: string },
  ledger: string,
  name: string,
): Promise<Contender> {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    process.execPath,
    ["--import", program.preload, program.entry, ledger, name],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  // A contender that was killed while it was being told something.
  child.stdin.on("error", () => undefined);
  const heard: (Answer | { is: "gone" })[] = [];
  let listener: (() => void) | undefined;
  const hear = (answer: Answer | { is: "gone" }): void => {
    heard.push(answer);
    listener?.();
  };
  const lines = readline.createInterface({ input: child.stdout });
  lines.on("line", (line) => hear(JSON.parse(line) as Answer));
  // After the last line, not at the exit: what it said before it died counts.
  lines.on("close", () => hear({ is: "gone" }));
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  const next = async (): Promise<Answer | { is: "gone" }> => {
    while (heard.length === 0) await new Promise<void>((done) => (listener = done));
    return heard.shift()!;
  };
  const contender: Contender = {
    name,
    next,
    tell: (order) => void child.stdin.write(`${JSON.stringify(order)}\n`),
    ask: (order) => {
      contender.tell(order);
      return next();
    },
    sleep: () => void child.kill("SIGSTOP"),
    wake: async () => {
      await comesTrue(() => isStopped(child.pid ?? -1));
      child.kill("SIGCONT");
    },
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
  if ((await next()).is !== "ready") throw new Error(`contender ${name} did not start`);
  return contender;
}
