/** `memd prompt` beyond the main conversation: of another one, and what it costs. */
import { expect, test } from "vitest";
import { cliPlace } from "../support/cli.js";

const AT = "2026-03-20T10:00:00Z";
const NOW = "2026-03-20T12:00:00Z";

test("of another conversation it is on behalf of whoever is named, behind their partitions", async () => {
  const place = cliPlace({
    zone: "UTC",
    files: {
      "memory.md": "## Rules\n\n- the owner likes tea\n",
      "history.json": [
        { id: "a", role: "user", text: "the heron nests by the lock", createdAt: AT },
        {
          id: "b",
          role: "user",
          user: "priya",
          scope: "group:harbor",
          text: "standup at nine",
          createdAt: AT,
        },
        {
          id: "c",
          role: "user",
          user: "tom",
          scope: "project",
          session: "x/y",
          text: "the vault",
          createdAt: AT,
        },
      ],
    },
  });
  const prompt = async (address: string): Promise<string> =>
    (await place.memd(["prompt", "--for", address], { now: NOW })).stdout;
  expect(await prompt("priya/group:harbor")).toContain("standup at nine");
  expect(await prompt("priya/group:harbor")).not.toMatch(/heron|tea|vault/);
  expect(await prompt("tom/project/x%2Fy")).toContain("the vault");
  expect(await prompt("priya/project/x%2Fy")).not.toContain("the vault");
  expect(await prompt("local")).toContain("the owner likes tea");
  expect(place.read("teller/group%3Aharbor/main/prompt.md")).toContain("standup at nine");
  for (const [address, why] of [
    ["a/b/c/d", /is no user\/scope\/session/],
    ["a/%zz", /not percent-encoded/],
    ["", /names no user/],
    ["//", /names no user/],
    ["/project/x%2Fy", /names no user/],
  ] as const)
    expect(await place.memd(["prompt", "--for", address], { now: NOW })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(why) as string,
    });
});

test("explained, each section has its bar, and what is not shown its reason", async () => {
  const place = cliPlace({
    zone: "UTC",
    files: {
      "memd.toml": '[context]\noff = ["pinned"]\n',
      "memory.md": "## Rules\n\n- the owner likes tea\n",
      "history.json": [{ id: "a", role: "user", text: "the heron nests by the lock", createdAt: AT }],
      "inbox.json": [{ id: "q", role: "user", text: "where does the heron nest?", createdAt: NOW }],
    },
  });
  const { stdout } = await place.memd(["prompt", "--explain"], { now: NOW });
  expect(stdout).toMatch(/^local in main, session main, .*: about \d+ tokens, 1 waiting\.\n/);
  expect(stdout).toMatch(/^guide +\d+ +400 +█+░*$/m);
  expect(stdout).toMatch(/^pinned +0 +4000 +░+ +switched off$/m);
  expect(stdout).toMatch(
    /^“where does the heron nest\?”: 1 found, 0 lines shown .*\n {2}left out: 1 stands in History or Input\n.* {2}stands in History or Input$/m,
  );
});
