import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { epochMs } from "../../src/model/time.js";
import type { Disk } from "../../src/platform/disk.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { listConflicts, setAside } from "../../src/protocol/conflicts.js";
import { readDrops, writeDrop } from "../../src/protocol/read-list.js";
import type { Workspace } from "../../src/protocol/workspace.js";
import { errno, memoryWorkspace, pressOn, WORKSPACE } from "../support/writer.js";
import { tempDir } from "../support/temp-dir.js";
import { countingRandom } from "../support/counting-random.js";

const now = epochMs(Date.parse("2026-01-05T10:00:00Z"));
const hi = { role: "user" as const, text: "hi", createdAt: "2026-01-05T10:00:00Z" };

async function dropsIn(disk: Disk, workspace: Workspace = WORKSPACE) {
  const drops = [];
  for await (const drop of readDrops(disk, workspace)) drops.push(drop);
  return drops;
}

describe("a drop", () => {
  test("is read back as the message, under the id that it was given", async () => {
    const { disk, writer } = await memoryWorkspace();
    const id = await writeDrop(writer, WORKSPACE, { ...hi, session: "trip", extra: { mood: 1 } }, now);
    expect(id).toMatch(/^2026-01-05T10-00-00-000Z-[a-z0-9]{8}$/);
    const message = { ...hi, session: "trip", extra: { mood: 1 }, id };
    expect(await dropsIn(disk)).toEqual([{ is: "message", file: `inbox.d/${id}.json`, message }]);
  });

  test("never takes a name that another writer has", async () => {
    const later = epochMs(Date.parse("2027-01-05T10:00:00Z"));
    const taken = "inbox.d/2027-01-05T10-00-00-000Z-00000000.json";
    const { disk, writer } = await memoryWorkspace({ [taken]: JSON.stringify({ ...hi, text: "a" }) });
    await writeDrop({ ...writer, random: countingRandom() }, WORKSPACE, { ...hi, text: "b" }, later);
    const texts = (await dropsIn(disk)).map((drop) => drop.is === "message" && drop.message.text);
    expect(texts).toEqual(["a", "b"]);
  });

  test("stands behind the one before, though the clock stood still or was set back", async () => {
    const { disk, writer } = await memoryWorkspace();
    for (const [text, byMs] of [
      ["a", 0],
      ["b", 0],
      ["c", -1000],
      ["d", 5],
    ] as const)
      await writeDrop(writer, WORKSPACE, { ...hi, text }, epochMs(now + byMs));
    const texts = (await dropsIn(disk)).map((drop) => drop.is === "message" && drop.message.text);
    expect(texts).toEqual(["a", "b", "c", "d"]);
  });

  test("its file's name is its id, whatever it says itself; without a time it has its file's", async () => {
    const { disk } = await memoryWorkspace({
      "inbox.d/one.json": '{"id": "../../x", "role": "user", "text": "hi", "createdAt": null}',
    });
    const [drop] = await dropsIn(disk);
    expect(drop).toMatchObject({
      is: "message",
      message: { id: "one", createdAt: "1970-01-01T00:00:00.000Z" },
    });
  });

  test("unfinished and other files are left alone; what cannot be read says why", async () => {
    const { disk } = await memoryWorkspace({
      "inbox.d/.hidden.json": "{}",
      "inbox.d/a.json.tmp": "{",
      "inbox.d/b.json": '{"text": "ha',
      "inbox.d/c.json": '{"note": 1}',
      "inbox.d/d.json": '{"text": "ok"}',
      "inbox.d/e.json": "",
    });
    await disk.makeDir("/w/inbox.d/dir.json");
    const drops = await dropsIn(disk);
    expect(drops.map(({ is, file }) => [is, file])).toEqual([
      ["unreadable", "inbox.d/b.json"],
      ["unreadable", "inbox.d/c.json"],
      ["message", "inbox.d/d.json"],
      ["unreadable", "inbox.d/e.json"],
    ]);
    expect(drops[1]).toMatchObject({ reason: "it has no text" });
  });

  test("that only its writer may read does not hold up the others", async () => {
    const { disk } = await memoryWorkspace({
      "inbox.d/a.json": '{"text": "a"}',
      "inbox.d/b.json": '{"text": "b"}',
    });
    disk.before((operation, path) => {
      if (operation === "read" && path.endsWith("a.json")) throw errno("EACCES");
    });
    expect((await dropsIn(disk)).map(({ is }) => is)).toEqual(["unreadable", "message"]);
    disk.before((operation) => {
      if (operation === "read") throw errno("EIO");
    });
    await expect(dropsIn(disk)).rejects.toMatchObject({ code: "disk_fault" });
  });

  test("that is a link leads nowhere", async () => {
    const root = tempDir();
    fs.mkdirSync(`${root}/inbox.d`);
    fs.writeFileSync(`${root}/secret.json`, '{"text": "secret"}');
    fs.symlinkSync(`${root}/secret.json`, `${root}/inbox.d/link.json`);
    expect(await dropsIn(nodeDisk, { root })).toEqual([]);
  });
});

describe("a copy in conflicts/", () => {
  test("is kept once, however often the trouble is met", async () => {
    const { disk, writer } = await memoryWorkspace();
    expect(await setAside(writer, WORKSPACE, "history.json", "[", "unreadable")).toBe(true);
    expect(await setAside(writer, WORKSPACE, "history.json", "[", "unreadable")).toBe(false);
    expect(await setAside(writer, WORKSPACE, "history.json", "[{", "unreadable")).toBe(true);
    const names = await listConflicts(writer, WORKSPACE);
    expect(names).toHaveLength(2);
    expect(Object.values(disk.files()).sort()).toEqual(["[", "[{"]);
  });

  test("of a file with the longest of names has a name that fits", async () => {
    const root = tempDir();
    const writer = pressOn(nodeDisk);
    for (const name of [`${"x".repeat(250)}.json`, `${"长".repeat(80)}.json`]) {
      expect(await setAside(writer, { root }, name, name, "new version of an edited block")).toBe(true);
    }
    expect(await listConflicts(writer, { root })).toHaveLength(2);
  });
});
