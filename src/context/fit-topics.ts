/**
 * The Topics section: of each topic that has to do with what is said now, what
 * it is about, where its file is, the messages that matter word for word, and
 * what a model says of the rest. Most relevant first.
 *
 * What no longer fits is left out from the end: whole topics, and of the last
 * one its oldest messages.
 */
import type { MessageId } from "../model/message.js";
import type { Zone } from "../model/time.js";
import { cutText } from "../text/cut.js";
import { estimateTokens } from "../text/tokens.js";
import { entriesOf, renderEntry, type RenderedEntry } from "./entries.js";
import { costOfLines, counted } from "./fit.js";
import type { FittedMessages } from "./fit-history.js";
import type { TopicShown } from "./inputs.js";
import { plain, said, shortLine } from "./quote.js";

/** As in the History section. */
const MESSAGE_CHARS = 500;
const BRIEF_CHARS = 1200;
const SUMMARY_CHARS = 2000;

/** `beside`: messages that other sections show. */
export function fitTopics(
  topics: readonly TopicShown[],
  zone: Zone,
  budgetTokens: number,
  beside: ReadonlySet<MessageId>,
): FittedMessages {
  const shown: RenderedEntry[] = [];
  const texts: string[] = [];
  let left = budgetTokens;
  let cutMessages = 0;
  for (const topic of topics) {
    const messages = topic.messages.filter(({ message }) => !beside.has(message.id));
    const entries = entriesOf(messages, zone, MESSAGE_CHARS).map(withIds);
    const frame = frameOf(topic);
    const room = left - costOfLines([...frame.above, ...frame.below]);
    if (room < 0) break;
    const kept = newestWithin(entries, room);
    cutMessages += entries.length - kept.length;
    shown.push(...kept);
    const text = [...frame.above, ...kept.map((entry) => entry.text), ...frame.below].join("\n");
    texts.push(text);
    left -= estimateTokens(text) + 1;
  }
  const leftOut = topics.length - texts.length;
  return {
    shown,
    body: texts.join("\n\n"),
    cuts: [
      ...(leftOut > 0 ? [`${counted(leftOut, "topic")} not shown`] : []),
      ...(cutMessages > 0 ? [`${counted(cutMessages, "message")} of topics not shown`] : []),
    ],
    warnings:
      texts.length === 0 && topics.length > 0 ? ["topics.window_tokens is too small for any topic."] : [],
  };
}

function frameOf({ name, file, brief, summary }: TopicShown): { above: string[]; below: string[] } {
  const about = cutText(plain(brief), BRIEF_CHARS);
  const told = cutText(plain(summary), SUMMARY_CHARS);
  return {
    above: [`### ${shortLine(name)} (${file})`, ...(about === "" ? [] : [said("About", about)])],
    below: told === "" ? [] : [said("Also", told)],
  };
}

function withIds(entry: ReturnType<typeof entriesOf>[number]): RenderedEntry {
  const rendered = renderEntry(entry);
  return { ...rendered, text: `[${rendered.ids.map(shortLine).join(", ")}] ${rendered.text}` };
}

function newestWithin(entries: readonly RenderedEntry[], budgetTokens: number): RenderedEntry[] {
  let left = budgetTokens;
  const at = entries.findLastIndex(({ text }) => (left -= costOfLines([text])) < 0);
  return entries.slice(at + 1);
}
