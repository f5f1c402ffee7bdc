/**
 * `bench scale --passages N --scopes S`: one size a run, spread over so many
 * scopes, asked by viewers of all of them. The index that was built is kept for
 * the next run; `--fit` tells how the times grow over the sizes that were done.
 */
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import {
  LOCAL_USER,
  MAIN_SESSION,
  OWNER,
  type ScopeId,
  type Viewer,
  viewerAt,
} from "../../src/model/address.js";
import { epochMs, zoneOf } from "../../src/model/time.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { indexThreads } from "../../src/platform/package-root.js";
import { indexIn, threadsIn } from "../../src/recall/index/open.js";
import { recall } from "../../src/recall/recall.js";
import { newReconcileState, reconcile } from "../../src/recall/reconcile.js";
import { groupBy } from "../../src/model/collections.js";
import { randomOf } from "../../test/faults/random.js";
import { writeScope } from "./corpus.js";
import { percentiles, questionsOf } from "./questions.js";

const KEPT = path.join(os.tmpdir(), "memd-scale");
const ZONE = zoneOf("UTC");
const NOW = epochMs(Date.parse("2026-02-01T12:00:00Z"));
const QUESTIONS = 400;
const WARM_UP = 50;
const OWNER_QUESTIONS = 30;

interface Figures {
  passages: number;
  scopes: number;
  build_seconds: number;
  open_ms: number;
  p50_ms: number;
  p95_ms: number;
  /** Of the first questions after the start, one to each scope. */
  first_in_scope: { p50_ms: number; p95_ms: number };
  owner: { p50_ms: number; p95_ms: number };
  rss_mb: number;
}

export async function benchScale(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  if (options.has("fit")) return fit();
  const passages = Number(options.get("passages") ?? 10_000);
  const scopes = Number(options.get("scopes") ?? 1);
  const folder = path.join(KEPT, `${passages}-${scopes}`);
  const root = path.join(folder, "workspace");
  const random = randomOf(passages + scopes);
  const names = Array.from({ length: scopes }, (_, index) => `scope-${index}` as ScopeId);
  const built = await nodeDisk.stat(path.join(folder, "built.json"));
  if (built === undefined) {
    await fs.rm(folder, { recursive: true, force: true });
    for (const name of names) await writeScope(root, name, Math.round(passages / scopes), random);
  }
  const opening = performance.now();
  const { engine } = await indexIn(
    path.join(root, ".memd", "index"),
    threadsIn(indexThreads()),
  )({ engine: "sqlite", pace: () => undefined, onLost: () => undefined, onFallback: () => undefined });
  const open_ms = Math.round(performance.now() - opening);
  try {
    const began = performance.now();
    const parts = { disk: nodeDisk, workspace: { root }, engine, zone: ZONE, pace: () => undefined };
    if (built === undefined) await reconcile(parts, [], newReconcileState());
    const build_seconds =
      built === undefined
        ? Math.round((performance.now() - began) / 100) / 10
        : Number(await fs.readFile(path.join(folder, "built.json"), "utf8"));
    await fs.writeFile(path.join(folder, "built.json"), String(build_seconds));

    const ask = async (query: string, viewer: Viewer): Promise<number> => {
      const started = performance.now();
      const settings = { min_score: 0, limit: 10 };
      await recall({ engine, zone: ZONE, now: () => NOW, settings }, query, viewer);
      return performance.now() - started;
    };
    const as = (scope: ScopeId): Viewer => viewerAt({ user: LOCAL_USER, scope, session: MAIN_SESSION });
    const warmUp = questionsOf(Math.max(WARM_UP, scopes), random);
    const first: number[] = [];
    for (const [index, question] of warmUp.entries())
      first.push(await ask(question, as(names[index % scopes] ?? ("scope-0" as ScopeId))));
    const questions = questionsOf(QUESTIONS, random);
    const times: number[] = [];
    for (const question of questions)
      times.push(await ask(question, as(names[Math.floor(random() * scopes)] ?? ("scope-0" as ScopeId))));
    const ownerTimes: number[] = [];
    for (const question of questions.slice(0, OWNER_QUESTIONS)) ownerTimes.push(await ask(question, OWNER));
    const figures: Figures = {
      passages,
      scopes,
      build_seconds,
      open_ms,
      ...percentiles(times),
      first_in_scope: percentiles(first),
      owner: percentiles(ownerTimes),
      rss_mb: Math.round(process.memoryUsage().rss / 1e6),
    };
    await fs.writeFile(path.join(folder, "figures.json"), JSON.stringify(figures));
    return { ...figures };
  } finally {
    await engine.close();
  }
}

/** The exponent of growth: 0 is flat, 1 twice the time for twice the passages. */
async function fit(): Promise<Record<string, unknown>> {
  const done: Figures[] = [];
  for (const name of await fs.readdir(KEPT).catch(() => [])) {
    const text = await fs.readFile(path.join(KEPT, name, "figures.json"), "utf8").catch(() => undefined);
    if (text !== undefined) done.push(JSON.parse(text) as Figures);
  }
  done.sort((a, b) => a.scopes - b.scopes || a.passages - b.passages);
  const growth = [...groupBy(done, ({ scopes }) => scopes)].map(([scopes, sizes]) => ({
    scopes,
    p50: exponent(sizes, "p50_ms"),
    p95: exponent(sizes, "p95_ms"),
  }));
  return { sizes: done, growth, kept_in: KEPT };
}

/** Least squares on the logarithms; undefined for fewer than two sizes. */
function exponent(done: readonly Figures[], of: "p50_ms" | "p95_ms"): number | undefined {
  if (done.length < 2) return undefined;
  const points = done.map(
    (figures) => [Math.log(figures.passages), Math.log(Math.max(0.01, figures[of]))] as const,
  );
  const mean = (axis: 0 | 1): number => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const over = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  const under = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return Math.round((over / under) * 100) / 100;
}
