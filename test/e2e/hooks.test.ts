import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cliPlace, type Ended, type Place } from "../support/cli.js";

const TRIES = 40;

/** What an agent in a project's folder runs. */
function hooking(place: Place, agent: string, session: string) {
  const project = path.join(place.outside, "boat");
  fs.mkdirSync(path.join(project, ".git"), { recursive: true });
  const transcript = path.join(place.outside, `${session}.jsonl`);
  const base = { session_id: session, transcript_path: transcript, cwd: project };
  const run = (event: object): Promise<Ended> =>
    place.memd(["hook", agent, "--workspace", place.root], {
      input: JSON.stringify({ ...base, ...event }),
      cwd: project,
    });
  const write = (lines: readonly object[]): void =>
    fs.writeFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return { project, run, write };
}

const asked = (prompt: string): object => ({ hook_event_name: "UserPromptSubmit", prompt });
const answered = (text: string): object => ({ hook_event_name: "Stop", last_assistant_message: text });

function told(place: Place): string[] {
  return place.files("queue/told").map((file) => (JSON.parse(place.read(file)) as { text: string }).text);
}

/** All that stands in days. */
async function said(place: Place): Promise<string[]> {
  await place.memd(["archive", "--now"]);
  return place
    .files("memory")
    .filter((file) => /scopes\/boat-[^/]+\/\d{4}/.test(file))
    .flatMap((file) => place.read(file).split("\n"))
    .filter((line) => line !== "" && !/^(?:#|---|\w+:)/.test(line));
}

test("what was typed and answered is kept, and answers what is typed in another conversation of the project", async () => {
  const place = cliPlace();
  const memd = place.launch(["start"]);
  await memd.says("Ready.");
  const first = hooking(place, "claude-code", "s-1");
  expect(await first.run(asked("The ferry to Skye leaves at 22:10 from pier 4."))).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(await first.run(answered("Noted."))).toMatchObject({ code: 0, stdout: "", stderr: "" });
  const second = hooking(place, "claude-code", "s-2");
  let output = "";
  // Once both of what the hooks told are in the memory.
  for (let tries = 0; !output.includes("Noted.") && tries < TRIES; tries++)
    output = (await second.run(asked("When does the ferry to Skye leave?"))).stdout;
  const { hookSpecificOutput: says } = JSON.parse(output) as {
    hookSpecificOutput: { hookEventName: string; additionalContext: string };
  };
  expect(says.hookEventName).toBe("UserPromptSubmit");
  expect(says.additionalContext).toContain("The ferry to Skye leaves at 22:10 from pier 4.");
  expect(says.additionalContext).toMatch(/^<memd-memory>\n[^]*### \d{4}-\d\d-\d\d\n[^]*\n<\/memd-memory>$/);
  // Another project's memory is another.
  const other = hooking(place, "claude-code", "s-3");
  fs.mkdirSync(path.join(place.outside, "car", ".git"), { recursive: true });
  const elsewhere = await other.run({
    ...asked("When does the ferry to Skye leave?"),
    cwd: path.join(place.outside, "car"),
  });
  expect(elsewhere).toMatchObject({ code: 0, stdout: "" });
  expect((await place.memd(["stop"])).code).toBe(0);
});

test("what the transcript says again is one message with what the hooks told, and what they missed comes from it", async () => {
  const place = cliPlace();
  const memd = place.launch(["start"]);
  await memd.says("Ready.");
  const host = hooking(place, "claude-code", "0199aaaa-0000-4000-8000-000000000001");
  await host.run(asked("go on"));
  await host.run(answered("Done with the first."));
  const at = (second: number): string => new Date(Date.now() - 20_000 + second * 1000).toISOString();
  const line = (type: string, uuid: string, text: string, second: number): object => ({
    type,
    uuid: `0199aaaa-0000-4000-8000-00000000${uuid}`,
    sessionId: "0199aaaa-0000-4000-8000-000000000001",
    timestamp: at(second),
    cwd: host.project,
    message:
      type === "user"
        ? { role: "user", content: text }
        : { role: "assistant", id: `msg_0199aaaa000040008${uuid}`, content: [{ type: "text", text }] },
  });
  host.write([
    line("user", "0001", "go on", 0),
    line("assistant", "0002", "Done with the first.", 5),
    line("user", "0003", "go on", 10),
    line("assistant", "0004", "And with the second.", 15),
  ]);
  await host.run({ hook_event_name: "SessionStart", source: "resume" });
  for (let tries = 0; tries < TRIES && !(await said(place)).includes("And with the second."); tries++);
  expect((await said(place)).toSorted()).toEqual(
    ["Done with the first.", "And with the second.", "go on", "go on"].toSorted(),
  );
  expect((await place.memd(["stop"])).code).toBe(0);
});

test("it fails open: with no workspace, with nonsense, and where memd does not answer, and what was said is kept", async () => {
  const place = cliPlace();
  const host = hooking(place, "codex", "t-1");
  const nothing = { code: 0, stdout: "", stderr: "" };
  expect(await place.memd(["hook", "codex"], { input: "{nonsense" })).toMatchObject(nothing);
  expect(await place.memd(["hook", "codex"], { input: "" })).toMatchObject(nothing);
  const nowhere = ["hook", "codex", "--workspace", path.join(place.outside, "nowhere")];
  expect(await place.memd(nowhere, { input: JSON.stringify(asked("hello")) })).toMatchObject(nothing);
  expect(await host.run({ ...asked("from a helper"), agent_id: "a-1" })).toMatchObject(nothing);
  expect(await host.run({ hook_event_name: "PreCompact", trigger: "auto" })).toMatchObject(nothing);
  const memd = place.launch(["start"]);
  await memd.says("Ready.");
  memd.kill("SIGSTOP");
  onTestFinished(() => memd.kill("SIGCONT"));
  expect(await host.run(asked("are you there?"))).toMatchObject(nothing);
  expect(told(place)).toEqual(["are you there?"]);
  memd.kill("SIGCONT");
  expect((await place.memd(["stop"])).code).toBe(0);
  expect(await said(place)).toEqual(["are you there?"]);
});

test("where memd does not run a hook starts it, and once an hour at most", async () => {
  const place = cliPlace();
  const host = hooking(place, "claude-code", "s-1");
  expect(await host.run(asked("hello"))).toMatchObject({ code: 0, stdout: "" });
  let stopped: number | null = 1;
  for (let tries = 0; tries < TRIES && stopped !== 0; tries++) stopped = (await place.memd(["stop"])).code;
  expect(stopped).toBe(0);
  expect(await host.run(asked("hello again"))).toMatchObject({ code: 0, stdout: "" });
  expect(told(place)).toContain("hello again");
  // One that was started would have said so by the time that this has looked for it.
  expect((await place.memd(["stop"])).code).not.toBe(0);
  expect(place.read("logs/start.txt").match(/^memd in /gm)).toHaveLength(1);
});
