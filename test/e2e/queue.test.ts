/** What an agent leaves behind, from the command to the search, and the queue on the way. */
import { expect, test } from "vitest";
import { cliPlace } from "../support/cli.js";

const NOW = "2026-03-02T12:00:00Z";

test("the end of a turn becomes a memo and a record while memd runs, and both are found", async () => {
  const place = cliPlace({ zone: "UTC", files: { "history.json": [], "inbox.json": [] } });
  const daemon = place.launch(["start"], { now: NOW });
  await daemon.says("Ready.");
  const ended = await place.memd(
    ["end", "--memo", "Noted the move.", "--observe", "Lin Yue moved to Porto yesterday."],
    {
      now: NOW,
    },
  );
  expect(ended.code).toBe(0);
  await expect
    .poll(async () => (await place.memd(["search", "Porto", "--kind", "event"], { now: NOW })).stdout, {
      timeout: 20_000,
    })
    .toContain("Lin Yue moved to Porto on 2026-03-01.");
  expect(place.read("memory/memos.json")).toContain("Noted the move.");
  await expect
    .poll(() => place.read("teller/prompt.md"), { timeout: 20_000 })
    .toMatch(
      /## Memos\n\n- 2026-03-02 12:00 Noted the move\.\n[\s\S]*## Daily log\n\n- 2026-03-01 Lin Yue moved to Porto/,
    );
  expect((await place.memd(["queue", "list"])).stdout).toBe("Nothing waits, and nothing has failed.\n");
  daemon.kill("SIGTERM");
  await daemon.ended;
});

test("what waits and what failed is shown, tried again, and dropped", async () => {
  const place = cliPlace({ zone: "UTC", files: { "memd.toml": "[cognitive]\nenabled = false\n" } });
  await place.memd(["end", "--observe", "Lin drinks oolong."], { now: NOW });
  const failed = { version: 1, kind: "end", createdAt: NOW, user: "local", scope: "main", session: "main" };
  place.write("queue/failed/2026-03-01-abcd1234.json", {
    ...failed,
    observations: ["Wei sold the van."],
    attempts: 3,
    error: "no good",
  });
  place.write("queue/failed/2026-03-01-broken00.json", { error: "it is not JSON", payload: "{" });

  const list = await place.memd(["queue", "list"]);
  expect(list.stdout).toMatch(/pending .*Lin drinks oolong\./);
  expect(list.stdout).toMatch(/2026-03-01-abcd1234 +failed .*Wei sold the van\. \(no good\)/);
  expect(list.stdout).toContain("2 jobs failed");
  expect((await place.memd(["status"])).stdout).toMatch(/queue +1 waiting, 2 failed/);
  expect((await place.memd(["queue", "show", "abcd1234"])).stdout).toMatch(
    /no good\n\{[\s\S]*Wei sold the van/,
  );

  expect(await place.memd(["queue", "retry", "abcd1234"])).toMatchObject({ code: 0, stderr: "" });
  expect(place.json("queue/pending/2026-03-01-abcd1234.json")).not.toHaveProperty("attempts");
  expect(await place.memd(["queue", "retry", "broken00"])).toMatchObject({ code: 2 });
  expect(await place.memd(["queue", "retry", "abcd1234"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("has not failed: it is pending"),
  });
  expect(await place.memd(["queue", "drop", "broken00"])).toMatchObject({ code: 0 });
  expect((await place.memd(["queue", "show", "nothing"])).stderr).toContain("There is no job nothing.");
  expect(place.files("queue/failed")).toEqual([]);
});
