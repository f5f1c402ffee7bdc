/** What is asked over HTTP beside the table, and what it writes: messages, ends of turns, figures, a stream. */
import { expect, onTestFinished, test } from "vitest";
import type { LogEvent } from "../../src/platform/log.js";
import { type App, createApp } from "../../src/serve/app.js";
import { said } from "../support/archive-desk.js";
import { openStage } from "../support/stage.js";

async function open(): Promise<{ app: App; happen: (event: LogEvent) => void }> {
  const files = { "history.json": [said("m-1", "2026-02-19T10:00:00Z", "is the ferry late?")] };
  const { supervisor: memd } = await openStage(files);
  await memd.start({ watch: false, work: false });
  onTestFinished(() => memd.stop());
  const hearers = new Set<(event: LogEvent) => void>();
  const listen = (hear: (event: LogEvent) => void): (() => void) => {
    hearers.add(hear);
    return () => hearers.delete(hear);
  };
  const app = createApp({ memd, socket: "/none", listen, stop: () => undefined });
  return { app, happen: (event) => hearers.forEach((hear) => hear(event)) };
}

const post = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body) });

test("a message that is posted is in the inbox, and where it was said is listed", async () => {
  const { app } = await open();
  const answer = await app.request("/inbox", post({ text: "Tea at four.", user: "lin", session: "s-1" }));
  const { id } = (await answer.json()) as { id: string };
  expect([answer.status, id === ""]).toEqual([200, false]);
  await expect
    .poll(async () => ((await (await app.request("/status")).json()) as { inbox: object }).inbox)
    .toEqual({ waiting: 1 });
  const { sessions } = (await (await app.request("/sessions")).json()) as { sessions: object[] };
  expect(sessions).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: "s-1", scope: "main", messages: 1, users: ["lin"] }),
    ]),
  );
  const { scopes } = (await (await app.request("/scopes")).json()) as { scopes: object[] };
  expect(scopes).toEqual([expect.objectContaining({ id: "main", sessions: 2, messages: 2 })]);
  const ofLin = (await (await app.request("/sessions?as=lin")).json()) as { sessions: { id: string }[] };
  expect(ofLin.sessions.map((session) => session.id)).toEqual(["s-1"]);
  expect(await (await app.request("/scopes?as=ana")).json()).toEqual({ scopes: [] });
});

test("what is no message is refused in the one shape, and nothing is written", async () => {
  const { app } = await open();
  for (const body of [{}, { text: " " }, { text: "x", as: "lin" }, { text: "x", id: "m-1" }, { text: 7 }]) {
    const answer = await app.request("/inbox", post(body));
    expect([body, answer.status]).toEqual([body, 400]);
    const { error } = (await answer.json()) as { error: object };
    expect(Object.keys(error).sort()).toEqual(["advice", "code", "message"]);
  }
  expect(((await (await app.request("/status")).json()) as { inbox: object }).inbox).toEqual({ waiting: 0 });
});

test("the end of a turn waits as a job; one that leaves nothing behind is none", async () => {
  const { app } = await open();
  expect(await (await app.request("/end", post({ memo: " " }))).json()).toEqual({});
  const { id } = (await (
    await app.request("/end", post({ observations: ["Lin sails on Fridays."], user: "lin" }))
  ).json()) as { id: string };
  const { jobs } = (await (await app.request("/queue")).json()) as { jobs: { id: string }[] };
  expect(jobs.map((job) => job.id)).toContain(id);
});

test("the figures are what Prometheus reads, one line each", async () => {
  const { app } = await open();
  const answer = await app.request("/metrics");
  expect(answer.headers.get("content-type")).toContain("text/plain");
  const lines = (await answer.text()).trimEnd().split("\n");
  expect(lines).toContain("memd_history_messages 1");
  expect(lines).toContain('memd_jobs{state="failed"} 0');
  for (const line of lines)
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) memd_\w+ .+|memd_\w+(?:\{\w+="[^"]+"\})? \d[\d.e+]*)$/);
  expect((await app.request("/metrics", {}, { seat: { user: "lin" } })).status).toBe(404);
});

test("a stream goes on behind the last event that came", async () => {
  const { app, happen } = await open();
  happen({ level: "info", event: "first" });
  const whole = await reader(await app.request("/events", { headers: { "last-event-id": "another-1" } }));
  expect(await whole.next()).toContain("event: missed");
  happen({ level: "info", event: "second" });
  const told = await whole.next();
  expect(told).toContain('"event":"second"');
  const [, id = ""] = /id: (\S+)/.exec(told) ?? [];
  happen({ level: "info", event: "third" });
  const again = await reader(await app.request("/events", { headers: { "last-event-id": id } }));
  const missed = await again.next();
  expect([missed.includes("third"), missed.includes("second")]).toEqual([true, false]);
});

async function reader(answer: Response): Promise<{ next: () => Promise<string> }> {
  const stream = answer.body?.getReader();
  onTestFinished(() => stream?.cancel());
  const decoder = new TextDecoder();
  return Promise.resolve({
    next: async () => decoder.decode(((await stream?.read()) as { value?: Uint8Array } | undefined)?.value),
  });
}
