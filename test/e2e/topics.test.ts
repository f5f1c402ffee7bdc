/** `memd topics` with the real binary, a running memd and none, and the library. */
import { expect, onTestFinished, test } from "vitest";
import { openWorkspace } from "../../src/library/memory.js";
import { cliPlace } from "../support/cli.js";
import { openaiServer, type ScriptedAnswer } from "../support/openai-server.js";
import { talkOf } from "../support/topic-talk.js";

const SETTINGS = "[topics]\nenabled = true\nwindow_tokens = 2000\n";
const TALK = [
  ...talkOf("ferry", 30, "2026-02-25T10:00:00Z"),
  ...talkOf("tea", 30, "2026-02-27T10:00:00Z"),
  ...talkOf("python", 30, "2026-03-01T10:00:00Z"),
];

const WAIT = { timeout: 30_000, interval: 100 };

interface Listed {
  id: string;
  name: string;
  state: string;
}

test("what the conversation is about is listed, shown, put away and woken; what is wrong is said", async () => {
  const place = cliPlace({ files: { "memd.toml": SETTINGS, "history.json": JSON.stringify(TALK) } });
  expect((await place.memd(["start", "--until-idle"])).code).toBe(0);
  const daemon = place.launch(["start"]);
  await daemon.says("Watching");
  const list = async (): Promise<Listed[]> =>
    (JSON.parse((await place.memd(["topics", "list", "--all", "--json"])).stdout) as { topics: Listed[] })
      .topics;
  const [first] = (await list()).filter(({ state }) => state === "active");
  const shown = await place.memd(["topics", "show", first?.id ?? ""]);
  expect(shown.stdout).toContain(first?.name);
  expect(shown.stdout).toMatch(/\[(?:ferry|tea|python)-\d+\] 2026-0\d-\d\d/);
  expect((await place.memd(["topics"])).stdout).toContain(first?.id);
  expect((await place.memd(["topics", "rename", first?.id ?? "", "A", "name"])).stdout).toContain("A name");
  expect((await place.memd(["topics", "archive", "A name"])).stdout).toContain("archived/");
  expect((await list()).find(({ id }) => id === first?.id)).toMatchObject({
    name: "A name",
    state: "archived",
  });
  const woken = await place.memd([
    "topics",
    "activate",
    "cabin",
    "captain",
    "oolong",
    "kettle",
    "pytest",
    "fixture",
  ]);
  expect(woken.stdout).toContain("know of it");
  expect((await place.memd(["topics", "--stats"])).stdout).toMatch(/unsplit +\d+ messages/);
  expect((await place.memd(["topics", "review"])).stdout).toContain("Merged 0");
  const wrong = await place.memd(["topics", "show", "../../x"]);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("memd topics list --all");

  const memory = await openWorkspace(place.root);
  const { found } = await memory.activateTopics({ query: "the ferry with a cabin to Naxos" });
  expect(found[0]).toMatchObject({ state: "active", dates: expect.stringContaining("2026-02-25") as string });
  await expect(memory.activateTopics({ query: "x", as: "" })).rejects.toMatchObject({
    code: "value_invalid",
  });
}, 90_000);

test("where topics are off every command says how to turn them on", async () => {
  const place = cliPlace();
  const listed = await place.memd(["topics", "list"]);
  expect(listed.code).toBe(3);
  expect(listed.stderr).toContain("enabled = true");
  expect((await place.memd(["topics", "activate", "ferry"])).code).toBe(3);
});

test("with a model the windows of a turn are asked once and in the better prompt; what was cached is on the bill", async () => {
  const server = await openaiServer(({ body }) => {
    const asked = body.messages.map(({ content }) => content).join("\n");
    const says = (text: string): ScriptedAnswer => ({
      kind: "ok",
      text,
      usage: { prompt_tokens: 1000, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 900 } },
    });
    if (asked.includes("Sort the messages now.")) {
      const count = asked.match(/^\d+ \[/gm)?.length ?? 0;
      return says(
        `{"topics": [{"name": "../../Crossing", "messages": ["1-30", 999]}, {"name": "Rest", "messages": ["31-${count}"]}, {"id": "T9", "messages": [1]}]}`,
      );
    }
    if (asked.includes("Write the brief now.")) return says("It is about a crossing [1].");
    if (asked.includes("What is being said now"))
      return says(
        asked.includes("Crossing")
          ? '{"relevance": 0.9, "messages": [2], "summary": "They sail on Friday."}'
          : "<relevance>0.1</rel",
      );
    return says("- nothing");
  });
  onTestFinished(() => server.close());
  const place = cliPlace({
    files: {
      "memd.toml": `${SETTINGS}[llm]\nbase_url = "${server.url}"\nmax_retries = 0\n[llm.models]\nsummary = "m"\ntopic = "small"\n[context]\ndeadline_seconds = 20\n[cognitive]\nenabled = false\n`,
      "history.json": JSON.stringify(TALK),
    },
  });
  const daemon = place.launch(["start"]);
  await daemon.says("Watching");
  await expect
    .poll(() => place.files("memory/topics").filter((name) => name.endsWith(".md")).length, WAIT)
    .toBe(2);
  place.write(
    "inbox.json",
    JSON.stringify([
      { id: "q-1", role: "user", text: "When do we sail?", createdAt: "2026-03-02T10:00:00Z" },
    ]),
  );
  await expect.poll(() => place.read("teller/prompt.md"), WAIT).toContain("They sail on Friday.");
  const prompt = place.read("teller/prompt.md");
  expect(prompt).toContain("### ../../Crossing (memory/topics/");
  expect(prompt).toContain("[ferry-1]");
  const windowsOnBill = (): Record<string, unknown>[] =>
    place
      .read("logs/usage.jsonl")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ feature }) => feature === "topic_window");
  // The bill is written behind the prompt, which waits for no book.
  await expect.poll(windowsOnBill, WAIT).toHaveLength(2);
  const windows = windowsOnBill();
  expect(windows[0]).toMatchObject({ role: "topic", model: "small", tokensCached: 900 });
  expect(place.read("logs/memd.jsonl")).toContain('"kind":"topic_windows"');
  // One that gave half a tag is not asked again: the turn waits for it.
  expect(windows.map(({ outcome }) => outcome).sort()).toEqual(["invalid", "ok"]);
}, 90_000);
