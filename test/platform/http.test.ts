import net from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { ask, follow } from "../../src/platform/http.js";
import { listenLoopback, serverFor, type FetchHandler } from "../../src/platform/http-server.js";
import { tempDir } from "../support/temp-dir.js";

async function serve(handler: FetchHandler): Promise<string> {
  const socket = `${tempDir()}/s.sock`;
  const server = serverFor(handler);
  await new Promise<void>((done) => server.listen(socket, done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return socket;
}

describe("asking over a socket", () => {
  test("sends a body as JSON, and gets status and body", async () => {
    const socket = await serve(async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const body = request.method === "POST" ? await request.json() : undefined;
      return Response.json(
        { method: request.method, pathname, q: searchParams.get("q"), body },
        { status: 201 },
      );
    });
    expect(await ask(socket, "POST", "/inbox?q=%E5%A5%BD", { text: "好 😀" })).toEqual({
      status: 201,
      body: { method: "POST", pathname: "/inbox", q: "好", body: { text: "好 😀" } },
    });
    expect(await ask(socket, "DELETE", "/x")).toMatchObject({ body: { method: "DELETE" } });
  });

  test("takes an empty body and one that is no JSON as they are", async () => {
    const socket = await serve((request) =>
      request.url.endsWith("/empty")
        ? new Response(null, { status: 204 })
        : new Response("404 Not Found", { status: 404 }),
    );
    expect(await ask(socket, "GET", "/empty")).toEqual({ status: 204, body: undefined });
    expect(await ask(socket, "GET", "/other")).toEqual({ status: 404, body: "404 Not Found" });
  });

  test("carries megabytes both ways", async () => {
    const socket = await serve(async (request) => Response.json(await request.json()));
    const text = "好 ".repeat(1_000_000);
    expect((await ask(socket, "POST", "/", { text })).body).toEqual({ text });
  });

  test("says that memd does not run where nobody listens, or where it ends meanwhile", async () => {
    const dir = tempDir();
    await expect(ask(`${dir}/none.sock`, "GET", "/")).rejects.toMatchObject({ code: "not_running" });
    const rude = net.createServer((connection) => connection.destroy());
    await new Promise<void>((done) => rude.listen(`${dir}/rude.sock`, done));
    onTestFinished(() => void rude.close());
    await expect(ask(`${dir}/rude.sock`, "GET", "/")).rejects.toMatchObject({ code: "not_running" });
  });

  test("a handler that throws is an answer of 500, and the next one is served", async () => {
    let asked = 0;
    const socket = await serve(() => {
      if (asked++ === 0) throw new Error("oops");
      return Response.json({});
    });
    expect((await ask(socket, "GET", "/")).status).toBe(500);
    expect((await ask(socket, "GET", "/")).status).toBe(200);
  });
});

describe("following events", () => {
  const events = (chunks: readonly string[], ends: boolean): FetchHandler => {
    const encoder = new TextEncoder();
    return () =>
      new Response(
        new ReadableStream<Uint8Array>({
          async start(out) {
            for (const chunk of chunks) {
              out.enqueue(encoder.encode(chunk));
              await new Promise((done) => setTimeout(done, 1));
            }
            if (ends) out.close();
          },
        }),
        { headers: { "content-type": "text/event-stream" } },
      );
  };

  test("gives each one whole, however they were cut, until the stream ends", async () => {
    const socket = await serve(
      events(["data: on", "e\n\nda", "ta: 好\n", "\n: ping\n\nevent: x\ndata: three\n\ndata: cut"], true),
    );
    const heard: string[] = [];
    await follow(socket, "/events", (data) => heard.push(data)).ended;
    expect(heard).toEqual(["one", "好", "three"]);
  });

  test("ends when it is told to", async () => {
    const socket = await serve(events(["data: one\n\n"], false));
    const first = await new Promise<string>((heard) => {
      const following = follow(socket, "/events", heard);
      onTestFinished(following.stop);
    });
    expect(first).toBe("one");
    const following = follow(socket, "/events", () => following.stop());
    await following.ended;
  });

  test("ends where nobody listens", async () => {
    await follow(`${tempDir()}/none.sock`, "/events", () => undefined).ended;
  });
});

describe("who is slow, or brings too much", () => {
  const limits = { headersMs: 100, requestMs: 300, lookMs: 20, headerBytes: 2048, connections: 3 };

  /** What the server says until it hangs up, to bytes that are sent as they are. */
  async function rawly(...sent: readonly string[]): Promise<{ heard: Promise<string>; asked: () => number }> {
    let asked = 0;
    const server = serverFor(async (request) => {
      asked++;
      return Response.json({ chars: (await request.text()).length });
    }, limits);
    const socket = `${tempDir()}/s.sock`;
    await new Promise<void>((done) => server.listen(socket, done));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const connection = net.connect({ path: socket });
    const heard = new Promise<string>((resolve) => {
      let text = "";
      connection.on("data", (chunk) => (text += chunk.toString()));
      connection.on("error", () => undefined);
      connection.on("close", () => resolve(text));
    });
    for (const piece of sent) connection.write(piece);
    return { heard, asked: () => asked };
  }

  test("headers that do not end are not waited for", async () => {
    const { heard, asked } = await rawly("GET / HTTP/1.1\r\n", "host: x\r\n");
    expect(await heard).toContain("408");
    expect(asked()).toBe(0);
  });

  test("nor is a body that does not end", async () => {
    const { heard } = await rawly("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n", "abc");
    expect(await heard).not.toContain("200");
  });

  test("headers that are too large are not read", async () => {
    const { heard, asked } = await rawly(`GET / HTTP/1.1\r\nhost: x\r\nx: ${"y".repeat(4096)}\r\n\r\n`);
    expect(await heard).toContain("431");
    expect(asked()).toBe(0);
  });

  test("an answer may take longer than a request", async () => {
    const server = serverFor(async () => {
      await new Promise((done) => setTimeout(done, 600));
      return Response.json({ late: true });
    }, limits);
    const socket = `${tempDir()}/s.sock`;
    await new Promise<void>((done) => server.listen(socket, done));
    onTestFinished(() => void server.close());
    expect((await ask(socket, "POST", "/", {})).body).toEqual({ late: true });
  });
});

test("a port of the loopback interface is served, and refused when it is taken", async () => {
  const first = await listenLoopback(() => Response.json({ here: true }), 0);
  onTestFinished(first.close);
  const response = await fetch(`http://127.0.0.1:${first.port}/`);
  expect(await response.json()).toEqual({ here: true });
  await expect(listenLoopback(() => new Response(), first.port)).rejects.toMatchObject({
    code: "port_taken",
  });
});
