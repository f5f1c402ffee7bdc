/** `memd search` with models, as a user meets them: an encoder, a reranker and a model that rewrites, behind one endpoint. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { cliPlace, eventually, type Place } from "../support/cli.js";
import { embeddingServer, type EmbeddingServer } from "../support/embedding-server.js";
import { openaiServer } from "../support/openai-server.js";

const NOW = "2026-03-20T12:00:00Z";
const said = (id: string, text: string): object => ({
  id,
  role: "user",
  speaker: "Ana",
  text,
  createdAt: "2026-03-02T10:00:00Z",
});
const HISTORY = [
  said("puppy", "We adopted a puppy from the shelter."),
  said("budget", "The quarterly budget was approved by the board."),
  said("rain", "It rained all week in Lisbon."),
];

let encoder: EmbeddingServer;
beforeAll(async () => {
  encoder = await embeddingServer();
});
afterAll(() => encoder.close());

async function withModels(settings: string): Promise<Place> {
  const place = cliPlace({ zone: "UTC", files: { "history.json": HISTORY, "inbox.json": [] } });
  expect((await place.memd(["archive", "--now"], { now: NOW })).code).toBe(0);
  place.write("memd.toml", settings);
  return place;
}
const search = (place: Place, ...args: string[]) => place.memd(["search", ...args], { now: NOW });

test("a daemon embeds what stands there, finds by meaning, and says in its status how far it is", async () => {
  encoder.mood = "well";
  const place = await withModels(
    `[llm]\nprovider = "builtin"\nbase_url = "${encoder.url}"\n[llm.models]\nembedding = "small"\n[embedding]\nquery_timeout_seconds = 20\n`,
  );
  const daemon = place.launch(["start"], { now: NOW });
  await daemon.says("Ready.");
  await expect
    .poll(async () => (await place.memd(["status"])).stdout, { timeout: 20_000 })
    .toMatch(/vectors +(\d+) of \1 passages by small, which reads no Chinese/);
  const found = await search(place, "--explain", "Do they have a dog?");
  expect(found.stdout).toMatch(/adopted a puppy.*\n.*vector/);
  expect((await search(place, "--mode", "keyword", "Do they have a dog?")).stdout).not.toContain("puppy");

  encoder.mood = "refuses";
  const down = await search(place, "where did it rain?");
  expect(down.stdout).toContain("Lisbon");
  expect(down.stderr).toMatch(/Found by words alone: .*503/);
  expect((await place.memd(["status"])).stdout).toMatch(/vectors .*503/);
  daemon.kill("SIGTERM");
  await daemon.ended;
});

test("the prompt is there at once, and gets better when what is meant comes in time", async () => {
  const place = cliPlace({ zone: "UTC", files: { "history.json": [], "inbox.json": [] } });
  // Of another session: of its own the conversation shows the last that was said anyway.
  const lines = HISTORY.map((message) => JSON.stringify({ ...message, session: "before" })).join("\n");
  expect((await place.memd(["import", "-"], { now: NOW, input: lines })).code).toBe(0);
  encoder.mood = "well";
  place.write(
    "memd.toml",
    `[llm]\nprovider = "builtin"\nbase_url = "${encoder.url}"\n[llm.models]\nembedding = "small"\n[context]\ndeadline_seconds = 20\n[recall]\nmin_score = 0.1\n[embedding]\nquery_timeout_seconds = 20\n`,
  );
  const daemon = place.launch(["start"], { now: NOW });
  await daemon.says("Ready.");
  await expect
    .poll(async () => (await place.memd(["status"])).stdout, { timeout: 20_000 })
    .toMatch(/vectors +(\d+) of \1 passages/);
  place.replace("inbox.json", [{ id: "q-1", role: "user", text: "Do they have a dog?", createdAt: NOW }]);
  const covers = (): boolean => place.read("teller/prompt.json").includes('"q-1"');
  await eventually("the prompt covers it", covers);
  for (const folder of ["teller", "teller/main/main"])
    await eventually(
      `what is meant is found in ${folder}`,
      () =>
        place.exists(`${folder}/prompt.md`) && place.read(`${folder}/prompt.md`).includes("adopted a puppy"),
    );

  encoder.mood = "hangs";
  place.replace("inbox.json", [{ id: "q-2", role: "user", text: "Was it wet in Lisbon?", createdAt: NOW }]);
  await eventually("words are enough", () => place.read("teller/prompt.md").includes("It rained all week"));
  encoder.mood = "well";
  daemon.kill("SIGTERM");
  await daemon.ended;
});

test("a rerank model puts the best in order, and need not be asked", async () => {
  encoder.mood = "well";
  const place = await withModels(
    `[llm]\nprovider = "builtin"\nbase_url = "${encoder.url}"\n[llm.models]\nrerank = "small"\n`,
  );
  const words = "approved shelter, rained Lisbon";
  expect((await search(place, "--explain", words)).stdout).toMatch(/rerank/);
  expect((await search(place, "--explain", "--no-rerank", words)).stdout).not.toMatch(/rerank/);
  encoder.mood = "forgets one";
  expect((await search(place, words)).stderr).toMatch(/gave none/);
});

test("a chat model puts the best in order where the settings say so", async () => {
  const chat = await openaiServer([{ kind: "ok", text: '{"scores": [1, 9, 2, 0]}' }]);
  const place = await withModels(
    `[llm]\nprovider = "openai"\nbase_url = "${chat.url}"\napi_key_env = "TEST_KEY"\n[llm.models]\nsummary = "small"\n[recall]\nrerank_by = "chat"\n`,
  );
  const words = "approved shelter, rained Lisbon";
  const env = { TEST_KEY: "k" };
  const before = (await search(place, "--no-rerank", words)).stdout.split("\n");
  const told = (await place.memd(["search", "--explain", words], { env, now: NOW })).stdout;
  expect(told).toMatch(/rerank/);
  const first = (lines: string): string => /\S+:\d+/.exec(lines)?.[0] ?? "";
  expect(first(told)).not.toBe(first(before.join("\n")));
});

test("agentic has a model put the question in other words; without a model it says so and searches once", async () => {
  const chat = await openaiServer([
    { kind: "ok", text: '{"enough": false, "queries": ["puppy adopted shelter"]}' },
  ]);
  const place = await withModels(
    `[llm]\nprovider = "openai"\nbase_url = "${chat.url}"\napi_key_env = "TEST_KEY"\n[llm.models]\nsummary = "small"\n`,
  );
  const env = { TEST_KEY: "k" };
  const agentic = await place.memd(["search", "--mode", "agentic", "any pets?"], { now: NOW, env });
  expect(agentic).toMatchObject({ code: 0, stderr: "" });
  expect(agentic.stdout).toContain("puppy");
  expect(chat.requests[0]?.body.messages.at(-1)?.content).toContain("any pets?");
  expect((await place.memd(["search", "any pets?"], { now: NOW, env })).stdout).toMatch(
    /^Nothing found\. Try /,
  );
  await chat.close();

  place.write("memd.toml", '[llm]\nprovider = "builtin"\n');
  const plain = await search(place, "--mode", "agentic", "the budget");
  expect(plain.stdout).toContain("budget");
  expect(plain.stderr).toMatch(/Searched once/);
  expect(await search(place, "--mode", "magic", "x")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("keyword, vector, hybrid, agentic") as string,
  });
});
