/** One memd for every workspace below a folder, used as a person and as a host use it. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { cliPlace, eventually, type Place, type Started } from "../support/cli.js";
import { openaiServer } from "../support/openai-server.js";

const SLOW = { timeout: 240_000 };

interface Root {
  place: Place;
  root: string;
  at(name: string, file?: string): string;
  memd(name: string, ...args: string[]): ReturnType<Place["memd"]>;
}

function rootOf(...names: string[]): Root {
  const place = cliPlace({ workspace: false });
  const root = path.join(place.outside, "root");
  const at = (name: string, file = ""): string => path.join(root, name, file);
  for (const name of names) {
    fs.mkdirSync(at(name), { recursive: true });
    fs.writeFileSync(at(name, "workspace.json"), JSON.stringify({ format: 1, id: name }));
  }
  return { place, root, at, memd: (name, ...args) => place.memd([...args, "-w", at(name)]) };
}

async function served({ place, root }: Root, ...more: string[]): Promise<Started> {
  const memd = place.launch(["start", "--root", root, ...more]);
  await memd.says("Ready.");
  return memd;
}

const message = (id: string, text: string): object => ({
  id,
  role: "user",
  text,
  createdAt: new Date().toISOString(),
});

test("each is asked by its folder and answers from its own files; all stop together", SLOW, async () => {
  const below = rootOf("red/lin", "red/mara", "blue");
  const memd = await served(below);
  expect(memd.output()).toContain("3 workspaces");
  fs.writeFileSync(
    below.at("blue", "inbox.json"),
    JSON.stringify([message("b-1", "the bridge code is 4711")]),
  );
  await eventually("a host's message is in its prompt", () =>
    fs.existsSync(below.at("blue", "teller/prompt.md"))
      ? fs.readFileSync(below.at("blue", "teller/prompt.md"), "utf8").includes("4711")
      : false,
  );
  expect(await below.memd("red/lin", "say", "the ferry leaves at nine")).toMatchObject({ code: 0 });
  expect((await below.memd("red/lin", "search", "ferry bridge code")).stdout).toContain("leaves at nine");
  expect((await below.memd("red/lin", "search", "ferry bridge code")).stdout).not.toContain("4711");
  expect((await below.memd("red/mara", "search", "ferry bridge code")).stdout).not.toMatch(/4711|nine/);
  const listed = await below.place.memd(["workspaces", "--root", below.root, "--json"]);
  const { workspaces, pid } = JSON.parse(listed.stdout) as {
    pid: number;
    workspaces: { name: string; state: string }[];
  };
  expect(pid).toBe(memd.pid);
  expect(workspaces.map(({ name }) => name)).toEqual(["blue", "red/lin", "red/mara"]);
  expect(workspaces[0]?.state).toBe("open");
  expect(await below.memd("blue", "start")).toMatchObject({ code: 4 });
  const alone = await below.memd("blue", "stop");
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining("memd stop --root") });
  expect(await below.place.memd(["start", "--root", below.root])).toMatchObject({ code: 4 });
  expect(await below.place.memd(["stop", "--root", below.root])).toMatchObject({ code: 0 });
  expect((await memd.ended).code).toBe(0);
  // What was in hand is kept, and a memd of its own goes on.
  expect((await below.memd("red/lin", "search", "ferry")).stdout).toContain("leaves at nine");
  expect(
    fs.readdirSync(path.join(below.place.environment["XDG_RUNTIME_DIR"] ?? "", `memd-${process.getuid?.()}`)),
  ).toEqual([]);
});

test("over the port the path names the workspace, and each lets in its own tokens alone", SLOW, async () => {
  const below = rootOf("red/lin", "blue");
  const memd = await served(below, "--port", "0");
  const [base = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(memd.output()) ?? [];
  await below.memd("blue", "say", "the bridge code is 4711");
  await below.memd("red/lin", "say", "the ferry leaves at nine");
  const tokenOf = (name: string): string => fs.readFileSync(below.at(name, ".memd/token"), "utf8").trim();
  const found = async (name: string, token?: string): Promise<[number, string]> => {
    const answer = await fetch(`${base}/w/${encodeURIComponent(name)}/agent/memories/search`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query: "ferry bridge code" }),
    });
    return [answer.status, await answer.text()];
  };
  expect(await found("red/lin", tokenOf("red/lin"))).toEqual([200, expect.stringContaining("nine")]);
  expect(await found("blue", tokenOf("blue"))).toEqual([200, expect.stringContaining("4711")]);
  expect((await found("blue", tokenOf("red/lin")))[0]).toBe(401);
  expect((await found("red/lin"))[0]).toBe(401);
  const own = await below.memd("blue", "token", "add", "--as", "lin/main", "--json");
  const { token } = JSON.parse(own.stdout) as { token: string };
  expect((await found("blue", token))[0]).toBe(200);
  expect((await found("red/lin", token))[0]).toBe(401);
  expect((await found("green", tokenOf("blue")))[0]).toBe(401);
  for (const path of ["/status", "/workspaces", "/stop", "/w/", "/w/%2e%2e/status", "/w/%/status"])
    expect((await fetch(`${base}${path}`)).status, path).toBe(401);
  // Node's own fetch keeps the connections of a test open.
  memd.kill("SIGTERM");
  expect((await memd.ended).code).toBe(0);
});

test(
  "settings that reach out of a workspace count once the owner has trusted them as they stand",
  SLOW,
  async () => {
    const server = await openaiServer([{ kind: "empty" }]);
    const below = rootOf("red");
    const toml = (model: string): string =>
      `[llm]\nprovider = "openai"\nbase_url = "${server.url}"\n[llm.models]\nsummary = "${model}"\n`;
    fs.writeFileSync(below.at("red", "memd.toml"), toml("m"));
    const provider = async (): Promise<{ models: string; untrusted: unknown }> => {
      const { stdout } = await below.memd("red", "status", "--json");
      const { models, settings } = JSON.parse(stdout) as {
        models: { provider: string };
        settings: { untrusted?: string[] };
      };
      return { models: models.provider, untrusted: settings.untrusted };
    };
    const first = await served(below);
    expect(await provider()).toMatchObject({ models: "builtin", untrusted: ["llm"] });
    expect((await below.memd("red", "status")).stdout).toContain("not trusted, so not in use: llm");
    first.kill("SIGTERM");
    await first.ended;
    expect(await below.memd("red", "config", "trust")).toMatchObject({ code: 0 });
    const second = await served(below);
    expect(await provider()).toMatchObject({ models: "openai", untrusted: undefined });
    second.kill("SIGTERM");
    await second.ended;
    // Whatever is written there later was not trusted.
    fs.writeFileSync(below.at("red", "memd.toml"), toml("another"));
    const third = await served(below);
    expect(await provider()).toMatchObject({ models: "builtin", untrusted: ["llm"] });
    third.kill("SIGTERM");
    await third.ended;
    expect(server.requests).toEqual([]);
  },
);

test.each([
  [["start", "--root", "nowhere"], 3, "There is no folder"],
  [["start", "--root", "red"], 2, "is a workspace itself"],
  [["start", "--root", ".", "-w", "red"], 2, "Name a root or a workspace"],
  [["stop", "--root", "."], 1, "No memd serves what is below"],
] as const)("memd %j says what to do", async (args, code, says) => {
  const below = rootOf("red");
  const ended = await below.place.memd(args, { cwd: below.root });
  expect(ended).toMatchObject({ code, stderr: expect.stringContaining(says) });
});

const RACES = Number(process.env["RACES"] ?? 5);

test(
  `a memd of its own and one for all, started at one moment ${RACES} times: one owns it, nothing is lost`,
  { timeout: 1_200_000 },
  async () => {
    const below = rootOf("red");
    const ids: string[] = [];
    for (let race = 0; race < RACES; race++) {
      const both = [
        below.place.launch(["start", "--root", below.root]),
        below.place.launch(["start", "-w", below.at("red")]),
      ];
      const said = [0, 1, 2].map(async (n) => {
        const ended = await below.memd("red", "say", `race ${race} message ${n}`, "--json");
        expect(ended, ended.stderr).toMatchObject({ code: 0 });
        ids.push((JSON.parse(ended.stdout) as { id: string }).id);
      });
      await Promise.all(said);
      await both[0]?.says("Ready.");
      const owner = fs.readFileSync(below.at("red", ".memd/owner"), "utf8");
      const status = await below.memd("red", "status", "--json");
      const { owner: now } = JSON.parse(status.stdout) as { owner: { pid: number; socket: string } };
      expect(both.map(({ pid }) => pid)).toContain(now.pid);
      expect(owner).toContain(now.socket);
      for (const memd of both) memd.kill("SIGTERM");
      await Promise.all(both.map(({ ended }) => ended));
    }
    const inbox = JSON.parse(fs.readFileSync(below.at("red", "inbox.json"), "utf8")) as { id: string }[];
    expect(inbox.map(({ id }) => id).sort()).toEqual(ids.sort());
  },
);
