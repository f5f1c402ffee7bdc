/** Years, the months of one, the days of one: the more was said, the warmer. */
import type { AnswerOf } from "./api.js";
import { messagesOf } from "./parts.js";
import { linkTo } from "./route.js";
import { w } from "./words.js";

export type Said = AnswerOf<"listDays">["days"][number];

const WARMEST = 4;

/** `shown`: the day that is looked at. `asOf` stays as it is. */
export function Heat({ days, shown, asOf }: { days: readonly Said[]; shown: string; asOf: string }) {
  const year = shown.slice(0, 4);
  const month = shown.slice(0, 7);
  const within = (letters: number, beginning: string): Said[] =>
    summed(
      days.filter(({ date }) => date.startsWith(beginning)),
      letters,
    );
  return (
    <nav aria-label={w("years")} class="heat">
      <Row name={w("years")} said={within(4, "")} shown={year} days={days} asOf={asOf} />
      <Row name={year} said={within(7, year)} shown={month} days={days} asOf={asOf} />
      <Row name={month} said={within(10, month)} shown={shown} days={days} asOf={asOf} />
    </nav>
  );
}

interface RowProps {
  name: string;
  said: readonly Said[];
  shown: string;
  days: readonly Said[];
  asOf: string;
}

function Row({ name, said, shown, days, asOf }: RowProps) {
  const most = Math.max(1, ...said.map(({ messages }) => messages));
  return (
    <ul aria-label={name}>
      {said.map(({ date, messages }) => {
        // By its root: one day of very much does not make all others cold.
        const warmth = Math.ceil(WARMEST * Math.sqrt(messages / most));
        const first = days.find((day) => day.date.startsWith(date))?.date;
        return (
          <li key={date}>
            <a
              class={`h${warmth}`}
              href={linkTo("time", { day: first, as_of: asOf })}
              aria-current={date === shown ? "date" : undefined}
              aria-label={`${date}: ${messagesOf(messages)}`}
              title={`${date}: ${messagesOf(messages)}`}
            >
              {date.length === 4 ? date : date.slice(-2)}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** By the first letters of their dates: `2026-03` is a month. */
function summed(days: readonly Said[], letters: number): Said[] {
  const found = new Map<string, Said>();
  for (const { date, messages } of days) {
    const begin = date.slice(0, letters);
    const before = found.get(begin)?.messages ?? 0;
    found.set(begin, { date: begin, messages: before + messages, sources: [], summaries: [] });
  }
  return [...found.values()];
}
