/**
 * What no longer holds ranks behind all that does, and says so; of statements on one matter the later
 * ranks before the earlier, which says that it was overtaken; a thing in two files is shown once, by
 * its id. Pure, and read off the words of what was found. Nothing is hidden: who asks how things were
 * is answered. An agent's proposal, a tool's or a page's text overtakes no human's word, and nobody
 * overtakes another.
 */
import type { Hit, Passage, PassageKind, Standing } from "../model/passage.js";
import { RECORD_KINDS } from "../model/record.js";
import type { Steps } from "../model/steps.js";
import { type Bound, type EpochMs, isDay, lastDayOf, type Month, type Zone } from "../model/time.js";
import { saysOtherwise, type Statement, statementsIn } from "../text/statements.js";

/** Whether a moment had come by then. */
export function hasCome(at: EpochMs, by: Bound, zone: Zone): boolean {
  return "at" in by ? at <= by.at : zone.dayOf(at) <= by.day;
}

/** Whether the last day that a summary tells of was over by then; all else is of no later day than it was said. */
export function isOver({ kind, day, covers }: Passage, by: Bound, zone: Zone): boolean {
  if (kind !== "day_summary" && kind !== "month_summary") return true;
  const named = isDay(day) ? day : lastDayOf(day as Month);
  const last = covers?.reduce((latest, one) => (one.day > latest ? one.day : latest), "") || named;
  return "day" in by ? last <= by.day : last < zone.dayOf(by.at);
}

/** In the same order otherwise; each of the last ones is marked. */
export function currentFirst(inOrder: readonly Hit[], by: Bound, zone: Zone): Hit[] {
  const marked = inOrder.map((hit) => withStanding(hit, by, zone));
  const isPast = ({ standing }: Hit): number => Number(standing !== undefined);
  return marked.sort((one, other) => isPast(one) - isPast(other));
}

/** Marked where it no longer holds. */
export function withStanding<H extends { passage: Passage; standing?: Hit["standing"] }>(
  hit: H,
  by: Bound,
  zone: Zone,
): H {
  const standing = standingOf(hit.passage, by, zone);
  return standing === "current" ? hit : { ...hit, standing };
}

function standingOf({ supersededAt, validTo }: Passage, by: Bound, zone: Zone): Standing {
  if (supersededAt !== undefined && hasCome(supersededAt, by, zone)) return "superseded";
  return validTo !== undefined && hasCome(validTo, by, zone) ? "expired" : "current";
}

/** The first of each, in the same order. */
export function eachOnce<T extends { passage: Passage }>(inOrder: readonly T[]): T[] {
  const seen = new Set<string>();
  return inOrder.filter(({ passage }) => {
    if (!IS_RECORD.has(passage.kind)) return true;
    const thing = thingOf(passage);
    const isNew = !seen.has(thing);
    seen.add(thing);
    return isNew;
  });
}

const IS_RECORD: ReadonlySet<PassageKind> = new Set(RECORD_KINDS);

/** Ids of two sides differ in the side alone. */
function thingOf({ id, path, kind, scope, perspective }: Passage): string {
  const name = id.slice(path.length + 1);
  const side = `_${perspective}`;
  const observation = perspective !== undefined && name.endsWith(side) ? name.slice(0, -side.length) : name;
  return JSON.stringify([kind, scope, observation]);
}

/**
 * Whether a month summary stands for the day's (seed 000): only while it lists the hash that the day's has
 * now, and only from users for whom it has a section itself. A day that changed since, or that the month
 * left out, stays findable.
 */
export function isHiddenBy(day: Passage, months: readonly Passage[]): boolean {
  if (day.kind !== "day_summary" || day.covers === undefined || day.covers.length === 0) return false;
  return months.some((month) => {
    if (month.kind !== "month_summary" || month.scope !== day.scope || month.user !== day.user) return false;
    const listed = new Set(month.covers?.map(({ day: date, hash }) => `${date} ${hash}`));
    return day.covers?.every(({ day: date, hash }) => listed.has(`${date} ${hash}`)) ?? false;
  });
}

/** Where the month summary stands that may hide this day summary. */
export function monthPathOf(day: Passage): string {
  return day.path.replace(/(\d{4}-\d{2})-\d{2}\.md$/, "$1.md");
}

/** Of so many of the first. */
const LOOKED_AT = 60;
const STATED: ReadonlySet<Passage["kind"]> = new Set(["message", "event", "fact"]);

/** In the same order otherwise. `terms`: of the question, and of what else may be meant. */
export function* latestFirst(inOrder: readonly Hit[], terms: readonly string[]): Steps<Hit[]> {
  const asked = new Set(terms);
  const stated: Stated[] = [];
  for (const hit of inOrder.slice(0, LOOKED_AT)) {
    const statements = STATED.has(hit.passage.kind) ? statementsIn(hit.passage.text) : [];
    if (statements.length > 0) stated.push({ hit, statements });
    yield;
  }
  const overtaker = new Map<Hit, Hit>();
  for (const earlier of stated) {
    const [later] = stated
      .filter(({ hit }) => mayOvertake(hit.passage, earlier.hit.passage))
      .filter((other) => differs(other, earlier, asked))
      .sort((one, other) => other.hit.passage.saidAt - one.hit.passage.saidAt);
    if (later !== undefined) overtaker.set(earlier.hit, later.hit);
    yield;
  }
  return overtaker.size === 0 ? [...inOrder] : raised(inOrder, overtaker);
}

interface Stated {
  hit: Hit;
  statements: readonly Statement[];
}

function differs(later: Stated, earlier: Stated, asked: ReadonlySet<string>): boolean {
  return later.statements.some((one) => earlier.statements.some((other) => saysOtherwise(one, other, asked)));
}

/** A person's own later word, or a record of theirs. What agents say in passing settles nothing. */
function mayOvertake(later: Passage, earlier: Passage): boolean {
  const isTheirs =
    later.speaker === earlier.speaker || later.kind !== "message" || earlier.kind !== "message";
  return (
    later.saidAt > earlier.saidAt &&
    later.user === earlier.user &&
    later.trust === "human" &&
    (earlier.trust === "human" ? isTheirs : earlier.kind !== "message")
  );
}

/** What overtakes stands before what it overtakes, as good as that. */
function raised(inOrder: readonly Hit[], overtaker: ReadonlyMap<Hit, Hit>): Hit[] {
  const order: Hit[] = [];
  const placed = new Set<Hit>();
  const place = (hit: Hit, score: number): void => {
    if (placed.has(hit)) return;
    placed.add(hit);
    const later = overtaker.get(hit);
    const raisedTo = Math.max(score, hit.score);
    const by = raisedTo - hit.score;
    if (later !== undefined) place(later, raisedTo);
    order.push({
      ...hit,
      ...(by > 0 && { score: raisedTo, parts: { ...hit.parts, later: by } }),
      ...(later && { overtaken: { on: later.passage.day, by: later.passage.id } }),
    });
  };
  for (const hit of inOrder) place(hit, 0);
  return order;
}
