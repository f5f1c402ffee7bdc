/** How memd fares, and what is done at the owner's word. */
import * as z from "zod";
import type { PassReport } from "../../archive/passes.js";
import type { GitStatus } from "../../git/keeper.js";
import type { PoolCounts } from "../../llm/pool.js";
import type { IndexStatus } from "../../recall/service.js";
import { madeAs, maybe, name, only, period } from "./fields.js";
import { owner } from "./operation.js";
import { embeddingStatus } from "./shapes.js";

const index = madeAs<IndexStatus>(
  z.object({
    engine: z.enum(["sqlite", "memory"]),
    files: z.number(),
    passages: z.number(),
    partitions: z.number(),
    skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
    fault: maybe,
    embedding: embeddingStatus.exactOptional(),
  }),
);
const summaryOf = { scope: z.string(), date: z.string() };
const pool = madeAs<PoolCounts>(
  z.object({
    processes: z.number(),
    running: z.number(),
    queued: z.number(),
    done: z.number(),
    unavailable: z.number(),
    failed: z.number(),
  }),
);
const git = madeAs<GitStatus>(
  z.object({
    branch: z.string().exactOptional(),
    commit: z.string().exactOptional(),
    /** Files that are not committed yet. */
    pending: z.number(),
    /** Why nothing is archived or committed, when that is so. */
    held: z.string().exactOptional(),
  }),
);
/** Of a summary that could not be made. */
const attempt = z.object({ ...summaryOf, attempts: z.number(), at: z.string(), reason: z.string() });

export const status = owner({
  call: "GET /status",
  command: "status",
  method: "status",
  summary: "what `memd status --json` prints",
  input: z.strictObject({}),
  output: z.object({
    workspace: z.string(),
    owner: z.object({ pid: z.number(), since: z.string(), socket: z.string() }),
    now: z.string(),
    timezone: z.string(),
    history: z.object({ messages: z.number(), unarchived: z.number(), bytes: z.number(), unreadable: maybe }),
    inbox: z.object({ waiting: z.number(), unreadable: maybe }),
    archive: z.object({
      /** Messages without a verbatim block yet. */
      unwritten: z.number(),
      verbatimDays: z.number(),
      summaries: z.number(),
      owed: z.number(),
      backlog: z.number(),
      running: z.number(),
      lastPassAt: maybe,
      /** At the latest, if nothing else starts one. */
      nextPassAt: maybe,
      nextAttempt: attempt.exactOptional(),
    }),
    /** Jobs of the historian. */
    queue: z.object({ pending: z.number(), processing: z.number(), failed: z.number() }),
    /** Exchanges that were imported, those of them that the historian has not looked at, and when the oldest of these was said. */
    imported: z.object({ exchanges: z.number(), left: z.number(), oldestAt: maybe }).exactOptional(),
    index,
    models: z.object({
      provider: z.string(),
      workers: pool,
      tokensToday: z.number(),
      dailyTokens: z.number().exactOptional(),
      /** Why the model that was asked last did not answer. */
      failing: maybe,
    }),
    /** Where topics are on: of all conversations that are talked in. `failing`: what keeps a model from its work on them. */
    topics: z
      .object({
        active: z.number(),
        dormant: z.number(),
        archived: z.number(),
        unsplit: z.number(),
        failing: maybe,
      })
      .exactOptional(),
    /** Of `memd.toml`: the settings that count after a restart, and why it is not taken as it stands. */
    settings: z.object({
      restartNeeded: z.array(z.string()),
      /** Tables that do not count below a root, where the owner has not trusted them. */
      untrusted: z.array(z.string()).exactOptional(),
      fault: maybe,
    }),
    /** Where memd commits what it writes. */
    git: git.exactOptional(),
    conflicts: z.array(z.string()),
    /** Why memd is not getting on, when it is not. */
    trouble: z.object({ code: z.string(), message: z.string(), advice: z.string() }).exactOptional(),
    memoryBytes: z.number(),
    /** The one that the workspace lies on, where it says how full it is. */
    disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }).exactOptional(),
  }),
});

const plan = z.object({
  /** Messages that get their verbatim block. */
  messages: z.number(),
  /** Files that get them. */
  days: z.array(
    z.object({
      scope: z.string(),
      day: z.string(),
      messages: z.number(),
      place: z.enum(["memory", "archive"]),
    }),
  ),
  summaries: z.array(
    z.object({
      tier: z.enum(["day", "month"]),
      ...summaryOf,
      messages: z.number(),
      /** Estimate of what the model would read. */
      tokens: z.number(),
    }),
  ),
  tokens: z.number(),
});

export type ArchivePlan = z.output<typeof plan>;

const report = madeAs<PassReport>(
  z.object({
    reason: z.enum(["asked", "messages", "limit", "overflow", "interval", "summaries"]),
    messages: z.number(),
    made: z.number(),
    failed: z.array(z.object({ scope: z.string(), date: z.string(), reason: z.string() })),
    ms: z.number(),
  }),
);

export const archive = owner({
  call: "POST /archive",
  command: "archive",
  summary:
    "a pass now: its report, once it is over; with `dryRun` what one would do, and about how many tokens it would cost",
  input: z.strictObject({ dryRun: z.boolean().exactOptional() }),
  example: { dryRun: true },
  errors: ["git_moved"],
  output: z.union([plan, report]),
});

const summary = z.object({ tier: z.enum(["day", "month"]), ...summaryOf });

export const resummarize = owner({
  call: "POST /resummarize",
  command: "resummarize",
  summary:
    "makes summaries anew from their days, those that were made without a model, or with `all` every one: which, which stay and why, and the report once it is over; what a person has edited stays",
  input: z.strictObject({
    scope: only,
    ...period,
    all: z.boolean().exactOptional(),
    dryRun: z.boolean().exactOptional(),
  }),
  example: { time_from: "2026-01-01", dryRun: true },
  errors: ["no_model", "git_moved"],
  output: z.object({
    again: z.array(summary),
    kept: z.array(summary.extend({ why: z.enum(["edited", "days gone"]) })),
    /** Absent where it was only asked which. */
    report: report.exactOptional(),
  }),
});

export const prune = owner({
  call: "POST /prune",
  command: "prune",
  summary: "what went, or with `dryRun` would go",
  input: z.strictObject({ dryRun: z.boolean() }),
  example: { dryRun: true },
  errors: ["git_moved"],
  output: z.object({
    removed: z.boolean(),
    files: z.array(z.object({ path: z.string(), why: z.string(), keptLines: z.number() })),
  }),
});

export const exportFiles = owner({
  call: "POST /export",
  command: "export",
  summary:
    "copies every file of the workspace that is its owner's, all of one moment, into a folder that is not there yet; `notedAs` is where they go from there, for whoever forgets something later",
  input: z.strictObject({ folder: name, notedAs: only }),
  example: { folder: "/home/alice/memory-of-today" },
  errors: ["value_invalid"],
  output: z.object({ files: z.number(), bytes: z.number(), left: z.array(z.string()) }),
});

export const reindex = owner({
  call: "POST /reindex",
  command: "reindex",
  summary: "what is in the index, once every file was read again",
  input: z.strictObject({}),
  errors: ["index_fault"],
  output: index,
});

export const stop = owner({
  call: "POST /stop",
  command: "stop",
  summary: "memd ends; nothing is lost",
  input: z.strictObject({}),
  output: z.object({ stopping: z.literal(true) }),
});
