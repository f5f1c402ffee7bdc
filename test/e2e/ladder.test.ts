/** What a model that cannot be reached leaves in the files: the retry, its end, and what ends a job at all. */
import { onTestFinished, expect, test } from "vitest";
import { cliPlace, type Ended, type Place } from "../support/cli.js";
import { summariesOf } from "../support/cli-memory.js";
import { openaiServer, type OpenaiServer, type ScriptedAnswer } from "../support/openai-server.js";

const GOOD: ScriptedAnswer = {
  kind: "ok",
  text: "- 10:00 The ferry of Friday was booked for 3 people.",
};
const MINUTE_MS = 60_000;
const FIRST = Date.parse("2026-03-20T10:00:00Z");

interface OwedFile {
  date: string;
  attempts: number;
  failedAt: string;
  nextAt: string;
  reason: string;
}

async function endpoint(script: Parameters<typeof openaiServer>[0]): Promise<OpenaiServer> {
  const server = await openaiServer(script);
  onTestFinished(() => server.close());
  return server;
}

function placeWith({ url }: OpenaiServer, days: readonly string[]): Place {
  return cliPlace({
    files: {
      "memd.toml": [
        "[llm]",
        'provider = "openai"',
        `base_url = "${url}"`,
        'api_key_env = "MEMD_TEST_KEY"',
        'models = { summary = "scripted" }',
        "request_timeout_seconds = 1",
        "max_retries = 0",
        "[worker]",
        "output_limit_mb = 0.5",
        // Nothing but summaries is asked for.
        "[historian]",
        "extract = false",
      ].join("\n"),
      "history.json": days.map((day, index) => ({
        id: `m${index}`,
        role: "user",
        text: `On ${day} we booked the ferry of Friday for 3 people.`,
        createdAt: `${day}T10:00:00Z`,
      })),
    },
  });
}

const at = (minutes: number): string => new Date(FIRST + minutes * MINUTE_MS).toISOString();

function run(place: Place, args: readonly string[], now: string): Promise<Ended> {
  return place.memd(args, { now, env: { MEMD_TEST_KEY: "k-test" } });
}

function owedOf(place: Place): OwedFile[] {
  return place.files("queue/summaries").map((file) => place.json<OwedFile>(file));
}

/** Minutes from the failure to the next attempt. */
function waitOf({ failedAt, nextAt }: OwedFile): number {
  return (Date.parse(nextAt) - Date.parse(failedAt)) / MINUTE_MS;
}

test("a dead endpoint is asked after 10 min, 30 min, 2 h, 6 h and 12 h, then once a day; --now asks at once, and a good answer clears it all", async () => {
  let answer: ScriptedAnswer = { kind: "status", status: 500 };
  const server = await endpoint(() => answer);
  const place = placeWith(server, ["2026-03-02"]);
  const entry = (): Record<string, unknown> => place.json<Record<string, unknown>[]>("history.json")[0] ?? {};
  const log = (): string => place.read("logs/memd.jsonl");

  let now = 0;
  for (const [index, wait] of [10, 30, 120, 360, 720, 1440, 1440].entries()) {
    if (index > 0 && index < 3) {
      await run(place, ["start", "--until-idle"], at(now - 1));
      expect(server.requests).toHaveLength(index);
    }
    const before = now;
    const tried = await run(place, ["start", "--until-idle"], at(before + 0.5));
    expect(tried).toMatchObject({ code: 0, stderr: "" });
    expect(server.requests).toHaveLength(index + 1);
    const [owed] = owedOf(place);
    expect(owed).toMatchObject({ date: "2026-03-02", attempts: index + 1 });
    expect(owed?.reason).toContain("500");
    expect(waitOf(owed as OwedFile)).toBe(wait);
    expect(entry()).toMatchObject({
      archived: false,
      archiveAttempts: index + 1,
      archiveFailedAt: owed?.failedAt,
      archiveNextAt: owed?.nextAt,
    });
    expect(log().includes("archive_backlog")).toBe(index >= 4);
    now = before + wait + 0.5;
  }

  const asked = await run(place, ["archive", "--now"], at(now - 60));
  expect(asked.code).toBe(1);
  expect(asked.stdout).toContain("not made: main 2026-03-02");
  expect(server.requests).toHaveLength(8);
  expect(owedOf(place)[0]?.attempts).toBe(8);
  // The verbatim copy was made at the first pass and stands once.
  expect(place.files("memory")).toHaveLength(1);

  answer = GOOD;
  expect(await run(place, ["archive", "--now"], at(now))).toMatchObject({ code: 0, stderr: "" });
  expect(owedOf(place)).toEqual([]);
  expect(summariesOf(place)).toMatchObject([{ date: "2026-03-02", by: "scripted" }]);
  expect(Object.keys(entry()).filter((name) => name.startsWith("archive"))).toEqual(["archived"]);
  expect(entry()["archived"]).toBe(true);
  expect(place.workers()).toEqual([]);
});

test("whatever an endpoint does, the job ends, its next attempt is in the file, and nothing of it runs on", async () => {
  const faults: Record<string, ScriptedAnswer> = {
    "2026-03-01": { kind: "hangs" },
    "2026-03-02": { kind: "drips" },
    "2026-03-03": { kind: "status", status: 429, headers: { "retry-after": "7200" } },
    "2026-03-04": { kind: "cuts" },
    "2026-03-05": { kind: "endless" },
    "2026-03-06": { kind: "empty" },
    "2026-03-07": { kind: "body", type: "text/html", body: "<h1>Log in to the café's network</h1>" },
  };
  const server = await endpoint(({ body }) => {
    const day = Object.keys(faults).find((date) => JSON.stringify(body).includes(`On ${date}`));
    return faults[day ?? ""] ?? GOOD;
  });
  const place = placeWith(server, [...Object.keys(faults), "2026-03-08"]);
  const pass = await run(place, ["archive", "--now"], at(0));
  expect(pass.code).toBe(1);
  expect(pass.stdout).toContain("made 1 summary");

  const owed = owedOf(place).sort((a, b) => (a.date < b.date ? -1 : 1));
  expect(owed.map(({ date }) => date)).toEqual(Object.keys(faults));
  expect(owed.map(({ attempts }) => attempts)).toEqual(owed.map(() => 1));
  for (const one of owed) expect(waitOf(one)).toBe(one.date === "2026-03-03" ? 120 : 10);
  for (const one of owed) expect(pass.stdout).toContain(`not made: main ${one.date}: ${one.reason}`);
  expect(summariesOf(place).map(({ date }) => date)).toEqual(["2026-03-08"]);
  expect(place.workers()).toEqual([]);
  const usage = place.read("logs/usage.jsonl").trim().split("\n");
  expect(usage.length).toBeGreaterThanOrEqual(server.requests.length);

  const shown = await run(place, ["status"], at(0));
  expect(shown.stdout).toMatch(/owed +7 summaries/);
  expect(shown.stdout).toMatch(/next try +2026-03-20 10:10/);
  expect(shown.stdout).not.toContain("k-test");
});
