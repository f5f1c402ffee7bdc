/** Briefs that do not say all that their topics hold, and how they come to. */
import { defined } from "../model/defined.js";
import type { MessageId } from "../model/message.js";
import type { Topic } from "../model/topic.js";
import { isCurrent, spansOf } from "./briefs.js";
import type { TopicSet } from "./set.js";
import { nameFor } from "./text-of.js";

/** Topics whose briefs do not know all of their messages, or that have none. */
export function owedBriefs(set: TopicSet): Topic[] {
  return set.present().filter((topic) => {
    const brief = set.briefs.known(set.fileOf(topic));
    return brief === undefined || !isCurrent(brief, topic);
  });
}

export async function writeBrief(
  set: TopicSet,
  topic: Topic,
  text: string,
  refs: readonly MessageId[],
): Promise<void> {
  const { zone } = set.parts;
  const messages = set.store.messagesOf(topic.id);
  const file = set.fileOf(topic);
  const name = topic.name === "" ? nameFor(messages, zone) : undefined;
  await set.briefs.write(file, topic, defined({ name, text, refs, spans: spansOf(messages, zone) }));
  await set.briefs.read(file);
}
