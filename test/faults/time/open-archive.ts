/** An archive on a disk in memory, on a clock that others move. */
import { Archive } from "../../../src/archive/archive.js";
import { Catalogue } from "../../../src/archive/catalogue.js";
import { RetrySchedule } from "../../../src/archive/retries.js";
import { Ledger } from "../../../src/archive/ledger.js";
import { settingsSchema, type Settings } from "../../../src/model/settings.js";
import { zoneOf, type Zone } from "../../../src/model/time.js";
import type { Clock } from "../../../src/platform/clock.js";
import { listeningLog } from "../../../src/platform/log.js";
import { openJournal } from "../../../src/protocol/journal.js";
import { ROOT } from "./standing.js";
import { memoryLocks } from "../../support/memory-locks.js";
import type { MemoryDisk } from "../../support/memory-disk.js";

const zones = new Map<string, Zone>();
const read = new Map<string, Settings>();

/** Not started: nothing is read yet. */
export function openArchive(
  disk: MemoryDisk,
  clock: Clock,
  zoneName: string,
  given: Record<string, unknown>,
): Archive {
  const zone = zones.get(zoneName) ?? zoneOf(zoneName);
  zones.set(zoneName, zone);
  const told = JSON.stringify({ ...given, timezone: zoneName });
  const settings = read.get(told) ?? settingsSchema.parse(JSON.parse(told));
  read.set(told, settings);
  const workspace = { root: ROOT };
  const guard = (): Promise<void> => Promise.resolve();
  const writer = { disk, random: { name: freshName }, locks: memoryLocks(), guard };
  return new Archive({
    writer,
    workspace,
    clock,
    zone,
    settings,
    log: listeningLog(() => undefined),
    journal: openJournal(writer, workspace),
    ledger: new Ledger(zone),
    catalogue: new Catalogue(disk, workspace),
    retries: new RetrySchedule(writer, workspace),
  });
}

let names = 0;

/** No two are the same, in this life of the process or another. */
function freshName(length: number): string {
  return (names++).toString(36).padStart(length, "0");
}
