/** Asks the windows of topics what they know that matters now, all in one job. */
import { jobIdOf } from "../llm/job-id.js";
import type { FiledMessage } from "../model/message.js";
import { SECOND_MS } from "../model/time.js";
import type { TopicId } from "../model/topic.js";
import { utteranceOf } from "../model/utterance.js";
import type { TopicWindowsJob } from "../llm/jobs/topic-windows.js";
import type { Pool } from "../llm/pool.js";
import type { Relevance } from "./relevance.js";
import type { TopicSet } from "./set.js";
import type { ModelWorkParts } from "../llm/job-context.js";

export interface AskingParts extends ModelWorkParts {
  /** For what a turn waits for. */
  recallPool: Pool;
}

/** The prompt's deadline is that of the answer's way into it too. */
const WINDOW_SHARE = 0.85;

/** `recent`: what is said now. A window that fails or is late counts as it did the last time; nothing where no model could be had. */
export async function askTopicWindows(
  { recallPool, settings, zone, log, onUsage }: AskingParts,
  set: TopicSet,
  recent: readonly FiledMessage[],
  ids: readonly TopicId[],
): Promise<Map<TopicId, Relevance>> {
  const { topics: limits, context } = settings;
  const messages = new Map(ids.map((id) => [id, set.store.messagesOf(id)]));
  const about = {
    recent: recent.filter(({ message }) => message.private !== true).map((filed) => utteranceOf(filed, zone)),
    topics: [...messages].map(([id, held]) => ({
      id,
      name: set.nameOf(id),
      utterances: held.map((filed) => utteranceOf(filed, zone)),
    })),
    parallel: limits.parallel,
    deadlineMs: Math.round(context.deadline_seconds * SECOND_MS * WINDOW_SHARE),
    windowTokens: limits.window_tokens,
    turnTokens: limits.turn_tokens,
  };
  const whose = set.of.user === undefined ? {} : { user: set.of.user };
  const id = jobIdOf(about);
  const job: TopicWindowsJob = { kind: "topic_windows", id, ...whose, ...about };
  const outcome = await recallPool.run(job);
  onUsage(outcome.usage);
  const relevance = new Map<TopicId, Relevance>();
  if (outcome.to !== "done") {
    log.write({ level: "warn", event: "job_failed", kind: job.kind, reason: outcome.reason });
    return relevance;
  }
  for (const window of outcome.result.windows) {
    const held = messages.get(window.id);
    if (held === undefined) continue;
    if ("failed" in window) {
      const { id: topic, failed: reason } = window;
      relevance.set(topic, { score: set.store.topics.get(topic)?.scores[0] ?? 0, refs: [] });
      log.write({ level: "warn", event: "job_failed", kind: job.kind, topic, reason });
    } else {
      const refs = window.refs.flatMap((index) => held[index]?.message.id ?? []);
      relevance.set(window.id, { score: window.relevance, refs, summary: window.summary });
    }
  }
  return relevance;
}
