/**
 * A program that drops messages into `inbox.d/`: through memd's own library, or
 * in a way of its own: temp and rename, or straight into the folder and slowly.
 */
import fs from "node:fs";
import path from "node:path";
import { parseInstant } from "../../../src/model/time.js";
import { nodeDisk } from "../../../src/platform/node-disk.js";
import { systemRandom, type Random } from "../../../src/platform/clock.js";
import { writeDrop } from "../../../src/protocol/read-list.js";
import { pause } from "./saving.js";
import { countingRandom } from "../../support/counting-random.js";

export interface DroppingRole {
  plays: "dropper";
  root: string;
  way: "library" | "rename" | "slow";
  name: string;
  drops: number;
  /** The time that every one of them takes it to be. */
  now: string;
}

/** Every so many drops its name is one that the others will try too. */
const MEETING = 8;

/** The texts it has dropped; each is one message. */
export async function drop(role: DroppingRole): Promise<{ texts: string[] }> {
  const texts: string[] = [];
  const writer = { disk: nodeDisk, random: meetingNames(), guard: () => Promise.resolve() };
  const now = parseInstant(role.now)!;
  for (let n = 0; n < role.drops; n++) {
    const text = `${role.name} says ${n}`;
    const createdAt = new Date().toISOString();
    if (role.way === "library") {
      await writeDrop(writer, { root: role.root }, { role: "user", text, createdAt }, now);
    } else {
      await dropByHand(role, n, JSON.stringify({ role: "user", text, createdAt }));
    }
    texts.push(text);
  }
  return { texts };
}

/** A drop asks twice, for its id and for its temporary file: only ids are to meet. */
function meetingNames(): Random {
  const counted = countingRandom();
  let asked = 0;
  return {
    name: (length) => (asked++ % (2 * MEETING) === 0 ? counted.name(length) : systemRandom.name(length)),
  };
}

async function dropByHand(role: DroppingRole, n: number, content: string): Promise<void> {
  const folder = path.join(role.root, "inbox.d");
  const file = path.join(folder, `${role.name}-${n}.json`);
  if (role.way === "rename") {
    fs.writeFileSync(path.join(folder, `.${role.name}-${n}.tmp`), content);
    fs.renameSync(path.join(folder, `.${role.name}-${n}.tmp`), file);
    return;
  }
  const out = fs.openSync(file, "wx");
  const half = Math.floor(content.length / 2);
  fs.writeSync(out, content.slice(0, half));
  await pause(30);
  fs.writeSync(out, content.slice(half));
  fs.closeSync(out);
}
