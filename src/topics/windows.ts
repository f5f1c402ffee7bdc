/** What is said now in a conversation, and the windows of topics asked what they know that matters for it, all in one job. */
import { jobIdOf, type ModelWorkParts } from "../llm/job-context.js";
import type { TopicWindowsJob } from "../llm/jobs/topic-windows.js";
import type { Pool } from "../llm/pool.js";
import { type Address, inConversation, type Lists } from "../model/address.js";
import { defined } from "../model/collections.js";
import { type FiledMessage, type MessageId, utteranceOf } from "../model/message.js";
import { SECOND_MS } from "../model/time.js";
import type { TopicId } from "../model/topic.js";
import { termsOf } from "../text/terms.js";
import type { Relevance } from "./relevance.js";
import type { TopicSet } from "./set.js";
import type { TopicStore } from "./store.js";

export interface AskingParts extends ModelWorkParts {
  /** For what a turn waits for. */
  recallPool: Pool;
}

/** The prompt's deadline is that of the answer's way into it too. */
const WINDOW_SHARE = 0.85;

/** What windows said. */
export interface WindowsAnswer {
  relevance: Map<TopicId, Relevance>;
  /** What the questions took of the turn's tokens. */
  tokens: number;
  /** Why one of them, or all, said nothing. */
  failed?: string;
}

/** `recent`: what is said now; `turnTokens`: what is left of the turn's. Nothing is told of a window that failed or was late. */
export async function askTopicWindows(
  { recallPool, settings, zone, onUsage }: AskingParts,
  set: TopicSet,
  recent: readonly FiledMessage[],
  ids: readonly TopicId[],
  turnTokens: number,
): Promise<WindowsAnswer> {
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
    turnTokens,
  };
  const { user } = set.of;
  const job: TopicWindowsJob = { kind: "topic_windows", id: jobIdOf(about), ...defined({ user }), ...about };
  const outcome = await recallPool.run(job);
  onUsage(outcome.usage);
  const relevance = new Map<TopicId, Relevance>();
  if (outcome.to !== "done") return { relevance, tokens: 0, failed: outcome.reason };
  let failed: string | undefined;
  for (const window of outcome.result.windows) {
    const held = messages.get(window.id);
    if (held === undefined) continue;
    const { id: topic } = window;
    // What words found for one that failed or was late stands.
    if ("failed" in window) failed ??= window.failed;
    else {
      const refs = window.refs.flatMap((index) => held[index]?.message.id ?? []);
      relevance.set(topic, { score: window.relevance, refs, summary: window.summary });
    }
  }
  return { relevance, tokens: outcome.result.tokens, ...defined({ failed }) };
}

/** Where hardly anything is said now, what was said before tells what it is about. */
const FEW_TERMS = 4;
const SAID_CHARS = 4000;
const RECENT_BEFORE = 2;

interface NextInput {
  /** What waits, else what a person said last: whoever hands it over how is one turn. */
  newest: FiledMessage;
  waits: boolean;
  words: string;
  /** What they go on from, where they are few. */
  before: string;
}

export function askedIn(viewer: Address, lists: Lists): NextInput | undefined {
  const mine = (filed: FiledMessage): boolean => inConversation(viewer, filed);
  const [waiting, history] = [lists.inbox.filter(mine), lists.history.filter(mine)];
  const newest = waiting.at(-1) ?? history.findLast(({ message }) => message.role === "user");
  if (newest === undefined) return undefined;
  const waits = waiting.length > 0;
  const words = wordsOf(waits ? waiting : [newest]);
  const before = history.filter((filed) => filed !== newest).slice(-RECENT_BEFORE);
  return { newest, waits, words, before: termsOf(words).length < FEW_TERMS ? wordsOf(before) : "" };
}

/** What stands in no topic, and the last that was said, of the viewer's conversation, oldest first. */
export function recentOf(
  store: TopicStore,
  viewer: Address,
  lists: Lists,
  kept: number,
  idOf: (filed: FiledMessage) => MessageId,
): FiledMessage[] {
  const said = lists.history.filter((filed) => inConversation(viewer, filed));
  const listed = new Set([...said, ...lists.inbox].map(idOf));
  const unsplit = store.unsplit.filter((filed) => inConversation(viewer, filed));
  const older = unsplit.filter(({ message }) => !listed.has(message.id));
  const stays = new Set(said.slice(-kept));
  return [...older, ...said.filter((filed) => stays.has(filed) || store.holderOf(idOf(filed)) === undefined)];
}

/** Tool records say much and ask nothing; private messages ask nobody. */
function wordsOf(messages: readonly FiledMessage[]): string {
  return messages
    .filter(({ message }) => message.private !== true && message.role !== "tool")
    .map(({ message }) => message.text.slice(0, SAID_CHARS))
    .join("\n");
}
