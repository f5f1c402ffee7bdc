/** Topics with an endpoint that answers 500, never, or garbage: the prompt is no poorer than without a model. */
import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cliPlace, type Place } from "../support/cli.js";
import { openaiServer, type ScriptedAnswer } from "../support/openai-server.js";
import { talkOf } from "../support/topic-talk.js";

const SETTINGS =
  "[topics]\nenabled = true\nwindow_tokens = 2000\n[context]\ndeadline_seconds = 4\n[cognitive]\nenabled = false\n";
const TALK = [
  ...talkOf("ferry", 30, "2026-02-25T10:00:00Z"),
  ...talkOf("tea", 30, "2026-02-27T10:00:00Z"),
  ...talkOf("python", 30, "2026-03-01T10:00:00Z"),
];
const QUESTIONS = [
  "Which cabin does the ferry to Naxos have, and what is on its timetable?",
  "How long is the oolong from Wuyi steeping in the teapot?",
].map((text, at) => ({ id: `q-${at}`, role: "user", text, createdAt: `2026-03-02T10:0${at}:00Z` }));
const WAIT = { timeout: 30_000, interval: 50 };
/** What a window is asked with stands in its question alone. */
const OF_A_WINDOW = "What is being said now";

/** The ids that stand under Topics, in order, once the prompt of the question is as good as it gets. */
async function quoted(place: Place, isDone: () => boolean): Promise<string[]> {
  await expect.poll(isDone, WAIT).toBe(true);
  const section = /^## Topics$[\s\S]*?(?=^## |$(?![\s\S]))/m.exec(place.read("teller/prompt.md"))?.[0] ?? "";
  return section.match(/\[[a-z]+-\d+\]/g) ?? [];
}

test.each<[string, ScriptedAnswer]>([
  ["500", { kind: "status", status: 500 }],
  ["nothing, ever", { kind: "hangs" }],
  ["garbage", { kind: "ok", text: "Certainly! <relevance>very</rel {{{" }],
  ["HTML", { kind: "body", type: "text/html", body: "<h1>Bad gateway</h1>" }],
])(
  "an endpoint that answers %s",
  async (_what, answer) => {
    const words = cliPlace({ files: { "memd.toml": SETTINGS, "history.json": JSON.stringify(TALK) } });
    expect((await words.memd(["start", "--until-idle"])).code).toBe(0);
    const server = await openaiServer([answer]);
    onTestFinished(() => server.close());
    const place = cliPlace();
    fs.cpSync(words.root, place.root, { recursive: true });
    const llm = `[llm]\nbase_url = "${server.url}"\n[llm.models]\nsummary = "m"\ntopic = "small"\n`;
    fs.writeFileSync(path.join(place.root, "memd.toml"), SETTINGS + llm);

    const askedWindows = (): string[] =>
      server.requests
        // Without what a second try would go on with.
        .map(({ body }) => body.messages.find(({ role }) => role === "user")?.content ?? "")
        .filter((content) => content.includes(OF_A_WINDOW));
    const failedWindows = (): boolean =>
      /"event":"job_failed".*"kind":"topic_windows"|"kind":"topic_windows".*"event":"job_failed"/.test(
        place.read("logs/memd.jsonl"),
      );
    const sides = [words, place].map((side) => side.launch(["start"]));
    for (const daemon of sides) await daemon.says("Watching");
    let before = 0;
    for (const [turn, question] of QUESTIONS.entries()) {
      for (const side of [words, place]) side.write("inbox.json", JSON.stringify([question]));
      const stands = (side: Place) => () => side.read("teller/prompt.md").includes(question.text);
      const expected = await quoted(words, stands(words));
      expect(expected.length).toBeGreaterThan(0);
      expect(await quoted(place, stands(place))).toEqual(expected);
      // When the windows have failed it still is.
      await expect.poll(() => askedWindows().length, WAIT).toBeGreaterThan(before);
      await expect.poll(failedWindows, WAIT).toBe(true);
      before = askedWindows().length;
      const status = await place.memd(["status"]);
      expect(status.stdout, `turn ${turn}`).toMatch(/[Tt]opics/);
      expect(await quoted(place, stands(place))).toEqual(expected);
    }
    const asked = askedWindows();
    expect(new Set(asked).size, "each window once a turn").toBe(asked.length);
    const told = place
      .read("logs/memd.jsonl")
      .split("\n")
      .filter((line) => line.includes('"job_failed"') && line.includes('"topic_windows"'));
    expect(told).toHaveLength(1);
  },
  120_000,
);
