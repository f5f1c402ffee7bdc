import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  answers,
  notedProcess,
  socketPath,
  takeOwnership,
  type Ownership,
} from "../../src/platform/owner.js";
import { tempDir } from "../support/temp-dir.js";
import { otherProcess } from "./other-process.js";

const RACES = 30;
const OLD = new Date(Date.now() - 60_000);

let dir = "";
let socket = "";
const held: Ownership[] = [];

beforeEach(() => {
  dir = tempDir();
  fs.chmodSync(dir, 0o700);
  socket = `${dir}/w.sock`;
});

afterEach(async () => {
  for (const ownership of held.splice(0)) await ownership.release();
});

async function take(): Promise<Ownership | undefined> {
  const ownership = await takeOwnership(
    socket,
    http.createServer((_request, response) => response.end("here")),
  );
  if (ownership !== undefined) held.push(ownership);
  return ownership;
}

/** What a killed owner leaves: the name of a socket that nobody listens on. */
async function deadSocket(path: string): Promise<void> {
  const server = net.createServer();
  await new Promise<void>((done) => server.listen(`${path}.bound`, done));
  fs.linkSync(`${path}.bound`, path);
  await new Promise((done) => server.close(done));
}

describe("owning a workspace", () => {
  test("is for one at a time, and ends with release", async () => {
    const first = await take();
    expect(await first?.stillMine()).toBe(true);
    expect(fs.statSync(socket).mode & 0o777).toBe(0o600);
    expect(await notedProcess(socket)).toEqual({ pid: process.pid, isIt: true });
    expect(await take()).toBeUndefined();
    expect(await answers(socket)).toBe(true);
    await first?.release();
    expect(await answers(socket)).toBe(false);
    expect(fs.readdirSync(dir)).toEqual([]);
    expect(await take()).toBeDefined();
  });

  test("two starters never both win, whether the place is free or its owner was killed", async () => {
    const starters = await Promise.all([otherProcess(), otherProcess(), otherProcess(), otherProcess()]);
    for (let race = 0; race < RACES; race++) {
      const path = `${dir}/${race}.sock`;
      if (race % 2 === 1) await deadSocket(path);
      const ends = await Promise.all(starters.map((starter) => starter.ask(`take ${path}`)));
      expect([...ends].sort(), `race ${race}`).toEqual(["busy", "busy", "busy", "owner"]);
      const winner = starters[ends.indexOf("owner")];
      expect(await winner?.ask("mine")).toBe("true");
      expect(await winner?.ask("release")).toBe("released");
    }
    expect(fs.readdirSync(dir)).toEqual([]);
  });

  test("passes on at once when the owner is killed, and what it left is swept", async () => {
    const other = await otherProcess();
    expect(await other.ask(`take ${socket}`)).toBe("owner");
    expect(await take()).toBeUndefined();
    await other.kill();
    const left = fs.readdirSync(dir).filter((name) => !["w.sock", "w.sock.process"].includes(name));
    expect(left).toHaveLength(1);
    expect(await notedProcess(socket)).toMatchObject({ isIt: false });
    for (const name of left) fs.utimesSync(`${dir}/${name}`, OLD, OLD);
    expect(await take()).toBeDefined();
    expect(fs.readdirSync(dir).filter((name) => left.includes(name))).toEqual([]);
  });

  test("replaces a dead socket, and a file that is none", async () => {
    await deadSocket(socket);
    expect(await answers(socket)).toBe(false);
    const first = await take();
    expect(await first?.stillMine()).toBe(true);
    await first?.release();
    fs.writeFileSync(socket, "not a socket");
    expect(await (await take())?.stillMine()).toBe(true);
  });

  test("is noticed to be lost when the name is gone or another's", async () => {
    const first = await take();
    fs.unlinkSync(socket);
    expect(await first?.stillMine()).toBe(false);
    const second = await take();
    expect(second).toBeDefined();
    expect(await first?.stillMine()).toBe(false);
    // Releasing what was lost leaves the new owner alone.
    await first?.release();
    expect(await second?.stillMine()).toBe(true);
  });

  test("is not lost while its name is aside for a moment", async () => {
    const first = await take();
    fs.renameSync(socket, `${socket}.aside`);
    const looked = first?.stillMine();
    setTimeout(() => fs.renameSync(`${socket}.aside`, socket), 5);
    expect(await looked).toBe(true);
  });

  test("a number is the name of a socket too, not a port", async () => {
    const other = net.createServer();
    await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
    const { port } = other.address() as net.AddressInfo;
    expect(await answers(String(port))).toBe(false);
    await new Promise((done) => other.close(done));
  });

  test("serves on the workspace's name", async () => {
    await take();
    const body = await new Promise<string>((done) => {
      http.get({ socketPath: socket, path: "/", agent: false }, (response) => {
        response.setEncoding("utf8").on("data", done);
      });
    });
    expect(body).toBe("here");
  });
});

describe("what is noted of the owner's process", () => {
  test.each(["", "0\nm\n", "-1\nm\n", "1\nm\n", "12x\nm\n", "99999999999999\nm\n"])(
    "%j names nobody",
    async (text) => {
      fs.writeFileSync(`${socket}.process`, text);
      expect(await notedProcess(socket)).toBeUndefined();
    },
  );

  test("without its beginning nobody knows whether it is that one", async () => {
    fs.writeFileSync(`${socket}.process`, `${process.pid}\n\n`);
    expect(await notedProcess(socket)).toEqual({ pid: process.pid, isIt: undefined });
    fs.writeFileSync(`${socket}.process`, `${process.pid}\nanother beginning\n`);
    expect(await notedProcess(socket)).toEqual({ pid: process.pid, isIt: false });
  });
});

describe("what dead starters left", () => {
  test("is swept: only sockets of this workspace, old enough, on which nobody listens", async () => {
    const starting = net.createServer();
    await new Promise<void>((done) => starting.listen(`${socket}.alive001`, done));
    for (const name of [
      "w.sock.dead0001",
      "w.sock.young001",
      "other.sock.dead0001",
      "w.sock.short",
      "w.sock.DEAD0001",
    ]) {
      await deadSocket(`${dir}/${name}`);
    }
    fs.writeFileSync(`${dir}/w.sock.afile001`, "no socket");
    for (const name of fs.readdirSync(dir))
      if (!name.includes("young")) fs.utimesSync(`${dir}/${name}`, OLD, OLD);
    const before = fs.readdirSync(dir);
    await take();
    expect(before.filter((name) => !fs.existsSync(`${dir}/${name}`))).toEqual(["w.sock.dead0001"]);
    await new Promise((done) => starting.close(done));
  });
});

describe("the socket's place", () => {
  const before = { ...process.env };
  afterEach(() => {
    for (const name of ["XDG_RUNTIME_DIR", "TMPDIR"]) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });

  test("is one per workspace, in a folder of this user's", async () => {
    process.env["XDG_RUNTIME_DIR"] = "/run/x";
    const [one, other] = [tempDir(), tempDir()];
    const path = await socketPath(one);
    expect(path).toMatch(/^\/run\/x\/memd-\d+\/[0-9a-f]{20}\.sock$/);
    expect(await socketPath(one)).toBe(path);
    expect(await socketPath(other)).not.toBe(path);
    await expect(socketPath(`${one}/none`)).rejects.toMatchObject({ code: "no_workspace" });
  });

  test("does not depend on where memd was started from", async () => {
    process.env["XDG_RUNTIME_DIR"] = "";
    process.env["TMPDIR"] = "relative";
    expect(await socketPath(dir)).toMatch(/^\/tmp\/memd-/);
  });

  test("is refused when its path is too long", async () => {
    process.env["XDG_RUNTIME_DIR"] = `/${"x".repeat(80)}`;
    await expect(socketPath(dir)).rejects.toMatchObject({ code: "socket_path" });
  });

  test("is refused in a folder that others can enter", async () => {
    fs.chmodSync(dir, 0o755);
    await expect(take()).rejects.toMatchObject({ code: "socket_path" });
    fs.symlinkSync(tempDir(), `${dir}/link`);
    socket = `${dir}/link/w.sock`;
    await expect(take()).rejects.toMatchObject({ code: "socket_path" });
  });
});
