/**
 * An OpenAI-compatible endpoint on loopback that answers by script, and
 * misbehaves in every way that real ones do.
 */
import http from "node:http";
import type { AddressInfo } from "node:net";

export type ScriptedAnswer =
  | {
      kind: "ok";
      text: string;
      finish?: string;
      usage?: {
        prompt_tokens: number;
        completion_tokens: number;
        prompt_tokens_details?: { cached_tokens: number };
      };
    }
  | { kind: "empty" }
  | { kind: "status"; status: number; headers?: Record<string, string>; message?: string }
  /** Takes the request and never answers. */
  | { kind: "hangs" }
  /** A byte now and then, for ever. */
  | { kind: "drips" }
  | { kind: "endless" }
  /** Half a body, then the line is gone. */
  | { kind: "cuts" }
  | { kind: "body"; type: string; body: string };

export interface SeenRequest {
  path: string;
  headers: http.IncomingHttpHeaders;
  body: { model: string; messages: { role: string; content: string }[]; max_tokens?: number };
}

export interface OpenaiServer {
  /** For `llm.base_url`. */
  url: string;
  requests: SeenRequest[];
  /** Connections that are open right now. */
  open(): number;
  close(): Promise<void>;
}

/** One answer per request, the last one again and again; or what a function makes of the request. */
export async function openaiServer(
  script:
    | readonly ScriptedAnswer[]
    | ((request: SeenRequest, index: number) => ScriptedAnswer | Promise<ScriptedAnswer>),
): Promise<OpenaiServer> {
  const requests: SeenRequest[] = [];
  let open = 0;
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const seen = {
        path: request.url ?? "",
        headers: request.headers,
        body: JSON.parse(body) as SeenRequest["body"],
      };
      const index = requests.push(seen) - 1;
      const next = typeof script === "function" ? script(seen, index) : (script[index] ?? script.at(-1));
      void Promise.resolve(next ?? ({ kind: "empty" } as const)).then((told) => answer(response, told));
    });
  });
  server.on("connection", (socket) => {
    open += 1;
    socket.on("close", () => (open -= 1));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    open: () => open,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function answer(response: http.ServerResponse, scripted: ScriptedAnswer): void {
  const json = { "content-type": "application/json" };
  switch (scripted.kind) {
    case "ok":
      response.writeHead(200, json);
      return void response.end(completion(scripted.text, scripted.finish ?? "stop", scripted.usage));
    case "empty":
      response.writeHead(200, json);
      return void response.end(completion("", "stop", undefined));
    case "status":
      response.writeHead(scripted.status, { ...json, ...scripted.headers });
      return void response.end(JSON.stringify({ error: { message: scripted.message ?? "scripted" } }));
    case "hangs":
      return;
    case "drips":
      response.writeHead(200, json);
      return repeat(response, 50, " ");
    case "endless":
      response.writeHead(200, json);
      return repeat(response, 0, " ".repeat(64 * 1024));
    case "cuts":
      response.writeHead(200, { ...json, "content-length": "1000" });
      response.write('{"id":"x","choices":[{"mess');
      return void setTimeout(() => response.destroy(), 20);
    case "body":
      response.writeHead(200, { "content-type": scripted.type });
      return void response.end(scripted.body);
    default:
      return scripted satisfies never;
  }
}

function completion(text: string, finish: string, usage: object | undefined): string {
  const message = { role: "assistant", content: text };
  return JSON.stringify({
    id: "scripted",
    object: "chat.completion",
    created: 0,
    model: "scripted",
    choices: [{ index: 0, finish_reason: finish, message }],
    ...(usage === undefined ? {} : { usage }),
  });
}

function repeat(response: http.ServerResponse, everyMs: number, text: string): void {
  const timer = setInterval(() => response.write(text), everyMs);
  response.on("close", () => clearInterval(timer));
}
