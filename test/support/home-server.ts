/** An Ollama or LM Studio on loopback as far as memd asks it, with vectors by a few matters; it notes all that it is sent. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface HomeServer {
  url: string;
  /** `127.0.0.1:port`, as OLLAMA_HOST takes it. */
  host: string;
  /** Of `/api/tags`, as they are given there. */
  models: object[];
  /** Of every request, in order: method, path, the header that would hold a key, and the whole body. */
  requests: { call: string; authorization: string | undefined; body: string }[];
  mood: "well" | "hangs";
}

const MATTERS = [/dog|puppy|pet/i, /budget|money|finance/i, /rain|wet/i, /[\u4e00-\u9fff]/];

/** Alike where two texts are about one matter. */
function matterOf(text: string): number[] {
  return [...MATTERS.map((matter) => (matter.test(text) ? 1 : 0)), 0.1 + (text.length % 7) / 100];
}

export async function homeServer(...models: string[]): Promise<HomeServer> {
  const told: HomeServer = {
    url: "",
    host: "",
    models: models.map((name) => ({ name })),
    requests: [],
    mood: "well",
  };
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const call = `${request.method} ${request.url}`;
      told.requests.push({ call, authorization: request.headers.authorization, body });
      if (told.mood === "hangs") return;
      const answer = answerTo(call, body, told);
      response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer ?? { error: { message: "no such thing" } }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  told.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  told.url = `http://${told.host}`;
  return told;
}

function answerTo(call: string, body: string, { models }: HomeServer): object | undefined {
  if (call === "GET /api/tags") return { models };
  if (call === "GET /v1/models")
    return { data: models.map((model) => ({ id: (model as { name: string }).name })) };
  if (call !== "POST /v1/embeddings") return undefined;
  const { input } = JSON.parse(body) as { input: string[] };
  return { data: input.map((text, index) => ({ index, embedding: matterOf(text) })) };
}
