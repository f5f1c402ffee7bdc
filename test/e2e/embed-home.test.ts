/** `llm.embedding = "auto"`: a server of models on this machine, which is sent nothing before its owner said yes. */
import { expect, test } from "vitest";
import { eventually, type Place } from "../support/cli.js";
import { homeServer, type HomeServer } from "../support/home-server.js";
import { NOW, placeOfTexts, TEXTS } from "../support/told-by-meaning.js";

/** So much that no run of tests is too busy for it. */
const SETTINGS = `[llm]\nprovider = "builtin"\nembedding = "auto"\n[embedding]\nquery_timeout_seconds = 20\npause_above_load = 0\npause_on_battery = false\n`;

interface Home {
  place: Place;
  memd: (...args: string[]) => ReturnType<Place["memd"]>;
  start: () => Promise<() => Promise<unknown>>;
}

async function homeWith(host: string, settings = SETTINGS): Promise<Home> {
  const place = await placeOfTexts(settings);
  const env = { OLLAMA_HOST: host };
  return {
    place,
    memd: (...args) => place.memd(args, { now: NOW, env }),
    start: async () => {
      const daemon = place.launch(["start"], { now: NOW, env });
      await daemon.says("Ready.");
      return () => {
        daemon.kill("SIGTERM");
        return daemon.ended;
      };
    },
  };
}

const sent = ({ requests }: HomeServer): string => requests.map(({ body }) => body).join("");
const isEmbedded = async ({ memd }: Home, model: string): Promise<boolean> =>
  new RegExp(`vectors +(\\d+) of \\1 passages by ollama:${model}`).test((await memd("status")).stdout);

test("what runs here is found and told of, is sent no byte of a text before the yes, and all of them after it", async () => {
  const ollama = await homeServer("llama3.2", "bge-m3:latest");
  const home = await homeWith(ollama.host);
  const stop = await home.start();
  await eventually("it is told of", async () =>
    (await home.memd("status")).stdout.includes("Ollama offers bge-m3:latest: `memd embed accept`"),
  );
  expect((await home.memd("search", "Do they have a dog?")).stdout).not.toContain("puppy");
  const told = await home.memd("embed");
  expect(told.stdout).toContain(`bge-m3:latest, Ollama at ${ollama.url}`);
  expect(told.stdout).toContain("`memd embed accept` lets memd send");
  expect(new Set(ollama.requests.map(({ call }) => call))).toEqual(new Set(["GET /api/tags"]));
  expect(sent(ollama)).toBe("");

  const said = await home.memd("embed", "accept");
  expect(said).toMatchObject({ code: 0, stderr: "" });
  expect(said.stdout).toContain(`may be sent to bge-m3:latest of Ollama at ${ollama.url}`);
  await eventually("all are embedded", () => isEmbedded(home, "bge-m3:latest"));
  for (const text of TEXTS) expect(sent(ollama)).toContain(text);
  expect((await home.memd("search", "--explain", "Do they have a dog?")).stdout).toMatch(
    /adopted a puppy.*\n.*vector/,
  );
  expect(ollama.requests.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  await stop();
});

test("the yes outlives a restart, saying it again changes nothing, and taken back no text is sent", async () => {
  const ollama = await homeServer("bge-m3");
  const home = await homeWith(ollama.host);
  expect((await home.memd("embed", "accept")).code).toBe(0);
  const first = home.place.read(".memd/embedding.json");
  expect(JSON.parse(first)).toEqual({
    server: "ollama",
    url: ollama.url,
    model: "bge-m3",
    acceptedAt: expect.stringMatching(/^2026-03-20T12:0/) as string,
  });
  expect((await home.memd("embed", "accept")).code).toBe(0);
  expect(home.place.read(".memd/embedding.json")).toBe(first);

  let stop = await home.start();
  await eventually("all are embedded", () => isEmbedded(home, "bge-m3"));
  await stop();
  const before = ollama.requests.filter(({ body }) => TEXTS.some((text) => body.includes(text))).length;
  stop = await home.start();
  await eventually("nothing is left to embed", () => isEmbedded(home, "bge-m3"));
  expect(ollama.requests.filter(({ body }) => TEXTS.some((text) => body.includes(text)))).toHaveLength(
    before,
  );

  expect((await home.memd("embed", "decline")).stdout).toContain("No text is sent");
  expect(home.place.exists(".memd/embedding.json")).toBe(false);
  const bytes = sent(ollama).length;
  await home.memd("say", "The harbour was closed.");
  expect((await home.memd("search", "Do they have a dog?")).stdout).not.toContain("puppy");
  expect((await home.memd("status")).stdout).toContain("memd embed accept");
  expect(sent(ollama)).toHaveLength(bytes);
  expect((await home.memd("embed", "decline")).stdout).toContain("Nothing had been accepted.");
  await stop();
});

test("a yes is of one model at one server: another needs a yes of its own", async () => {
  const ollama = await homeServer("bge-m3");
  const home = await homeWith(ollama.host);
  expect((await home.memd("embed", "accept")).code).toBe(0);
  ollama.models = [{ name: "qwen3-embedding:0.6b" }];
  const stop = await home.start();
  await eventually("the other is told of", async () =>
    /does not offer bge-m3.*offers qwen3-embedding:0.6b/.test((await home.memd("status")).stdout),
  );
  const after = ollama.requests.length;
  await home.memd("search", "Do they have a dog?");
  expect(ollama.requests.slice(after).filter(({ call }) => call !== "GET /api/tags")).toEqual([]);

  expect((await home.memd("embed", "accept", "bge-m3")).stderr).toContain(
    "No server of this machine offers bge-m3",
  );
  expect((await home.memd("embed", "accept")).code).toBe(0);
  await eventually("it is asked", () => isEmbedded(home, "qwen3-embedding:0.6b"));
  await stop();

  const other = await homeServer("qwen3-embedding:0.6b");
  const moved = await home.place.memd(["embed"], { now: NOW, env: { OLLAMA_HOST: other.host } });
  expect(moved.stdout).toContain("`memd embed accept` lets memd send");
  expect(sent(other)).toBe("");
});

test("a server that hangs makes one search wait, and words answer", async () => {
  const ollama = await homeServer("bge-m3");
  const home = await homeWith(ollama.host, SETTINGS.replace("seconds = 20", "seconds = 3"));
  await home.memd("embed", "accept");
  const stop = await home.start();
  await eventually("all are embedded", () => isEmbedded(home, "bge-m3"));
  ollama.mood = "hangs";
  const late = await home.memd("search", "rained");
  expect(late.stdout).toContain("It rained all week");
  expect(late.stderr).toContain("Found by words alone: Ollama is late");
  const begun = Date.now();
  const next = await home.memd("search", "the budget");
  expect(next.stderr).toContain("Found by words alone: Ollama is late");
  expect(Date.now() - begun).toBeLessThan(3000);
  await stop();
});

test("where nothing runs, or Ollama is said to be elsewhere, it is told what can be done", async () => {
  const none = await homeWith("127.0.0.1:9");
  const told = await none.memd("embed");
  expect(told.stdout).toContain("no embedding model of a server on this machine");
  expect(told.stdout).toContain("ollama pull bge-m3");
  expect(await none.memd("embed", "accept")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("No Ollama or LM Studio") as string,
  });
  const away = await none.place.memd(["embed"], { now: NOW, env: { OLLAMA_HOST: "10.0.0.7" } });
  expect(away.stdout).toContain("OLLAMA_HOST names another machine (10.0.0.7)");
});

test("over HTTP the owner says yes and takes it back, and no viewer sees that there is anything", async () => {
  const ollama = await homeServer("bge-m3");
  const { place } = await homeWith(ollama.host);
  const daemon = place.launch(["start", "--port", "0"], { now: NOW, env: { OLLAMA_HOST: ollama.host } });
  await daemon.says("Ready.");
  const [base = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(daemon.output()) ?? [];
  const made = await place.memd(["token", "add", "--as", "ana/main", "--json"]);
  const viewer = (JSON.parse(made.stdout) as { token: string }).token;
  const owner = place.read(".memd/token").trim();
  const ask = async (token: string, method: string, body?: object): Promise<[number, unknown]> => {
    const answer = await fetch(`${base}/embedding`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return [answer.status, await answer.json()];
  };
  for (const method of ["GET", "POST", "DELETE"])
    expect((await ask(viewer, method, method === "POST" ? {} : undefined))[0]).toBe(404);
  expect(place.exists(".memd/embedding.json")).toBe(false);

  const offer = { server: "ollama", url: ollama.url, model: "bge-m3" };
  expect(await ask(owner, "GET")).toEqual([
    200,
    expect.objectContaining({ setting: "auto", found: [offer] }),
  ]);
  expect((await ask(owner, "POST", { model: "another" }))[1]).toMatchObject({
    error: { code: "embedding_unknown" },
  });
  expect(await ask(owner, "POST", { model: "bge-m3" })).toEqual([
    200,
    expect.objectContaining({ accepted: expect.objectContaining(offer) as object }),
  ]);
  expect(place.exists(".memd/embedding.json")).toBe(true);
  expect(await ask(owner, "DELETE")).toEqual([200, { declined: true }]);
  expect(await ask(owner, "DELETE")).toEqual([200, { declined: false }]);
  expect(place.exists(".memd/embedding.json")).toBe(false);
  daemon.kill("SIGTERM");
  await daemon.ended;
});
