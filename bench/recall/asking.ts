/** Asks every query of a set through the public recall, over a workspace that memd itself imported and archived. */
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { LOCAL_USER, type ScopeId, viewerAt } from "../../src/model/address.js";
import { DAY_MS, epochMs, zoneOf, type EpochMs } from "../../src/model/time.js";
import { indexThreads } from "../../src/platform/package-root.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import type { Workspace } from "../../src/protocol/workspace.js";
import type { Passage } from "../../src/model/passage.js";
import type { Engine } from "../../src/recall/index/engine.js";
import { answerFrom, type Gathered } from "../../src/recall/index/answer.js";
import { memoryEngine, type MemoryEngine } from "../../src/recall/index/memory.js";
import { threadsIn } from "../../src/recall/index/open.js";
import { sqliteEngine } from "../../src/recall/index/sqlite/sqlite.js";
import { recall } from "../../src/recall/recall.js";
import { readWords } from "../../src/recall/words.js";
import { newReconcileState, reconcile } from "../../src/recall/reconcile.js";
import type { Weights } from "../../src/recall/weights.js";
import { datesAskedIn, type AskedDates } from "../../src/text/dates/hints.js";
import { embedAll } from "./embedded.js";
import { figuresOf, type Ranked } from "./metrics.js";
import type { Query, QuestionSet } from "./set.js";
import { withSlip } from "./slips.js";

const BINARY = path.resolve(import.meta.dirname, "../../bin/memd.js");
const ZONE = zoneOf("UTC");
/** Of hits that come from more messages than this none is counted. */
const MOST_SOURCES = 3;
/** Enough for twenty messages when summaries stand in between. */
const LIMIT = 60;

export type EngineName = "memory" | "sqlite";

export interface Asking {
  set: QuestionSet;
  /** Figures of one run over all queries; without the dates in them when `dates` is false. */
  ask(options?: {
    weights?: Weights;
    dates?: boolean;
    only?: (query: Query) => boolean;
    /** How much nearness counts, where passages were embedded; 0 leaves it out. */
    vectors?: number;
    /** Each query is asked of the next conversation, which knows nothing of it. */
    elsewhere?: boolean;
    /** One slip in the longest word of each query. */
    slips?: boolean;
  }): Promise<Ranked[]>;
  /** Everything derived goes, as `rm -rf .memd` does it, and is made anew from the same files, by this engine. */
  forget(engine: EngineName): Promise<void>;
  close(): Promise<void>;
}

export async function openAsking(
  set: QuestionSet,
  engineName: EngineName,
  withVectors = false,
): Promise<Asking> {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "memd-recall-"));
  const root = path.join(home, "workspace");
  await memd(home, root, "init");
  const messagesFile = path.join(home, "messages.jsonl");
  await fs.writeFile(messagesFile, set.messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  await memd(home, root, "import", messagesFile);
  await memd(home, root, "archive", "--now");
  const workspace: Workspace = { root };
  const index = path.join(home, "index");
  const indexed = async (name: EngineName): Promise<Engine> => {
    const engine = await openEngine(name, index);
    const parts = { disk: nodeDisk, workspace, engine, zone: ZONE, pace: () => undefined };
    await reconcile(parts, [], newReconcileState());
    return engine;
  };
  let engine = await indexed(engineName);
  let weight = 0;
  const models = withVectors ? await embedAll(engine, () => weight) : undefined;
  const sessionOf = new Map(
    set.messages.map((message) => [keyOf(message.conversation, message.id), message.session]),
  );
  const lastOf = lastTimes(set);
  const words = readWords();

  const conversations = [...lastOf.keys()];
  const after = (conversation: string): string =>
    conversations[(conversations.indexOf(conversation) + 1) % conversations.length] ?? conversation;

  return {
    set,
    ask: async ({
      weights,
      dates = true,
      only = () => true,
      elsewhere = false,
      vectors = 0,
      slips = false,
    } = {}) => {
      weight = vectors;
      const ranked: Ranked[] = [];
      for (const query of set.queries.filter(only)) {
        const scope = (elsewhere ? after(query.conversation) : query.conversation) as ScopeId;
        const now = lastOf.get(query.conversation) ?? epochMs(0);
        const dateHints = async (text: string): Promise<AskedDates> =>
          dates ? datesAskedIn(text, ZONE.dayOf(now)) : { hints: [], rest: text };
        const parts = {
          engine,
          zone: ZONE,
          now: () => now,
          settings: { min_score: 0, limit: LIMIT },
          dateHints,
          words: () => words,
          ...(weights && { weights }),
          ...(models && vectors > 0 && { models }),
        };
        const viewer = viewerAt({ user: LOCAL_USER, scope, session: "main" });
        const started = performance.now();
        const asked = slips ? (withSlip(query) ?? query.text) : query.text;
        const { hits } = await recall(parts, asked, viewer, { scope });
        const ms = performance.now() - started;
        const order = [
          ...new Set(
            hits.flatMap(({ passage }) =>
              passage.messageIds.length <= MOST_SOURCES ? passage.messageIds : [],
            ),
          ),
        ].map(String);
        const sessions = (ids: readonly string[]): string[] => [
          ...new Set(ids.map((id) => sessionOf.get(keyOf(query.conversation, id)) ?? "")),
        ];
        ranked.push({
          order,
          top: hits.slice(0, 10).map(({ passage }) => passage.id),
          gold: query.any === true ? [order.find((id) => query.gold.includes(id)) ?? ""] : query.gold,
          sessions: sessions(order),
          goldSessions: sessions(query.gold),
          ms,
          best: hits[0]?.score ?? 0,
          bestGold:
            hits.find(({ passage }) => passage.messageIds.some((id) => query.gold.includes(String(id))))
              ?.score ?? 0,
        });
      }
      return ranked;
    },
    forget: async (name) => {
      await engine.close();
      for (const derived of [index, path.join(root, ".memd")])
        await fs.rm(derived, { recursive: true, force: true });
      engine = await indexed(name);
    },
    close: async () => {
      await engine.close();
      await fs.rm(home, { recursive: true, force: true });
    },
  };
}

export async function figuresBySet(
  askings: readonly Asking[],
  options: Parameters<Asking["ask"]>[0] = {},
): Promise<Record<string, Record<string, number>>> {
  const figures: Record<string, Record<string, number>> = {};
  for (const asking of askings) figures[asking.set.name] = figuresOf(await asking.ask(options));
  return figures;
}

/** The same sets with a slip in each question; those that people ask in English. */
export function slipped(askings: readonly Asking[]): Asking[] {
  const english = askings.filter(({ set }) => set.queries.every(({ text }) => !/\p{Script=Han}/u.test(text)));
  return english.map((asking) => ({
    ...asking,
    set: { ...asking.set, name: `${asking.set.name} with slips` },
    ask: (options) => asking.ask({ ...options, slips: true }),
  }));
}

async function openEngine(name: EngineName, folder: string): Promise<Engine> {
  if (name === "memory") return remembering(memoryEngine());
  return sqliteEngine({ threads: threadsIn(indexThreads()).of(folder), onLost: () => undefined });
}

/** What a question finds does not hang on the weights: asked again, it is only scored again. */
function remembering(engine: MemoryEngine): Engine {
  const gathered = new Map<string, Gathered<Passage>>();
  return {
    ...engine,
    search: async (query) => {
      const key = JSON.stringify([
        query.partitions,
        query.filter,
        query.question.terms.map(({ term }) => term),
        query.vector?.values,
      ]);
      const known = gathered.get(key) ?? engine.gather(query);
      gathered.set(key, known);
      return answerFrom(known, query);
    },
  };
}

/** The clock stands a day behind the last word of each conversation. */
function lastTimes(set: QuestionSet): Map<string, EpochMs> {
  const last = new Map<string, EpochMs>();
  for (const { conversation, createdAt } of set.messages) {
    const at = epochMs(Date.parse(createdAt) + DAY_MS);
    if (at > (last.get(conversation) ?? 0)) last.set(conversation, at);
  }
  return last;
}

function keyOf(conversation: string, id: string): string {
  return JSON.stringify([conversation, id]);
}

function memd(home: string, root: string, ...args: string[]): Promise<void> {
  const env = { ...process.env, XDG_RUNTIME_DIR: home, HOME: home, MEMD_WORKSPACE: root };
  const child = spawn(process.execPath, [BINARY, ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
  return new Promise((resolve, reject) => {
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`memd ${args.join(" ")}: ${code}`)),
    );
  });
}
