/** Units of systemd and property lists of launchd: whatever a path holds, it is one word that means itself. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isOwnService,
  servicePlan,
  type ServiceParts,
  type ServicePlan,
} from "../../src/cli/service-units.js";
import { tempDir } from "../support/temp-dir.js";

const PARTS: ServiceParts = {
  node: "/usr/bin/node",
  program: "/opt/memd/bin/memd.js",
  root: "/h/alice/my agent",
  home: "/h/alice",
  uid: 1000,
};

function planOn(platform: string, parts: Partial<ServiceParts> = {}): ServicePlan {
  const plan = servicePlan(platform, { ...PARTS, ...parts });
  if (plan === undefined) throw new Error(`There is no plan on ${platform}.`);
  return plan;
}

describe("systemd", () => {
  test("a unit of this user's runs this program in the workspace, and again after a crash", () => {
    const { name, file, text, install, remove, removed } = planOn("linux", { port: 7077 });
    expect(name).toMatch(/^memd-my-agent-[0-9a-f]{8}\.service$/);
    expect(file).toBe(`/h/alice/.config/systemd/user/${name}`);
    expect(text.split("\n")).toEqual(
      expect.arrayContaining([
        'ExecStart="/usr/bin/node" "/opt/memd/bin/memd.js" "start" "--workspace" "/h/alice/my agent" "--port" "7077"',
        "Restart=on-failure",
        "WantedBy=default.target",
      ]),
    );
    expect(install).toEqual([
      ["systemctl", "--user", "daemon-reload"],
      ["systemctl", "--user", "enable", "--now", name],
    ]);
    expect(remove).toEqual([["systemctl", "--user", "disable", "--now", name]]);
    expect(removed).toEqual([["systemctl", "--user", "daemon-reload"]]);
    expect(isOwnService(text)).toBe(true);
  });

  test("what systemd would make something else of is written so that it does not", () => {
    const root = '/w/100% "a" $HOME \\b';
    const { text } = planOn("linux", { root });
    expect(text).toContain('"/w/100%% \\"a\\" $$HOME \\\\b"');
    expect(text).toContain('Description=memd (/w/100%% "a" $HOME \\b)\n');
  });

  test("each word comes out of systemd's quoting as it went in", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }).filter(isPlain), (word) => {
        const line = planOn("linux", { root: `/${word}` })
          .text.split("\n")
          .find((each) => each.startsWith("ExecStart="));
        expect(unquoted((line ?? "").slice("ExecStart=".length)).at(-1)).toBe(`/${word}`);
      }),
    );
  });

  test.runIf(hasAnalyze())("systemd itself finds nothing wrong with it", () => {
    const folder = tempDir();
    const root = path.join(folder, "100% my agent");
    fs.mkdirSync(root);
    const { name, text } = planOn("linux", { root, node: process.execPath });
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    // It throws where the unit is wrong.
    execFileSync("systemd-analyze", ["--user", "verify", file], {
      stdio: "pipe",
      env: { ...process.env, XDG_RUNTIME_DIR: folder },
    });
  });

  test("two workspaces of one name are two services, and a name of no Latin letters is one too", () => {
    const names = ["/a/notes", "/b/notes", "/记忆"].map((root) => planOn("linux", { root }).name);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^memd(?:-notes)?-[0-9a-f]{8}\.service$/);
  });

  test("units stand where the user has set it", () => {
    const { name, file } = planOn("linux", { configHome: "/h/alice/conf" });
    expect(file).toBe(`/h/alice/conf/systemd/user/${name}`);
  });
});

describe("launchd", () => {
  test("an agent of this user's is loaded from its folder", () => {
    const { name, file, text, install, clear, remove } = planOn("darwin");
    expect(name).toMatch(/^dev\.memd\.my-agent-[0-9a-f]{8}$/);
    expect(file).toBe(`/h/alice/Library/LaunchAgents/${name}.plist`);
    expect(install).toEqual([["launchctl", "bootstrap", "gui/1000", file]]);
    expect(clear).toEqual(remove);
    expect(remove).toEqual([["launchctl", "bootout", `gui/1000/${name}`]]);
    expect(stringsIn(text)).toEqual([
      name,
      "/usr/bin/node",
      "/opt/memd/bin/memd.js",
      "start",
      "--workspace",
      "/h/alice/my agent",
      "/h/alice/my agent/logs/service.txt",
      "/h/alice/my agent/logs/service.txt",
    ]);
    expect(isOwnService(text)).toBe(true);
  });

  test("each word comes out of the XML as it went in", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }).filter(isPlain), (word) => {
        expect(stringsIn(planOn("darwin", { root: `/${word}` }).text)[5]).toBe(`/${word}`);
      }),
    );
  });
});

test("elsewhere there is none", () => {
  expect(servicePlan("win32", PARTS)).toBeUndefined();
});

/** What a name of a folder may hold, and no control characters. */
function isPlain(word: string): boolean {
  return !/[\u0000-\u001f\u007f/]/.test(word) && word !== "." && word !== "..";
}

/** As systemd takes a command line apart: words in quotes, `\` before a character, `%%` and `$$` for one. */
function unquoted(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = ""]) =>
    word.replace(/\\(.)/g, "$1").replaceAll("%%", "%").replaceAll("$$", "$"),
  );
}

function stringsIn(xml: string): string[] {
  return [...xml.matchAll(/<string>([^<]*)<\/string>/g)].map(([, text = ""]) =>
    text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  );
}

function hasAnalyze(): boolean {
  return (process.env["PATH"] ?? "")
    .split(":")
    .some((dir) => fs.existsSync(path.join(dir, "systemd-analyze")));
}
