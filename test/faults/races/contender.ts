/**
 * A process that contends for sockets, on the real ownership module, as it is
 * told line by line. While it believes to own one it says so in the ledger,
 * again and again, as a supervisor looks before each publication.
 */
import fs from "node:fs";
import http from "node:http";
import readline from "node:readline";
import { isMemdError } from "../../../src/model/errors.js";
import { takeOwnership, type Ownership } from "../../../src/platform/owner.js";
import type { BeforeCall } from "./slow-calls.js";
import type { LedgerLine } from "./ledger.js";
import type { Mishap } from "./plan.js";

export type Order =
  { do: "take"; socket: string; round: number; mishap?: Mishap } | { do: "mine" } | { do: "release" };

/** `stopped` is said in between, by a process that stops itself right after. */
export type Answer =
  | { is: "ready" | "owner" | "busy" | "released" | "stopped" }
  | { is: "mine"; mine: boolean }
  | { is: "failed"; why: string };

const [ledger = "", who = ""] = process.argv.slice(2);
const ledgerFile = fs.openSync(ledger, "a");
const hooks = (globalThis as { memdSlowCalls?: { before: BeforeCall } }).memdSlowCalls!;
const LOOK_MS = 1;

let owned: Ownership | undefined;
let round = 0;

/** Written at once, in one piece: other processes append to the same file. */
const note = (line: Omit<LedgerLine, "who" | "round" | "at">): void =>
  // A line break before and after: a contender that is killed may leave a torn line, and must not tear another's.
  void fs.writeSync(ledgerFile, `\n${JSON.stringify({ who, round, at: nowMs(), ...line })}\n`);
const say = (answer: Answer): void => void fs.writeSync(1, `${JSON.stringify(answer)}\n`);

async function take(order: Order & { do: "take" }): Promise<void> {
  round = order.round;
  befall(order.mishap);
  try {
    owned = await takeOwnership(order.socket, http.createServer());
    if (owned === undefined) return say({ is: "busy" });
    note({ is: "enter" });
    void work(owned);
    say({ is: "owner" });
  } catch (error) {
    if (isMemdError(error, "busy")) say({ is: "busy" });
    else say({ is: "failed", why: String(error) });
  } finally {
    befall(undefined);
  }
}

/** What a supervisor does: look, and only then write. Once it has lost, it ends for good. */
async function work(ownership: Ownership): Promise<void> {
  while (owned === ownership) {
    const lookedAt = nowMs();
    const mine = await ownership.stillMine();
    if (owned !== ownership) return;
    note(mine ? { is: "act", lookedAt } : { is: "lost" });
    if (!mine) {
      owned = undefined;
      await ownership.release();
      return;
    }
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}

async function release(): Promise<void> {
  const ownership = owned;
  owned = undefined;
  if (ownership !== undefined) note({ is: "leave" });
  await ownership?.release();
  say({ is: "released" });
}

/** At the n-th call from now on. Blocks the whole process, as a slow disk or a busy machine does. */
function befall(mishap: Mishap | undefined): void {
  let calls = 0;
  hooks.before = () => {
    if (mishap === undefined || ++calls !== mishap.call) return;
    switch (mishap.kind) {
      case "slow":
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, mishap.ms);
        return;
      case "stopped":
        say({ is: "stopped" });
        process.kill(process.pid, "SIGSTOP");
        return;
      case "dies":
        process.kill(process.pid, "SIGKILL");
        return;
      default:
        mishap.kind satisfies never;
    }
  };
}

/** Monotonic, and the same for all processes of a machine. */
function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const order = JSON.parse(line) as Order;
  if (order.do === "take") void take(order);
  else if (order.do === "release") void release();
  else void Promise.resolve(owned?.stillMine() ?? false).then((mine) => say({ is: "mine", mine }));
});
process.stdin.on("end", () => process.exit(0));
say({ is: "ready" });
