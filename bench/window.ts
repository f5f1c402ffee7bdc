/**
 * `bench window --data DIR`: one long conversation turn by turn through the
 * profile `full`, with the built-in provider, on a disk in memory. After every
 * turn the prompt is looked at: its size, and whether each message so far is in
 * the window, in the summary's sources or in the archive.
 */
import path from "node:path";
import { LOCAL_ADDRESS } from "../src/model/address.js";
import { epochMs, later, MINUTE_MS, parseInstant } from "../src/model/time.js";
import type { Job } from "../src/llm/jobs/registry.js";
import type { SummaryOutcome } from "../src/llm/jobs/summary.js";
import { builtinAnswer } from "../src/llm/run-job.js";
import { parseWindow } from "../src/protocol/window-file.js";
import { diskInMemory, supervisorOn } from "../test/support/supervisor-in-memory.js";
import { workerIn } from "../test/support/worker.js";
import { rested } from "./rested.js";
import { longConversation } from "./long-conversation.js";
import { handClock } from "../test/support/hand-clock.js";

const MESSAGES = 2_000;

export async function benchWindow(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const data = options.get("data") ?? process.env["MEMD_BENCH_DATA"];
  if (data === undefined) throw new Error("name the folder of messages.jsonl with --data DIR");
  const count = Number(options.get("messages") ?? MESSAGES);
  const messages = await longConversation(path.resolve(data), count);
  const clock = handClock(parseInstant(messages[0]?.createdAt ?? "") ?? epochMs(0));
  const disk = await diskInMemory(clock);
  const supervisor = supervisorOn(disk, clock, {
    settings: { context: { profile: "full" } },
    spawn: workerIn((job) => builtin(job) as Promise<SummaryOutcome>),
  });
  const read = (file: string): string => disk.files()[`/w/${file}`] ?? "";
  disk.writeInPlace("/w/history.json", "[]");
  await supervisor.start({ watch: false, work: true });
  const seen = { most: 0, unaccounted: 0, folds: 0, covered: 0, summaryTokens: 0 };
  const said: string[] = [];
  for (const message of messages) {
    said.push(message.id);
    clock.set(later(parseInstant(message.createdAt) ?? clock.now(), MINUTE_MS));
    disk.writeInPlace(
      "/w/history.json",
      JSON.stringify([...(JSON.parse(read("history.json")) as object[]), message]),
    );
    await supervisor.settled();
    await rested(supervisor, clock);
    const data = JSON.parse(read("teller/prompt.json")) as { sections: { name: string; tokens: number }[] };
    const history = data.sections.find(({ name }) => name === "history")?.tokens ?? 0;
    seen.most = Math.max(seen.most, history);
    const window = parseWindow(read("memory/window/main.md"));
    const covered = (window?.covers ?? []).reduce((sum, { messages: n }) => sum + n, 0);
    if (covered > seen.covered) seen.folds += 1;
    seen.covered = covered;
    const standing = new Set((JSON.parse(read("history.json")) as { id: string }[]).map(({ id }) => id));
    const archived = Object.entries(disk.files())
      .filter(([file]) => /^\/w\/memory\/(?:archive\/|\d)/.test(file))
      .map(([, text]) => text);
    if (said.length % 100 === 0 || said.length === messages.length)
      seen.unaccounted += said.filter(
        (id) => !standing.has(id) && !archived.some((text) => text.includes(`id=${id} `)),
      ).length;
  }
  const shown = (await supervisor.prompt.compose(LOCAL_ADDRESS)).data;
  await supervisor.stop();
  return {
    messages: messages.length,
    most_history_tokens: seen.most,
    ceiling_tokens: supervisor.parts.settings.context.full_history_tokens,
    folds: seen.folds,
    in_summary: seen.covered,
    in_window: messages.length - seen.covered,
    unaccounted: seen.unaccounted,
    prompt_tokens: shown.sections.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

async function builtin(job: Job): Promise<unknown> {
  const result = await builtinAnswer(job);
  return result === undefined
    ? { to: "failed", reason: "not done here", usage: [] }
    : { to: "done", usage: [], result };
}
