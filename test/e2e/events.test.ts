/** `memd events`, and reading on somebody's behalf, as a user meets them. */
import { expect, test } from "vitest";
import { atTerminal, cliPlace, type Place } from "../support/cli.js";
import { profileText, record, recordLines } from "../support/records.js";

const NOW = "2026-02-20T12:00:00Z";
const GROUP = { scope: "group:harbor", user: "lin", sources: ["h-1"] };

function place(): Place {
  return cliPlace({
    zone: "UTC",
    files: {
      "memory/records/2026-02.jsonl": recordLines(
        record("a", "The ferry sank at pier nine.", {
          sources: ["m-1", "m-\u001b[31m2"],
          at: "2026-02-10T12:00:00Z",
        }),
        record("b", "The ferry was raised.", {
          at: "2026-02-12T12:00:00Z",
          supersededAt: "2026-02-13T12:00:00Z",
        }),
        record("c", "Wei sold the ferry.", { user: "wei", at: "2026-02-11T12:00:00Z" }),
        record("d", "The ferry is red.", { kind: "fact", level: "session", session: "s-1" }),
      ),
      "memory/scopes/group%3Aharbor/records/2026-02.jsonl": recordLines(
        record("j_1_group", "Lin painted the ferry.", { ...GROUP, perspective: "group" }),
        record("j_1_sender", "Lin painted the ferry.", { ...GROUP, perspective: "sender" }),
      ),
      "memory/profiles/users/lin.md": profileText("user", "lin", "Paints the ferry"),
      "memory/profiles/users/wei.md": profileText("user", "wei", "Sells the ferry"),
      "memory/profiles/groups/harbor.md": profileText("group", "harbor", "Owns the ferry"),
    },
  });
}

const FILE = "memory/records/2026-02.jsonl";

test("events are found by a question, with score, date, source and messages, and by their time", async () => {
  const here = place();
  const events = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await here.memd(["events", ...args], { now: NOW });
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };
  expect(await events("pier nine")).toMatch(
    /^memory\/records\/2026-02\.jsonl:1 {2}0\.\d\d {2}2026-02-10 {2}The ferry sank at pier nine\.\n {4}from m-1, m- ?\[31m2\n$/,
  );
  expect(await events("--from", "2026-02-11", "--to", "2026-02-12")).toBe(
    `${FILE}:2  2026-02-12  (superseded) The ferry was raised.\n${FILE}:3  2026-02-11  Wei sold the ferry.\n`,
  );
  expect((await events("--group", "harbor")).split("\n")).toEqual([
    expect.stringContaining("Lin painted the ferry."),
    "    from h-1",
    "",
  ]);
  expect(await events("--user", "wei")).toBe(`${FILE}:3  2026-02-11  Wei sold the ferry.\n`);
  expect(await events("-n", "1", "--kind", "fact")).toBe(`${FILE}:4  2026-02-10  The ferry is red.\n`);
  expect(await events("zeppelin")).toMatch(/^No events found\. Try other words, or `memd search`/);
  const { hits: all, ...remarks } = JSON.parse(await events("--json", "ferry")) as {
    hits: { id: string; score: number; marks: unknown }[];
  };
  expect(remarks).toEqual({ warnings: [] });
  expect(all.every(({ marks }) => Array.isArray(marks))).toBe(true);
  expect(all.map(({ id }) => id).sort()).toEqual(["a", "b", "c", "d", "j_1_group"]);
  expect(all.at(-1)?.id).toBe("b");
});

test("at a terminal they are told by day, with what they are and whose", async () => {
  const here = place();
  const env = atTerminal(100);
  const { stdout } = await here.memd(["events", "--from", "2026-02-11"], { now: NOW, env });
  expect(stdout).toBe(`2026-02-12, Thursday
  event (superseded)
    The ferry was raised.  ${FILE}:2

2026-02-11, Wednesday
  event of wei
    Wei sold the ferry.  ${FILE}:3
`);
  expect((await here.memd(["events", "pier nine"], { now: NOW, env })).stdout).toMatch(
    /^ {4}The ferry sank at pier nine\. {2}\S+\n {4}from m-1, m- ?\[31m2\n$/m,
  );
  expect((await here.memd(["events", "zeppelin"], { now: NOW, env })).stdout).toMatch(
    /^No events found\. Try/,
  );
});

test("on somebody's behalf only what they may read is found", async () => {
  const here = place();
  const out = async (...args: string[]): Promise<string> => (await here.memd(args, { now: NOW })).stdout;
  const asLin = ["--as", "lin/group:harbor/s-1"];
  expect(await out("events", "ferry", ...asLin)).toContain("Lin painted");
  expect(await out("events", "ferry", ...asLin)).not.toMatch(/sank|Wei/);
  expect(await out("events", "--user", "local", ...asLin)).toMatch(/^No events found\. Try no user/);
  expect(await out("search", "--kind", "event", "fact", "--as", "wei", "--", "ferry")).toMatch(
    /^[^\n]*Wei sold the ferry\.\n$/,
  );
  expect(await out("search", "--kind", "fact", "--as", "local/main/s-1", "--", "ferry")).toContain(
    "The ferry is red.",
  );
  expect(await out("search", "--kind", "fact", "--as", "local/main/s-2", "--", "ferry")).toMatch(
    /^Nothing found\. Try/,
  );

  expect(await out("profile", "list", ...asLin)).toMatch(/lin\s+\n?group:harbor/);
  expect(await out("profile", "list", ...asLin)).not.toContain("wei");
  expect(await out("profile", "show", "lin", ...asLin)).toContain("- Paints the ferry");
  expect(await out("profile", "show", "group:harbor", ...asLin)).toContain("- Owns the ferry");
  expect(await out("profile", "search", "ferry", ...asLin)).not.toContain("wei.md");
  expect(await out("profile", "search", "ferry")).toContain("wei.md");
  expect(await here.memd(["profile", "show", "wei", ...asLin])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Nothing is known of the user wei") as string,
  });
});

test("a bad address, a bad date and a lost name are told, and nothing is answered", async () => {
  const here = place();
  for (const [args, says] of [
    [["search", "--as", "", "ferry"], '"" names no user'],
    [["events", "--as", "/group:harbor"], "names no user"],
    [["events", "--as", "a/b/c/d"], "a/b/c/d is no user/scope/session"],
    [["profile", "show", "lin", "--as", "%zz"], "%zz is not percent-encoded"],
    [["profile", "list", "--as", "//"], "names no user"],
    [["events", "--user", ""], "must name somebody"],
    [["search", "--scope", "", "ferry"], "must name somebody"],
    [["events", "--from", "someday"], "someday is no date"],
    [["events", " "], "nothing to look for"],
  ] as const)
    expect(await here.memd(args, { now: NOW })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(says) as string,
    });
  const reversed = await here.memd(["events", "--from", "2026-02-12", "--to", "2026-02-11"], { now: NOW });
  expect(reversed).toMatchObject({ code: 0, stderr: expect.stringContaining("swapped") as string });
  expect(reversed.stdout).toContain("Wei sold the ferry.");
}, 60_000);
