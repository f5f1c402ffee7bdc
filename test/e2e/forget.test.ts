/** Forgetting from the command line, with the index, the log and the prompts of a real workspace. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { said } from "../support/archive-desk.js";
import { cliPlace } from "../support/cli.js";

const NOW = "2026-03-02T12:00:00Z";
const SECRET = "zebrafish";

function holding(folder: string, word: string): string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const file = path.join(folder, name);
    return name.includes(word) || (fs.statSync(file).isFile() && fs.readFileSync(file).includes(word));
  });
}

const FILES = {
  "history.json": [
    said("s-1", "2026-02-10T10:00:00Z", `The ${SECRET} tank leaks`, { session: "aquarium" }),
    said("s-2", "2026-03-02T10:00:00Z", `My ${SECRET} is well`, { session: "aquarium" }),
    said("m-1", "2026-03-02T10:01:00Z", "The marmalade is open"),
  ],
};

test("a session is forgotten by a running memd: no file holds its words, and other memory is found", async () => {
  const place = cliPlace({ zone: "UTC", files: FILES });
  await place.memd(["end", "--session", "aquarium", "--observe", `The ${SECRET} eats at noon.`], {
    now: NOW,
  });
  const daemon = place.launch(["start"], { now: NOW });
  await daemon.says("Ready.");
  await place.memd(["archive", "--now"], { now: NOW });
  await expect
    .poll(async () => (await place.memd(["search", SECRET, "--kind", "event"], { now: NOW })).stdout, {
      timeout: 20_000,
    })
    .toContain("eats at noon");
  const shown = await place.memd(["forget", "--session", "aquarium", "--dry-run"], { now: NOW });
  expect(shown.stdout).toContain("2 messages, 1 record");
  const refused = await place.memd(["forget", "--session", "aquarium"], { now: NOW });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("add --yes");
  expect(holding(`${place.root}/.memd/index`, SECRET)).not.toEqual([]);

  const done = await place.memd(["forget", "--session", "aquarium", "--yes", "--json"], { now: NOW });
  expect(JSON.parse(done.stdout)).toMatchObject({ forgotten: true, messages: 2, records: 1 });
  expect(holding(place.root, SECRET)).toEqual([]);
  expect(holding(place.root, "aquarium")).toEqual([]);
  expect((await place.memd(["search", SECRET], { now: NOW })).stdout).not.toContain("tank");
  expect((await place.memd(["prompt"], { now: NOW })).stdout).not.toContain(SECRET);
  expect((await place.memd(["search", "marmalade"], { now: NOW })).stdout).toContain("marmalade");

  const again = await place.memd(["forget", "--session", "aquarium", "--yes"], { now: NOW });
  expect(again.code).toBe(2);
  expect(again.stderr).toContain("Nothing is known of a session aquarium in main.");
  daemon.kill("SIGTERM");
  await daemon.ended;
  expect(holding(place.root, SECRET)).toEqual([]);
});

test("a message is forgotten while nobody runs", async () => {
  const place = cliPlace({ zone: "UTC", files: FILES });
  expect((await place.memd(["forget", "--id", "s-2", "--yes"], { now: NOW })).stdout).toContain(
    "Forgotten: 1 message",
  );
  expect(holding(place.root, "is well")).toEqual([]);
  expect(holding(place.root, "tank leaks")).not.toEqual([]);
  const unknown = await place.memd(["forget", "--id", "nothing", "--yes"], { now: NOW });
  expect(unknown.stderr).toContain("There is no message and no record nothing.");
});
