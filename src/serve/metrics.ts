/** The status as Prometheus reads it: text format 0.0.4, one line a figure. Pure. */
import type { UsageTotal } from "../llm/usage.js";
import { groupBy } from "../model/collections.js";
import type { Histogram } from "../model/histogram.js";
import { SECOND_MS } from "../model/time.js";
import type { AnswerOf } from "../service/operations.js";

type Status = AnswerOf<"status">;
type Kind = "gauge" | "counter" | "histogram";

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** How far what is made of the conversation is behind it, and what that took. */
export interface Lags {
  /** Of the oldest message without a block. */
  archiveMs: number;
  /** Of the oldest change that no question finds yet. */
  indexMs: number;
  /** Seconds. */
  prompts: Histogram;
  /** Of all days. */
  usage: readonly UsageTotal[];
}

export function metricsOf(status: Status, lags: Lags, version: string): string {
  return figuresOf(status, lags, version)
    .map(([name, kind, help, values]) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${kind}`,
        ...Object.entries(values).map(([ending, value]) => `${name}${ending} ${value}`),
      ].join("\n"),
    )
    .join("\n")
    .concat("\n");
}

/** Values by what stands behind the name: labels, or what a histogram counts. */
type Values = Readonly<Record<string, number>>;
type Figure = readonly [name: string, kind: Kind, help: string, values: Values];

function figuresOf(
  { history, inbox, archive, queue, index, models, conflicts, ...status }: Status,
  lags: Lags,
  version: string,
): Figure[] {
  const { running, queued, done, unavailable, failed } = models.workers;
  const startedAt = Date.parse(status.owner.since) / SECOND_MS;
  return [
    ["memd_info", "gauge", "Which memd owns the workspace.", by("version", { [version]: 1 })],
    ["memd_up_since_seconds", "gauge", "When this memd started, Unix time.", one(startedAt)],
    ["memd_memory_bytes", "gauge", "Resident memory of the process.", one(status.memoryBytes)],
    ["memd_history_messages", "gauge", "Messages in history.json.", one(history.messages)],
    ["memd_history_unarchived", "gauge", "Messages in no verbatim day yet.", one(history.unarchived)],
    ["memd_history_bytes", "gauge", "Size of history.json.", one(history.bytes)],
    ["memd_inbox_waiting", "gauge", "Messages that wait for an answer.", one(inbox.waiting)],
    [
      "memd_archive_lag_seconds",
      "gauge",
      "How old the oldest message is that stands in no verbatim day yet.",
      one(lags.archiveMs / SECOND_MS),
    ],
    [
      "memd_index_lag_seconds",
      "gauge",
      "How long something has been there that no question finds yet.",
      one(lags.indexMs / SECOND_MS),
    ],
    [
      "memd_prompt_seconds",
      "histogram",
      "From when somebody is seen to wait until their prompt stands.",
      ofHistogram(lags.prompts),
    ],
    ["memd_verbatim_days", "gauge", "Verbatim days.", one(archive.verbatimDays)],
    ["memd_summaries", "gauge", "Summaries that stand.", one(archive.summaries)],
    ["memd_summaries_owed", "gauge", "Summaries that are owed.", one(archive.owed)],
    ["memd_summaries_backlog", "gauge", "Summaries that failed on every retry.", one(archive.backlog)],
    ["memd_jobs", "gauge", "Jobs of the historian.", by("state", queue)],
    ["memd_index_passages", "gauge", "Passages in the index.", one(index.passages)],
    ["memd_index_files", "gauge", "Files in the index.", one(index.files)],
    [
      "memd_index_fault",
      "gauge",
      "Whether the index cannot be brought up to date.",
      one(index.fault === undefined ? 0 : 1),
    ],
    ["memd_model_tokens_today", "gauge", "Tokens that models took today.", one(models.tokensToday)],
    ["memd_model_tokens_total", "counter", "Tokens that models took, of all days.", tokensOf(lags.usage)],
    ["memd_worker_jobs", "gauge", "Jobs of model workers, by state.", by("state", { running, queued })],
    [
      "memd_worker_jobs_total",
      "counter",
      "Jobs of model workers that ended.",
      by("outcome", { done, unavailable, failed }),
    ],
    ["memd_conflicts", "gauge", "Files in conflicts/.", one(conflicts.length)],
    [
      "memd_trouble",
      "gauge",
      "Whether something keeps memd from getting on.",
      one(status.trouble === undefined ? 0 : 1),
    ],
  ];
}

function one(value: number): Values {
  return { "": value };
}

function by(label: string, values: object): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`{${label}="${escaped(name)}"}`, Number(value)]),
  );
}

/** Buckets hold all that is no more than their bound. */
function ofHistogram({ bounds, counts, count, sum }: Histogram): Values {
  let before = 0;
  const buckets = bounds.map((bound, at) => {
    before += counts[at] ?? 0;
    return [`_bucket{le="${bound}"}`, before] as const;
  });
  return { ...Object.fromEntries(buckets), '_bucket{le="+Inf"}': count, _sum: sum, _count: count };
}

function tokensOf(usage: readonly UsageTotal[]): Values {
  const models = [...groupBy(usage, ({ model }) => model)];
  const total = (of: readonly UsageTotal[], which: "tokensIn" | "tokensOut"): number =>
    of.reduce((sum, each) => sum + each[which], 0);
  return Object.fromEntries(
    models.flatMap(([model, of]) => [
      [`{model="${escaped(model)}",direction="in"}`, total(of, "tokensIn")],
      [`{model="${escaped(model)}",direction="out"}`, total(of, "tokensOut")],
    ]),
  );
}

/** A name of somebody else's, as a label. */
function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
