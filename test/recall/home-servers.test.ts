/** What runs on this machine is found by lists of models alone, and nothing elsewhere is asked. */
import { expect, test } from "vitest";
import { boundedFetch } from "../../src/platform/http-client.js";
import { lookAround, placesIn } from "../../src/recall/embedding/home-servers.js";
import { homeServer } from "../support/home-server.js";

const fetch = boundedFetch({ timeoutMs: 1000, maxBytes: 100_000 });
const ollamaOf = (host?: string): string | undefined =>
  placesIn({ OLLAMA_HOST: host }).places.find(({ server }) => server === "ollama")?.url;

test.each([
  [undefined, "http://127.0.0.1:11434"],
  ["", "http://127.0.0.1:11434"],
  ["127.0.0.1", "http://127.0.0.1:11434"],
  ["127.0.0.1:9999", "http://127.0.0.1:9999"],
  [":9999", "http://127.0.0.1:9999"],
  ["0.0.0.0", "http://127.0.0.1:11434"],
  ["localhost:9999", "http://127.0.0.1:9999"],
  ["http://127.0.0.1:9999/", "http://127.0.0.1:9999"],
  ["[::1]:9999", "http://[::1]:9999"],
])("OLLAMA_HOST %s is asked at %s", (host, url) => {
  expect(ollamaOf(host)).toBe(url);
  expect(placesIn({ OLLAMA_HOST: host }).refused).toBeUndefined();
});

test.each([
  "192.168.1.7",
  "gpu.example.com:11434",
  "http://127.0.0.1.example.com",
  "127.0.0.1@example.com",
  "https://127.0.0.1",
  "::::",
])("OLLAMA_HOST %s is not this machine: it is refused with a word, and not asked", (host) => {
  expect(ollamaOf(host)).toBeUndefined();
  expect(placesIn({ OLLAMA_HOST: host }).refused).toContain(host);
  expect(placesIn({ OLLAMA_HOST: host }).places.map(({ server }) => server)).toEqual(["lm-studio"]);
});

test("of both servers the models that make vectors come, those of many languages first", async () => {
  const ollama = await homeServer("llama3.2:3b", "all-minilm:latest", "bge-m3:latest", "qwen2.5:7b");
  const studio = await homeServer("text-embedding-multilingual-e5-small", "gemma-3-4b", "bge-reranker-v2-m3");
  const found = await lookAround(
    [
      { server: "ollama", url: ollama.url },
      { server: "lm-studio", url: studio.url },
    ],
    fetch,
  );
  expect(found).toEqual([
    { server: "ollama", url: ollama.url, model: "bge-m3:latest" },
    { server: "lm-studio", url: studio.url, model: "text-embedding-multilingual-e5-small" },
    { server: "ollama", url: ollama.url, model: "all-minilm:latest" },
  ]);
  expect(ollama.requests).toEqual([{ call: "GET /api/tags", authorization: undefined, body: "" }]);
  expect(studio.requests).toEqual([{ call: "GET /v1/models", authorization: undefined, body: "" }]);
});

test("a model that a server runs elsewhere is none of this machine", async () => {
  const ollama = await homeServer();
  ollama.models = [
    { name: "big-embed:cloud", remote_host: "https://models.example.com", remote_model: "big-embed" },
    { name: "qwen3-embedding:8b-cloud" },
    { name: "bge-m3", remote_host: "" },
  ];
  const found = await lookAround([{ server: "ollama", url: ollama.url }], fetch);
  expect(found.map(({ model }) => model)).toEqual(["bge-m3"]);
});

test("who does not answer, or not as these servers do, offers nothing", async () => {
  const strange = await homeServer("bge-m3");
  strange.models = [{ name: 7 }];
  const slow = await homeServer("bge-m3");
  slow.mood = "hangs";
  const places = [strange.url, slow.url, "http://127.0.0.1:9"].map((url) => ({
    server: "ollama" as const,
    url,
  }));
  expect(await lookAround(places, fetch)).toEqual([]);
});
