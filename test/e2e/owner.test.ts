import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cliPlace, isAlive } from "../support/cli.js";
import { childThatWaits } from "../support/child-that-waits.js";

test("a start with another runtime folder meets the owner all the same, and commands find it", async () => {
  const place = cliPlace({ files: { "history.json": [] } });
  const owner = place.launch(["start"]);
  await owner.says("Ready.");
  const elsewhere = path.join(place.outside, "elsewhere");
  fs.mkdirSync(elsewhere, { mode: 0o700 });
  const other = { env: { XDG_RUNTIME_DIR: elsewhere } };
  expect((await place.memd(["start"], other)).code).toBe(4);
  const status = JSON.parse((await place.memd(["status", "--json"], other)).stdout) as {
    owner: { pid: number };
  };
  expect(status.owner.pid).toBe(owner.pid);
  expect((await place.memd(["stop"], other)).code).toBe(0);
  expect((await owner.ended).code).toBe(0);
});

test("after kill -9 of an owner with another runtime folder the next one takes over", async () => {
  const place = cliPlace({ files: { "history.json": [] } });
  const elsewhere = path.join(place.outside, "elsewhere");
  fs.mkdirSync(elsewhere, { mode: 0o700 });
  const owner = place.launch(["start"], { env: { XDG_RUNTIME_DIR: elsewhere } });
  await owner.says("Ready.");
  owner.kill("SIGKILL");
  await owner.ended;
  expect((await place.memd(["start", "--until-idle"])).code).toBe(0);
});

test("a port that another program has is said, exit code 4, and the workspace stays free", async () => {
  const place = cliPlace({ files: { "history.json": [] } });
  const other = net.createServer();
  await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void other.close());
  const { port } = other.address() as net.AddressInfo;
  const ended = await place.memd(["start", "--port", String(port)]);
  expect(ended.code).toBe(4);
  expect(ended.stderr).toMatch(
    new RegExp(`^memd: Port ${port} of 127.0.0.1 cannot be had\\.\n  Another program listens there`),
  );
  expect((await place.memd(["start", "--until-idle"])).code).toBe(0);
});

test(
  "a memd that does not answer is ended by stop, which says so, and the next one has all that it had",
  { timeout: 240_000 },
  async () => {
    const message = {
      id: "h1",
      role: "user",
      text: "The bridge code is 4471.",
      createdAt: "2026-03-20T10:00:00Z",
    };
    const place = cliPlace({ files: { "history.json": [message], "inbox.json": [] } });
    const owner = place.launch(["start"]);
    await owner.says("Ready.");
    // Stopped in the midst of what it does: its socket still takes whoever comes.
    owner.kill("SIGSTOP");
    const asked = await place.memd(["status"]);
    expect(asked).toMatchObject({ code: 1, stdout: "" });
    expect(asked.stderr).toContain(`memd (process ${owner.pid}) does not answer.\n  `);
    const stopped = await place.memd(["stop"]);
    expect(stopped.code).toBe(0);
    expect(stopped.stderr).toMatch(/does not answer\. Ending it with SIGTERM …\n.*Ending it with SIGKILL …/);
    expect(stopped.stdout).toContain(`memd ended (process ${owner.pid}, SIGKILL).`);
    expect(await owner.ended).toMatchObject({ signal: "SIGKILL" });
    expect((await place.memd(["start", "--until-idle"])).code).toBe(0);
    expect(
      place
        .files("journal")
        .map((file) => place.read(file))
        .join(""),
    ).toContain("4471");
    expect((await place.memd(["search", "bridge code"])).stdout).toContain("4471");
  },
);

test(
  "stop ends no process that is not known to be that memd, and says how to do it by hand",
  { timeout: 240_000 },
  async () => {
    const place = cliPlace({ files: { "history.json": [] } });
    const owner = place.launch(["start"]);
    await owner.says("Ready.");
    const { owner: told } = JSON.parse((await place.memd(["status", "--json"])).stdout) as {
      owner: { socket: string };
    };
    const stranger = childThatWaits();
    const note = `${told.socket}.process`;
    const [, mark = ""] = fs.readFileSync(note, "utf8").split("\n");
    expect(fs.statSync(note).mode & 0o777).toBe(0o600);
    owner.kill("SIGSTOP");
    // As if the number had been given anew, and as if the system could not tell.
    const notes = [`${stranger.pid}\n${mark}\n`, `${stranger.pid}\n\n`, ""];
    const stops: { code: number | null; stderr: string }[] = [];
    for (const text of notes) {
      fs.writeFileSync(note, text);
      stops.push(await place.memd(["stop"]));
    }
    expect(stops.map(({ code }) => code)).toEqual([1, 1, 4]);
    expect(stops.map(({ stderr }) => stderr.includes(`lsof -t ${told.socket}`))).toEqual([true, true, true]);
    expect(stops.map(({ stderr }) => stderr.includes("SIGTERM"))).toEqual([false, false, false]);
    expect([isAlive(stranger.pid), isAlive(owner.pid)]).toEqual([true, true]);
    owner.kill("SIGCONT");
    owner.kill("SIGTERM");
    expect((await owner.ended).code).toBe(0);
    // What it left is its own no more: with the memd goes the note.
    expect(fs.existsSync(note)).toBe(false);
  },
);
