/** Dates as people say them, behind the flags of the commands that take some. */
import { expect, test } from "vitest";
import { cliPlace } from "../support/cli.js";

/** In Shanghai it is the first of November already. */
const NOW = "2026-10-31T20:00:00Z";

function said(id: string, createdAt: string): object {
  return { id, role: "user", text: `The ferry of ${id} left.`, createdAt };
}

test("days, weeks, months and years are taken in the time zone of the workspace", async () => {
  const place = cliPlace({
    files: {
      "memd.toml": 'timezone = "Asia/Shanghai"\n',
      "history.json": [
        said("older", "2025-10-15T04:00:00Z"),
        said("summer", "2026-07-02T04:00:00Z"),
        said("month", "2026-10-12T04:00:00Z"),
        said("week", "2026-10-23T04:00:00Z"),
        said("yesterday", "2026-10-31T04:00:00Z"),
        said("today", "2026-10-31T19:00:00Z"),
      ],
    },
  });
  const memd = place.launch(["start"], { now: NOW });
  await memd.says("Ready.");
  const found = async (...dates: string[]): Promise<string[]> => {
    const args = ["search", "ferry", "--kind", "message", "--json", ...dates];
    const { code, stdout, stderr } = await place.memd(args, { now: NOW });
    expect([code, stderr]).toEqual([0, ""]);
    const { hits } = JSON.parse(stdout) as { hits: { text: string }[] };
    return hits.map(({ text }) => /of (\w+) left/.exec(text)?.[1] ?? "").sort();
  };
  expect(await found("--from", "today")).toEqual(["today"]);
  expect(await found("--from", "last week", "--to", "last week")).toEqual(["week"]);
  expect(await found("--from", "october", "--to", "october")).toEqual(["month", "week", "yesterday"]);
  expect(await found("--from", "去年十月", "--to", "2025")).toEqual(["older"]);
  expect(await found("--from", "2026-07", "--to", "2026-07")).toEqual(["summer"]);
  expect(await found("--as-of", "july")).toEqual(["older", "summer"]);
  memd.kill("SIGTERM");
  await memd.ended;
}, 120_000);

test("a word that is no date is a mistake, and the message shows what is one", async () => {
  const place = cliPlace({ files: { "history.json": [] } });
  for (const args of [
    ["search", "x", "--as-of", "blurb"],
    ["events", "--to", "blurb"],
    ["resummarize", "--from", "blurb"],
    ["topics", "activate", "x", "--from", "blurb"],
    ["import", "nowhere.json", "--since", "blurb"],
  ]) {
    const flag = args.at(-2) ?? "";
    expect(await place.memd(args, { now: NOW })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(
        `${flag} blurb is no date such as 2026-01-28, 2026-01, 2026, yesterday, "last week"`,
      ) as string,
    });
  }
}, 120_000);
