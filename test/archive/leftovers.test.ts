import { expect, test } from "vitest";
import { openDesk, said } from "../support/archive-desk.js";

const NOW = "2026-02-20T12:00:00Z";
const HOUR_MS = 3_600_000;

test("what a killed process published and appended is made durable before anything is concluded from it", async () => {
  const desk = await openDesk({
    now: NOW,
    files: { "history.json": [said("a", "2026-02-19T10:00:00Z", "tea")] },
  });
  await desk.pass();
  const steps: string[] = [];
  desk.disk.before((operation, path) => {
    if (operation === "syncDir" || operation === "sync" || (operation === "read" && path.endsWith(".md")))
      steps.push(`${operation} ${path}`);
  });
  await desk.restart();
  const firstRead = steps.findIndex((step) => step.startsWith("read /w/memory/"));
  const before = steps.slice(0, firstRead);
  expect(before).toEqual(
    expect.arrayContaining([
      "syncDir /w",
      "syncDir /w/journal",
      "syncDir /w/memory",
      "syncDir /w/.memd/displaced",
      "sync /w/journal/2026-02-20.jsonl",
    ]),
  );
});

test("unfinished publications go at the start; where others publish too, only after an hour", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [] } });
  const left = [
    ".history.json.abcdefgh.tmp",
    "journal/.2026-02-19.jsonl.abcdefgh.tmp",
    "teller/prompt.md.123",
  ];
  const others = [
    "inbox.d/.x.json.abcdefgh.tmp",
    ".memd/displaced/.memory.md.0123456789abcdef.abcdefgh.base.ijklmnop.tmp",
  ];
  for (const dir of ["inbox.d", "journal", "teller", ".memd/displaced"]) await desk.disk.makeDir(`/w/${dir}`);
  for (const file of [...left, ...others]) desk.write(file, "half");
  await desk.restart();
  expect([...left, ...others].filter((file) => `/w/${file}` in desk.disk.files())).toEqual(others);
  await desk.clock.advance(HOUR_MS + 1);
  await desk.restart();
  expect(others.filter((file) => `/w/${file}` in desk.disk.files())).toEqual([]);
});

test("many runs, each shorter than a replaced file is kept, leave those of the last minute", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [] } });
  const most: number[] = [];
  for (let run = 0; run < 300; run++) {
    await desk.clock.advance(10_000);
    const each = said(`m-${run}`, "2026-02-19T10:00:00Z", `tea number ${run}`);
    desk.write("history.json", [...desk.history().slice(-3), each]);
    await desk.restart();
    await desk.pass();
    most.push(desk.files(".memd/displaced/").length);
  }
  expect(most[0]).toBeGreaterThan(0);
  const ofTheFirstMinute = Math.max(...most.slice(0, 7));
  expect(Math.max(...most)).toBe(ofTheFirstMinute);
});

test("what is no file among the replaced ones is left alone, and nothing waits for it", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [] } });
  await desk.disk.makeDir("/w/.memd/displaced/history.json.0123456789abcdef.abcdefgh");
  desk.write("history.json", [said("a", "2026-02-19T10:00:00Z", "tea")]);
  await desk.restart();
  await desk.pass();
  await desk.clock.advance(HOUR_MS);
  await desk.restart();
  expect(desk.history()).toMatchObject([{ id: "a", archived: true }]);
});
