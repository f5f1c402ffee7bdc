/** Workspaces below a root that are put to rest and opened again, in this process, with a clock that is moved on. */
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { Fleet } from "../../src/daemon/fleet.js";
import { ask, follow } from "../../src/platform/http.js";
import { MINUTE_MS, SECOND_MS } from "../../src/model/time.js";
import { type Clock, systemClock } from "../../src/platform/clock.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { socketPath } from "../../src/platform/owner.js";
import { eventually } from "../support/cli.js";
import { tempDir } from "../support/temp-dir.js";

const SLOW = { timeout: 120_000 };

let root: string;
let movedMs: number;

/** This machine's, with what it is moved on. */
function movedClock(): Clock {
  const clock = systemClock();
  return { ...clock, monotonicMs: () => clock.monotonicMs() + movedMs };
}

beforeEach(() => {
  const outside = tempDir();
  movedMs = 0;
  root = path.join(outside, "root");
  for (const name of ["XDG_RUNTIME_DIR", "HOME", "XDG_CONFIG_HOME"]) vi.stubEnv(name, outside);
  onTestFinished(() => void vi.unstubAllEnvs());
});

function workspace(name: string): string {
  const folder = path.join(root, name);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "workspace.json"), JSON.stringify({ format: 1, id: name }));
  return folder;
}

async function fleetOf(...names: string[]): Promise<Fleet> {
  for (const name of names) workspace(name);
  const fleet = new Fleet({ root, clock: movedClock(), tell: () => undefined });
  onTestFinished(() => fleet.stop());
  await fleet.start();
  await fleet.settled();
  return fleet;
}

const states = (fleet: Fleet): Record<string, string> =>
  Object.fromEntries(fleet.status().workspaces.map(({ name, state }) => [name, state]));

const inbox = (text: string): string =>
  JSON.stringify([{ id: text, role: "user", text, createdAt: new Date().toISOString() }]);

const prompt = (name: string): string => {
  const file = path.join(root, name, "teller/prompt.md");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
};

test(
  "one rests once what is owed there is done, a write opens it, and silence has it rest again",
  SLOW,
  async () => {
    const fleet = await fleetOf("red", "blue");
    expect(states(fleet)).toEqual({ red: "resting", blue: "resting" });
    fs.writeFileSync(path.join(root, "red", "inbox.json"), inbox("when does the ferry leave?"));
    await eventually("the prompt of what was written", () => prompt("red").includes("ferry"));
    await eventually("it is open", () => states(fleet)["red"] === "open");
    expect(states(fleet)["blue"]).toBe("resting");
    await eventually(
      "it rests",
      () => {
        movedMs += SECOND_MS;
        return states(fleet)["red"] === "resting";
      },
      60_000,
    );
    fs.writeFileSync(path.join(root, "red", "inbox.json"), inbox("and the bus?"));
    await eventually("the next prompt", () => prompt("red").includes("bus"));
  },
);

test("at rest it is asked over its own socket as before", SLOW, async () => {
  const fleet = await fleetOf("red", "blue");
  const asked = async (
    name: string,
    method: "GET" | "POST",
    call: string,
    body?: object,
  ): Promise<unknown> => {
    const answer = await ask(await socketPath(path.join(root, name)), method, call, body);
    return answer.body;
  };
  expect(await asked("blue", "POST", "/inbox", { text: "the bridge code is 4711" })).toMatchObject({
    id: expect.any(String),
  });
  expect(states(fleet)).toEqual({ red: "resting", blue: "open" });
  expect(
    JSON.stringify(await asked("blue", "POST", "/agent/memories/search", { query: "bridge" })),
  ).toContain("4711");
  expect(
    JSON.stringify(await asked("red", "POST", "/agent/memories/search", { query: "bridge" })),
  ).not.toContain("4711");
  expect(await asked("red", "GET", "/status")).toMatchObject({ workspace: path.join(root, "red") });
});

test("what comes below the root is served, and what goes is let go of", SLOW, async () => {
  const fleet = await fleetOf("red");
  workspace("teams/green");
  workspace(".hidden/grey");
  workspace("red/inside");
  await fleet.discover();
  await fleet.settled();
  expect(states(fleet)).toEqual({ red: "resting", "teams/green": "resting" });
  const socket = await socketPath(path.join(root, "teams/green"));
  fs.rmSync(path.join(root, "teams/green"), { recursive: true });
  await fleet.discover();
  expect(states(fleet)).toEqual({ red: "resting" });
  await eventually("its socket is given up", () => !fs.existsSync(socket));
});

test("one whose settings are wrong says so and keeps nobody else from being served", SLOW, async () => {
  const folder = workspace("red");
  fs.writeFileSync(path.join(folder, "memd.toml"), "[recall]\nlimit = 0\n");
  const fleet = await fleetOf("blue");
  expect(fleet.status().workspaces).toMatchObject([
    { name: "blue", state: "resting" },
    { name: "red", state: "faulty", reason: expect.stringContaining("memd.toml, line 2") },
  ]);
  const answer = await ask(await socketPath(folder), "GET", "/status");
  expect(answer).toMatchObject({ status: 409, body: { error: { code: "settings_invalid" } } });
  fs.writeFileSync(path.join(folder, "memd.toml"), "[recall]\nlimit = 5\n");
  expect(await ask(await socketPath(folder), "GET", "/status")).toMatchObject({ status: 200 });
});

test("one that was faulty is opened once its settings are mended", SLOW, async () => {
  const folder = workspace("red");
  fs.writeFileSync(path.join(folder, "memd.toml"), "[recall]\nlimit = 0\n");
  fs.writeFileSync(path.join(folder, "inbox.json"), inbox("when does the ferry leave?"));
  const fleet = await fleetOf();
  expect(states(fleet)).toEqual({ red: "faulty" });
  fs.writeFileSync(path.join(folder, "memd.toml"), "[recall]\nlimit = 5\n");
  await eventually("the prompt of what waited", () => prompt("red").includes("ferry"));
});

test("a socket whose name was swept away is taken again", SLOW, async () => {
  const fleet = await fleetOf("red");
  const socket = await socketPath(path.join(root, "red"));
  fs.rmSync(socket);
  fs.writeFileSync(path.join(root, "red", "inbox.json"), inbox("when does the ferry leave?"));
  await eventually("the prompt of what was written", () => prompt("red").includes("ferry"));
  expect(await ask(socket, "GET", "/status")).toMatchObject({ status: 200 });
  expect(states(fleet)).toEqual({ red: "open" });
});

test("whoever follows its events keeps it open, and is let go when the root stops", SLOW, async () => {
  const fleet = await fleetOf("red");
  const socket = await socketPath(path.join(root, "red"));
  const stream = follow(socket, "/events", () => undefined);
  await eventually("it is open", () => states(fleet)["red"] === "open");
  movedMs += 10 * MINUTE_MS;
  await new Promise((done) => setTimeout(done, 12_000));
  expect(states(fleet)).toEqual({ red: "open" });
  await fleet.stop();
  await stream.ended;
});

test("only under the root's own name is all of it stopped", SLOW, async () => {
  const fleet = await fleetOf("red");
  const own = await socketPath(root);
  const red = await socketPath(path.join(root, "red"));
  const stopped = { now: false };
  void fleet.stopAsked.then(() => (stopped.now = true));
  expect(await askAs(red, "memd", "/stop")).toBe(404);
  expect(await askAs(own, "localhost", "/stop")).toBe(404);
  expect((await ask(red, "POST", "/stop", {})).status).toBe(400);
  expect(stopped.now).toBe(false);
  expect((await ask(own, "POST", "/stop")).status).toBe(200);
  await fleet.stopAsked;
});

test("a folder that cannot be read for a moment is not taken for gone", SLOW, async () => {
  const fleet = await fleetOf("teams/red", "blue");
  const list = nodeDisk.list.bind(nodeDisk);
  const spy = vi.spyOn(nodeDisk, "list").mockImplementation(async (dir) => {
    if (dir === path.join(root, "teams")) throw new Error("too many open files");
    return list(dir);
  });
  await fleet.discover();
  spy.mockRestore();
  expect(states(fleet)).toEqual({ blue: "resting", "teams/red": "resting" });
});

/** The status of a POST under another name than the socket's. */
function askAs(socketPath: string, host: string, call: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = http.request({ socketPath, path: call, method: "POST", headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asking.on("error", reject);
    asking.end();
  });
}
