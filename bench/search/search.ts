/**
 * `bench search --passages N`: one scope of so many made-up passages, through
 * the real engine, beside MiniSearch (up to 100,000) and ripgrep in the same run.
 * With `--daemon` also a real daemon over its socket: what it takes, how fast it is.
 */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import MiniSearch from "minisearch";
import { MAIN_SCOPE, OWNER } from "../../src/model/address.js";
import { epochMs, zoneOf, type Day } from "../../src/model/time.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { indexThreads } from "../../src/platform/package-root.js";
import { systemRipgrep } from "../../src/platform/ripgrep.js";
import type { Engine } from "../../src/recall/index/engine.js";
import { indexIn, threadsIn, type EngineName } from "../../src/recall/index/open.js";
import { recall } from "../../src/recall/recall.js";
import { newReconcileState, reconcile } from "../../src/recall/reconcile.js";
import { termsOf } from "../../src/text/terms.js";
import { randomOf } from "../../test/faults/random.js";
import { dayOf, writeScope } from "./corpus.js";
import { startDaemon } from "./daemon.js";
import { percentiles, questionsOf } from "./questions.js";

const ZONE = zoneOf("UTC");
const NOW = epochMs(Date.parse("2026-02-01T12:00:00Z"));
const QUESTIONS = 300;
/** A daemon runs for weeks: what is measured is code that is compiled. */
const WARM_UP = 300;
/** Its three threads see a few thousand questions before all of their code is compiled. */
const DAEMON_WARM_UP = 4_000;
const NEW_TEXTS = 30;
const MOST_FOR_MINISEARCH = 100_000;

export async function benchSearch(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const passages = Number(options.get("passages") ?? 10_000);
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-search-"));
  const root = path.join(home, "workspace");
  try {
    const chance = randomOf(passages);
    const paths = await writeScope(root, MAIN_SCOPE, passages, chance);
    const questions = questionsOf(QUESTIONS + WARM_UP, chance);
    const index = path.join(root, ".memd", "index");
    const figures = await engineFigures(
      root,
      index,
      (options.get("engine") ?? "sqlite") as EngineName,
      questions,
    );
    return {
      passages,
      ...figures,
      // Before the others: its client must not collect their garbage.
      ...(options.has("daemon")
        ? { daemon: await daemonFigures(home, root, questionsOf(DAEMON_WARM_UP + QUESTIONS, chance)) }
        : {}),
      minisearch:
        passages <= MOST_FOR_MINISEARCH ? await minisearchFigures(root, paths, questions) : "left out",
      ripgrep: await ripgrepFigures(root, questions),
    };
  } finally {
    await fs.rm(home, { recursive: true, force: true });
  }
}

async function engineFigures(
  root: string,
  folder: string,
  name: EngineName,
  questions: readonly string[],
): Promise<Record<string, unknown>> {
  const open = async (): Promise<Engine> => {
    const request = {
      engine: name,
      pace: () => undefined,
      onLost: () => undefined,
      onFallback: () => undefined,
    };
    return (await indexIn(folder, threadsIn(indexThreads()))(request)).engine;
  };
  let engine = await open();
  const state = newReconcileState();
  const refresh = async (): Promise<void> => {
    await reconcile(
      { disk: nodeDisk, workspace: { root }, engine, zone: ZONE, pace: () => undefined },
      [],
      state,
    );
  };
  const ask = async (query: string): Promise<number> => {
    const settings = { min_score: 0, limit: 10 };
    const { hits } = await recall({ engine, zone: ZONE, now: () => NOW, settings }, query, OWNER);
    return hits.length;
  };
  const began = performance.now();
  await refresh();
  const build_seconds = Math.round((performance.now() - began) / 100) / 10;

  const times: number[] = [];
  let found = 0;
  for (const [index, question] of questions.entries()) {
    const started = performance.now();
    const hits = await ask(question);
    if (index >= WARM_UP) times.push(performance.now() - started);
    if (hits > 0) found += 1;
  }
  const visible = await visibleAfter(root, refresh, ask);
  const disk_mb = name === "sqlite" ? await folderMb(folder) : 0;
  await engine.close();
  const reopening = performance.now();
  engine = await open();
  await engine.stamps();
  const open_ms = Math.round(performance.now() - reopening);
  await engine.close();
  return {
    engine: name,
    build_seconds,
    answered: found / questions.length,
    ...percentiles(times),
    visible_ms: visible,
    disk_mb,
    open_ms,
  };
}

/** From the moment a file with one more message stands until that message is found. */
async function visibleAfter(
  root: string,
  refresh: () => Promise<void>,
  ask: (query: string) => Promise<number>,
): Promise<{ p50_ms: number; p95_ms: number }> {
  const day = "2026-02-01" as Day;
  const file = path.join(root, "memory", `${day}-new.md`);
  const times: number[] = [];
  const texts: string[] = [];
  for (let index = 0; index < NEW_TEXTS; index++) {
    const word = `quux${"abcdefghij"[index % 10]}${"klmnopqrst"[Math.floor(index / 10)]}`;
    texts.push(`The ${word} stands on the shelf.`);
    await fs.writeFile(file, dayOf(MAIN_SCOPE, day, texts));
    const started = performance.now();
    await refresh();
    if ((await ask(word)) === 0) throw new Error(`${word} is not found`);
    times.push(performance.now() - started);
  }
  return percentiles(times);
}

async function minisearchFigures(
  root: string,
  paths: readonly string[],
  questions: readonly string[],
): Promise<Record<string, unknown>> {
  const mini = new MiniSearch<{ id: string; text: string }>({
    fields: ["text"],
    tokenize: termsOf,
    processTerm: (term) => term,
  });
  const began = performance.now();
  for (const file of paths) {
    const blocks = (await fs.readFile(path.join(root, file), "utf8")).split(/^### /m).slice(1);
    mini.addAll(blocks.map((text, index) => ({ id: `${file}#${index}`, text })));
  }
  const build_seconds = Math.round((performance.now() - began) / 100) / 10;
  const times = questions.map((question) => {
    const started = performance.now();
    mini.search(question).slice(0, 10);
    return performance.now() - started;
  });
  return { build_seconds, ...percentiles(times.slice(WARM_UP)) };
}

async function ripgrepFigures(root: string, questions: readonly string[]): Promise<Record<string, unknown>> {
  const ripgrep = systemRipgrep();
  const times: number[] = [];
  for (const question of questions.slice(0, 30)) {
    const words = question.split(" ").slice(0, 6);
    const started = performance.now();
    await ripgrep({ root, places: ["memory"], words });
    times.push(performance.now() - started);
  }
  return percentiles(times);
}

async function daemonFigures(
  home: string,
  root: string,
  questions: readonly string[],
): Promise<Record<string, unknown>> {
  await fs.writeFile(path.join(root, "workspace.json"), JSON.stringify({ format: 1, id: "bench" }));
  const first = await startDaemon(home, root);
  // Summaries of all those days are made once; what is measured is what comes after.
  await first.ask("POST", "/archive", {});
  await first.stop();
  const daemon = await startDaemon(home, root);
  try {
    const idle_rss_mb = await daemon.rssMb();
    const times: number[] = [];
    for (const query of questions) {
      const started = performance.now();
      await daemon.ask("POST", "/agent/memories/search", { query });
      times.push(performance.now() - started);
    }
    return {
      ready_ms: daemon.readyMs,
      idle_rss_mb,
      rss_after_mb: await daemon.rssMb(),
      over_socket_at_first: percentiles(times.slice(0, QUESTIONS)),
      over_socket: percentiles(times.slice(DAEMON_WARM_UP)),
    };
  } finally {
    await daemon.stop();
  }
}

async function folderMb(folder: string): Promise<number> {
  const names = await fs.readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => (await fs.stat(path.join(folder, name))).size));
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1e5) / 10;
}
