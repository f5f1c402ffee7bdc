/**
 * One thread's share of the exploration: its part of the named stories, then
 * made-up ones, until it has seen as many states as it was asked for.
 */
import { randomOf } from "../random.js";
import { explore, type Findings, type Search } from "./explore.js";
import { madeUp, NAMED } from "./scenarios.js";

export interface Share {
  seed: number;
  /** Of how many threads this is which. */
  index: number;
  of: number;
  states: number;
  /** The part of them that is of named stories. */
  named: number;
  /** Of the first round: how fine it is. */
  first: Pick<Search, "selections" | "killEvery">;
  /** The stories that share what states are left after it; all of them unless it says otherwise. */
  deep?: readonly string[];
  tearEvery: number;
  deeper: number;
  /** Only the named stories, this one first, until the first broken promise. */
  untilBroken?: string;
}

export interface Explored {
  findings: Findings;
  /** Hashes of the trees that were looked at. */
  trees: Float64Array;
}

const SELECTIONS = 12;
const TELL_EVERY = 20_000;

export async function exploreShare(share: Share, tell: (states: number) => void): Promise<Explored> {
  const findings: Findings = {
    states: 0,
    retold: 0,
    places: new Map(),
    lost: 0,
    doubled: 0,
    unrecoverable: 0,
    failures: [],
  };
  let told = 0;
  /** So many states are enough for now. */
  let limit = 0;
  const isBroken = (): boolean => share.untilBroken !== undefined && findings.failures.length > 0;
  const random = randomOf(share.seed * 1000 + share.index);
  const search: Search = {
    seen: new Set(),
    findings,
    random,
    selections: SELECTIONS,
    tearEvery: share.tearEvery,
    killEvery: 1,
    deeper: share.deeper,
    enough: () => {
      if (findings.states - told >= TELL_EVERY) tell((told = findings.states));
      return findings.states >= limit || isBroken();
    },
  };
  /** A first, coarse round through all the stories: no place is missed, however few states are asked for. */
  const coarse: Search = { ...search, ...share.first, tearEvery: Infinity, deeper: 0, enough: isBroken };
  const first = NAMED.filter(({ name }) => name === share.untilBroken);
  const rest = NAMED.filter(({ name }) => name !== share.untilBroken);
  const named = [...first, ...rest].filter((_scenario, index) => index % share.of === share.index);
  for (const scenario of named) {
    // To run a story is the greater part of looking at it.
    if (!isBroken()) await explore(scenario, coarse);
  }
  const deep = named.filter(({ name }) => share.deep?.includes(name) ?? true);
  for (const [index, scenario] of deep.entries()) {
    const left = Math.max(0, share.states * share.named - findings.states);
    limit = findings.states + left / (deep.length - index);
    if (!search.enough()) await explore(scenario, search);
  }
  limit = share.states;
  while (share.untilBroken === undefined && !search.enough()) await explore(madeUp(random), search);
  return { findings, trees: Float64Array.from(search.seen) };
}
