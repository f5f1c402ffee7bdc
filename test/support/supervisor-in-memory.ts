/** A supervisor on a disk in memory; whatever is not given does nothing. */
import { settingsSchema } from "../../src/model/settings.js";
import { type Clock, systemRandom } from "../../src/platform/clock.js";
import { silentLog } from "../../src/platform/log.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { promptsFolder, workerEntry } from "../../src/platform/package-root.js";
import { nodeSpawn } from "../../src/platform/spawn.js";
import { indexInMemory } from "../../src/recall/index/open.js";
import { Memd } from "../../src/service/memd.js";
import type { MemdParts } from "../../src/service/stages.js";
import { memoryLocks } from "./memory-locks.js";
import { memoryDisk, type MemoryDisk } from "./memory-disk.js";

/** An empty workspace `/w`, and memd's own prompts. */
export async function diskInMemory(clock: Clock): Promise<MemoryDisk> {
  const disk = memoryDisk(() => clock.now());
  await disk.makeDir("/w");
  await disk.makeDir(promptsFolder());
  for (const { name } of await nodeDisk.list(promptsFolder())) {
    const bytes = await nodeDisk.read(`${promptsFolder()}/${name}`);
    disk.writeInPlace(`${promptsFolder()}/${name}`, new TextDecoder().decode(bytes));
  }
  return disk;
}

export function supervisorOn(
  disk: MemoryDisk,
  clock: Clock,
  parts: Partial<Omit<MemdParts, "settings">> & { settings?: object } = {},
): Memd {
  return new Memd({
    workspace: { root: "/w" },
    disk,
    clock,
    random: systemRandom,
    locks: memoryLocks(),
    watch: { watch: () => Promise.resolve({ close: () => Promise.resolve() }) },
    spawn: nodeSpawn,
    ripgrep: () => Promise.resolve([]),
    openIndex: indexInMemory,
    log: silentLog,
    systemZone: "UTC",
    environment: {},
    workerEntry: workerEntry(),
    promptFolders: [promptsFolder()],
    guard: () => Promise.resolve(),
    ...parts,
    settings: settingsSchema.parse({ timezone: "UTC", ...parts.settings }),
  });
}
