/** What happened to topics, as lines of the log. What was said is never in it. */
import type { ScopeId } from "../model/address.js";
import type { TopicEvent } from "../model/topic.js";
import type { Log } from "../platform/log.js";

/** `by`: `builtin`, a model's name, or empty for a person and for turns. */
export function tellTopicEvents(log: Log, scope: ScopeId, events: readonly TopicEvent[], by = ""): void {
  for (const { event, ...fields } of events.flatMap((each) => toldOf(each, by) ?? []))
    log.write({ level: "info", event, scope, ...fields });
}

/** Undefined for what is not told. */
function toldOf(event: TopicEvent, by: string): ({ event: string } & Record<string, unknown>) | undefined {
  switch (event.is) {
    case "split": {
      const messages = [...event.made, ...event.filled].reduce((sum, { ids }) => sum + ids.length, 0);
      return { event: "topic_split", messages, made: event.made.length, filled: event.filled.length, by };
    }
    case "divided":
      return { event: "topic_split", topic: event.topic, made: event.into.length, by };
    case "scored":
      return { event: "topic_scored", topics: event.scores.length };
    case "woken":
      return { event: "topic_activated", topics: event.topics };
    case "slept":
      return { event: "topic_slept", topics: event.topics };
    case "archived":
      return { event: "topic_archived", topics: event.topics };
    case "merged":
      return { event: "topic_merged", topics: event.topics, into: event.into };
    case "forgot":
    case "reviewed":
    case "standing":
      return undefined;
    default:
      return event satisfies never;
  }
}
