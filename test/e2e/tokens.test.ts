/** A program that may ask as one viewer: made, used and taken back as a person does it. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { cliPlace } from "../support/cli.js";
import { record, recordLines } from "../support/records.js";

const FILES = {
  "memory/records/2026-02.jsonl": recordLines(
    record("a", "The ferry sank."),
    record("b", "Lin took the ferry.", { user: "lin" }),
  ),
};

interface Added {
  token: string;
  id: string;
  viewer: string;
}

test("without a daemon a token is made, listed and removed, and only its hash is kept", async () => {
  const place = cliPlace();
  const added = await place.memd(["token", "add", "--as", "lin/main", "--name", "lin's agent"]);
  expect([added.code, added.stderr]).toEqual([0, ""]);
  const [token = ""] = added.stdout.split("\n");
  expect(token).toMatch(/^memd_[a-z0-9]{52}$/);
  expect(added.stdout).toContain("nothing that is of one session alone");
  const file = path.join(place.root, ".memd/tokens.jsonl");
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(fs.readFileSync(file, "utf8")).not.toContain(token.slice(5));
  const listed = await place.memd(["token", "list"]);
  expect(listed.stdout).toContain("lin's agent  lin/main");
  expect(listed.stdout).not.toContain("memd_");
  expect((await place.memd(["token", "remove", "lin's agent"])).code).toBe(0);
  expect((await place.memd(["token", "list"])).stdout).toContain("There are no tokens");
});

test.each([
  [["add"], "--as"],
  [["add", "--as", ""], "names no user"],
  [["add", "--as", "lin/"], "empty part"],
  [["add", "--as", "lin/main", "--session", ""], "--session"],
  [["add", "--as", "lin/main/s-1", "--session", "s-2"], "said twice"],
  [["add", "--as", "lin", "--name", ""], "A name has"],
  [["remove", "nobody"], "no token with the name"],
])("memd token %j is refused in a sentence, and nothing is made", async (args, says) => {
  const place = cliPlace();
  const { code, stderr } = await place.memd(["token", ...args]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  expect(place.exists(".memd/tokens.jsonl")).toBe(false);
});

test("a running memd lets it in at once, on socket and port, and no more once it is removed", async () => {
  const place = cliPlace({ files: FILES });
  const daemon = place.launch(["start", "--port", "0"]);
  await daemon.says("Ready.");
  const [base = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(daemon.output()) ?? [];
  const made = await place.memd(["token", "add", "--as", "lin/main", "--json"]);
  const { token, id } = JSON.parse(made.stdout) as Added;
  const asked = async (path: string): Promise<[number, string]> => {
    const answer = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return [answer.status, await answer.text()];
  };
  const [code, memories] = await asked("/agent/memories");
  expect([code, memories.includes("Lin took"), memories.includes("sank")]).toEqual([200, true, false]);
  expect((await asked("/status"))[0]).toBe(404);
  expect((await asked("/agent/memories?as=local"))[0]).toBe(403);
  expect((await place.memd(["token", "remove", id])).code).toBe(0);
  expect((await asked("/agent/memories"))[0]).toBe(401);
  daemon.kill("SIGTERM");
  await daemon.ended;
});
