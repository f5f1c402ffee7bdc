/** Somebody who has talked to an agent for long gets memd's memory with one command behind `npm ci`. Needs a build. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { generate } from "../adapters/generator/index.js";
import { cliPlace, eventually, isAlive } from "../support/cli.js";

const SESSIONS = 200;
const PATIENCE_MS = 120_000;

test("two hundred sessions of the past answer the first question that is typed after memd connect", async () => {
  const place = cliPlace({ workspace: false });
  const home = place.environment["HOME"] ?? "";
  const { messages } = await generate("claude-code", home, { seed: 3, sessions: SESSIONS });
  const projects = path.join(home, ".claude", "projects");
  const [first = ""] = fs
    .readdirSync(projects, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".jsonl"));
  const project = path.join(place.outside, "boat");
  fs.mkdirSync(path.join(project, ".git"), { recursive: true });
  const told = {
    type: "user",
    uuid: "11111111-0000-4000-8000-000000000000",
    parentUuid: null,
    sessionId: "11111111-0000-4000-8000-000000000001",
    cwd: project,
    timestamp: "2026-02-11T09:30:00.000Z",
    message: { role: "user", content: "The quokka lives in shed 12 behind the mill." },
  };
  fs.writeFileSync(
    path.join(projects, path.dirname(first), `${told.sessionId}.jsonl`),
    `${JSON.stringify(told)}\n`,
  );

  const connected = await place.memd(["connect", "claude-code", "--yes", "--json"], { cwd: place.outside });
  expect([connected.code, connected.stderr]).toEqual([0, ""]);
  const { daemon, imported } = JSON.parse(connected.stdout) as { daemon: { pid: number }; imported: object };
  onTestFinished(() => void (isAlive(daemon.pid) && process.kill(daemon.pid, "SIGKILL")));
  expect(imported).toMatchObject({ messages: messages.length + 1, fresh: messages.length + 1 });

  // What Claude Code runs when a question is typed, as it stands in its settings.
  const settings = JSON.parse(fs.readFileSync(path.join(home, ".claude", "settings.json"), "utf8")) as {
    hooks: Record<string, { hooks: { command: string }[] }[]>;
  };
  const command = settings.hooks["UserPromptSubmit"]?.[0]?.hooks[0]?.command ?? "";
  const input = JSON.stringify({
    hook_event_name: "UserPromptSubmit",
    session_id: "22222222-0000-4000-8000-000000000002",
    cwd: project,
    prompt: "Where does the quokka live?",
  });
  let said = "";
  await eventually(
    "the answer stands before the agent, with its day",
    () => {
      const { stdout, status } = spawnSync("sh", ["-c", command], {
        env: place.environment,
        input,
        cwd: project,
      });
      expect(status).toBe(0);
      said = stdout.toString();
      return said.includes("shed 12");
    },
    PATIENCE_MS,
  );
  expect(said).toContain("2026-02-11");
  await place.memd(["stop", "-w", path.join(home, "memd")], { cwd: place.outside });
}, 600_000);
