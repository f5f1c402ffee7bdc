/**
 * The Topics section: of each topic that has to do with what is said now, what it is about, where its
 * file is, the messages that matter word for word, and what a model says of the rest; most relevant
 * first. Each may take half of the room that is left, the last one all of it. What no longer fits is
 * left out: of a topic the messages that matter least, and the topics at the end.
 */
import { addAll } from "../model/collections.js";
import type { MessageId } from "../model/message.js";
import type { Zone } from "../model/time.js";
import { cutText } from "../text/sentences.js";
import { estimateTokens } from "../text/tokens.js";
import { entriesOf, renderEntry, type RenderedEntry } from "./entries.js";
import { costOfLines, counted } from "./fit.js";
import type { FittedMessages } from "./fit-history.js";
import type { TopicsInput, TopicShown } from "../model/topic.js";
import { plain, said, shortLine } from "./quote.js";

const INTRO =
  'Parts of the conversation that have to do with what is said now, word for word; `[id]` names a message. The rest of each is in its file; another topic is brought back by `activate_topic` or `memd topics activate "words"`.';
const PERHAPS = "They say that they told it before; it may be one of these. Ask which:";

/** As in the History section. */
const MESSAGE_CHARS = 500;
const BRIEF_CHARS = 1200;
const SUMMARY_CHARS = 2000;

/** `beside`: messages that other sections show. */
export function fitTopics(
  { shown: topics, perhaps }: Pick<TopicsInput, "shown" | "perhaps">,
  zone: Zone,
  budgetTokens: number,
  beside: ReadonlySet<MessageId>,
): FittedMessages {
  const shown: RenderedEntry[] = [];
  const texts: string[] = [];
  const named = perhaps.map(({ name, dates, file }) => `- ${shortLine(name)} (${dates}; ${file})`);
  const asks = named.length === 0 ? [] : [[PERHAPS, ...named].join("\n")];
  let left = budgetTokens - costOfLines([INTRO, ...asks]) - 1;
  let cutMessages = 0;
  for (const [at, topic] of topics.entries()) {
    const frame = frameOf(topic);
    const frameTokens = costOfLines([...frame.above, ...frame.below]) + 1;
    if (frameTokens > left) break;
    const share = at === topics.length - 1 ? left : Math.max(frameTokens, left / 2);
    const messages = topic.messages.filter(({ message }) => !beside.has(message.id));
    const entries = entriesOf(messages, zone, MESSAGE_CHARS).map(withIds);
    const kept = bestWithin(entries, topic.best, share - frameTokens);
    cutMessages += entries.length - kept.length;
    addAll(shown, kept);
    const { above, below } = frameOf(topic, kept.map((entry) => entry.shown).join("\n"));
    const text = [...above, ...kept.map((entry) => entry.text), ...below].join("\n");
    texts.push(text);
    left -= estimateTokens(text) + 1;
  }
  const leftOut = topics.length - texts.length;
  const tooSmall = "topics.window_tokens is too small for any topic.";
  return {
    shown,
    body: texts.length + asks.length === 0 || left < 0 ? "" : [INTRO, ...texts, ...asks].join("\n\n"),
    cuts: [
      ...(leftOut > 0 ? [`${counted(leftOut, "topic")} not shown`] : []),
      ...(cutMessages > 0 ? [`${counted(cutMessages, "message")} of topics not shown`] : []),
    ],
    warnings: texts.length === 0 && topics.length > 0 ? [tooSmall] : [],
  };
}

/** `shown`: what stands below word for word need not be told above. */
function frameOf(
  { name, file, brief, summary }: TopicShown,
  shown = "",
): { above: string[]; below: string[] } {
  const lines = cutText(plain(brief), BRIEF_CHARS).split("\n");
  const about = lines.filter((line) => !isSaidIn(shown, line)).join("\n");
  const told = cutText(plain(summary), SUMMARY_CHARS);
  return {
    above: [`### ${shortLine(name)} (${file})`, ...(about === "" ? [] : [said("About", about)])],
    below: told === "" ? [] : [said("Also", told)],
  };
}

/** Shorter ones end too many sentences by chance. */
const LEAST_SAID_CHARS = 12;

/** A line of memd's own making: `- 2026-03-01 Lin: what was said`. */
function isSaidIn(shown: string, line: string): boolean {
  const [, text = ""] = /^- \d{4}-\d{2}-\d{2} (?:[^:：]{1,60}: )?(.+)$/u.exec(line) ?? [];
  return text.length >= LEAST_SAID_CHARS && shown.replace(/\s+/g, " ").includes(text);
}

function withIds(entry: ReturnType<typeof entriesOf>[number]): RenderedEntry {
  const rendered = renderEntry(entry);
  return { ...rendered, text: `[${rendered.ids.map(shortLine).join(", ")}] ${rendered.text}` };
}

/** In their order. */
function bestWithin(
  entries: readonly RenderedEntry[],
  best: readonly MessageId[],
  budgetTokens: number,
): RenderedEntry[] {
  const rankOf = ({ ids }: RenderedEntry): number =>
    Math.min(...ids.map((id) => best.indexOf(id)).filter((at) => at >= 0));
  let left = budgetTokens;
  const kept = new Set<RenderedEntry>();
  for (const entry of [...entries].sort((one, other) => rankOf(one) - rankOf(other))) {
    const cost = costOfLines([entry.text]);
    if (cost > left) continue;
    left -= cost;
    kept.add(entry);
  }
  return entries.filter((entry) => kept.has(entry));
}
