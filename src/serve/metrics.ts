/** The status as Prometheus reads it: text format 0.0.4, one line a figure. Pure. */
import type { AnswerOf } from "../service/operations.js";

type Status = AnswerOf<"status">;
type Kind = "gauge" | "counter";

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export function metricsOf(status: Status): string {
  return figuresOf(status)
    .map(([name, kind, help, values]) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${kind}`,
        ...Object.entries(values).map(([labels, value]) => `${name}${labels} ${value}`),
      ].join("\n"),
    )
    .join("\n")
    .concat("\n");
}

type Figure = readonly [name: string, kind: Kind, help: string, values: Readonly<Record<string, number>>];

function figuresOf({
  history,
  inbox,
  archive,
  queue,
  index,
  models,
  conflicts,
  ...status
}: Status): Figure[] {
  const one = (value: number): Record<string, number> => ({ "": value });
  const by = (label: string, values: object): Record<string, number> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`{${label}="${name}"}`, Number(value)]),
    );
  const { running, queued, done, unavailable, failed } = models.workers;
  return [
    [
      "memd_up_since_seconds",
      "gauge",
      "When this memd started, Unix time.",
      one(Date.parse(status.owner.since) / 1000),
    ],
    ["memd_memory_bytes", "gauge", "Resident memory of the process.", one(status.memoryBytes)],
    ["memd_history_messages", "gauge", "Messages in history.json.", one(history.messages)],
    [
      "memd_history_unarchived",
      "gauge",
      "Messages that are in no verbatim day yet.",
      one(history.unarchived),
    ],
    ["memd_history_bytes", "gauge", "Size of history.json.", one(history.bytes)],
    ["memd_inbox_waiting", "gauge", "Messages that wait for an answer.", one(inbox.waiting)],
    ["memd_verbatim_days", "gauge", "Verbatim days.", one(archive.verbatimDays)],
    ["memd_summaries", "gauge", "Summaries that stand.", one(archive.summaries)],
    ["memd_summaries_owed", "gauge", "Summaries that are owed.", one(archive.owed)],
    [
      "memd_summaries_backlog",
      "gauge",
      "Summaries that failed on every step of the retries.",
      one(archive.backlog),
    ],
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
    [
      "memd_worker_jobs",
      "gauge",
      "Jobs of model workers that run or wait.",
      by("state", { running, queued }),
    ],
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
