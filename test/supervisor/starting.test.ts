import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/platform/clock.js";
import { instant } from "../support/archive-desk.js";
import { diskInMemory, supervisorOn } from "../support/supervisor-in-memory.js";

const NOW = "2026-02-20T12:00:00Z";

test("what is dropped while memd starts is taken in once, however often the watcher hints", async () => {
  const clock = systemClock(instant(NOW));
  const disk = await diskInMemory(clock);
  await disk.makeDir("/w/inbox.d");
  for (const file of ["history.json", "inbox.json"]) disk.writeInPlace(`/w/${file}`, "[]");
  disk.writeInPlace("/w/inbox.d/one.json", JSON.stringify({ role: "user", text: "hi", createdAt: NOW }));
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
  const supervisor = supervisorOn(disk, clock, {
    watch: {
      watch: (_dirs, _wanted, changed) => {
        hint = () => changed("/w/inbox.d/one.json");
        return Promise.resolve({ close: () => Promise.resolve() });
      },
    },
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
