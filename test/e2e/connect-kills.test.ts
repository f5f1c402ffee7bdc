/** Connecting and following, killed on the way and gone on with: everything comes in, once, and settings are whole at every moment. Needs a build. */
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { generate } from "../adapters/generator/index.js";
import { cliPlace, eventually, pause, type Place, type Started } from "../support/cli.js";
import { blocksOf, expectNothingTwice } from "../support/cli-memory.js";

const PATIENCE_MS = 60_000;
const SETTINGS = '{\n  // mine\n  "model": "large",\n  "hooks": {}\n}\n';
const SERVERS = '{ "numStartups": 7 }';

const holds = (file: string, text: string): boolean =>
  fs.existsSync(file) && fs.readFileSync(file, "utf8").includes(text);

async function killedOnce(memd: Started, what: string, isSo: () => boolean): Promise<boolean> {
  let hasEnded = false;
  void memd.ended.then(() => (hasEnded = true));
  await eventually(what, () => hasEnded || isSo(), PATIENCE_MS);
  memd.kill("SIGKILL");
  return (await memd.ended).signal === "SIGKILL";
}

test("a connection that is cut off at each of its steps is made by the next, whole and once", async () => {
  const place = cliPlace({ workspace: false });
  const home = place.environment["HOME"] ?? "";
  const { messages } = await generate("claude-code", home, { seed: 5, sessions: 12 });
  const [settings, servers] = [".claude/settings.json", ".claude.json"].map((name) => path.join(home, name));
  if (settings === undefined || servers === undefined) throw new Error("no home");
  fs.writeFileSync(settings, SETTINGS);
  fs.writeFileSync(servers, SERVERS);
  const connect = ["connect", "claude-code", "--yes", "--no-start", "--json", "-w", place.root];
  const journalled = (): number =>
    place.files("journal").reduce((sum, file) => sum + place.read(file).split("\n").length, 0);
  const steps: [string, () => boolean][] = [
    ["begun", () => true],
    ["a file of the workspace", () => place.files().length > 0],
    ["a workspace", () => place.exists("workspace.json")],
    ["what it will make is noted", () => place.exists(".memd/connections.json")],
    ["hooks", () => holds(settings, "memd.js")],
    ["tools", () => holds(servers, "memd.js")],
    ["the first messages", () => journalled() > 0],
    ["half of them", () => journalled() > messages.length / 2],
    ["days", () => blocksIn(place) > 0],
    ["most of them", () => blocksIn(place) > messages.length * 0.8],
  ];
  let killed = 0;
  for (const [what, isSo] of steps) {
    if (await killedOnce(place.launch(connect), what, isSo)) killed++;
    for (const [file, mine] of [
      [settings, SETTINGS],
      [servers, SERVERS],
    ] as const) {
      const text = fs.readFileSync(file, "utf8");
      expect(text === mine || (text.includes("memd.js") && text.trimEnd().endsWith("}"))).toBe(true);
    }
  }
  expect(killed).toBeGreaterThanOrEqual(6);

  const last = await place.memd(connect);
  expect(JSON.parse(last.stdout)).toMatchObject({ imported: { messages: messages.length } });
  expect(JSON.parse((await place.memd(connect)).stdout)).toMatchObject({
    files: [{ outcome: "same" }, { outcome: "same" }],
    imported: { fresh: 0 },
  });
  expect(blocksOf(place)).toHaveLength(messages.length);
  expectNothingTwice(place);
  for (const file of [settings, servers])
    expect(fs.readFileSync(file, "utf8").match(/ hook claude-code|"memd":/g)).toHaveLength(
      file === servers ? 1 : 3,
    );
  expect(await place.memd(["disconnect", "claude-code", "--yes"])).toMatchObject({ code: 0, stderr: "" });
  expect([settings, servers].map((file) => fs.readFileSync(file, "utf8"))).toEqual([SETTINGS, SERVERS]);
}, 600_000);

function blocksIn(place: Place): number {
  return place
    .files("memory")
    .filter((file) => file.endsWith(".md"))
    .reduce((sum, file) => sum + (place.read(file).match(/^### /gm)?.length ?? 0), 0);
}

const TURNS = 36;
const KILLS = 6;

test("a transcript that is followed by a memd that is killed again and again comes in once, in order", async () => {
  const place = cliPlace();
  const project = path.join(place.outside, "boat");
  fs.mkdirSync(path.join(project, ".git"), { recursive: true });
  const transcript = path.join(place.outside, "s-1.jsonl");
  const texts: string[] = [];
  let parent: string | null = null;
  const say = (role: "user" | "assistant", text: string): string => {
    const uuid = `00000000-0000-4000-8000-${String(texts.length).padStart(12, "0")}`;
    const timestamp = new Date(Date.now()).toISOString();
    const content = role === "user" ? text : [{ type: "text", text }];
    const message = role === "user" ? { role, content } : { role, id: `msg_${texts.length}`, content };
    const line = { parentUuid: parent, sessionId: "s-1", cwd: project, type: role, uuid, timestamp, message };
    parent = uuid;
    texts.push(text);
    return `${JSON.stringify(line)}\n`;
  };
  const hook = async (event: object): Promise<void> => {
    const base = { session_id: "s-1", transcript_path: transcript, cwd: project };
    const input = JSON.stringify({ ...base, ...event });
    const { code } = await place.memd(["hook", "claude-code", "-w", place.root], { input, cwd: project });
    expect(code).toBe(0);
  };

  let memd = place.launch(["start"]);
  await memd.says("Ready.");
  fs.writeFileSync(transcript, say("user", "Turn 0: when does the ferry leave?"));
  await hook({ hook_event_name: "UserPromptSubmit", prompt: texts[0] });
  let kills = 0;
  for (let turn = 1; turn < TURNS; turn++) {
    // Some of what is written is half a line at first.
    const line = say(turn % 2 === 1 ? "assistant" : "user", `Turn ${turn} of what is followed.`);
    fs.appendFileSync(transcript, line.slice(0, 40));
    await pause(20 + (turn % 5) * 40);
    fs.appendFileSync(transcript, line.slice(40));
    if (turn % Math.floor(TURNS / KILLS) !== 0) continue;
    await pause((kills * 450) % 2600);
    memd.kill("SIGKILL");
    await memd.ended;
    kills++;
    memd = place.launch(["start"]);
    if (kills % 2 === 0) await memd.says("Ready.");
  }
  expect(kills).toBeGreaterThanOrEqual(KILLS - 1);
  await memd.says("Ready.");
  const standing = (): string[] => blocksOf(place).map(({ message }) => message.text);
  const journal = (): string =>
    place
      .files("journal")
      .map((file) => place.read(file))
      .join("");
  await eventually(
    "all of it is in the journal",
    () => texts.every((text) => journal().includes(text)),
    PATIENCE_MS,
  );
  await place.memd(["archive", "--now"]);
  expect(standing()).toEqual(texts);
  expectNothingTwice(place);
  memd.kill("SIGTERM");
  await memd.ended;
}, 600_000);
