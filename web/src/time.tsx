/** Time: a year as the conversation that it was, day after day, the summaries beside it; and where one is in it. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { AnswerOf } from "./api.js";
import { Chain } from "./chain.js";
import { Heat, type Said } from "./heat.js";
import { held } from "./held.js";
import { changes } from "./live.js";
import { Answered, messagesOf } from "./parts.js";
import { go, linkTo, route } from "./route.js";
import { useAsk } from "./use-ask.js";
import { w } from "./words.js";

export function Time() {
  const asked = useAsk("listDays", {});
  changes.use(asked.again, (event) => event === "sources_changed");
  const { params } = route.value;
  const asOf = params.get("as_of") ?? "";
  return (
    <>
      <h1>{w("time")}</h1>
      <form class="row">
        <label>
          {w("asOf")}{" "}
          <input
            type="date"
            value={asOf}
            onInput={(event) => go(linkTo("time", { as_of: event.currentTarget.value }), true)}
          />
        </label>
        {asOf !== "" && <a href={linkTo("search", { as_of: asOf })}>{w("searchThen")}</a>}
      </form>
      <Answered
        asked={asked}
        of={(said) => <Year said={said} day={params.get("day") ?? undefined} asOf={asOf} />}
      />
    </>
  );
}

/** Of the window, from above: a little below where a day is held. */
const EDGE = 0.3;
/** What is read of it has come to rest for so long. */
const REST_MS = 150;

interface YearProps {
  said: AnswerOf<"listDays">;
  day: string | undefined;
  asOf: string;
}

function Year({ said, day, asOf }: YearProps) {
  const { days, months } = useMemo(() => knownOn(said, asOf), [said, asOf]);
  const shown = day ?? days.at(-1)?.date;
  const year = shown?.slice(0, 4) ?? "";
  const stream = useRef<HTMLDivElement>(null);
  /** The day that was scrolled to by hand, which needs no jump. */
  const read = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (shown === undefined || read.current === shown || stream.current === null) return undefined;
    read.current = shown;
    return held(stream.current, () => document.getElementById(`day-${shown}`));
  }, [shown]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const scrolled = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const seen = firstSeen(stream.current);
        if (seen === undefined || seen === read.current) return;
        read.current = seen;
        go(linkTo("time", { day: seen, as_of: asOf }), true);
      }, REST_MS);
    };
    addEventListener("scroll", scrolled, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener("scroll", scrolled);
    };
  }, [asOf]);
  // Hundreds of days: where they are the same nothing of them is looked at again.
  const all = useMemo(
    () =>
      days
        .filter(({ date }) => date.startsWith(year))
        .map((said, at, within) => (
          <DayOf
            key={said.date}
            said={said}
            month={
              within[at - 1]?.date.slice(0, 7) === said.date.slice(0, 7) ? undefined : monthOf(months, said)
            }
          />
        )),
    [days, months, year],
  );
  if (shown === undefined) return <p class="quiet">{w("nothing")}</p>;
  return (
    <>
      <Heat days={days} shown={shown} asOf={asOf} />
      <div ref={stream} class="stream">
        {all}
      </div>
    </>
  );
}

/** A month's summary tells of all of it: one that was not over is not known. */
function knownOn({ days, months }: AnswerOf<"listDays">, asOf: string): AnswerOf<"listDays"> {
  if (asOf === "") return { days, months };
  return {
    days: days.filter(({ date }) => date <= asOf),
    months: months.filter(({ date }) => date < asOf.slice(0, 7)),
  };
}

function monthOf(months: readonly Said[], { date }: Said): Said | undefined {
  return months.find((month) => month.date === date.slice(0, 7) && month.summaries.length > 0);
}

/** The day at the upper edge, below what stays there. */
function firstSeen(stream: HTMLElement | null): string | undefined {
  const edge = innerHeight * EDGE;
  const sections = [...(stream?.querySelectorAll<HTMLElement>("section[data-day]") ?? [])];
  // They stand one below the other.
  let [low, high] = [0, sections.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sections[middle]?.getBoundingClientRect().bottom ?? 0) < edge) low = middle + 1;
    else high = middle;
  }
  return sections[low]?.dataset["day"];
}

/** `month`: what sums it up, before its first day. */
function DayOf({
  said: { date, messages, sources, summaries },
  month,
}: {
  said: Said;
  month: Said | undefined;
}) {
  return (
    <section id={`day-${date}`} data-day={date} aria-label={date}>
      {month !== undefined && (
        <aside aria-label={`${w("summary")} ${month.date}`} class="summary">
          <h2>{month.date}</h2>
          {month.summaries.map((path) => (
            <Chain key={path} path={path} />
          ))}
        </aside>
      )}
      <h2>
        {date} <span class="quiet">{messagesOf(messages)}</span>
      </h2>
      <div class={summaries.length > 0 ? "beside" : ""}>
        <div>
          {sources.map((path) => (
            <Chain key={`${path}:${messages}`} path={path} messages={messages} />
          ))}
        </div>
        {summaries.length > 0 && (
          <aside aria-label={`${w("summary")} ${date}`} class="summary">
            {summaries.map((path) => (
              <Chain key={path} path={path} />
            ))}
          </aside>
        )}
      </div>
    </section>
  );
}
