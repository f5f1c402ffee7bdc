/**
 * memd in a process of the run: a whole supervisor on the real disk, that takes
 * in what it says itself and, where it is told to, keeps changing `memory.md`.
 * It notes the moments in which it swaps a file, since a saver that renames
 * inside one is outside the promise and counted apart.
 */
import path from "node:path";
import { settingsSchema } from "../../../src/model/settings.js";
import { isMemdError } from "../../../src/model/errors.js";
import { parseInstant } from "../../../src/model/time.js";
import type { Disk } from "../../../src/platform/disk.js";
import { fileLocks } from "../../../src/platform/lock.js";
import { fileLog, listeningLog, teeLog, type LogEvent } from "../../../src/platform/log.js";
import { nodeDisk } from "../../../src/platform/node-disk.js";
import { promptsFolder, workerEntry } from "../../../src/platform/package-root.js";
import { systemRandom } from "../../../src/platform/clock.js";
import { nodeSpawn } from "../../../src/platform/spawn.js";
import { fileWatch } from "../../../src/platform/watch.js";
import { rewriteMemory } from "../../../src/protocol/memory-file.js";
import { FILES } from "../../../src/protocol/workspace.js";
import { statusOf } from "../../../src/service/status.js";
import { Memd } from "../../../src/service/memd.js";
import { indexInMemory } from "../../../src/recall/index/open.js";
import { writeDrop } from "../../../src/protocol/read-list.js";
import { fastClock, fastDisk } from "./fast.js";
import { chanceOf, type Chance } from "./random.js";
import { nowMs, pause } from "./saving.js";

export interface KeepingRole {
  plays: "memd";
  root: string;
  changesMemory: boolean;
  sayEveryMs: number;
  /** Whether it goes on until nothing that it replaced is kept any more. */
  waitsOut: boolean;
  seed: number;
}

/** A pinned line, and when it was put in place, at the earliest and at the latest. */
export interface Pinned {
  line: string;
  between: [number, number];
}

export interface Kept {
  said: string[];
  pinned: Pinned[];
  swaps: Record<string, [number, number][]>;
  events: LogEvent[];
  conflicts: string[];
}

export async function keepMemory(role: KeepingRole): Promise<Kept> {
  const workspace = { root: role.root };
  const clock = fastClock(parseInstant("2026-02-20T09:00:00Z")!);
  const kept: Kept = { said: [], pinned: [], swaps: {}, events: [], conflicts: [] };
  const disk = fastDisk(notingSwaps(nodeDisk, kept.swaps));
  await disk.makeDir(path.join(role.root, FILES.logs));
  const log = teeLog(
    fileLog(path.join(role.root, FILES.log), clock),
    listeningLog((event) => void kept.events.push(event)),
  );
  const supervisor = new Memd({
    workspace,
    settings: settingsSchema.parse({ timezone: "UTC" }),
    disk,
    clock,
    random: systemRandom,
    locks: fileLocks,
    watch: fileWatch,
    spawn: nodeSpawn,
    ripgrep: () => Promise.resolve([]),
    openIndex: indexInMemory,
    log,
    systemZone: "UTC",
    environment: {},
    workerEntry: workerEntry(),
    promptFolders: [promptsFolder()],
    guard: () => Promise.resolve(),
  });
  await supervisor.start({ watch: true, work: true });
  process.stdout.write('{"is":"ready"}\n');
  let told: () => void = () => undefined;
  let isOver = false;
  const over = new Promise<void>((resolve) => (told = resolve)).then(() => void (isOver = true));
  process.stdin.once("data", () => told());
  const chance = chanceOf(role.seed);
  const saying = async (): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      const text = `drop ${n} of memd's own`;
      const { writer, workspace } = supervisor.archive.context;
      const createdAt = new Date(clock.now()).toISOString();
      await writeDrop(writer, workspace, { role: "user", text, createdAt }, clock.now());
      supervisor.wake();
      kept.said.push(text);
      await Promise.race([over, pause(role.sayEveryMs * (0.5 + chance.next()))]);
    }
  };
  // Beside the rounds, not between them: they are rarely at rest here.
  const changing = async (): Promise<void> => {
    const { writer } = supervisor.archive.context;
    for (let n = 0; role.changesMemory && !isOver; n++) {
      const line = `- pinned ${n}`;
      const from = nowMs();
      try {
        await rewriteMemory(writer, workspace, clock, (text) => changed(text, line, chance));
        kept.pinned.push({ line, between: [from, nowMs()] });
      } catch (error) {
        // Somebody saves it all the time: memd gives way, and tries the next one.
        if (!isMemdError(error, "file_contended")) throw error;
      }
      await Promise.race([over, pause(2 + chance.below(10))]);
    }
  };
  await Promise.all([over, saying(), changing()]);
  for (
    let looks = 0;
    looks < 5 || (role.waitsOut && looks < 200 && (await keepsReplaced(supervisor)));
    looks++
  ) {
    supervisor.wake();
    await pause(50);
  }
  await supervisor.settled();
  await supervisor.archiveNow();
  await supervisor.idle();
  kept.conflicts = (await statusOf(supervisor, "")).conflicts;
  await supervisor.stop();
  await log.close();
  return kept;
}

/** Adds its line; now and then marks somebody else's, as an update of a fact does. */
function changed(text: string, line: string, chance: Chance): string {
  const lines = text.split("\n");
  const theirs = lines.flatMap((each, at) => (each.startsWith("- edit") ? [at] : []));
  const at = theirs.length > 0 && chance.below(3) === 0 ? chance.pick(theirs.slice(-5)) : undefined;
  if (at !== undefined) lines[at] = `${lines[at]!.replace(/ \(seen \d+\)/, "")} (seen ${line.slice(9)})`;
  const end = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  lines.splice(end, 0, line);
  return lines.join("\n");
}

async function keepsReplaced(supervisor: Memd): Promise<boolean> {
  const { writer, workspace } = supervisor.archive.context;
  return (await writer.disk.list(path.join(workspace.root, FILES.displaced))).length > 0;
}

/** From before the link that keeps what stands to after the rename. */
function notingSwaps(disk: Disk, swaps: Kept["swaps"]): Disk {
  const linkedAt = new Map<string, number>();
  return {
    ...disk,
    link: async (from, to) => {
      if (to.includes(FILES.displaced)) linkedAt.set(from, nowMs());
      return disk.link(from, to);
    },
    rename: async (from, to) => {
      await disk.rename(from, to);
      const since = linkedAt.get(to);
      if (since !== undefined) (swaps[path.basename(to)] ??= []).push([since, nowMs()]);
    },
  };
}
