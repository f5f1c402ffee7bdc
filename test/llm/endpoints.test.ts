/** The real pool, the real worker, a real server on loopback that misbehaves. Needs a build. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SummaryOutcome } from "../../src/llm/jobs/summary.js";
import { openaiServer, type OpenaiServer, type ScriptedAnswer } from "../support/openai-server.js";
import { alive, aJob, dayJob, said, section, settingsWith, testPool, type TestPool } from "./given.js";

let server: OpenaiServer | undefined;
let pool: TestPool | undefined;

beforeEach(() => {
  server = undefined;
  pool = undefined;
});

afterEach(async () => {
  await pool?.close();
  await server?.close();
  expect((pool?.pids ?? []).filter(alive)).toEqual([]);
});

async function against(
  script: Parameters<typeof openaiServer>[0],
  { llm = {}, job = aJob, budget }: { llm?: object; job?: typeof aJob; budget?: number } = {},
): Promise<SummaryOutcome> {
  server = await openaiServer(script);
  const settings = settingsWith({
    llm: {
      provider: "openai",
      base_url: server.url,
      api_key_env: "TEST_KEY",
      models: { summary: "small" },
      request_timeout_seconds: 1.5,
      max_retries: 1,
      ...llm,
    },
    worker: { output_limit_mb: 0.5 },
  });
  pool = testPool(settings, budget === undefined ? {} : { budgetTokens: () => budget });
  return pool.run(job);
}

const good: ScriptedAnswer = { kind: "ok", text: "- 14:03 Alice rents the flat in Lisbon for 900 euros." };

test("a good answer becomes the section, with the figures that the endpoint counted", async () => {
  const usage = { prompt_tokens: 321, completion_tokens: 45 };
  const outcome = await against([{ ...good, usage }]);
  expect(outcome).toMatchObject({
    to: "done",
    result: { by: "small", sections: [{ text: "- 14:03 Alice rents the flat in Lisbon for 900 euros." }] },
    usage: [
      {
        feature: "day_summary",
        role: "summary",
        model: "small",
        tokensIn: 321,
        tokensOut: 45,
        outcome: "ok",
      },
    ],
  });
  expect(server?.requests[0]?.headers.authorization).toBe("Bearer k-test");
  expect(server?.requests[0]?.body.messages.map(({ content }) => content).join()).toContain(
    "[2026-01-28 14:03] Alice (user): I decided",
  );
});

test("tokens are estimated where the endpoint does not count them", async () => {
  const { usage } = await against([good]);
  expect(usage[0]?.tokensIn).toBeGreaterThan(100);
  expect(usage[0]?.tokensOut).toBeGreaterThan(5);
});

test("an endpoint that never answers is unavailable", async () => {
  expect(await against([{ kind: "hangs" }])).toMatchObject({
    to: "unavailable",
    usage: [{ outcome: "timeout" }],
  });
});

test("an endpoint that drips is ended by the deadline of the whole request", async () => {
  expect(await against([{ kind: "drips" }])).toMatchObject({
    to: "unavailable",
    usage: [{ outcome: "timeout" }],
  });
});

test("a body without an end is cut at the cap", async () => {
  const outcome = await against([{ kind: "endless" }], { llm: { request_timeout_seconds: 50 } });
  expect(outcome).toMatchObject({ to: "unavailable", reason: expect.stringContaining("larger than") });
});

test("429 says when to come back, and a wait beyond the job's patience is not waited for", async () => {
  const busy: ScriptedAnswer = { kind: "status", status: 429, headers: { "retry-after": "3600" } };
  expect(await against([busy])).toMatchObject({
    to: "unavailable",
    retryAfterMs: 3_600_000,
    usage: [{ outcome: "rate_limited" }],
  });
  expect(server?.requests).toHaveLength(1);
});

test("429 with a short Retry-After is tried again and succeeds", async () => {
  const busy: ScriptedAnswer = { kind: "status", status: 429, headers: { "retry-after": "0.1" } };
  const outcome = await against([busy, good]);
  expect(outcome.to).toBe("done");
  expect(outcome.usage.map((call) => call.outcome)).toEqual(["rate_limited", "ok"]);
});

test("500 is tried again as often as the settings say, then unavailable", async () => {
  expect(await against([{ kind: "status", status: 500 }])).toMatchObject({ to: "unavailable" });
  expect(server?.requests).toHaveLength(2);
});

test("a line cut in mid-body is unavailable", async () => {
  expect(await against([{ kind: "cuts" }])).toMatchObject({ to: "unavailable" });
});

test.each([
  ["a body that is not JSON", "application/json", '{"choices": [oops'],
  ["a proxy's page", "text/html", "<html>Please log in</html>"],
])("%s is unavailable", async (_name, type, body) => {
  const outcome = await against([{ kind: "body", type, body }]);
  expect(outcome).toMatchObject({ to: "unavailable", reason: "the endpoint did not answer in JSON" });
});

test("an empty answer is a failure", async () => {
  expect(await against([{ kind: "empty" }])).toMatchObject({
    to: "failed",
    reason: "empty answer",
    usage: [{ outcome: "empty" }],
  });
});

test.each([400, 401, 403, 404])(
  "%d is a failure that is not tried again and does not repeat the key",
  async (status) => {
    const outcome = await against([
      { kind: "status", status, message: "bad key sk-proj-abcdEFGH1234567890abcdEFGH" },
    ]);
    expect(outcome).toMatchObject({ to: "failed", reason: expect.stringContaining(String(status)) });
    expect(JSON.stringify(outcome)).not.toContain("abcdEFGH1234567890");
    expect(server?.requests).toHaveLength(1);
  },
);

test("a redirect is refused: the key goes nowhere else", async () => {
  const elsewhere = await openaiServer([good]);
  const outcome = await against([{ kind: "status", status: 307, headers: { location: elsewhere.url } }]);
  expect(outcome.to).toBe("failed");
  expect(elsewhere.requests).toEqual([]);
  await elsewhere.close();
});

test("an endpoint that is not there is unavailable", async () => {
  const gone = await openaiServer([good]);
  await gone.close();
  const outcome = await against([good], { llm: { base_url: gone.url } });
  expect(outcome).toMatchObject({ to: "unavailable", reason: expect.stringContaining("ECONNREFUSED") });
});

test("an unusable answer is repaired once", async () => {
  const outcome = await against([{ kind: "ok", text: "I am sorry, I cannot do that." }, good]);
  expect(outcome.to).toBe("done");
  expect(outcome.usage.map((call) => call.outcome)).toEqual(["invalid", "ok"]);
  const repair = server?.requests[1]?.body.messages.at(-1)?.content;
  expect(repair).toContain("cannot be used");
});

test("an answer that stays unusable is a failure", async () => {
  const outcome = await against([{ kind: "ok", text: "Certainly, here it comes:" }]);
  expect(outcome).toMatchObject({ to: "failed", reason: expect.stringContaining("unusable answer") });
  expect(server?.requests).toHaveLength(2);
});

test("secrets never reach the wire", async () => {
  const job = dayJob(
    section([said("09:00", "Bob", "use sk-proj-abcdEFGH1234567890abcdEFGH and password: hunter2!x")]),
  );
  await against([good], { job });
  const sent = JSON.stringify(server?.requests);
  expect(sent).not.toContain("abcdEFGH1234567890");
  expect(sent).not.toContain("hunter2");
  expect(sent).toContain("[redacted:api-key]");
});

test("what breaks a summary file is taken out of an answer", async () => {
  const text = "# Day\n\n## Bob <!-- user=bob -->\n\n- rent <!-- id=1 --> 900\n---\n- keys on Friday";
  const outcome = await against([{ kind: "ok", text }]);
  const written = outcome.to === "done" ? (outcome.result.sections[0]?.text ?? "") : "";
  expect(written).toContain("rent");
  expect(written).not.toMatch(/<!--|^#{1,2} |^---/m);
});

test("a line of the previous summary that the model drops is carried on", async () => {
  const previous = "- 08:00 Alice is allergic to peanuts since 1999.";
  const job = dayJob(
    section([said("14:03", "Alice", "I rent the flat in Lisbon for 900 euros.")], { previous }),
  );
  const outcome = await against([good], { job });
  const written = outcome.to === "done" ? (outcome.result.sections[0]?.text ?? "") : "";
  expect(written).toContain("allergic to peanuts since 1999");
  expect(written).toContain("Lisbon");
  expect(server?.requests[0]?.body.messages[1]?.content).toContain("allergic to peanuts");
});

test("a conversation beyond the context goes in windows that fit and is folded", async () => {
  const long = Array.from({ length: 120 }, (_, n) =>
    said("10:00", "Alice", `Note ${n}: ${"the harbour project moves on ".repeat(8)}`),
  );
  const outcome = await against(
    (request) => ({
      kind: "ok",
      text: `- ${[...JSON.stringify(request.body).matchAll(/Note \d+/g)].join(", ").slice(0, 900)}`,
    }),
    { job: dayJob(section(long)), llm: { context_tokens: 4000, max_output_tokens: 500 } },
  );
  expect(outcome.to).toBe("done");
  const [last, windows] = [server?.requests.at(-1), server?.requests.slice(0, -1) ?? []];
  expect(windows.length).toBeGreaterThan(1);
  expect(last?.body.messages[0]?.content).toContain("too long to be read at once");
  const seen = new Set(
    windows.flatMap(({ body }) =>
      [...JSON.stringify(body).matchAll(/Note (\d+):/g)].map((match) => match[1]),
    ),
  );
  expect(seen.size).toBe(120);
});

test("a spent budget stops before the call", async () => {
  expect(await against([good], { budget: 10 })).toMatchObject({
    to: "unavailable",
    reason: "budget",
    usage: [],
  });
  expect(server?.requests).toEqual([]);
});

test("a key that is not set is said, not sent", async () => {
  const outcome = await against([good], { llm: { api_key_env: "NOT_SET_ANYWHERE" } });
  expect(outcome).toMatchObject({ to: "failed", reason: expect.stringContaining("NOT_SET_ANYWHERE") });
});

test("a role without a model uses the one before it; none at all is a clear failure", async () => {
  expect(await against([good], { llm: { models: { strong: "large" } } })).toMatchObject({
    to: "failed",
    reason: expect.stringContaining("llm.models.summary"),
  });
});

test.each<[string, ScriptedAnswer]>([
  ["in its refusal", { kind: "status", status: 401, message: "Incorrect key provided: k-test." }],
  ["in its answer", { kind: "ok", text: "- 14:03 Alice says that k-test is her key." }],
])(
  "the key that an endpoint echoes %s goes by its value, which looks like nothing",
  async (_where, answer) => {
    const outcome = JSON.stringify(await against([answer]));
    expect(outcome).not.toContain("k-test");
    expect(outcome).toContain("[redacted:key]");
  },
);
