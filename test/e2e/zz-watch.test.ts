import { test } from "vitest";
import fs from "node:fs";
import { cliPlace, eventually, pause } from "../support/cli.js";
test("x", async () => {
    const place = cliPlace({ files: { "history.json": [], "inbox.json": [] } });
    const memd = place.launch(["start"], { now: "2026-03-02T12:00:00Z" });
    await memd.says("Ready.");
    let missed = 0;
  for (let i = 0; i < 150; i++) {
    place.replace("inbox.json", [{ id: `q${i}`, role: "user", text: `question ${i}`, createdAt: "2026-03-02T10:00:00Z" }]);
    const seen = () => fs.existsSync(place.root + "/teller/prompt.json") && place.read("teller/prompt.json").includes(`"q${i}"`);
    const t = Date.now();
    try { await eventually("p", seen, 2500); } catch { missed++; console.log(i, "missed q", memd.output().slice(-200)); }
    if (i % 2) await pause(i % 7);
    place.replace("inbox.json", []);
    const none = () => !place.read("teller/prompt.json").includes(`"q${i}"`);
    try { await eventually("p", none, 2500); } catch { missed++; console.log(i, "missed empty", fs.statSync(place.root+"/inbox.json").mtimeMs); }
    if (i % 2) await pause(i % 5);
  }
  console.log("missed", missed, "of 300");
}, 300000);
