/**
 * `bench topics --data DIR`: conversations that have nothing to do with each
 * other told as one, session by session in the order of their dates, turn by
 * turn with the built-in provider, on a disk in memory. Then what was asked of
 * each is asked of all: is the topic of the answer awake, does the answer stand
 * in the prompt, with topics and without.
 */
import fs from "node:fs/promises";
import path from "node:path";
import { LOCAL_ADDRESS } from "../src/model/address.js";
import type { MessageId } from "../src/model/message.js";
import { epochMs, isoOf, later, MINUTE_MS, parseInstant, SECOND_MS } from "../src/model/time.js";
import type { Topic } from "../src/model/topic.js";
import type { Job } from "../src/llm/jobs/registry.js";
import type { SummaryOutcome } from "../src/llm/jobs/summary.js";
import { builtinAnswer } from "../src/llm/run-job.js";
import type { Memd } from "../src/service/memd.js";
import { estimateTokens } from "../src/text/tokens.js";
import type { TopicSet } from "../src/topics/set.js";
import { diskInMemory, supervisorOn } from "../test/support/supervisor-in-memory.js";
import { workerIn } from "../test/support/worker.js";
import { rested } from "./rested.js";
import { cacheableShare } from "./topics-cache.js";
import { handClock, type HandClock } from "../test/support/hand-clock.js";
import type { MemoryDisk } from "../test/support/memory-disk.js";

interface Told {
  conversation: string;
  id: string;
  session: string;
  role: string;
  speaker?: string;
  text: string;
  createdAt: string;
}

interface Asked {
  conversation: string;
  text: string;
  gold: string[];
}

interface Side {
  /** What a model would have been asked beside the windows. */
  jobs: { count: number; tokens: number };
  supervisor: Memd;
  disk: MemoryDisk;
  clock: HandClock;
}

const CONVERSATIONS = 5;
/** So much of a message tells that it stands in a prompt. */
const SHOWN_CHARS = 80;
const AT_ONCE = 50;

export async function benchTopics(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const data = options.get("data") ?? process.env["MEMD_BENCH_DATA"];
  if (data === undefined)
    throw new Error("name the folder of messages.jsonl and queries.jsonl with --data DIR");
  const first = Number(options.get("from") ?? 0);
  const told = (await interleaved(path.resolve(data), first)).slice(
    0,
    Number(options.get("messages") ?? Infinity),
  );
  const asked = await questions(path.resolve(data), told, Number(options.get("queries") ?? 200));
  const sides = { with: await begun(told, true), without: await begun(told, false) };
  const seen: Seen = { tokensMax: 0, windowMax: 0, topicsMax: 0, overCeiling: 0, active: [] };
  let [calls, tokens, turns] = [0, 0, 0];
  for (const message of told) {
    const waits = message.role === "user";
    await say(sides.with, message, waits);
    if (!waits) continue;
    turns += 1;
    await look(sides.with, seen);
    const sent = await wouldSend(sides.with);
    [calls, tokens] = [calls + sent.calls, tokens + sent.tokens];
  }
  // Without topics nothing depends on the turns.
  for (let at = 0; at < told.length; at += AT_ONCE) await tell(sides.without, told.slice(at, at + AT_ONCE));
  const purity = await purityOf(sides.with);
  const unaccounted = await unaccountedOf(sides.with, told);
  const gold = await askAll(sides, asked, told);
  for (const { supervisor } of Object.values(sides)) await supervisor.stop();
  const { queries } = gold;
  return {
    messages: told.length,
    turns,
    purity: round(purity.share),
    split_messages: purity.split,
    topics: purity.states,
    topics_per_conversation: purity.topics / CONVERSATIONS,
    queries,
    gold_topic_active: round(gold.activated / queries),
    gold_topic_active_unasked: round(gold.active / queries),
    active_topics: round(mean(seen.active)),
    active_topics_after_asking: round(mean(gold.activeCounts)),
    gold_in_prompt: round(gold.shown / queries),
    gold_in_prompt_activated: round(gold.shownActivated / queries),
    gold_in_prompt_without_topics: round(gold.shownWithout / queries),
    prompt_tokens_max: Math.max(seen.tokensMax, gold.tokensMax),
    prompt_tokens_max_without_topics: gold.tokensMaxWithout,
    over_ceiling: seen.overCeiling,
    topics_tokens_max: seen.topicsMax,
    window_tokens_max: seen.windowMax,
    unaccounted,
    calls_per_turn: round(calls / turns),
    tokens_per_turn: Math.round((tokens + sides.with.jobs.tokens) / turns),
    jobs: sides.with.jobs.count,
    cacheable: await cacheableShare(),
    turn_p50_ms: round(percentile(gold.turnsMs, 0.5)),
    turn_p95_ms: round(percentile(gold.turnsMs, 0.95)),
  };
}

/** Sessions of several conversations in the order in which they began. */
async function interleaved(folder: string, first: number): Promise<Told[]> {
  const all = await linesOf<Told>(path.join(folder, "messages.jsonl"));
  const names = [...new Set(all.map(({ conversation }) => conversation))].slice(first, first + CONVERSATIONS);
  const sessions = new Map<string, Told[]>();
  for (const message of all) {
    if (!names.includes(message.conversation)) continue;
    const key = `${message.conversation} ${message.session}`;
    sessions.set(key, [...(sessions.get(key) ?? []), message]);
  }
  return [...sessions.values()].sort((one, other) => startOf(one) - startOf(other)).flat();
}

function startOf([message]: readonly Told[]): number {
  return Date.parse(message?.createdAt ?? "");
}

async function questions(folder: string, told: readonly Told[], most: number): Promise<Asked[]> {
  const names = new Set(told.map(({ conversation }) => conversation));
  const all = (await linesOf<Asked>(path.join(folder, "queries.jsonl"))).filter(
    ({ conversation, gold }) => names.has(conversation) && gold.length > 0,
  );
  const step = Math.max(1, all.length / most);
  return Array.from(
    { length: Math.min(most, all.length) },
    (_each, at) => all[Math.floor(at * step)],
  ).flatMap((each) => each ?? []);
}

async function linesOf<T>(file: string): Promise<T[]> {
  return (await fs.readFile(file, "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}

async function begun(told: readonly Told[], enabled: boolean): Promise<Side> {
  const clock = handClock(parseInstant(told[0]?.createdAt ?? "") ?? epochMs(0));
  const disk = await diskInMemory(clock);
  const jobs = { count: 0, tokens: 0 };
  const supervisor = supervisorOn(disk, clock, {
    settings: { topics: { enabled }, cognitive: { enabled: false } },
    spawn: workerIn((job) => {
      const asked = job as Job;
      if (asked.kind.startsWith("topic_")) jobs.count += 1;
      if (asked.kind === "topic_split" || asked.kind === "topic_brief")
        jobs.tokens += estimateTokens(asked.utterances.map(({ text }) => text).join("\n"));
      return builtin(asked) as Promise<SummaryOutcome>;
    }),
  });
  disk.writeInPlace("/w/history.json", "[]");
  disk.writeInPlace("/w/inbox.json", "[]");
  await supervisor.start({ watch: false, work: true });
  return { supervisor, disk, clock, jobs };
}

function idOf({ conversation, id }: Pick<Told, "conversation" | "id">): string {
  return `${conversation}:${id}`;
}

function conversationOf(id: MessageId): string {
  return id.slice(0, id.indexOf(":"));
}

function messageOf({ role, speaker, text, createdAt, ...of }: Told): object {
  return { id: idOf(of), role, ...(speaker === undefined ? {} : { speaker }), text, createdAt };
}

/** It waits, its prompt is made, then it is part of the conversation. */
async function say(side: Side, told: Told, waits: boolean): Promise<void> {
  setClock(side, told);
  if (waits) {
    side.disk.writeInPlace("/w/inbox.json", JSON.stringify([messageOf(told)]));
    await side.supervisor.settled();
  }
  await tell(side, [told]);
}

function setClock({ clock }: Side, { createdAt }: Told): void {
  const at = later(parseInstant(createdAt) ?? clock.now(), SECOND_MS);
  if (at > clock.now()) clock.set(at);
}

/** They are part of the conversation. */
async function tell(side: Side, told: readonly Told[]): Promise<void> {
  const { disk, clock, supervisor } = side;
  const last = told.at(-1);
  if (last !== undefined) setClock(side, last);
  const history = JSON.parse(disk.files()["/w/history.json"] ?? "[]") as object[];
  disk.writeInPlace("/w/history.json", JSON.stringify([...history, ...told.map(messageOf)]));
  disk.writeInPlace("/w/inbox.json", "[]");
  await supervisor.settled();
  await rested(supervisor, clock);
}

interface Section {
  name: string;
  tokens: number;
  budgetTokens: number;
}

function sectionsOf({ disk }: Side): Section[] {
  return (
    (JSON.parse(disk.files()["/w/teller/prompt.json"] ?? "{}") as { sections?: Section[] }).sections ?? []
  );
}

interface Seen {
  tokensMax: number;
  windowMax: number;
  topicsMax: number;
  overCeiling: number;
  active: number[];
}

async function look(side: Side, seen: Seen): Promise<void> {
  const sections = sectionsOf(side);
  seen.tokensMax = Math.max(seen.tokensMax, tokensOf(sections));
  seen.overCeiling += sections.filter(({ tokens, budgetTokens }) => tokens > budgetTokens).length;
  seen.topicsMax = Math.max(seen.topicsMax, tokensOf(sections, "topics"));
  seen.windowMax = Math.max(seen.windowMax, tokensOf(sections, "history"));
  seen.active.push((await activeIn(side)).length);
}

function tokensOf(sections: readonly Section[], wanted?: string): number {
  return sections.reduce(
    (sum, { name, tokens }) => (wanted === undefined || name === wanted ? sum + tokens : sum),
    0,
  );
}

function setOf({ supervisor }: Side): Promise<TopicSet> {
  return supervisor.topics.setFor({ scope: LOCAL_ADDRESS.scope, user: LOCAL_ADDRESS.user });
}

async function activeIn(side: Side): Promise<Topic[]> {
  return [...(await setOf(side)).store.topics.values()].filter(({ state }) => state === "active");
}

/** What the windows of a turn would have read. */
async function wouldSend(side: Side): Promise<{ calls: number; tokens: number }> {
  const set = await setOf(side);
  const most = side.supervisor.parts.settings.topics.window_tokens;
  const recent = set.tokensOf(set.store.unsplit);
  const active = set.isSplit ? await activeIn(side) : [];
  const tokens = active.map(({ id }) => Math.min(most, recent + set.tokensOf(set.store.messagesOf(id))));
  return { calls: active.length, tokens: tokens.reduce((sum, each) => sum + each, 0) };
}

async function purityOf(side: Side): Promise<{
  share: number;
  split: number;
  topics: number;
  states: Record<string, number>;
}> {
  const { store } = await setOf(side);
  const topics = [...store.topics.values()].filter(({ ids }) => ids.length > 0);
  let [own, split] = [0, 0];
  for (const { ids } of topics) {
    const counts = new Map<string, number>();
    for (const id of ids) counts.set(conversationOf(id), (counts.get(conversationOf(id)) ?? 0) + 1);
    own += Math.max(...counts.values());
    split += ids.length;
  }
  const states: Record<string, number> = {};
  for (const { state } of store.topics.values()) states[state] = (states[state] ?? 0) + 1;
  return { share: own / Math.max(1, split), split, topics: topics.length, states };
}

/** Of each message: in one topic, in none yet, or in the archive; else it is unaccounted for. */
async function unaccountedOf(side: Side, told: readonly Told[]): Promise<number> {
  const { store } = await setOf(side);
  const counts = new Map<string, number>();
  const held = [...store.topics.values()].flatMap(({ id }) => store.messagesOf(id));
  for (const { message } of [...held, ...store.unsplit])
    counts.set(message.id, (counts.get(message.id) ?? 0) + 1);
  return told.filter((message) => counts.get(idOf(message)) !== 1).length;
}

interface Gold {
  queries: number;
  active: number;
  activated: number;
  shown: number;
  shownActivated: number;
  shownWithout: number;
  activeCounts: number[];
  tokensMax: number;
  tokensMaxWithout: number;
  turnsMs: number[];
}

async function askAll(
  sides: Record<"with" | "without", Side>,
  asked: readonly Asked[],
  told: readonly Told[],
): Promise<Gold> {
  const texts = new Map(told.map((message) => [idOf(message), message.text]));
  const set = await setOf(sides.with);
  const gold: Gold = {
    queries: 0,
    active: 0,
    activated: 0,
    shown: 0,
    shownActivated: 0,
    shownWithout: 0,
    activeCounts: [],
    tokensMax: 0,
    tokensMaxWithout: 0,
    turnsMs: [],
  };
  for (const [at, { conversation, text, gold: ids }] of asked.entries()) {
    const names = ids.map((id) => idOf({ conversation, id }) as MessageId);
    const holders = new Set(names.flatMap((id) => set.store.holderOf(id) ?? []));
    // What is in no topic yet stands in the window.
    if (holders.size === 0) continue;
    gold.queries += 1;
    const isActive = async (): Promise<boolean> =>
      (await activeIn(sides.with)).some(({ id }) => holders.has(id));
    const isShown = (side: Side): boolean =>
      names.some((id) => shows(side.disk.files()["/w/teller/prompt.md"] ?? "", texts.get(id) ?? ""));
    for (const side of Object.values(sides)) {
      const started = performance.now();
      await wait(side, `question-${at}`, text);
      if (side === sides.with) gold.turnsMs.push(performance.now() - started);
    }
    gold.active += Number(await isActive());
    gold.shown += Number(isShown(sides.with));
    gold.shownWithout += Number(isShown(sides.without));
    await activateTopicsIn(sides.with, text);
    gold.activated += Number(await isActive());
    gold.shownActivated += Number(isShown(sides.with));
    gold.activeCounts.push((await activeIn(sides.with)).length);
    gold.tokensMax = Math.max(gold.tokensMax, tokensOf(sectionsOf(sides.with)));
    gold.tokensMaxWithout = Math.max(gold.tokensMaxWithout, tokensOf(sectionsOf(sides.without)));
  }
  return gold;
}

async function wait({ disk, clock, supervisor }: Side, id: string, text: string): Promise<void> {
  clock.set(later(clock.now(), MINUTE_MS));
  const message = { id, role: "user", text, createdAt: isoOf(clock.now()) };
  disk.writeInPlace("/w/inbox.json", JSON.stringify([message]));
  await supervisor.settled();
}

async function activateTopicsIn({ supervisor }: Side, query: string): Promise<void> {
  await supervisor.activateTopics(LOCAL_ADDRESS, query, {});
  await supervisor.settled();
}

function shows(prompt: string, text: string): boolean {
  const plain = (of: string): string => of.replace(/\s+/g, " ");
  return text !== "" && plain(prompt).includes(plain(text).slice(0, SHOWN_CHARS).trim());
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

async function builtin(job: Job): Promise<unknown> {
  const result = await builtinAnswer(job);
  return result === undefined
    ? { to: "failed", reason: "not done here", usage: [] }
    : { to: "done", usage: [], result };
}
