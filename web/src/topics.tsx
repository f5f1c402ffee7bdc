/** Topics with their life: awake or asleep, and what they scored in the last turns. */
import { useState } from "preact/hooks";
import { ask, type AnswerOf } from "./api.js";
import { EditText } from "./edit.js";
import { Answered, count, SourcePlace } from "./parts.js";
import { useAsk } from "./use-ask.js";
import { w } from "./words.js";

/** So many turns are kept of each. */
const TURNS = 5;

export function Topics() {
  const asked = useAsk("listTopics", { all: true });
  return (
    <Answered
      asked={asked}
      of={({ topics }) =>
        topics.length === 0 ? (
          <p class="quiet">{w("nothing")}</p>
        ) : (
          <ul class="hits">
            {topics.map((topic) => (
              <TopicOf key={topic.id} topic={topic} changed={asked.again} />
            ))}
          </ul>
        )
      }
    />
  );
}

type Topic = AnswerOf<"listTopics">["topics"][number];

function TopicOf({ topic, changed }: { topic: Topic; changed: () => void }) {
  const { id, name, state, dates, messages, scores, file } = topic;
  const [isEdited, setEdited] = useState(false);
  return (
    <li class="item" tabIndex={-1}>
      <Turns scores={scores} />
      {isEdited ? (
        <EditText
          name={name}
          shown={name}
          rows={1}
          save={(mine, shown) => ask("renameTopic", { topic: id, name: mine, shown })}
          standing={async () => {
            const { topics } = await ask("listTopics", { all: true });
            return topics.find((one) => one.id === id)?.name;
          }}
          done={() => {
            setEdited(false);
            changed();
          }}
        />
      ) : (
        <>
          <strong>
            <bdi>{name}</bdi>
          </strong>{" "}
          <button type="button" onClick={() => setEdited(true)} aria-label={`${w("hands")}: ${name}`}>
            {w("hands")}
          </button>
        </>
      )}{" "}
      <span class="quiet">
        {w(state)} · {dates} · {count(messages)} {w("messages")} · <SourcePlace source={file} />
      </span>
    </li>
  );
}

/** How much it was about what was said in each of the last turns, the newest at the right. */
function Turns({ scores }: { scores: readonly number[] }) {
  const oldestFirst = scores.toReversed();
  return (
    <svg
      class="turns"
      viewBox={`0 0 ${TURNS * 10} 20`}
      role="img"
      aria-label={`${w("turns")}: ${oldestFirst.map((score) => score.toFixed(2)).join(", ") || "—"}`}
    >
      {oldestFirst.map((score, at) => (
        <rect
          key={at}
          x={(TURNS - oldestFirst.length + at) * 10 + 1}
          y={19 - 18 * score}
          width="8"
          height={1 + 18 * score}
        />
      ))}
    </svg>
  );
}
