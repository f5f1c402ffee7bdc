/** `memd mcp` ends with its client, however that goes and whatever is under way; what it has acknowledged is there. */
import { expect, onTestFinished, test } from "vitest";
import { cliPlace, eventually, type Place } from "../support/cli.js";
import {
  childrenOf,
  type Going,
  GOINGS,
  isGone,
  type McpProcess,
  startMcp,
  strangeLines,
} from "../support/mcp-process.js";

async function started(place: Place, going: Going): Promise<McpProcess> {
  const memd = await startMcp({ args: ["-w", place.root], env: place.environment, going });
  onTestFinished(() => memd.kill());
  return memd;
}

async function leaves(memd: McpProcess): Promise<void> {
  const all = [memd.pid, ...childrenOf(memd.pid)];
  memd.leave();
  await eventually(`${all.join(", ")} are gone`, () => all.every(isGone));
  expect(strangeLines(memd.lines)).toEqual([]);
}

/** What was answered to somebody who has gone since, and where it stands. */
class Acknowledged {
  readonly remembered: string[] = [];
  readonly ended: string[] = [];
  #words = 0;

  word(): string {
    return `kestrel${++this.#words}x`;
  }

  async remember(memd: McpProcess): Promise<void> {
    const word = this.word();
    const answer = await memd.call("remember", { text: `The word is ${word}.` });
    if (answer?.text.startsWith("Remembered") === true) this.remembered.push(word);
  }

  async end(memd: McpProcess): Promise<void> {
    const word = this.word();
    const answer = await memd.call("end", { memo: `Told ${word}.` });
    if (answer?.text === "Kept.") this.ended.push(word);
  }

  standsIn(place: Place): void {
    const memory = place.exists("memory.md") ? place.read("memory.md") : "";
    expect(this.remembered.filter((word) => !memory.includes(word))).toEqual([]);
    const kept = textsIn(place);
    expect(this.ended.filter((word) => !kept.includes(word))).toEqual([]);
  }
}

/** What waits goes on to other folders while it is read: then all are listed again. */
function textsIn(place: Place): string {
  for (;;) {
    try {
      const files = [...place.files("queue"), ...place.files("memory")];
      return files.map((file) => place.read(file)).join("\n");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

test.each(GOINGS)("asking a running memd, it ends with its client: %s", async (going) => {
  const place = cliPlace({ files: { "history.json": [], "inbox.json": [] } });
  await place.launch(["start"]).says("Ready.");
  const acknowledged = new Acknowledged();

  await leaves(await started(place, going));

  const idle = await started(place, going);
  await idle.shakeHands();
  await leaves(idle);

  const busy = await started(place, going);
  await busy.shakeHands();
  await acknowledged.remember(busy);
  await acknowledged.end(busy);
  const underWay = [acknowledged.end(busy), acknowledged.remember(busy)];
  await leaves(busy);
  await Promise.all(underWay);

  expect(acknowledged.remembered.length).toBeGreaterThan(0);
  expect(acknowledged.ended.length).toBeGreaterThan(0);
  acknowledged.standsIn(place);
});

test.each(GOINGS)("while a process answers that it started, both end with its client: %s", async (going) => {
  const place = cliPlace();
  const acknowledged = new Acknowledged();
  const memd = await started(place, going);
  await memd.shakeHands();
  const underWay = acknowledged.end(memd);
  await eventually("a process answers", () => childrenOf(memd.pid).length > 0);
  await leaves(memd);
  await underWay;
  acknowledged.standsIn(place);
});
