/** `memd.toml`, edited by hand while memd runs. */
import { expect, test } from "vitest";
import { cliPlace, eventually, type Place } from "../support/cli.js";

const NOW = "2026-03-20T12:00:00Z";

function said(n: number): object {
  return {
    id: `m${n}`,
    role: "user",
    text: `The ferry number ${n} left.`,
    createdAt: `2026-03-20T10:${String(n).padStart(2, "0")}:00Z`,
  };
}

const hits = async (place: Place): Promise<number> => {
  const { stdout } = await place.memd(["search", "ferry", "--json"], { now: NOW });
  return (JSON.parse(stdout) as { hits: unknown[] }).hits.length;
};

const settingsRow = async (place: Place): Promise<string> =>
  /^settings .*$/m.exec((await place.memd(["status"], { now: NOW })).stdout)?.[0] ?? "";

test("search and prompt follow memd.toml, the rest waits for a restart, and a broken file changes nothing", async () => {
  const place = cliPlace({
    files: {
      "memd.toml": "[recall]\nlimit = 5\n",
      "history.json": Array.from({ length: 12 }, (_, n) => said(n)),
      "inbox.json": [],
    },
  });
  const memd = place.launch(["start"], { now: NOW });
  await memd.says("Ready.");
  expect(await hits(place)).toBe(5);
  expect(place.read("teller/prompt.md")).toContain("The ferry number 11 left.");
  expect(await settingsRow(place)).toBe("");

  place.write("memd.toml", '[recall]\nlimit = 3\n[context]\noff = ["history"]\n');
  await memd.says("memd.toml counts as it is now: recall.limit, context.off");
  expect(await hits(place)).toBe(3);
  await eventually(
    "the prompt is written without History",
    () => !place.read("teller/prompt.md").includes("The ferry number 11 left."),
  );

  place.replace(
    "memd.toml",
    '[archive]\nrecent_days = 2\n[recall]\nlimit = 4\n[context]\noff = ["history"]\n',
  );
  await memd.says("restart needed for archive.recent_days");
  expect(await hits(place)).toBe(4);
  expect(await settingsRow(place)).toBe("settings   restart needed: archive.recent_days");
  const { settings } = JSON.parse((await place.memd(["status", "--json"])).stdout) as { settings: unknown };
  expect(settings).toEqual({ restartNeeded: ["archive.recent_days"] });

  place.write("memd.toml", "[recall]\nlimit = 2\nlimmit = 3\n");
  await memd.says("memd.toml, line 3: recall.limmit");
  expect(await hits(place)).toBe(4);
  expect(await settingsRow(place)).toContain("not taken: memd.toml, line 3");

  place.write("memd.toml", "[archive]\nrecent_days = 2\n");
  await eventually("the file counts again", async () =>
    (await settingsRow(place)).includes("restart needed"),
  );
  expect(await hits(place)).toBe(10);
  memd.kill("SIGTERM");
  expect(await memd.ended).toMatchObject({ code: 0, stderr: "" });

  const again = place.launch(["start"], { now: NOW });
  await again.says("Ready.");
  expect(await settingsRow(place)).toBe("");
  again.kill("SIGTERM");
  await again.ended;
}, 120_000);

test("the historian is switched on while memd runs, and works what waited", async () => {
  const place = cliPlace({
    files: { "memd.toml": "[cognitive]\nenabled = false\n", "history.json": [], "inbox.json": [] },
  });
  const memd = place.launch(["start"], { now: NOW });
  await memd.says("Ready.");
  await place.memd(["end", "--observe", "Lin Yue sails to Gulangyu on 7 May 2026."], { now: NOW });
  await eventually("the observation waits", () => place.files("queue/pending").length === 1);
  expect(place.files("memory/records")).toEqual([]);
  place.replace("memd.toml", "[cognitive]\nenabled = true\n");
  await eventually("it is a record", () => place.files("memory/records").length > 0);
  expect(place.files("queue/pending")).toEqual([]);
  memd.kill("SIGTERM");
  await memd.ended;
}, 120_000);
