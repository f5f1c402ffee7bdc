import { expect, onTestFinished, test } from "vitest";
import { settingsSchema } from "../../src/model/settings.js";
import { systemClock } from "../../src/platform/clock.js";
import { memoryLocks } from "../../src/platform/lock.js";
import { silentLog } from "../../src/platform/log.js";
import { memoryDisk } from "../../src/platform/memory-disk.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { promptsFolder, workerEntry } from "../../src/platform/package-root.js";
import { systemRandom } from "../../src/platform/random.js";
import { nodeSpawn } from "../../src/platform/spawn.js";
import { Supervisor } from "../../src/supervisor/supervisor.js";
import { indexInMemory } from "../../src/recall/index/open.js";
import { instant } from "../support/archive-desk.js";

const NOW = "2026-02-20T12:00:00Z";

test("what is dropped while memd starts is taken in once, however often the watcher hints", async () => {
  const clock = systemClock(instant(NOW));
  const disk = memoryDisk(() => clock.now());
  await disk.makeDir("/w/inbox.d");
  for (const file of ["history.json", "inbox.json"]) disk.writeInPlace(`/w/${file}`, "[]");
  disk.writeInPlace("/w/inbox.d/one.json", JSON.stringify({ role: "user", text: "hi", createdAt: NOW }));
  await disk.makeDir(promptsFolder());
  for (const { name } of await nodeDisk.list(promptsFolder())) {
    const bytes = await nodeDisk.read(`${promptsFolder()}/${name}`);
    disk.writeInPlace(`${promptsFolder()}/${name}`, new TextDecoder().decode(bytes));
  }
  let hint: () => void = () => undefined;
  let hints = 300;
  const taken: string[] = [];
  // A slow disk, on which the watcher hints at every step and a host takes what waits as soon as it is there.
  disk.before(async (operation) => {
    if (hints-- > 0) hint();
    if (operation === "unlink" || operation === "rename") await new Promise((done) => setTimeout(done, 2));
    const inbox = disk.files()["/w/inbox.json"] ?? "[]";
    if (!inbox.includes("hi")) return;
    taken.push(inbox);
    disk.writeInPlace("/w/inbox.json", "[]");
  });
  const supervisor = new Supervisor({
    workspace: { root: "/w" },
    settings: settingsSchema.parse({ timezone: "UTC" }),
    disk,
    clock,
    random: systemRandom,
    locks: memoryLocks(),
    watch: {
      watch: (_dirs, _wanted, changed) => {
        hint = () => changed("/w/inbox.d/one.json");
        return Promise.resolve({ close: () => Promise.resolve() });
      },
    },
    spawn: nodeSpawn,
    ripgrep: () => Promise.resolve([]),
    openIndex: indexInMemory,
    log: silentLog,
    systemZone: "UTC",
    environment: {},
    workerEntry: workerEntry(),
    promptFolders: [promptsFolder()],
    guard: () => Promise.resolve(),
  });
  onTestFinished(() => supervisor.stop());
  await supervisor.start({ watch: true, work: true });
  hint = () => undefined;
  await supervisor.settled();
  expect(taken).toHaveLength(1);
  const journal = Object.entries(disk.files()).filter(([file]) => file.startsWith("/w/journal/"));
  const lines = journal.flatMap(([, text]) => text.split("\n"));
  expect(lines.filter((line) => line.includes('"op":"message"'))).toHaveLength(1);
});
