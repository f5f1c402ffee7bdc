import { expect, test } from "vitest";
import { settingsSchema, type Settings } from "../../src/model/settings.js";
import { epochMs } from "../../src/model/time.js";
import { listeningLog, type LogEvent } from "../../src/platform/log.js";
import { LiveSettings } from "../../src/service/live-settings.js";
import { handClock } from "../support/hand-clock.js";
import { memoryDisk } from "../support/memory-disk.js";

const FILE = "/w/memd.toml";

async function watched(text?: string) {
  const clock = handClock(epochMs(Date.parse("2026-01-28T12:00:00Z")));
  const disk = memoryDisk(() => clock.now());
  await disk.makeDir("/w");
  if (text !== undefined) disk.writeInPlace(FILE, text);
  const settings: Settings = settingsSchema.parse({});
  const events: LogEvent[] = [];
  let woken = 0;
  const live = new LiveSettings(
    { workspace: { root: "/w" }, disk, clock, settings, log: listeningLog((event) => events.push(event)) },
    () => (woken += 1),
  );
  await live.look();
  /** As an editor saves, a moment later. */
  const saved = async (now: string): Promise<void> => {
    await clock.advance(1);
    disk.writeInPlace(FILE, now);
    await live.look();
  };
  return { live, disk, clock, settings, events, saved, woken: () => woken };
}

const names = (events: readonly LogEvent[]): string[] => events.map(({ event }) => event);

test("what reloads counts at the next look, for everybody who holds the settings", async () => {
  const { settings, events, saved, live } = await watched("");
  await saved("[recall]\nlimit = 3\n[context.tokens]\nmemory = 99\n");
  expect([settings.recall.limit, settings.context.tokens.memory]).toEqual([3, 99]);
  expect(events).toEqual([
    {
      level: "info",
      event: "settings_reloaded",
      file: "memd.toml",
      keys: ["recall.limit", "context.tokens.memory"],
    },
  ]);
  await live.look();
  expect(events).toHaveLength(1);
});

test("what needs a restart is told once, counts not yet, and is no matter any more once it is taken back", async () => {
  const { settings, events, saved, live } = await watched("");
  await saved("[archive]\nrecent_days = 9\n[recall]\nlimit = 3\n");
  expect(settings.archive.recent_days).toBe(5);
  expect(live.restartNeeded).toEqual(["archive.recent_days"]);
  expect(names(events)).toEqual(["settings_reloaded", "restart_needed"]);
  await saved("[archive]\nrecent_days = 9\n[recall]\nlimit = 4\n");
  expect(names(events)).toEqual(["settings_reloaded", "restart_needed", "settings_reloaded"]);
  await saved("[recall]\nlimit = 4\n");
  expect(live.restartNeeded).toEqual([]);
});

test("a file that stays wrong is told with its line, once, and what counted before goes on", async () => {
  const { settings, events, saved, live, clock, woken } = await watched("[recall]\nlimit = 10\n");
  await saved("[recall]\nlimit = 7\n");
  await saved("[recall]\nlimit = \n");
  expect([events.length, live.fault]).toEqual([1, undefined]);
  await clock.advance(1000);
  expect(woken()).toBe(1);
  await live.look();
  await live.look();
  expect(events.at(-1)).toMatchObject({
    level: "warn",
    event: "settings_refused",
    reason: expect.stringContaining("memd.toml, line 2") as string,
  });
  expect(names(events)).toEqual(["settings_reloaded", "settings_refused"]);
  expect(live.fault?.message).toContain("line 2");
  expect(settings.recall.limit).toBe(7);
  await saved("[recall]\nlimit = 7\n");
  expect(live.fault).toBeUndefined();
  expect(events.at(-1)).toMatchObject({ event: "settings_reloaded", keys: [] });
});

test("half of a file that is being written is no mistake, nor is one that is away for a moment", async () => {
  const { settings, events, saved, live, disk, clock } = await watched("[recall]\nlimit = 7\n");
  await saved("[reca");
  await clock.advance(10);
  await saved("[recall]\nlimit = 8\n");
  await disk.unlink(FILE);
  await live.look();
  expect(settings.recall.limit).toBe(8);
  await saved("[recall]\nlimit = 9\n");
  await clock.advance(5000);
  await live.look();
  expect(settings.recall.limit).toBe(9);
  expect(names(events)).toEqual(["settings_reloaded", "settings_reloaded"]);
});

test("a file that is empty for a moment is one that is being saved; where it stays empty it says the defaults", async () => {
  const { settings, saved, live, clock, events } = await watched("");
  await saved("[recall]\nlimit = 3\n");
  await saved("");
  expect(settings.recall.limit).toBe(3);
  await saved("[recall]\nlimit = 2\nlimmit = 3\n");
  expect(settings.recall.limit).toBe(3);
  await clock.advance(1000);
  await live.look();
  expect(settings.recall.limit).toBe(3);
  expect(names(events)).toEqual(["settings_reloaded", "settings_refused"]);
  await saved("");
  expect(settings.recall.limit).toBe(3);
  await clock.advance(1000);
  await live.look();
  expect(settings.recall.limit).toBe(10);
});

test("a file that is gone for good leaves the defaults", async () => {
  const { settings, saved, live, disk, clock } = await watched("");
  await saved("[recall]\nlimit = 7\n");
  await disk.unlink(FILE);
  await live.look();
  await clock.advance(1000);
  await live.look();
  expect(settings.recall.limit).toBe(10);
});

test("a change between reading the settings and the first look is seen", async () => {
  const { disk, clock, settings } = await watched("");
  disk.writeInPlace(FILE, "[recall]\nlimit = 7\n");
  const parts = { workspace: { root: "/w" }, disk, clock, settings, log: listeningLog(() => undefined) };
  await new LiveSettings({ ...parts, settingsStamp: "absent" }, () => undefined).look();
  expect(settings.recall.limit).toBe(7);
});
