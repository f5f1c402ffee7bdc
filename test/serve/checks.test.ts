/** What the owner looks at when something does not go as it should, and who may ask, over HTTP as by commands. */
import { expect, onTestFinished, test } from "vitest";
import { createApp } from "../../src/serve/app.js";
import { SERVED } from "../../src/service/runs.js";
import { openStage } from "../support/stage.js";
import { callAt } from "../support/usage.js";

async function asked(files: Readonly<Record<string, unknown>>) {
  const { supervisor: memd, write } = await openStage(files);
  await memd.start({ watch: false, work: false });
  onTestFinished(() => memd.stop());
  const parts = { memd, socket: "/none", listen: () => () => undefined, stop: () => undefined };
  const app = createApp(parts, SERVED);
  const ask = async (call: string, body?: object): Promise<{ status: number; answer: unknown }> => {
    const [method = "", path = ""] = call.split(" ");
    const sent = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const answer = await app.request(path, sent);
    return { status: answer.status, answer: await answer.json() };
  };
  return { ask, write };
}

test("a token is told once, is listed without it, and is taken back by its name or id", async () => {
  const { ask } = await asked({});
  const made = await ask("POST /tokens", { viewer: "lin/boats", name: "phone" });
  expect(made).toMatchObject({ status: 200, answer: { viewer: "lin/boats", name: "phone" } });
  const { token, ...shown } = made.answer as { token: string };
  expect(token).toMatch(/^memd_[a-z0-9]{52}$/);
  expect((await ask("GET /tokens")).answer).toEqual({ tokens: [shown] });
  expect(await ask("POST /tokens", { viewer: "wei", name: "phone" })).toMatchObject({
    status: 400,
    answer: { error: { code: "value_invalid" } },
  });
  expect((await ask("DELETE /tokens/phone")).answer).toEqual({ removed: shown });
  expect(await ask("DELETE /tokens/phone")).toMatchObject({
    status: 400,
    answer: { error: { code: "token_unknown" } },
  });
});

test("the newest lines of the log come oldest first, and nothing that is no line of it", async () => {
  const lines = Array.from({ length: 60 }, (_none, index) => JSON.stringify({ event: "tick", index }));
  const { ask } = await asked({
    "logs/memd.jsonl": `${lines.slice(0, 59).join("\n")}\n[1]\n${lines[59] ?? ""}`,
  });
  const indexes = async (call: string): Promise<unknown[]> =>
    ((await ask(call)).answer as { lines: { index: number }[] }).lines.map(({ index }) => index);
  expect(await indexes("GET /logs?limit=3")).toEqual([58, 59]);
  expect(await indexes("GET /logs")).toHaveLength(49);
  expect(await indexes("GET /logs?limit=1000")).toHaveLength(60);
});

test("what models cost is told for the days that were asked for", async () => {
  const calls = ["2026-01-27T10:00:00Z", "2026-01-28T10:00:00Z", "2026-01-29T10:00:00Z"].map((at) =>
    JSON.stringify(callAt(at)),
  );
  const { ask } = await asked({ "logs/usage.jsonl": `${calls.join("\n")}\n` });
  const days = async (call: string): Promise<string[]> =>
    ((await ask(call)).answer as { totals: { day: string }[] }).totals.map(({ day }) => day);
  expect(await days("GET /usage")).toHaveLength(3);
  expect(await days("GET /usage?time_from=2026-01-28")).toEqual(["2026-01-28", "2026-01-29"]);
  expect(await days("GET /usage?time_from=2026-01-28&time_to=2026-01-28")).toEqual(["2026-01-28"]);
});

test("settings are those of the file as it stands, and a wrong one is told with its line", async () => {
  const { ask, write } = await asked({ "memd.toml": 'timezone = "Asia/Shanghai"\n' });
  expect(await ask("GET /settings")).toMatchObject({ status: 200, answer: { timezone: "Asia/Shanghai" } });
  write("memd.toml", "[archive]\nkeep = 3\n");
  expect(await ask("GET /settings")).toMatchObject({
    status: 409,
    answer: { error: { code: "settings_invalid", message: expect.stringContaining("line 2") as string } },
  });
});

test("each check has its finding, and one that is not well makes the whole not well", async () => {
  const { ask } = await asked({ "history.json": [{ role: "user", text: "Hi." }] });
  const { answer } = await ask("POST /doctor");
  const { ok, findings } = answer as {
    ok: boolean;
    findings: { check: string; ok: boolean; detail: string }[];
  };
  expect(Object.fromEntries(findings.map(({ check, detail }) => [check, detail]))).toMatchObject({
    settings: expect.stringContaining("time zone") as string,
    history: "1 messages",
    socket: "free (/none)",
    model: "built-in, no key needed",
  });
  expect(ok).toBe(findings.every((finding) => finding.ok));
});
