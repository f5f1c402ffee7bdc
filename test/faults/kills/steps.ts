/**
 * Which runs are killed and where: spread over all operations of a run, and the
 * sharp places, where the order of two operations decides whether a message stays.
 */
import type { Chance } from "./chance.js";
import type { How, Point } from "./point.js";
import { KINDS, type Kind } from "./victims.js";

export interface Step {
  kind: Kind;
  point: Point;
  /** That pass before it; by chance unless it is given. */
  days?: number;
}

/** Operations of a run that may be killed more than once; a daemon goes on for ever. */
const MOST_OPERATIONS = 400;

/** One after another in one workspace, each recovering from the one before. */
export const SHARP: readonly Step[] = [
  at("say", "write inbox.d temp", "half"),
  at("say", "link inbox.d", "before"),
  at("say", "link inbox.d", "after"),
  // Between the drop's place in history.json and its removal.
  at("archive", "unlink inbox.d", "before"),
  at("archive", "unlink inbox.d", "after"),
  // While history.json is replaced, the old one stands.
  at("archive", "rename history.json", "before"),
  // The block is written and not in its place.
  at("archive", "sync day temp", "after"),
  // The journal's line is torn; the next one of that day must be whole.
  at("archive", "write journal", "half"),
  // All is written to the end, so that there is something to move.
  at("archive", "rename state.json", "before", 0),
  // On the way to the archive.
  at("archive", "sync old day temp", "after", 7),
  at("archive", "unlink day", "before", 7),
  at("archive", "link summary", "after", 7),
];

/** `count` of a kind whose undisturbed run asks for these operations. */
export function spread(kind: Kind, operations: readonly string[], count: number, chance: Chance): Step[] {
  const whole = operations.slice(0, MOST_OPERATIONS);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * whole.length) / count);
    const to = Math.max(from + 1, Math.floor(((index + 1) * whole.length) / count));
    const n = from + chance.below(to - from);
    const sides: readonly How[] =
      whole[n]?.startsWith("write ") === true ? ["half", "half", "before"] : ["before", "after"];
    return { kind, point: { n: n + 1, how: sides[chance.below(sides.length)] ?? "before" } };
  });
}

/** The steps in another order, dealt out to so many chains. */
export function dealt(steps: readonly Step[], chains: number, chance: Chance): Step[][] {
  const hands = Array.from({ length: chains }, (): Step[] => []);
  const left = [...steps];
  for (let turn = 0; left.length > 0; turn++)
    hands[turn % chains]?.push(...left.splice(chance.below(left.length), 1));
  return hands;
}

/** Of each kind, what a run asks for at least: enough for a short form that does not learn it first. */
export const SHORT: Readonly<Record<Kind, readonly string[]>> = shortRuns({
  archive: 100,
  start: 100,
  import: 70,
  say: 11,
});

function at(kind: Kind, of: string, how: How, days?: number): Step {
  return { kind, point: { n: 1, how, of }, ...(days === undefined ? {} : { days }) };
}

function shortRuns(lengths: Record<Kind, number>): Record<Kind, string[]> {
  return Object.fromEntries(KINDS.map((kind) => [kind, Array<string>(lengths[kind]).fill("")])) as Record<
    Kind,
    string[]
  >;
}
