import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cliPlace } from "../support/cli.js";

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
