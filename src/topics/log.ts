/** What happened to topics, as lines of the log. What was said is never in it. */
import type { ScopeId } from "../model/address.js";
import type { TopicEvent } from "../model/topic.js";
import type { Log } from "../platform/log.js";

/** `by`: `builtin`, a model's name, or empty for a person and for turns. */
export function tellTopicEvents(log: Log, scope: ScopeId, events: readonly TopicEvent[], by = ""): void {
  for (const event of events) {
    const [name, told] = lineOf(event, by);
    if (name !== undefined) log.write({ level: "info", event: name, scope, ...told });
  }
}

/** Without a name for what is not told. */
function lineOf(event: TopicEvent, by: string): [name?: string, told?: object] {
  switch (event.is) {
    case "split": {
      const messages = [...event.made, ...event.filled].reduce((sum, { ids }) => sum + ids.length, 0);
      return ["topic_split", { messages, made: event.made.length, filled: event.filled.length, by }];
    }
    case "divided":
      return ["topic_split", { topic: event.topic, made: event.into.length, by }];
    case "scored":
      return ["topic_scored", { topics: event.scores.length }];
    case "woken":
      return ["topic_activated", { topics: event.topics }];
    case "slept":
      return ["topic_slept", { topics: event.topics }];
    case "archived":
      return ["topic_archived", { topics: event.topics }];
    case "merged":
      return ["topic_merged", { topics: event.topics, into: event.into }];
    case "forgot":
    case "reviewed":
    case "standing":
      return [];
    default:
      return event satisfies never;
  }
}
