/**
 * One thread of the exploration: its share of the named stories, then made-up
 * ones, until it has seen as many states as it was asked for.
 */
import { parentPort, workerData } from "node:worker_threads";
import { randomOf } from "../random.js";
import { explore, type Findings, type Search } from "./explore.js";
import { madeUp, NAMED } from "./scenarios.js";

export interface Share {
  seed: number;
  /** Of how many threads this is which. */
  index: number;
  of: number;
  states: number;
  /** Of the first round: how fine it is. */
  first: Pick<Search, "selections" | "killEvery">;
  tearEvery: number;
  deeper: number;
  /** Only the named stories, this one first, until the first broken promise. */
  untilBroken?: string;
}

export type Told =
  { is: "progress"; states: number } | { is: "done"; findings: Findings; trees: Float64Array };

const SELECTIONS = 12;
/** Of the states. */
const NAMED_SHARE = 0.97;

const port = parentPort;
if (port === null) throw new Error("this runs as a thread");
const share = workerData as Share;
const tell = (told: Told): void => port.postMessage(told);

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
    if (findings.states - told >= 20_000) {
      told = findings.states;
      tell({ is: "progress", states: told });
    }
    return findings.states >= limit || isBroken();
  },
};
const isBroken = (): boolean => share.untilBroken !== undefined && findings.failures.length > 0;

const first = NAMED.filter(({ name }) => name === share.untilBroken);
const rest = NAMED.filter(({ name }) => name !== share.untilBroken);
const named = [...first, ...rest].filter((_scenario, index) => index % share.of === share.index);
/** A first, coarse round through all the stories: no place is missed, however few states are asked for. */
const coarse: Search = {
  ...search,
  selections: share.first.selections,
  killEvery: share.first.killEvery,
  tearEvery: 1 << 20,
  deeper: 0,
  enough: isBroken,
};
for (const scenario of named) await explore(scenario, coarse);
/** Each of them gets its part of the states, and what they leave is for made-up ones. */
for (const [index, scenario] of named.entries()) {
  const left = Math.max(0, share.states * NAMED_SHARE - findings.states);
  limit = findings.states + left / (named.length - index);
  if (!search.enough()) await explore(scenario, search);
}
limit = share.states;
while (share.untilBroken === undefined && !search.enough()) await explore(madeUp(random), search);
tell({ is: "done", findings, trees: Float64Array.from(search.seen) });
