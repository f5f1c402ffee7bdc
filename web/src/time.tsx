/** Time: years and months of days, and a day as the conversation that it was, its summary beside it. */
import { useState } from "preact/hooks";
import type { AnswerOf } from "./api.js";
import { Answered, SourcePlace } from "./parts.js";
import { linkTo, route } from "./route.js";
import { useAsk } from "./use-ask.js";
import { w } from "./words.js";

type Source = AnswerOf<"listSources">["sources"][number];

export function Time() {
  const asked = useAsk("listSources", { limit: 1000 });
  const day = route.value.params.get("day") ?? undefined;
  return (
    <>
      <h1>{w("time")}</h1>
      <Answered asked={asked} of={({ sources }) => <Days sources={sources} day={day} />} />
    </>
  );
}

function Days({ sources, day }: { sources: readonly Source[]; day: string | undefined }) {
  const days = [
    ...new Set(sources.flatMap(({ kind, date }) => (kind === "day" && date !== undefined ? [date] : []))),
  ].sort();
  const shown = day ?? days.at(-1);
  const months = new Map<string, string[]>();
  for (const one of days) months.set(one.slice(0, 7), [...(months.get(one.slice(0, 7)) ?? []), one]);
  const at = shown === undefined ? -1 : days.indexOf(shown);
  const of = (kind: Source["kind"]): Source[] =>
    sources.filter(
      (source) =>
        source.kind === kind &&
        (source.date === shown || (kind === "summary" && source.date === shown?.slice(0, 7))),
    );
  return (
    <>
      <nav aria-label={w("years")} class="strip">
        {[...months].reverse().map(([month, within]) => (
          <section key={month} aria-label={month}>
            <h2>{month}</h2>
            <ul>
              {within.map((one) => (
                <li key={one}>
                  <a href={linkTo("time", { day: one })} aria-current={one === shown ? "date" : undefined}>
                    {one.slice(8)}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      {shown === undefined ? (
        <p class="quiet">{w("nothing")}</p>
      ) : (
        <section aria-label={shown}>
          <h2>{shown}</h2>
          <p class="row">
            {at > 0 && (
              <a rel="prev" href={linkTo("time", { day: days[at - 1] })}>
                ← {days[at - 1]}
              </a>
            )}
            {at >= 0 && at < days.length - 1 && (
              <a rel="next" href={linkTo("time", { day: days[at + 1] })}>
                {days[at + 1]} →
              </a>
            )}
          </p>
          <div class="beside">
            <div>
              <h3>{w("conversation")}</h3>
              {of("day").map(({ path }) => (
                <Read key={path} path={path} />
              ))}
            </div>
            <aside aria-label={w("summary")}>
              <h3>{w("summary")}</h3>
              {of("summary").map(({ path }) => (
                <Read key={path} path={path} />
              ))}
            </aside>
          </div>
        </section>
      )}
    </>
  );
}

interface ReadProps {
  path: string;
  from?: number;
  /** Characters of the first part that were read before. */
  offset?: number;
  line?: number | undefined;
}

/** A source from where it begins, and on as far as somebody asks for more of it. */
function Read({ path, from = 1, offset = 0, line }: ReadProps) {
  const asked = useAsk("readSource", { path, from, ...(offset > 0 && { offset }) });
  const [more, setMore] = useState(false);
  return (
    <Answered
      asked={asked}
      of={({ parts, next }) => (
        <>
          <ol class="said">
            {parts.map(({ id, speaker, role, text, at, source, lines }) => (
              <li
                key={id}
                class={`item ${role ?? ""}`}
                tabIndex={-1}
                aria-current={line !== undefined && lines[0] <= line && line <= lines[1] ? "true" : undefined}
              >
                <p class="quiet">
                  {(speaker ?? role) !== undefined && <strong>{speaker ?? role}</strong>}{" "}
                  <time dateTime={at}>{at.slice(0, 16).replace("T", " ")}</time>{" "}
                  <SourcePlace source={source} />
                </p>
                <p>
                  <bdi class="text" dir="auto">
                    {text}
                  </bdi>
                </p>
              </li>
            ))}
          </ol>
          {next !== undefined &&
            (more ? (
              <Read path={path} from={next.from} offset={next.offset} line={line} />
            ) : (
              <button type="button" onClick={() => setMore(true)}>
                {w("more")}
              </button>
            ))}
        </>
      )}
    />
  );
}

/** One file, where a link leads to. */
export function SourceView() {
  const { params } = route.value;
  const path = params.get("path") ?? "";
  const line = Number(params.get("line") ?? 0);
  return (
    <>
      <h1 class="path">
        <bdi>{path}</bdi>
      </h1>
      <Read key={path} path={path} from={Math.max(1, line - 20)} line={line === 0 ? undefined : line} />
    </>
  );
}
