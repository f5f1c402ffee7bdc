/** Those who give vectors on this machine, each by itself: a server of models through a real worker, and a model in a real thread. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.js";
import { nodeDisk, ownerless } from "../../src/platform/node-disk.js";
import { encoderThread } from "../../src/platform/package-root.js";
import { writeAccepted } from "../../src/protocol/embedding.js";
import { HomeEncoder } from "../../src/recall/embedding/home.js";
import { LocalEncoder } from "../../src/recall/embedding/local.js";
import { settingsWith, testPool, type TestPool } from "../llm/given.js";
import { type Noted, notedBy, putModel, putPackage } from "../support/encoder-package.js";
import { homeServer, type HomeServer } from "../support/home-server.js";
import { eventually } from "../support/cli.js";
import { tempDir } from "../support/temp-dir.js";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Home {
  home: HomeEncoder;
  server: HomeServer;
  pool: TestPool;
}

async function accepted(model: string, budgetTokens?: number): Promise<Home> {
  const server = await homeServer(model);
  const settings = settingsWith({
    // Of another endpoint, with a key that is set: neither is this server's.
    llm: { base_url: "http://127.0.0.1:9/v1", api_key_env: "TEST_KEY", embedding: "auto", max_retries: 0 },
  });
  const pool = testPool(settings, budgetTokens === undefined ? {} : { budgetTokens: () => budgetTokens });
  closing.push(() => pool.close());
  const workspace = { root: tempDir() };
  const where = { places: [{ server: "ollama" as const, url: server.url }] };
  const clock = systemClock();
  const home = new HomeEncoder({ pool, settings, clock, workspace, where, writer: { disk: nodeDisk } });
  await writeAccepted(ownerless, workspace, {
    server: "ollama",
    url: server.url,
    model,
    acceptedAt: "2026-03-20T12:00:00.000Z",
  });
  await home.ready();
  return { home, server, pool };
}

test("a server of this machine is asked without the key of another, and whatever is left of a day's tokens", async () => {
  const { home, server } = await accepted("multilingual-e5-large", 0);
  expect(home.model).toBe("ollama:multilingual-e5-large");
  const passage = await home.encode(["A puppy."], { model: home.model ?? "", of: "passage" });
  const question = await home.encode(["A pet?"], { model: home.model ?? "", of: "question" });
  expect([passage, question]).toEqual([
    { vectors: [expect.arrayContaining([1])] },
    { vectors: [expect.arrayContaining([1])] },
  ]);
  const asked = server.requests.filter(({ call }) => call === "POST /v1/embeddings");
  expect(asked.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
  expect(asked.map(({ body }) => (JSON.parse(body) as { input: string[] }).input)).toEqual([
    ["passage: A puppy."],
    ["query: A pet?"],
  ]);
});

test("a model that is told nothing of its texts gets them as they are", async () => {
  const { home, server } = await accepted("bge-m3");
  await home.encode(["A puppy."], { model: "ollama:bge-m3", of: "passage" });
  expect(server.requests.at(-1)?.body).toContain('"input":["A puppy."]');
});

test("once the yes is taken back, or for another name than that of the yes, nothing is sent", async () => {
  const { home, server } = await accepted("bge-m3");
  expect(await home.encode(["A puppy."], { model: "small", of: "passage" })).toHaveProperty("reason");
  home.accepted = undefined;
  expect(await home.encode(["A puppy."], { model: "ollama:bge-m3", of: "passage" })).toHaveProperty("reason");
  expect(server.requests.map(({ call }) => call)).toEqual(["GET /api/tags"]);
});

interface Local {
  local: LocalEncoder;
  noted: () => Noted[];
}

function localModel(): Local {
  const folder = tempDir();
  const model = path.join(tempDir(), "tiny");
  putPackage(folder);
  putModel(model);
  const local = new LocalEncoder({ disk: nodeDisk, name: model, folder, entry: encoderThread() });
  closing.push(() => local.close());
  return { local, noted: () => notedBy(folder).filter(({ texts }) => texts !== undefined) };
}
const PASSAGES = Array.from({ length: 40 }, (_, at) => `Note ${at}.`);

test("a question waits for the few passages that are being read, and goes before all others", async () => {
  const { local, noted } = localModel();
  const passages = local.encode(PASSAGES, { model: local.model, of: "passage" });
  const question = await local.encode(["A pet?"], { model: local.model, of: "question" });
  expect(question).toEqual({ vectors: [expect.any(Array)] });
  const { vectors } = (await passages) as { vectors: number[][] };
  expect(vectors).toHaveLength(40);
  const order = noted().map(({ texts }) => texts?.[0]);
  expect(order).toHaveLength(6);
  expect(order.indexOf("A pet?")).toBeLessThanOrEqual(1);
});

test("vectors are of length one, and a secret is in none of the texts", async () => {
  const { local, noted } = localModel();
  const key = `sk-${"a1B2".repeat(12)}`;
  const encoded = await local.encode([`The puppy's key is ${key}.`], { model: local.model, of: "passage" });
  const [vector = []] = (encoded as { vectors: number[][] }).vectors;
  expect(Math.hypot(...vector)).toBeCloseTo(1);
  expect(JSON.stringify(noted())).not.toContain(key);
});

test("who does not wait any more is answered at once, and one that was ended says so", async () => {
  const { local } = localModel();
  const abort = new AbortController();
  const asked = local.encode(["A pet?"], { model: local.model, of: "question", signal: abort.signal });
  abort.abort();
  expect(await asked).toHaveProperty("reason");
  const passages = local.encode(PASSAGES, { model: local.model, of: "passage" });
  await local.close();
  expect(await passages).toHaveProperty("reason");
  expect(await local.encode(["A pet?"], { model: local.model, of: "question" })).toEqual({
    reason: "memd is stopping",
  });
});

test("a model that cannot be loaded says why, and is tried again", async () => {
  const folder = tempDir();
  putPackage(folder);
  const model = path.join(tempDir(), "tiny");
  const local = new LocalEncoder({ disk: nodeDisk, name: model, folder, entry: encoderThread() });
  closing.push(() => local.close());
  const ask = () => local.encode(["A pet?"], { model: local.model, of: "question" });
  expect(await ask()).toEqual({ reason: `there is no model in ${model}` });
  putModel(model);
  const source = path.join(folder, "node_modules", "@huggingface", "transformers", "index.js");
  const whole = fs.readFileSync(source, "utf8");
  fs.writeFileSync(source, 'throw new Error("built for another machine")');
  expect(await ask()).toEqual({ reason: "built for another machine" });
  fs.writeFileSync(source, whole);
  await eventually("it is loaded", async () => "vectors" in (await ask()));
});
