/** Settings of an agent that may be running, on a disk that may end under memd. */
import fs from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import {
  connectHost,
  disconnectHost,
  plannedConnection,
  plannedDisconnection,
} from "../../src/adapters/connecting.js";
import { checkHost, mustBeInstalled } from "../../src/adapters/host-check.js";
import type { Host } from "../../src/adapters/host.js";
import { hostNamed, hostsIn } from "../../src/adapters/hosts.js";
import type { Call } from "../../src/adapters/own-calls.js";
import { makeWorkspace } from "../../src/cli/make-workspace.js";
import type { Disk } from "../../src/platform/disk.js";
import { nodeDisk, ownerless } from "../../src/platform/node-disk.js";
import type { FileWriter } from "../../src/protocol/publish.js";
import { tempDir } from "../support/temp-dir.js";

const OWN = '{\n\t"model": "large", // mine\n\t"hooks": {},\n}\n';

let home: string;
let workspace: { root: string };
let call: Call;
let claude: Host;

beforeEach(async () => {
  home = fs.realpathSync(tempDir());
  workspace = { root: path.join(home, "memd") };
  fs.mkdirSync(workspace.root);
  await makeWorkspace(workspace.root, false);
  const script = path.join(home, "memd.js");
  fs.writeFileSync(script, "");
  call = { program: { node: process.execPath, script }, workspace: workspace.root };
  fs.mkdirSync(path.join(home, ".claude"));
  claude = hostNamed("claude-code", { home, environment: {} });
});

const at = (file: string): string => path.join(home, file);
const read = (file: string): string => fs.readFileSync(at(file), "utf8");
const connect = (writer: FileWriter = ownerless, host = claude) => connectHost(writer, host, call, workspace);

/** Every file below the home folder but the workspace's. */
function standing(): Record<string, string> {
  const files = fs.readdirSync(home, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    files
      .filter((file) => !file.startsWith("memd/") && fs.lstatSync(at(file)).isFile())
      .map((file) => [file, read(file)]),
  );
}

/** A disk that does something before each of its operations. */
function diskBefore(look: (operation: string, file: string) => void): Disk {
  const wrapped = Object.entries(nodeDisk).map(([operation, work]) => [
    operation,
    (file: string, ...rest: unknown[]): unknown => {
      look(operation, file);
      return (work as (...given: unknown[]) => unknown)(file, ...rest);
    },
  ]);
  return Object.fromEntries(wrapped) as Disk;
}

test("connected and disconnected, all is as it was, and what was not there is not", async () => {
  fs.writeFileSync(at(".claude/settings.json"), OWN);
  const before = standing();
  expect(await connect()).toEqual([
    { path: at(".claude/settings.json"), outcome: "written" },
    { path: at(".claude.json"), outcome: "written" },
  ]);
  expect((await connect()).map(({ outcome }) => outcome)).toEqual(["same", "same"]);
  expect(await plannedConnection(nodeDisk, claude, call)).toEqual([]);
  expect(await plannedDisconnection(nodeDisk, claude)).toMatchObject([
    { after: OWN },
    { path: at(".claude.json"), after: undefined },
  ]);
  expect((await disconnectHost(ownerless, claude)).map(({ outcome }) => outcome)).toEqual([
    "written",
    "removed",
  ]);
  expect(standing()).toEqual(before);
  expect((await disconnectHost(ownerless, claude)).map(({ outcome }) => outcome)).toEqual(["same", "same"]);
});

test("empty objects that stood before memd stay, also where the agent has written all anew", async () => {
  const own = `${JSON.stringify({ model: "large", hooks: {} }, null, 2)}\n`;
  fs.writeFileSync(at(".claude/settings.json"), own);
  await connect();
  const anew = JSON.stringify({ ...(JSON.parse(read(".claude/settings.json")) as object), more: 1 }, null, 2);
  fs.writeFileSync(at(".claude/settings.json"), anew);
  await disconnectHost(ownerless, claude);
  expect(read(".claude/settings.json")).toBe(JSON.stringify({ model: "large", hooks: {}, more: 1 }, null, 2));
});

test("without its workspace, what is empty goes with memd's entries", async () => {
  fs.writeFileSync(at(".claude/settings.json"), OWN);
  await connect();
  fs.rmSync(workspace.root, { recursive: true });
  await disconnectHost(ownerless, claude);
  expect(standing()).toMatchObject({ ".claude/settings.json": '{\n\t"model": "large", // mine\n}\n' });
  expect(standing()).not.toHaveProperty(".claude.json");
});

test("mode and link stay, and the file behind the link is the one that changes", async () => {
  fs.mkdirSync(at("dotfiles"));
  fs.writeFileSync(at("dotfiles/settings.json"), OWN);
  fs.chmodSync(at("dotfiles/settings.json"), 0o640);
  fs.symlinkSync("../dotfiles/settings.json", at(".claude/settings.json"));
  const mask = process.umask(0o077);
  try {
    await connect();
    expect(read("dotfiles/settings.json")).toContain("hook claude-code");
    expect(fs.readlinkSync(at(".claude/settings.json"))).toBe("../dotfiles/settings.json");
    expect(fs.statSync(at("dotfiles/settings.json")).mode & 0o777).toBe(0o640);
    expect(fs.statSync(at(".claude.json")).mode & 0o777).toBe(0o600);
    await disconnectHost(ownerless, claude);
  } finally {
    process.umask(mask);
  }
  expect(read("dotfiles/settings.json")).toBe(OWN);
  expect(fs.lstatSync(at(".claude/settings.json")).isSymbolicLink()).toBe(true);
  expect(fs.statSync(at("dotfiles/settings.json")).mode & 0o777).toBe(0o640);
});

test("a link to nothing is refused, and nothing is made behind it", async () => {
  fs.symlinkSync(at("gone.json"), at(".claude/settings.json"));
  await expect(plannedConnection(nodeDisk, claude, call)).rejects.toMatchObject({ code: "host_settings" });
  await expect(connect()).rejects.toMatchObject({ code: "host_settings" });
  expect(standing()).toEqual({ "memd.js": "" });
});

test("what cannot be read is named with its line, and no file is touched", async () => {
  fs.writeFileSync(at(".claude.json"), '{\n  "mcpServers": {\n    "a": 1 "b"\n}');
  const before = standing();
  const planned = plannedConnection(nodeDisk, claude, call);
  await expect(planned).rejects.toThrow(`${at(".claude.json")}, line 3: `);
  expect(standing()).toEqual(before);
  fs.writeFileSync(at(".claude/settings.json"), Buffer.from([0x7b, 0xff, 0x7d]));
  await expect(plannedConnection(nodeDisk, claude, call)).rejects.toThrow("it is not UTF-8 text");
});

describe("an agent that writes between memd's look and memd's rename loses nothing", () => {
  const HOSTS_OWN = '{\n\t"model": "small", // changed\n\t"hooks": {},\n}\n';

  test("before whichever of memd's operations it comes", async () => {
    const seen: string[] = [];
    for (let turn = 0; seen.at(-1) !== "rename"; turn++) {
      fs.writeFileSync(at(".claude/settings.json"), OWN);
      seen.length = 0;
      const disk = diskBefore((operation, file) => {
        if (!file.startsWith(at(".claude/")) || seen.length > turn) return;
        seen.push(operation);
        // Between the last look and the rename itself nobody can be seen.
        if (seen.length > turn && operation !== "rename")
          fs.writeFileSync(at(".claude/settings.json"), HOSTS_OWN);
      });
      await connect({ ...ownerless, disk });
      if (seen.at(-1) === "rename") break;
      expect(read(".claude/settings.json"), seen.join()).toContain('"model": "small", // changed');
      expect(read(".claude/settings.json"), seen.join()).toContain("hook claude-code");
      await disconnectHost(ownerless, claude);
      expect(read(".claude/settings.json"), seen.join()).toBe(HOSTS_OWN);
    }
    expect(seen.length).toBeGreaterThan(6);
    expect(seen).toEqual(expect.arrayContaining(["read", "create", "rename"]));
  });

  test("one that makes the file meanwhile", async () => {
    let isMade = false;
    const disk = diskBefore((operation, file) => {
      if (
        operation !== "link" ||
        isMade ||
        !file.startsWith(at(".claude.json").replace(".claude", "..claude"))
      )
        return;
      isMade = true;
      fs.writeFileSync(at(".claude.json"), '{"numStartups": 1}');
    });
    await connect({ ...ownerless, disk });
    expect(isMade).toBe(true);
    expect(JSON.parse(read(".claude.json"))).toMatchObject({
      numStartups: 1,
      mcpServers: { memd: { command: process.execPath } },
    });
    await disconnectHost(ownerless, claude);
    expect(read(".claude.json")).toBe('{"numStartups": 1}');
  });
});

test("ended before any operation, each file is the old one or the new one, and the next attempt ends it", async () => {
  fs.writeFileSync(at(".claude/settings.json"), OWN);
  const old = standing();
  await connect();
  const connected = standing();
  const attempts = async (work: (writer: FileWriter) => Promise<unknown>, reset: () => void) => {
    for (let last = 0; ; last++) {
      reset();
      let left = last;
      const disk = diskBefore(() => {
        if (left-- <= 0) throw new Error("ended");
      });
      const isThrough = await work({ ...ownerless, disk }).then(
        () => true,
        () => false,
      );
      for (const [file, text] of Object.entries(standing())) {
        if (file.endsWith(".tmp")) continue;
        expect([old[file], connected[file]], file).toContain(text);
      }
      if (isThrough) return last;
      await work(ownerless);
    }
  };
  const cleared = (files: Record<string, string>) => (): void => {
    for (const file of Object.keys(standing())) fs.rmSync(at(file));
    for (const [file, text] of Object.entries(files)) fs.writeFileSync(at(file), text);
  };
  const known = (): Record<string, string> =>
    Object.fromEntries(Object.entries(standing()).filter(([file]) => !file.endsWith(".tmp")));
  fs.rmSync(path.join(workspace.root, ".memd"), { recursive: true });
  expect(await attempts(connect, cleared(old))).toBeGreaterThan(20);
  expect(known()).toEqual(connected);
  const noted = fs.readFileSync(path.join(workspace.root, ".memd/connections.json"));
  const again = (): void => {
    cleared(connected)();
    fs.writeFileSync(path.join(workspace.root, ".memd/connections.json"), noted);
  };
  expect(await attempts((writer) => disconnectHost(writer, claude), again)).toBeGreaterThan(20);
  expect(known()).toEqual(old);
});

test("what an attempt left behind goes with a later one, and nobody else's", async () => {
  const left = at(".claude/.settings.json.abcd1234.tmp");
  const fresh = at(".claude/.settings.json.abcd1235.tmp");
  const foreign = at(".claude/.other.json.abcd1234.tmp");
  for (const file of [left, fresh, foreign]) fs.writeFileSync(file, "");
  for (const file of [left, foreign]) fs.utimesSync(file, 1, 1);
  await connect();
  expect([left, fresh, foreign].map((file) => fs.existsSync(file))).toEqual([false, true, true]);
});

test("an agent that is not there is named with the folder that was looked for", async () => {
  const codex = hostNamed("codex", { home, environment: {} });
  await expect(mustBeInstalled(nodeDisk, codex)).rejects.toThrow(
    `There is no folder ${at(".codex")} of Codex, and CODEX_HOME names no other.`,
  );
  await mustBeInstalled(nodeDisk, claude);
});

describe("the doctor", () => {
  const look = () => checkHost(nodeDisk, claude);

  test("tells who is not installed, not connected, and connected to what", async () => {
    const all = await Promise.all(
      hostsIn({ home, environment: {} }).map((host) => checkHost(nodeDisk, host)),
    );
    expect(all.map(({ detail }) => detail)).toEqual([
      "not connected: memd connect claude-code",
      "not installed",
      "not installed",
      "not installed",
      "not installed",
    ]);
    await connect();
    expect(await look()).toEqual({
      check: "claude-code",
      ok: true,
      detail: `connected to ${workspace.root}`,
    });
  });

  test("tells a program that is gone, a workspace that is gone, and hooks that are off", async () => {
    await connect();
    fs.rmSync(call.program.script);
    fs.rmSync(workspace.root, { recursive: true });
    fs.writeFileSync(
      at(".claude/settings.json"),
      read(".claude/settings.json").replace("{", '{"disableAllHooks": true,'),
    );
    const { ok, detail } = await look();
    expect(ok).toBe(false);
    expect(detail).toContain(`it calls ${call.program.script}, which is gone`);
    expect(detail).toContain(`${workspace.root} is no workspace any more`);
    expect(detail).toContain("hooks are turned off (disableAllHooks)");
  });

  test("tells what is connected in part, and what cannot be read", async () => {
    await connect();
    fs.rmSync(at(".claude.json"));
    expect(await look()).toMatchObject({
      ok: false,
      detail: expect.stringContaining("only in part, without its tools") as string,
    });
    fs.writeFileSync(at(".claude.json"), "{");
    expect(await look()).toMatchObject({
      ok: false,
      detail: expect.stringContaining(at(".claude.json")) as string,
    });
  });
});
