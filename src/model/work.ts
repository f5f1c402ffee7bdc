/**
 * Work for a model: what a job carries to a worker and what comes back.
 *
 * Plain data that survives JSON. A job is made by a stage, run by llm/, and its
 * result settled by the stage; neither side knows how the other does it.
 */
import type { DatedText, Finding, FindingKind, Verdict } from "./finding.js";
import type { Role } from "./message.js";
import type { Day, Month } from "./time.js";
import type { TopicId } from "./topic.js";

/** Hash of what the job is about: the same work has the same id, across restarts too. */
export type JobId = string & { readonly __of: "job" };

export type Tier = "day" | "month";
/** `window`: of the part of a conversation that no longer fits into the prompt. */
export type SummaryTier = Tier | "window";

/** One message as a model sees it. Private messages never get this far. */
export interface Utterance {
  /** ISO 8601 instant. */
  at: string;
  /** Local `YYYY-MM-DD`. */
  day: Day;
  /** Local `HH:MM`. */
  clock: string;
  role: Role;
  /** Name to show: the speaker, else the user, else the role. */
  name: string;
  text: string;
}

/** One section to write. Outside groups each user's section is made from that user's conversation only. */
export interface SummarySectionInput {
  /** Whose section; absent in a group, where one section is for all. */
  user?: string;
  /** Conversation not yet covered by any summary. */
  utterances: Utterance[];
  /** Day summaries that stand for their days (month tier only), oldest first. */
  days: { day: Day; text: string }[];
  /** The section as it stands, which the new one must carry on. */
  previous?: string;
  /** A person has changed it: none of it may go. */
  edited?: true;
}

export interface SummaryJob {
  kind: "summary";
  id: JobId;
  tier: SummaryTier;
  scope: string;
  date: Day | Month;
  sections: SummarySectionInput[];
}

export interface SummaryResult {
  kind: "summary";
  id: JobId;
  /** `builtin`, or the model's name. */
  by: string;
  sections: { user?: string; text: string }[];
}

/** Texts to be turned into vectors. */
export interface EmbeddingJob {
  kind: "embedding";
  id: JobId;
  model: string;
  /** For models that can give shorter ones; absent for what the model gives. */
  dimensions?: number;
  texts: string[];
}

export interface EmbeddingResult {
  kind: "embedding";
  id: JobId;
  /** One for each text, all of one length. */
  vectors: number[][];
}

/** Passages to be put in order by how well each answers the query. */
export interface RerankJob {
  kind: "rerank";
  id: JobId;
  model: string;
  query: string;
  texts: string[];
}

export interface RerankResult {
  kind: "rerank";
  id: JobId;
  /** One for each text; more is better. */
  scores: number[];
}

/** A question to be put in other words, or the word that its first answers suffice. */
export interface RewriteJob {
  kind: "rewrite";
  id: JobId;
  query: string;
  /** What the question itself found, best first. */
  found: { date: string; text: string }[];
}

export interface RewriteResult {
  kind: "rewrite";
  id: JobId;
  /** Empty where what was found suffices. */
  queries: string[];
}

/** A conversation that is about to leave the agent's sight. */
export interface ObservationsJob {
  kind: "observations";
  id: JobId;
  user?: string;
  utterances: Utterance[];
}

export interface ObservationsResult {
  kind: "observations";
  id: JobId;
  /** What is worth remembering, one thing each. */
  observations: string[];
}

/** Observations that are to stand alone. */
export interface AbsolutiseJob {
  kind: "absolutise";
  id: JobId;
  user?: string;
  /** Who is meant by "I" and "the user": `Lin Yue(u-17)`; absent where nobody knows. */
  speaker?: string;
  /** When they were made: local `YYYY-MM-DD` and `HH:MM`. */
  day: Day;
  clock: string;
  texts: {
    text: string;
    /** The last answer to it, and what was wrong with that. */
    tried?: string;
    problem?: string;
  }[];
  /** The message that they are about; empty where there is none. */
  source: string;
  /** What was said before, oldest first. */
  recent: Utterance[];
}

export interface AbsolutiseResult {
  kind: "absolutise";
  id: JobId;
  /** `builtin`, or the model's name. */
  by: string;
  /** One for each, in order; empty where there is none. */
  texts: string[];
}

/** A conversation, or a part of a document, of which nobody said what is worth keeping. */
export interface ExtractJob {
  kind: "extract";
  id: JobId;
  /** Who pays. */
  user?: string;
  of: "conversation" | "document";
  wants: FindingKind[];
  /** Who is meant by "I": `Lin Yue(u-17)`; absent where nobody knows. */
  speaker?: string;
  /** Local day on which it ended, or on which the document was added. */
  day: Day;
  /** What was looked at before: only episodes and foresights are of it too. */
  earlier: Utterance[];
  /** What is new; of a document one, whose name is the document's. */
  utterances: Utterance[];
}

export interface ExtractResult {
  kind: "extract";
  id: JobId;
  /** `builtin`, or the model's name. */
  by: string;
  findings: Finding[];
}

/** Two remembered things that are alike. */
export interface CompareJob {
  kind: "compare";
  id: JobId;
  user?: string;
  pairs: { older: DatedText; newer: DatedText }[];
}

export interface CompareResult {
  kind: "compare";
  id: JobId;
  /** `builtin`, or the model's name. */
  by: string;
  /** One for each pair, in order. */
  verdicts: Verdict[];
}

/** A profile and what was newly observed. */
export interface ProfileJob {
  kind: "profile";
  id: JobId;
  /** Who pays. */
  user?: string;
  entity: "user" | "group";
  /** The user's or the group's id. */
  target: string;
  name?: string;
  /** As the newest observations name them, where that is another name. */
  called?: string;
  tags: string[];
  /** As they stand. */
  bullets: string[];
  /** Oldest first. */
  events: { date: string; text: string }[];
}

export interface ProfileResult {
  kind: "profile";
  id: JobId;
  /** `builtin`, or the model's name. */
  by: string;
  name?: string;
  tags: string[];
  /** All that are to stand; none where nothing changes. */
  bullets: string[];
}

/** A conversation that is to be put into topics. */
export interface TopicSplitJob {
  kind: "topic_split";
  id: JobId;
  /** Who pays. */
  user?: string;
  utterances: Utterance[];
  topics: StandingTopic[];
  /** No topic is to get larger than this. */
  mostTokens: number;
}

/** A topic as it stands, for whoever sorts messages into it. */
export interface StandingTopic {
  id: TopicId;
  name: string;
  brief: string;
  tokens: number;
  /** What was said in it, each stretch one text, the newest last; not all where there is much. */
  stretches: string[];
}

export interface TopicSplitResult {
  kind: "topic_split";
  id: JobId;
  /** `builtin`, or the model's name. */
  by: string;
  groups: TopicGroup[];
}

export interface TopicGroup {
  /** Absent for one that begins. */
  topic?: TopicId;
  /** Of one that begins. */
  name: string;
  /** Indexes of utterances, in stretches that are about one thing each. */
  stretches: number[][];
}

/** What a topic is about, to be told in short. */
export interface TopicBriefJob {
  kind: "topic_brief";
  id: JobId;
  /** Who pays. */
  user?: string;
  name: string;
  /** As it stands. */
  previous?: string;
  utterances: Utterance[];
}

export interface TopicBriefResult {
  kind: "topic_brief";
  id: JobId;
  by: string;
  text: string;
  /** Indexes of the utterances that it rests on. */
  refs: number[];
}

/** What each topic knows that matters for what is said now. */
export interface TopicWindowsJob {
  kind: "topic_windows";
  id: JobId;
  user?: string;
  /** What is said now, oldest first: in no topic yet, and then what waits. */
  recent: Utterance[];
  topics: { id: TopicId; name: string; utterances: Utterance[] }[];
  /** So many are asked at once. */
  parallel: number;
  /** Whoever has not answered by then is late. */
  deadlineMs: number;
  /** Of one question. */
  windowTokens: number;
  /** Of all of them; the last ones are not asked. */
  turnTokens: number;
}

export interface TopicWindowsResult {
  kind: "topic_windows";
  id: JobId;
  by: string;
  windows: TopicWindow[];
}

/** `failed`: why nothing is known. */
export type TopicWindow = { id: TopicId } & (
  { relevance: number; refs: number[]; summary: string } | { failed: string }
);

/** Which topics may know what is looked for. */
export interface TopicIndexJob {
  kind: "topic_index";
  id: JobId;
  user?: string;
  query: string;
  topics: { id: TopicId; name: string; brief: string; dates: string }[];
}

export interface TopicIndexResult {
  kind: "topic_index";
  id: JobId;
  by: string;
  /** Best first. */
  found: { id: TopicId; level: "high" | "medium" | "low" }[];
}

/** Which topics are one, and which were a passing matter. */
export interface TopicReviewJob {
  kind: "topic_review";
  id: JobId;
  user?: string;
  topics: (StandingTopic & { dates: string })[];
}

export interface TopicReviewResult {
  kind: "topic_review";
  id: JobId;
  by: string;
  /** Each into the first. */
  merges: TopicId[][];
  archive: TopicId[];
}

export type TopicJob = TopicSplitJob | TopicBriefJob | TopicWindowsJob | TopicIndexJob | TopicReviewJob;
export type TopicResult =
  TopicSplitResult | TopicBriefResult | TopicWindowsResult | TopicIndexResult | TopicReviewResult;

export type Job =
  | TopicJob
  | AbsolutiseJob
  | CompareJob
  | ExtractJob
  | ProfileJob
  | ObservationsJob
  | SummaryJob
  | EmbeddingJob
  | RerankJob
  | RewriteJob;
export type JobResult =
  | TopicResult
  | AbsolutiseResult
  | CompareResult
  | ExtractResult
  | ProfileResult
  | ObservationsResult
  | SummaryResult
  | EmbeddingResult
  | RerankResult
  | RewriteResult;
/** What a job of this kind brings. */
export type ResultOf<J extends Job> = Extract<JobResult, { kind: J["kind"] }>;

/** What one model call cost; a line of `logs/usage.jsonl`. */
export interface UsageRecord {
  at: string;
  role: "summary" | "historian" | "topic" | "strong" | "embedding" | "rerank";
  /** `day_summary`, `month_summary`, … */
  feature: string;
  user?: string;
  model: string;
  tokensIn: number;
  tokensOut: number;
  tokensCached: number;
  ms: number;
  outcome: "ok" | "empty" | "invalid" | "timeout" | "rate_limited" | "unavailable" | "failed";
}

/**
 * How a job ended. `unavailable` (endpoint down, 429, 5xx, budget spent) says
 * nothing about the job itself; `failed` is its own fault: unusable output,
 * a worker that died, a request refused.
 */
export type JobOutcome<Result extends JobResult = SummaryResult> =
  | { to: "done"; result: Result; usage: UsageRecord[] }
  | { to: "unavailable"; reason: string; retryAfterMs?: number; usage: UsageRecord[] }
  | { to: "failed"; reason: string; usage: UsageRecord[] };
