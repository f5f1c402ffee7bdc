/** What happened to topics, as lines of the log. What was said is never in it. */
import type { ScopeId } from "../model/address.js";
import type { TopicEvent } from "../model/topic.js";
import type { Log } from "../platform/log.js";

/** `by`: `builtin`, a model's name, or empty for a person and for turns. */
export function tellTopicEvents(log: Log, scope: ScopeId, events: readonly TopicEvent[], by = ""): void {
  for (const event of events) {
    switch (event.is) {
      case "split": {
        const messages = [...event.made, ...event.filled].reduce((sum, { ids }) => sum + ids.length, 0);
        const [made, filled] = [event.made.length, event.filled.length];
        log.write({ level: "info", event: "topic_split", scope, messages, made, filled, by });
        break;
      }
      case "divided":
        log.write({
          level: "info",
          event: "topic_split",
          scope,
          topic: event.topic,
          made: event.into.length,
          by,
        });
        break;
      case "scored":
        log.write({ level: "info", event: "topic_scored", scope, topics: event.scores.length });
        break;
      case "woken":
        log.write({ level: "info", event: "topic_activated", scope, topics: event.topics });
        break;
      case "slept":
        log.write({ level: "info", event: "topic_slept", scope, topics: event.topics });
        break;
      case "archived":
        log.write({ level: "info", event: "topic_archived", scope, topics: event.topics });
        break;
      case "merged":
        log.write({ level: "info", event: "topic_merged", scope, topics: event.topics, into: event.into });
        break;
      case "forgot":
      case "reviewed":
      case "standing":
        break;
      default:
        return event satisfies never;
    }
  }
}
