/**
 * A process that takes sockets and locks when it is told to: `take SOCKET`,
 * `release`, `lock FILE`, `unlock`. Ends with its stdin.
 */
import http from "node:http";
import readline from "node:readline";
import { fileLocks } from "../../src/platform/lock.js";
import { takeOwnership, type Ownership } from "../../src/platform/owner.js";

let owned: Ownership | undefined;
let unlock: () => void = () => undefined;

const say = (word: string): void => void process.stdout.write(`${word}\n`);

async function obey(order: string, path: string): Promise<void> {
  switch (order) {
    case "take": {
      const server = http.createServer((_request, response) => response.end(String(process.pid)));
      owned = await takeOwnership(path, server);
      return say(owned === undefined ? "busy" : "owner");
    }
    case "mine":
      return say(String(await owned?.stillMine()));
    case "release":
      await owned?.release();
      owned = undefined;
      return say("released");
    case "lock":
      await fileLocks.withLock(path, async () => {
        say("locked");
        await new Promise<void>((done) => (unlock = done));
      });
      return say("unlocked");
    case "unlock":
      return unlock();
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [order = "", path = ""] = line.split(" ");
  obey(order, path).catch((error: unknown) => say(`failed: ${String(error)}`));
});
process.stdin.on("end", () => process.exit(0));
say("ready");
