/**
 * `bench pipeline --data DIR`: the conversations of a set through the historian,
 * round by round, without a model and with a scripted endpoint that answers every
 * question as the built-in provider would: what is found, what it takes, and what
 * a model would be sent. Then random viewers ask for records, and nobody may be
 * shown another's.
 */
import fs from "node:fs/promises";
import path from "node:path";
import { type Address, type ScopeId, viewerAt } from "../src/model/address.js";
import { type MemoryRecord, RECORD_KINDS } from "../src/model/record.js";
import { epochMs, HOUR_MS, later, parseInstant, SECOND_MS } from "../src/model/time.js";
import type { UsageRecord } from "../src/model/work.js";
import type { Job } from "../src/llm/jobs/registry.js";
import type { SummaryOutcome } from "../src/llm/jobs/summary.js";
import { builtinAnswer, runJob } from "../src/llm/run-job.js";
import { boundedFetch } from "../src/platform/http-client.js";
import { nodeDisk } from "../src/platform/node-disk.js";
import { promptsFolder } from "../src/platform/package-root.js";
import { parseRecords } from "../src/protocol/records.js";
import type { Memd } from "../src/service/memd.js";
import { randomOf } from "../test/faults/random.js";
import { openaiServer } from "../test/support/openai-server.js";
import { diskInMemory, supervisorOn } from "../test/support/supervisor-in-memory.js";
import { workerIn } from "../test/support/worker.js";
import { rested } from "./rested.js";
import { wireAnswer } from "./scripted-historian.js";
import { handClock } from "../test/support/hand-clock.js";

/** So many places and people, that there are partitions to be looked over. */
const SCOPES = 20;
const USERS = 7;
/** History grows by so many messages at a time. */
const STEP = 20;

interface Line {
  conversation: string;
  id: string;
  session: string;
  speaker?: string;
  text: string;
  createdAt: string;
}

interface Told extends Record<string, unknown> {
  id: string;
  createdAt: string;
}

export async function benchPipeline(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const data = options.get("data") ?? process.env["MEMD_BENCH_DATA"];
  if (data === undefined) throw new Error("name the folder of messages.jsonl with --data DIR");
  const messages = (await toldIn(path.resolve(data))).slice(0, Number(options.get("messages") ?? Infinity));
  const builtin = await played(messages, async (job) => {
    const result = await builtinAnswer(job);
    return result === undefined
      ? { to: "failed", reason: "not done here", usage: [] }
      : ({ to: "done", usage: [], result } as unknown as SummaryOutcome);
  });
  const reads = await readByOthers(
    builtin.supervisor,
    builtin.records,
    Number(options.get("reads") ?? 2_000),
  );
  await builtin.supervisor.stop();
  const model = await withEndpoint(messages);
  return {
    messages: messages.length,
    builtin: figuresOf(builtin, messages.length),
    model: { ...figuresOf(model, messages.length), ...model.sent },
    reads,
  };
}

/** Of each conversation the first speaker is the user and all others the agent; its sessions are spread over places and people. */
async function toldIn(folder: string): Promise<Told[]> {
  const lines = (await fs.readFile(path.join(folder, "messages.jsonl"), "utf8")).split("\n").filter(Boolean);
  const users = new Map<string, string | undefined>();
  const places = new Map<string, number>();
  return lines.map((line): Told => {
    const { conversation, id, session, speaker, text, createdAt } = JSON.parse(line) as Line;
    if (!users.has(conversation)) users.set(conversation, speaker);
    const key = `${conversation} ${session}`;
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    const where = {
      scope: place % SCOPES === 0 ? "main" : `place-${place % SCOPES}`,
      session: `${conversation}-${session}`,
    };
    const user = `user-${place % USERS}`;
    const isUser = speaker === users.get(conversation);
    return {
      id: `${conversation}-${id}`,
      role: isUser ? "user" : "agent",
      ...(isUser ? { user } : {}),
      ...(speaker === undefined ? {} : { speaker }),
      text,
      createdAt,
      ...where,
    };
  });
}

interface Played {
  supervisor: Memd;
  records: MemoryRecord[];
  profiles: number;
  ms: number;
  asked: Map<string, number>;
}

async function played(
  messages: readonly Told[],
  answer: (job: Job) => Promise<SummaryOutcome>,
): Promise<Played> {
  const first = messages.reduce((least, { createdAt }) => (createdAt < least ? createdAt : least), "9");
  const clock = handClock(parseInstant(first) ?? epochMs(0));
  const disk = await diskInMemory(clock);
  const asked = new Map<string, number>();
  let providerMs = 0;
  const supervisor = supervisorOn(disk, clock, {
    // One at a time, so that what the provider takes can be told from what memd takes.
    settings: {
      archive: { trigger_messages: 1_000_000, interval_hours: 1_000_000 },
      worker: { max_processes: 1 },
    },
    spawn: workerIn(async (job) => {
      const given = job as Job;
      asked.set(given.kind, (asked.get(given.kind) ?? 0) + 1);
      const began = performance.now();
      const outcome = await answer(given);
      providerMs += performance.now() - began;
      return outcome;
    }),
  });
  disk.writeInPlace("/w/history.json", "[]");
  await supervisor.start({ watch: false, work: true });
  const began = performance.now();
  for (let from = 0; from < messages.length; from += STEP) {
    const shown = messages.slice(Math.max(0, from - 2 * STEP), from + STEP);
    const last = parseInstant(shown.at(-1)?.createdAt ?? "") ?? clock.now();
    if (last > clock.now()) clock.set(later(last, SECOND_MS));
    disk.writeInPlace("/w/history.json", JSON.stringify(shown));
    supervisor.changed();
    await rested(supervisor, clock);
  }
  // Nobody goes on: the last rounds are over, and what is open is told as it is.
  clock.set(later(clock.now(), 24 * HOUR_MS));
  supervisor.changed();
  await rested(supervisor, clock);
  const ms = performance.now() - began - providerMs;
  const files = Object.entries(disk.files());
  const records = files
    .filter(([file]) => /\/records\/.*\.jsonl$/.test(file))
    .flatMap(([, text]) => parseRecords(text));
  const profiles = files.filter(([file]) => file.startsWith("/w/memory/profiles/users/")).length;
  return { supervisor, records, profiles, ms, asked };
}

/** Through the same provider as a real model's, over loopback. */
async function withEndpoint(messages: readonly Told[]): Promise<Played & { sent: Record<string, unknown> }> {
  const server = await openaiServer(wireAnswer);
  const usage: UsageRecord[] = [];
  const llm = {
    provider: "openai" as const,
    base_url: server.url,
    models: { summary: "scripted", historian: "scripted" },
    context_tokens: 32_000,
    max_output_tokens: 4_000,
    request_timeout_seconds: 60,
    max_retries: 0,
  };
  const fetch = boundedFetch({ timeoutMs: 60_000, maxBytes: 16_000_000 });
  const result = await played(messages, async (job) => {
    const now = epochMs(Date.now());
    const line = {
      job,
      llm,
      now,
      beatMs: 60_000,
      maxBodyBytes: 16_000_000,
      secrets: [],
      promptFolders: [promptsFolder()],
    };
    const clock = handClock(now);
    const ports = { clock, disk: nodeDisk, environment: () => undefined, fetch };
    const outcome = await runJob(line, { ...ports, onUsage: (call) => usage.push(call) });
    return outcome as unknown as SummaryOutcome;
  });
  await result.supervisor.stop();
  await server.close();
  const sum = (of: (call: UsageRecord) => number): number => usage.reduce((all, call) => all + of(call), 0);
  const sent = {
    calls: usage.length,
    calls_by_feature: countsOf(usage.map(({ feature }) => feature)),
    tokens_in_per_1000_messages: Math.round((1000 * sum(({ tokensIn }) => tokensIn)) / messages.length),
    tokens_out_per_1000_messages: Math.round((1000 * sum(({ tokensOut }) => tokensOut)) / messages.length),
    not_ok: usage.filter(({ outcome }) => outcome !== "ok").length,
  };
  return { ...result, sent };
}

function figuresOf({ records, profiles, ms, asked }: Played, messages: number): Record<string, unknown> {
  return {
    records: records.length,
    by_kind_and_level: countsOf(records.map(({ kind, level }) => `${kind}/${level}`)),
    superseded: records.filter(({ supersededAt }) => supersededAt !== undefined).length,
    not_absolute: records.filter(({ isAbsolute }) => !isAbsolute).length,
    profiles,
    jobs: Object.fromEntries(asked),
    ms_per_1000_messages: Math.round((1000 * ms) / messages),
  };
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** `foreign`: shown to somebody who may not read it, by the rule as it is written down, apart from the code under test. */
async function readByOthers(
  supervisor: Memd,
  records: readonly MemoryRecord[],
  reads: number,
): Promise<Record<string, number>> {
  const random = randomOf(7);
  const figures = { reads, shown: 0, foreign: 0 };
  for (let read = 0; read < reads && records.length > 0; read++) {
    const [about, at] = [pick(records, random()), pick(records, random())];
    const viewer: Address = {
      user: `user-${Math.floor(random() * USERS)}`,
      scope: at.scope,
      session: at.session ?? "main",
    };
    const query = about.text.split(/\s+/).slice(0, 6).join(" ");
    const kinds = { kinds: RECORD_KINDS, limit: 5 };
    const { hits } = await supervisor.search.find(query, viewerAt(viewer), kinds);
    for (const { passage } of hits) {
      figures.shown += 1;
      if (!isTheirs(viewer, passage)) figures.foreign += 1;
    }
  }
  return figures;
}

function isTheirs(
  viewer: Address,
  thing: { level: string; user?: string; scope: ScopeId; session?: string },
): boolean {
  if (thing.user !== viewer.user) return false;
  if (thing.level === "user") return true;
  return thing.scope === viewer.scope && (thing.level === "scope" || thing.session === viewer.session);
}

function pick<T>(all: readonly T[], share: number): T {
  const one = all[Math.floor(share * all.length)];
  if (one === undefined) throw new RangeError("nothing to pick from");
  return one;
}
