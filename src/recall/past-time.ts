/**
 * A question about a time that is over: what Marco said last month, 上个月部署为什么失败. What is of that time
 * comes first, however much better the words fit what was said at another; asked for nothing but a time,
 * what was distilled of it, then what was said. Who may read it is the caller's to ask.
 */
import type { Hit, Passage, PassageKind } from "../model/passage.js";
import { RECORD_KINDS } from "../model/record.js";
import type { DateHint } from "../text/dates/hints.js";
import type { DaySpan } from "../text/dates/span.js";
import type { Engine, NewestQuery, PassageFilter } from "./index/engine.js";
import { PAST } from "./weights.js";

const DISTILLED: readonly PassageKind[] = ["day_summary", "month_summary", ...RECORD_KINDS];

/** The first that it speaks of. */
export function pastIn(hints: readonly DateHint[]): DaySpan | undefined {
  for (const hint of hints) if ("from" in hint && hint.isPast === true) return hint;
  return undefined;
}

/** Undefined where the question has no such time, or who asks has set a time themselves. */
export function within(filter: PassageFilter, past: DaySpan | undefined): PassageFilter | undefined {
  if (past === undefined || filter.from !== undefined || filter.to !== undefined) return undefined;
  return { ...filter, from: { day: past.from }, to: { day: past.to } };
}

/** `inTime` leads where its words fit nearly as well, and scores above the best of the rest. */
export function firstOf(order: readonly Hit[], inTime: readonly Hit[]): Hit[] {
  const least = Math.max(PAST.floor, PAST.share * bestOf(order));
  const leading = new Map(inTime.filter(({ score }) => score >= least).map((hit) => [hit.passage.id, hit]));
  const rest = order.filter(({ passage }) => !leading.has(passage.id));
  const best = bestOf(rest);
  const led = [...leading.values()].map((hit) => ({ ...hit, score: best + (1 - best) * hit.score }));
  return [...led, ...rest];
}

function bestOf(hits: readonly Hit[]): number {
  return hits.reduce((most, { score }) => Math.max(most, score), 0);
}

/** The newest first, of each of the two. */
export async function toldThen(
  engine: Engine,
  { partitions, filter, most }: Omit<NewestQuery, "until">,
): Promise<Hit[]> {
  // What was said may be so much that what was distilled of it is not among the newest.
  const kinds = DISTILLED.filter((kind) => filter.kinds?.includes(kind) ?? true);
  const [distilled, told] = await Promise.all([
    kinds.length === 0 ? [] : engine.newest({ partitions, filter: { ...filter, kinds }, most }),
    engine.newest({ partitions, filter, most }),
  ]);
  const worth = ({ kind }: Passage): number => (DISTILLED.includes(kind) ? PAST.distilled : PAST.said);
  const once = new Map([...distilled, ...told].map((passage) => [passage.id, passage]));
  return [...once.values()]
    .sort((one, other) => worth(other) - worth(one) || other.saidAt - one.saidAt)
    .slice(0, most)
    .map((passage) => ({ passage, score: worth(passage), parts: { date: worth(passage) } }));
}
