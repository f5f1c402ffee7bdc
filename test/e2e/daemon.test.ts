/** The running memd: what it sees, what it does in time, how it ends and how it is followed. */
import { expect, onTestFinished, test } from "vitest";
import { cliPlace, eventually, isAlive, pause, type Place } from "../support/cli.js";
import { blocksOf, expectNothingTwice, summariesOf } from "../support/cli-memory.js";
import { openaiServer } from "../support/openai-server.js";

const NOW = "2026-03-20T12:00:00Z";

/** Parts of a hit that change from one second to the next. */
const DRIFTING = new Set(["score", "similarity", "recency"]);

interface Entry {
  id: string;
  role: string;
  text: string;
  createdAt: string;
  archived?: unknown;
}

function said(id: string, text: string, createdAt = "2026-03-20T10:00:00Z", role = "user"): Entry {
  return { id, role, text, createdAt };
}

function journalIds(place: Place): string[] {
  return place
    .files("journal")
    .flatMap((file) => place.read(file).trim().split("\n"))
    .map((line) => JSON.parse(line) as { op: string; message?: { id: string } })
    .flatMap(({ op, message }) => (op === "message" && message !== undefined ? [message.id] : []));
}

const ids = (place: Place, file: string): string[] => place.json<Entry[]>(file).map(({ id }) => id);

function covers(place: Place, id: string): boolean {
  return (
    place.exists("teller/prompt.json") &&
    place.json<{ inboxIds: string[] }>("teller/prompt.json").inboxIds.includes(id)
  );
}

test("a running memd sees a host's renames and a drop, archives past 100 messages, and answers as a lone command does", async () => {
  const place = cliPlace({
    files: { "history.json": [said("h1", "The bridge code is 4471.")], "inbox.json": [] },
  });
  const memd = place.launch(["start"], { now: NOW });
  await memd.says("Ready.");

  const question = said("q1", "What was the bridge code again?");
  place.replace("inbox.json", [question]);
  await eventually("the prompt covers the question", () => covers(place, "q1"));
  expect(place.read("teller/prompt.md")).toContain("What was the bridge code again?");
  place.replace("history.json", [
    said("h1", "The bridge code is 4471."),
    question,
    said("h2", "It is 4471.", NOW, "agent"),
  ]);
  await eventually("the answer is journalled", () => journalIds(place).includes("h2"));
  place.replace("inbox.json", []);
  await eventually("the prompt asks nothing more", () => !covers(place, "q1"));

  const drop = JSON.parse(
    (await place.memd(["say", "and the ferry?", "--json"], { now: NOW })).stdout,
  ) as Entry;
  await eventually("the drop is in the prompt", () => covers(place, drop.id));
  expect(ids(place, "inbox.json")).toEqual([drop.id]);
  expect(ids(place, "history.json")).toEqual(["h1", "q1", "h2", drop.id]);
  expect(journalIds(place)).toEqual(["h1", "q1", "h2", drop.id]);
  const prompt = await place.memd(["prompt", "--wait", drop.id]);
  expect(prompt.stdout).toBe(place.read("teller/prompt.md"));

  const more = Array.from({ length: 97 }, (_, n) => said(`m${n}`, `We talked about boat number ${n}.`));
  const full = [...place.json<Entry[]>("history.json"), ...more];
  expect(place.files("memory")).toEqual([]);
  place.replace("history.json", full.slice(0, 100));
  await eventually("100 messages are journalled", () => journalIds(place).length === 100);
  expect((await place.memd(["status", "--json"])).stdout).toContain('"unarchived": 100');
  expect(place.files("memory")).toEqual([]);
  place.replace("history.json", full);
  await eventually("the 101st message starts a pass", () =>
    place.json<Entry[]>("history.json").every(({ archived }) => archived === true),
  );
  expect(
    blocksOf(place)
      .map(({ message }) => message.id)
      .sort(),
  ).toEqual(full.map(({ id }) => id).sort());

  const asked = await place.memd(["search", "bridge code", "--json"], { now: NOW });
  memd.kill("SIGTERM");
  expect(await memd.ended).toMatchObject({ code: 0, signal: null, stderr: "" });
  const alone = await place.memd(["search", "bridge code", "--json"], { now: NOW });
  const answer = (text: string): unknown =>
    JSON.parse(text, (key, value: unknown) => (DRIFTING.has(key) ? undefined : value));
  expect(answer(asked.stdout)).toEqual(answer(alone.stdout));
  expect(asked.stdout).toContain("4471");
});

test("a host that renames again right after the first time is seen both times", async () => {
  const place = cliPlace({ files: { "history.json": [], "inbox.json": [] } });
  const memd = place.launch(["start"], { now: NOW });
  await memd.says("Ready.");
  for (let round = 0; round < 6; round++) {
    place.replace("inbox.json", [said(`early${round}`, "a first thought")]);
    await pause(7 * round);
    place.replace("inbox.json", [said(`late${round}`, "a second thought")]);
    await eventually("the prompt covers the second", () => covers(place, `late${round}`), 5000);
  }
  place.replace("inbox.json", []);
  await eventually("the prompt waits for nothing", () => !covers(place, "late5"), 5000);
});

test("SIGTERM in the middle of a summary ends memd within 5 s, leaves no worker, and costs no step of the retry", async () => {
  const server = await openaiServer([{ kind: "hangs" }]);
  onTestFinished(() => server.close());
  const place = cliPlace({
    files: {
      "memd.toml": `[llm]\nprovider = "openai"\nbase_url = "${server.url}"\napi_key_env = "MEMD_TEST_KEY"\nmodels = { summary = "m" }\n[historian]\nextract = false\n`,
      "history.json": [said("a", "We booked the ferry.", "2026-03-01T10:00:00Z")],
    },
  });
  const env = { MEMD_TEST_KEY: "k-test" };
  const memd = place.launch(["start"], { now: NOW, env });
  await eventually("the endpoint is asked", () => server.requests.length === 1);
  expect(place.workers()).toHaveLength(1);
  const before = performance.now();
  memd.kill("SIGTERM");
  expect(await memd.ended).toMatchObject({ code: 0, signal: null, stderr: "" });
  expect(performance.now() - before).toBeLessThan(5500);
  await eventually("the worker is gone", () => place.workers().length === 0);
  expect(place.files("queue/summaries")).toEqual([]);
  expect(blocksOf(place).map(({ message }) => message.id)).toEqual(["a"]);

  // A kill does not end the next start: it takes over and asks again.
  const second = place.launch(["start"], { now: NOW, env });
  await eventually("the endpoint is asked again", () => server.requests.length === 2);
  second.kill("SIGKILL");
  await second.ended;
  const third = place.launch(["start"], { now: NOW, env });
  await eventually("the endpoint is asked a third time", () => server.requests.length === 3);
  await eventually("the workers of the killed one are gone", () => place.workers().length === 1);
  expect(await place.memd(["stop"])).toMatchObject({ code: 0, stderr: "" });
  expect(await third.ended).toMatchObject({ code: 0, signal: null });
  await eventually("no worker is left", () => place.workers().length === 0);
});

test("a memd in the background is started, shown and stopped, and says what it says as JSON when asked", async () => {
  const place = cliPlace({ workspace: false });
  const json = async (...args: string[]): Promise<Record<string, unknown>> => {
    const ended = await place.memd([...args, "--json"], { now: NOW });
    expect({ args, code: ended.code, stderr: ended.stderr }).toEqual({ args, code: 0, stderr: "" });
    return JSON.parse(ended.stdout) as Record<string, unknown>;
  };
  expect((await json("init"))["files"]).toContain("workspace.json");
  place.write("history.json", [said("a", "The ferry leaves at nine.", "2026-03-01T10:00:00Z")]);
  place.write("talk.jsonl", `${JSON.stringify(said("i", "An imported line about trains."))}\n`);
  expect(await json("config", "check")).toMatchObject({ archive: { recent_days: 5 } });

  expect(await json("archive", "--dry-run")).toMatchObject({
    messages: 1,
    summaries: [{ date: "2026-03-01" }],
  });
  expect(await json("archive")).toMatchObject({ messages: 1 });
  expect(await json("archive", "--now")).toMatchObject({ messages: 1, made: 1, failed: [] });

  const started = await json("start", "--detach");
  const pid = started["pid"] as number;
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, "SIGKILL")));
  expect(await json("status")).toMatchObject({ running: true, owner: { pid } });
  expect(await json("archive", "--now")).toMatchObject({ messages: 0, made: 0, failed: [] });
  expect(await json("import", "talk.jsonl")).toMatchObject({ messages: 1, fresh: 1 });
  expect(await json("search", "ferry")).toMatchObject({ warnings: [] });
  expect(await json("search", "nothing-of-the-kind")).toMatchObject({ hits: [] });
  const { id } = await json("say", "when does it leave?");
  expect(await json("prompt", "--wait", String(id))).toMatchObject({ inboxIds: [id] });
  expect(await json("usage")).toEqual([]);
  expect(await json("prune", "--dry-run")).toMatchObject({ removed: false });
  expect(await json("prune")).toMatchObject({ removed: true });
  expect(await json("doctor")).toMatchObject({ ok: true });
  const log = await place.memd(["logs", "--json", "-n", "3"]);
  expect(
    log.stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { event: string }).event),
  ).toHaveLength(3);
  expect(await json("stop")).toEqual({ stopped: true, pid });
  await eventually("the process is gone", () => !isAlive(pid));
  expect(await json("status")).toMatchObject({ running: false });
  expect(place.read("logs/start.txt")).toContain("Ready.");

  const events = await place.memd(["start", "--until-idle", "--json"], { now: "2026-05-20T12:00:00Z" });
  expect(events.stderr).toBe("");
  for (const line of events.stdout.trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("event");
});

test("two commands at once share the workspace, and a host that rewrites history.json meanwhile loses nothing", async () => {
  const old = Array.from({ length: 60 }, (_, n) =>
    said(`m${n}`, `We talked about boat number ${n}.`, `2026-0${1 + (n % 3)}-1${n % 10}T10:00:00Z`),
  );
  const place = cliPlace({ files: { "history.json": old } });
  const pass = place.memd(["archive", "--now"], { now: NOW });
  const found = place.memd(["search", "boat number 7"], { now: NOW });
  // The host goes on: it reads the file, adds a message and renames the whole over it, without any lock.
  for (let n = 0; n < 25; n++) {
    place.replace("history.json", [
      ...place.json<Entry[]>("history.json"),
      said(`new${n}`, `The host said ${n}.`),
    ]);
    await pause(40);
  }
  expect(await pass).toMatchObject({ code: 0, stderr: "" });
  expect(await found).toMatchObject({ code: 0, stderr: "" });
  expect((await found).stdout).toContain("boat number 7");
  expect(await place.memd(["archive", "--now"], { now: NOW })).toMatchObject({ code: 0, stderr: "" });
  const all = [...old.map(({ id }) => id), ...Array.from({ length: 25 }, (_, n) => `new${n}`)];
  expect(
    blocksOf(place)
      .map(({ message }) => message.id)
      .sort(),
  ).toEqual([...all].sort());
  expect(ids(place, "history.json")).toEqual(all);
  expectNothingTwice(place);
});

test("the sample shows all three tiers, is found in both languages, and its question waits in the prompt", async () => {
  const place = cliPlace({ workspace: false });
  const made = await place.memd(["start", "--sample", "--until-idle"], { cwd: place.outside });
  expect(made).toMatchObject({ code: 0, stderr: "" });
  expect(made.stdout).toContain("What it made");
  expect(made.stdout).not.toContain("Watching");
  const sample = { ...place, files: (folder = "") => place.files(`../sample-workspace/${folder}`) };
  expect(
    sample.files("memory").filter((file) => /memory\/\d{4}-\d{2}-\d{2}-/.test(file)).length,
  ).toBeGreaterThan(0);
  expect(sample.files("memory/archive").length).toBeGreaterThan(10);
  const dates = summariesOf(sample).map(({ date }) => date);
  expect(dates.some((date) => date.length === 7)).toBe(true);
  expect(dates.some((date) => date.length === 10)).toBe(true);

  const here = { cwd: `${place.outside}/sample-workspace` };
  const chinese = (await place.memd(["search", "部署超时"], here)).stdout.split("\n")[0];
  expect(chinese).toMatch(/^memory\/\S+\.md:\d+ {2}0\.\d\d {2}\d{4}-\d{2}-\d{2} {2}/);
  expect(chinese).toContain("部署超时");
  const english = (await place.memd(["search", "deploy timeout"], here)).stdout.split("\n")[0];
  expect(english).toMatch(/^memory\/\S+\.md:\d+ {2}0\.\d\d {2}\d{4}-\d{2}-\d{2} {2}.*deploy/i);
  expect(english).toMatch(/timed out|timeout/i);
  expect(place.read("../sample-workspace/teller/prompt.md")).toContain(
    "why is the deploy limit 900 seconds?",
  );
});
