/** A workspace with its host, and how it is brought to rest after whatever was done to it. */
import fs from "node:fs";
import path from "node:path";
import { isDay, type Day } from "../../../src/model/time.js";
import type { Binary } from "./binary.js";
import { chanceOf } from "./chance.js";
import { Host } from "./host.js";
import { look, lookAtRest } from "./oracle.js";
import { eventually, openPlace, type Ended, type Place } from "./place.js";
import type { Tally } from "./tally.js";

export interface World {
  place: Place;
  host: Host;
  /** Marks of lines that no import has acknowledged yet. */
  imported: Set<number>;
  nowMs: number;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const BEGIN_MS = Date.parse("2026-03-20T12:00:00Z");
/** Workers end with their memd's pipe: they may take a moment, not longer. */
const GONE_MS = 5000;
/** A pass for every few messages, so that a daemon has much to do. */
const TRIGGER_MESSAGES = 4;

/** By its seed with the one index or the other, with topics or without. `root`: a folder on another disk, where the host makes everything durable. */
export function openWorld(
  binary: Binary,
  seed: number,
  root?: string,
  triggerMessages = TRIGGER_MESSAGES,
): World {
  const place = openPlace(binary, root);
  const engine = seed % 2 === 0 ? "memory" : "sqlite";
  const topics = seed % 4 >= 2 ? "" : "[topics]\nenabled = true\nwindow_tokens = 2000\nkeep_messages = 3\n";
  fs.writeFileSync(
    path.join(place.root, "workspace.json"),
    `${JSON.stringify({ format: 1, id: "kills" })}\n`,
  );
  fs.writeFileSync(
    path.join(place.root, "memd.toml"),
    `[archive]\ntrigger_messages = ${triggerMessages}\n[worker]\nmax_processes = 1\n[index]\nengine = "${engine}"\n${topics}`,
  );
  const host = new Host(place.root, chanceOf(seed), root !== undefined);
  return { place, host, imported: new Set(), nowMs: BEGIN_MS };
}

/** Days pass: some have to move to the archive, some months become old. */
export function daysPass(world: World, days = world.host.chance.below(3)): void {
  world.nowMs += days * DAY_MS;
}

/** An undisturbed run, and, when asked, another that finds nothing left to do; then every message has its one block. */
export async function bringToRest(world: World, where: string, tally: Tally, twice = false): Promise<void> {
  const { place, host } = world;
  const now = new Date(world.nowMs).toISOString();
  for (const shared of ["inbox.d", "queue/pending"])
    growOld(path.join(place.root, shared), world.nowMs - 2 * HOUR_MS);
  const first = await place.memd(["archive", "--now", "--json"], { now });
  if (first.code !== 0) tally.broken(`${where}: the last run ended with ${endOf(first)}`);
  if (twice) {
    const second = await place.memd(["archive", "--now", "--json"], { now });
    const { messages, made, failed } = reportOf(second);
    if (messages !== 0 || made !== 0 || failed?.length !== 0)
      tally.broken(`${where}: a run after the last found more to do: ${endOf(second)}`);
  }
  tally.found(where, look(host));
  for (const wrong of lookAtRest(host, dayOf(world.nowMs))) tally.broken(`${where}: ${wrong}`);
  if (!(await eventually(() => place.processes().length === 0, GONE_MS))) {
    tally.leftOver += place.processes().length;
    tally.broken(`${where}: ${place.processes().length} processes are left over`);
  }
  tally.messages += host.required.size;
}

/** What is being written when memd starts is left alone; hours later it is a leftover. */
function growOld(dir: string, atMs: number): void {
  for (const name of fs.existsSync(dir) ? fs.readdirSync(dir) : [])
    if (name.endsWith(".tmp")) fs.utimesSync(path.join(dir, name), atMs / 1000, atMs / 1000);
}

/** For a person: how it ended. */
export function endOf({ code, signal, stdout, stderr }: Ended): string {
  return `${signal ?? `code ${code}`}: ${(stderr || stdout).trim().split("\n").slice(0, 3).join(" / ")}`;
}

function reportOf({ stdout }: Ended): { messages?: number; made?: number; failed?: unknown[] } {
  try {
    return JSON.parse(stdout) as never;
  } catch {
    // It failed and said so in words: no report.
    return {};
  }
}

function dayOf(ms: number): Day {
  const day = new Date(ms).toISOString().slice(0, 10);
  if (!isDay(day)) throw new Error(`${day} is no day`);
  return day;
}
