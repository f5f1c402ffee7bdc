/** Search, as one looks into it: what was found on which day, by whom, and what made its score. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Answered, dayOf, type Hit, Place, timeOf } from "./parts.js";
import { go, linkTo, route } from "./route.js";
import { Marked } from "./text.js";
import { useAsk } from "./use-ask.js";
import { w } from "./words.js";

const MODES = ["hybrid", "keyword", "vector"] as const;
/** Of letters that come faster than this the last is asked for. */
const TYPED_MS = 15;
/** So many are shown, and twice as many whenever somebody asks for more. */
const SHOWN = 10;
const MOST_SHOWN = 100;

export function Search() {
  const { params } = route.value;
  const [query, from, to, method, asOf] = ["q", "from", "to", "by", "as_of"].map(
    (name) => params.get(name) ?? "",
  );
  const shown = Math.min(Number(params.get("shown")) || SHOWN, MOST_SHOWN);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), []);
  // What is being typed is not written over by what was typed a moment ago.
  useEffect(() => {
    if (box.current !== null && document.activeElement !== box.current) box.current.value = query ?? "";
  }, [query]);
  const asked = useAsk(
    "searchMemories",
    (query ?? "").trim() === ""
      ? undefined
      : {
          query: query ?? "",
          limit: shown,
          marks: true,
          answers: true,
          ...(from !== "" && { time_from: from }),
          ...(to !== "" && { time_to: to }),
          ...(asOf !== "" && { as_of: asOf }),
          ...(method !== "" && { method: method as (typeof MODES)[number] }),
        },
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const read = (form: HTMLFormElement): void => {
    const given = Object.fromEntries(new FormData(form)) as Record<string, string>;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => go(linkTo("search", given), true), TYPED_MS);
  };
  return (
    <>
      <h1>{w("search")}</h1>
      <form
        role="search"
        class="search"
        onInput={(event) => {
          if (!event.isComposing) read(event.currentTarget);
        }}
        onCompositionEnd={(event) => read(event.currentTarget)}
        onSubmit={(event) => {
          event.preventDefault();
          read(event.currentTarget);
        }}
      >
        <input
          id="query"
          ref={box}
          type="search"
          name="q"
          defaultValue={query ?? ""}
          aria-label={w("lookFor")}
          autoComplete="off"
        />
        <label>
          {w("from")} <input type="date" name="from" value={from} />
        </label>
        <label>
          {w("to")} <input type="date" name="to" value={to} />
        </label>
        <label>
          {w("asOf")} <input type="date" name="as_of" value={asOf} />
        </label>
        <label>
          {w("by")}{" "}
          <select name="by" value={method}>
            <option value="">—</option>
            {MODES.map((mode) => (
              <option key={mode}>{mode}</option>
            ))}
          </select>
        </label>
      </form>
      <Answered
        asked={asked}
        of={({ hits, warnings, advice }) => (
          <>
            <Hits hits={hits} remarks={[...warnings, ...(advice === undefined ? [] : [advice])]} />
            {hits.length >= shown && shown < MOST_SHOWN && (
              <a
                href={linkTo("search", {
                  ...Object.fromEntries(params),
                  shown: String(Math.min(MOST_SHOWN, 2 * shown)),
                })}
              >
                {w("more")}
              </a>
            )}
          </>
        )}
      />
    </>
  );
}

function Hits({ hits, remarks }: { hits: readonly Hit[]; remarks: readonly string[] }) {
  const days = new Map<string, Hit[]>();
  for (const hit of hits) days.set(hit.passage.day, [...(days.get(hit.passage.day) ?? []), hit]);
  const best = Math.max(...hits.map(({ score }) => score), 0.001);
  return (
    <>
      <p role="status" class="quiet">
        {hits.length === 0 ? w("noHits") : `${hits.length} ${w("hits")}`}
      </p>
      {remarks.map((remark) => (
        <p key={remark} class="note">
          {remark}
        </p>
      ))}
      {[...days].map(([day, of]) => (
        <section key={day} aria-label={day}>
          <h2>
            <a href={linkTo("time", { day })}>{day}</a>
          </h2>
          {of.map((hit) => (
            <HitOf key={hit.passage.id} hit={hit} best={best} />
          ))}
        </section>
      ))}
    </>
  );
}

function HitOf({
  hit: { passage, score, parts, overtaken, answers, marks },
  best,
}: {
  hit: Hit;
  best: number;
}) {
  const { speaker, role, saidAt, path, lines, kind, text } = passage;
  const [isOpen, setOpen] = useState(false);
  return (
    <article class="item hit" tabIndex={-1}>
      <p class="quiet">
        <strong>{speaker ?? role ?? kind}</strong> {role !== undefined && timeOf(saidAt)}{" "}
        <Place path={path} line={lines[0]} />
        {overtaken !== undefined && (
          <span class="why">
            {" "}
            {w("overtaken")} {dayOf(overtaken.on)}
          </span>
        )}
      </p>
      {answers !== undefined && (
        <blockquote>
          <span class="quiet">
            {answers.speaker} · {w("answers")}:
          </span>{" "}
          <bdi dir="auto">{answers.text}</bdi>
        </blockquote>
      )}
      <p>
        <Marked text={text} marks={marks} />
      </p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="quiet">
          <meter class="meter" min={0} max={best} value={score} aria-label={w("score")} /> {score.toFixed(3)}
        </summary>
        {isOpen && <Parts parts={parts} />}
      </details>
    </article>
  );
}

function Parts({ parts }: { parts: Readonly<Record<string, number>> }) {
  const told = Object.entries(parts).filter(([, value]) => value !== 0);
  const most = Math.max(...told.map(([, value]) => Math.abs(value)), 0.001);
  return (
    <table class="parts">
      <caption class="hidden">{w("score")}</caption>
      <tbody>
        {told.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <meter class="meter" min={0} max={most} value={Math.abs(value)} aria-label={name} />
            </td>
            <td>{value.toFixed(3)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
