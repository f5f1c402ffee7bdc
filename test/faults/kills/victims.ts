/**
 * The kinds of run that are killed: what arrives before and during each, and
 * what a run that was not killed must have done.
 */
import fs from "node:fs";
import path from "node:path";
import { marked } from "./host.js";
import { eventually, pause, type Ended } from "./place.js";
import type { Point } from "./point.js";
import type { World } from "./world.js";

export const KINDS = ["archive", "start", "import", "say"] as const;
export type Kind = (typeof KINDS)[number];

/** What a run is told besides where it dies. */
export interface Fate {
  point?: Point;
  cut?: readonly string[];
}

/** A daemon gets a drop so often, until it is dead. */
const DROP_EVERY_MS = 25;
/** Far more than it needs: one that hangs at its start is a failure of its own. */
const READY_MS = 120_000;
/** A daemon that has not come to its point by then is stopped; others end by themselves. */
const DAEMON_MS = 6000;
const UNDISTURBED_MS = 1000;
const IMPORTED = "talk.jsonl";

/** One run of a kind, to its death or its end. */
export const victims: Readonly<Record<Kind, (world: World, fate: Fate) => Promise<Ended>>> = {
  archive: (world, fate) => {
    const { host, place, nowMs } = world;
    host.append("history.json", 2 + host.chance.below(3), nowMs);
    if (host.chance.below(3) === 0) host.append("inbox.json", 1, nowMs);
    for (let drops = 1 + host.chance.below(2); drops > 0; drops--) host.drop(nowMs);
    return place.memd(["archive", "--now"], optionsOf(world, fate));
  },

  start: async (world, fate) => {
    const { host, place, nowMs } = world;
    host.append("history.json", 2, nowMs);
    const daemon = place.launch(["start"], optionsOf(world, fate));
    // Before it watches, a drop or two; then it is worked hard.
    host.drop(nowMs);
    await eventually(() => daemon.hasEnded() || daemon.output().includes("Ready."), READY_MS);
    const until = performance.now() + (fate.point === undefined ? UNDISTURBED_MS : DAEMON_MS);
    for (; !daemon.hasEnded() && performance.now() < until; await pause(DROP_EVERY_MS)) host.drop(nowMs);
    daemon.kill("SIGTERM");
    return daemon.ended;
  },

  import: async (world, fate) => {
    const { host, imported, place, nowMs } = world;
    const file = path.join(place.outside, IMPORTED);
    const lines = Array.from({ length: 4 }, () => host.message(nowMs));
    for (const { mark, raw } of lines) {
      host.open.add(mark);
      imported.add(mark);
      fs.appendFileSync(file, `${JSON.stringify(mark % 4 === 0 ? { ...raw, conversation: "trip" } : raw)}\n`);
    }
    const ended = await place.memd(["import", file], optionsOf(world, fate));
    // It acknowledges the whole file, with what earlier runs did not get to.
    if (ended.code === 0) {
      for (const mark of imported) host.acknowledge(mark);
      imported.clear();
    }
    return ended;
  },

  say: async (world, fate) => {
    const { host, place, nowMs } = world;
    const { mark } = host.message(nowMs, [0]);
    host.open.add(mark);
    const ended = await place.memd(
      ["say", `The train leaves at nine. ${marked(mark)}`],
      optionsOf(world, fate),
    );
    if (ended.code === 0) host.acknowledge(mark);
    return ended;
  },
};

function optionsOf({ nowMs }: World, { point, cut }: Fate) {
  return {
    now: new Date(nowMs).toISOString(),
    orders: { ...(point === undefined ? {} : { point }), ...(cut === undefined ? {} : { cut }) },
  };
}
