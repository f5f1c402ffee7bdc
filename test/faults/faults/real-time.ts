/**
 * The same by the machine's own clock, with the real watcher and the real locks:
 * what memd does while its disk is full must not wake memd again.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { settingsSchema } from "../../../src/model/settings.js";
import { systemClock, systemRandom } from "../../../src/platform/clock.js";
import { fileLocks } from "../../../src/platform/lock.js";
import { listeningLog } from "../../../src/platform/log.js";
import { diskOver } from "../../../src/platform/node-disk.js";
import { promptsFolder, workerEntry } from "../../../src/platform/package-root.js";
import { fileWatch } from "../../../src/platform/watch.js";
import { Memd } from "../../../src/service/memd.js";
import { indexInMemory } from "../../../src/recall/index/open.js";
import { failingSystem } from "./failing-system.js";
import type { Asked, Ruling } from "./kinds.js";
import { testModel } from "./model.js";
import { said } from "./workspace.js";

const RECOVERY_MS = 5000;
const LOOK_MS = 50;
/** A round is a hundred calls or so, every other second, and a watcher tells the host's one write several times. */
const MOST_PER_SECOND = 600;

export interface Sampled {
  broken: string[];
  recoveryMs: number;
  mostPerSecond: number;
}

/** A host adds a message while `fails` says no to what is asked; after `outageMs` everything works again. */
export async function sample(
  name: string,
  outageMs: number,
  fails: (asked: Asked) => Ruling | undefined,
): Promise<Sampled> {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "memd-faults-")));
  let isOn = false;
  const system = failingSystem(root, (asked) => (isOn ? fails(asked) : undefined));
  const supervisor = new Memd({
    workspace: { root },
    settings: settingsSchema.parse({ timezone: "UTC", archive: { trigger_messages: 1 } }),
    disk: diskOver(system.calls),
    clock: systemClock(),
    random: systemRandom,
    locks: fileLocks,
    watch: fileWatch,
    spawn: testModel("").spawn,
    ripgrep: () => Promise.resolve([]),
    openIndex: indexInMemory,
    log: listeningLog(() => undefined),
    systemZone: "UTC",
    environment: {},
    workerEntry: workerEntry(),
    promptFolders: [promptsFolder()],
    guard: () => Promise.resolve(),
  });
  const broken: string[] = [];
  const history = path.join(root, "history.json");
  const write = (count: number): void => {
    const list = Array.from({ length: count }, (_unused, n) =>
      said(`m${n}`, new Date().toISOString(), `message ${n}`),
    );
    fs.writeFileSync(history, JSON.stringify(list));
  };
  try {
    write(2);
    await supervisor.start({ watch: true, work: true });
    await supervisor.idle();
    isOn = true;
    write(5);
    const before = { at: performance.now(), operations: system.operations };
    let mostPerSecond = 0;
    let second = before;
    while (performance.now() - before.at < outageMs) {
      await pause(LOOK_MS);
      mostPerSecond = Math.max(mostPerSecond, system.operations - second.operations);
      if (performance.now() - second.at > 1000)
        second = { at: performance.now(), operations: system.operations };
    }
    if (supervisor.trouble === undefined) broken.push(`${name}: no trouble is told`);
    if (mostPerSecond > MOST_PER_SECOND) broken.push(`${name}: ${mostPerSecond} calls in a second`);
    isOn = false;
    const liftedAt = performance.now();
    const isWell = (): boolean =>
      supervisor.trouble === undefined &&
      supervisor.archive.unarchived === 0 &&
      supervisor.progress.running === 0;
    while (!isWell() && performance.now() - liftedAt < RECOVERY_MS) await pause(LOOK_MS);
    if (!isWell()) broken.push(`${name}: not recovered after ${RECOVERY_MS} ms`);
    return { broken, recoveryMs: Math.round(performance.now() - liftedAt), mostPerSecond };
  } finally {
    await supervisor.stop();
    fs.rmSync(root, { recursive: true, force: true });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
