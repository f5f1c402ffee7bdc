/** Search, as one looks into it: what was found on which day, by whom, and what made its score. */
import { useState } from "preact/hooks";
import { Answered, dayOf, type Hit, Place, timeOf } from "./parts.js";
import { linkTo, route } from "./route.js";
import { Chosen, fieldsOf, Form, givenIn } from "./search-form.js";
import { Marked } from "./text.js";
import { useAsk } from "./use-ask.js";
import { w } from "./words.js";

/** Of what came just behind so many are told, by their beginnings. */
const NEAR_MISSES = 5;
const MISSED_CHARS = 160;
/** So many are shown, and twice as many whenever somebody asks for more. */
const SHOWN = 10;
const MOST_SHOWN = 100;

export function Search() {
  const { params } = route.value;
  const query = params.get("q") ?? "";
  const given = givenIn(params);
  const shown = Math.min(Number(params.get("shown")) || SHOWN, MOST_SHOWN);
  const isAsked = query.trim() !== "";
  const asked = useAsk(
    "searchMemories",
    isAsked
      ? { query, limit: shown + NEAR_MISSES, marks: true, answers: true, ...fieldsOf(given) }
      : undefined,
  );
  // What was chosen may be why it is not found.
  const without = useAsk(
    "searchMemories",
    isAsked && given.size > 0 ? { query, limit: shown + NEAR_MISSES, marks: true } : undefined,
  );
  return (
    <>
      <h1>{w("search")}</h1>
      <Form query={query} given={given} />
      <Chosen params={params} given={given} />
      <Answered
        asked={asked}
        of={({ hits, warnings, advice }) => {
          const seen = new Set(hits.map(({ passage }) => passage.id));
          const leftOut = without.answer?.hits.filter(({ passage }) => !seen.has(passage.id)) ?? [];
          return (
            <>
              <Hits
                hits={hits.slice(0, shown)}
                remarks={[...warnings, ...(advice === undefined ? [] : [advice])]}
              />
              {hits.length > shown && shown < MOST_SHOWN && (
                <a
                  href={linkTo("search", {
                    ...Object.fromEntries(params),
                    shown: String(Math.min(MOST_SHOWN, 2 * shown)),
                  })}
                >
                  {w("more")}
                </a>
              )}
              <Missed name={w("nearMisses")} hits={hits.slice(shown)} />
              {given.size > 0 && <Missed name={w("leftOutByChoice")} hits={leftOut.slice(0, NEAR_MISSES)} />}
            </>
          );
        }}
      />
    </>
  );
}

/** A line for each, with what they were short of. */
function Missed({ name, hits }: { name: string; hits: readonly Hit[] }) {
  if (hits.length === 0) return null;
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <ul class="hits">
        {hits.map(({ passage: { id, path, lines, day, speaker, role, kind, text }, score }) => (
          <li key={id} class="item" tabIndex={-1}>
            <span class="quiet">
              {score.toFixed(3)} · {day} · {speaker ?? role ?? kind} · <Place path={path} line={lines[0]} />
            </span>{" "}
            <bdi dir="auto">{text.slice(0, MISSED_CHARS)}</bdi>
          </li>
        ))}
      </ul>
    </section>
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
  const { speaker, role, saidAt, path, lines, kind, text, scope, session } = passage;
  const [isOpen, setOpen] = useState(false);
  return (
    <article class="item hit" tabIndex={-1}>
      <p class="quiet">
        <strong>{speaker ?? role ?? kind}</strong> {role !== undefined && timeOf(saidAt)}{" "}
        <Place path={path} line={lines[0]} />{" "}
        {session !== undefined && (
          <a
            href={linkTo("search", {
              ...Object.fromEntries(route.value.params),
              scope,
              session,
            })}
          >
            {w("onlyThere")}
          </a>
        )}
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
