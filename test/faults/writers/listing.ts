/**
 * A host that appends its messages to `history.json` by writing it whole: under
 * the lock, or without it, comparing before it renames. All hosts are of one
 * house and take turns among themselves, so that what is lost is lost by memd.
 */
import fs from "node:fs";
import lockfile from "proper-lockfile";
import { chanceOf } from "./random.js";
import { nowMs, pause, saveByRename } from "./saving.js";

export interface ListingRole {
  plays: "list writer";
  file: string;
  /** Of the turns that hosts take among themselves; memd knows nothing of it. */
  turns: string;
  isPolite: boolean;
  name: string;
  messages: number;
  seed: number;
}

export interface Saved {
  /** Of the message, or of the edit. */
  token: string;
  /** When it was put in place, at the earliest and at the latest. */
  between: [number, number];
}

const RETRIES = { retries: 2000, minTimeout: 3, maxTimeout: 15, randomize: true } as const;
const LOCK = { realpath: false, stale: 30_000, retries: RETRIES };

export async function writeList(role: ListingRole): Promise<{ saved: Saved[] }> {
  const chance = chanceOf(role.seed);
  const saved: Saved[] = [];
  for (let n = 0; n < role.messages; n++) {
    const leave = await lockfile.lock(role.turns, LOCK);
    const release = role.isPolite ? await lockfile.lock(role.file, LOCK) : undefined;
    saved.push(await append(role, `${role.name}-${n}`));
    await release?.();
    await leave();
    await pause(chance.below(20));
  }
  return { saved };
}

async function append(role: ListingRole, id: string): Promise<Saved> {
  for (;;) {
    const before = fs.readFileSync(role.file, "utf8");
    const list = JSON.parse(before) as unknown[];
    list.push({ id, role: "agent", text: `said as ${id}`, createdAt: new Date().toISOString() });
    // Time in which somebody may come in between.
    await pause(1);
    if (!role.isPolite && fs.readFileSync(role.file, "utf8") !== before) continue;
    const from = nowMs();
    saveByRename(role.file, JSON.stringify(list, null, 2));
    return { token: id, between: [from, nowMs()] };
  }
}
