/**
 * Observations that stand alone: rewritten by a provider, looked at by the gate,
 * and sent back with what is wrong, twice at most.
 *
 * Nothing is lost here: what cannot be put right is kept as it was said, and
 * marked. Decisions are pure; `rewrite` is the only effect.
 */
import { defined } from "../model/defined.js";
import type { Settings } from "../model/settings.js";
import { driftOf, hasDrifted, type Drift } from "./drift.js";
import { pointersIn, type Pointer } from "./gate.js";

export interface Stated {
  text: string;
  isAbsolute: boolean;
  /** Why it is not, for the log. */
  problem?: string;
}

export interface ToRewrite {
  text: string;
  /** What was wrong with the last answer, in words for a model. */
  problem?: string;
  /** That answer. */
  tried?: string;
}

/** One answer for each text, in order; undefined where there is none. */
export type Rewrite<Refused> = (
  texts: readonly ToRewrite[],
) => Promise<{ to: "done"; texts: readonly (string | undefined)[] } | Refused>;

interface AbsoluteOptions {
  gate: Settings["historian"]["gate"];
  retries: number;
  /** A text that fails the gate without drifting is kept at once. */
  force: boolean;
  /** All else from which a rewriting may take ids. */
  known: readonly string[];
}

/** What each observation has become; or why no provider could be had. */
export async function absolutise<Refused extends { to: string }>(
  observations: readonly string[],
  rewrite: Rewrite<Refused>,
  options: AbsoluteOptions,
): Promise<{ to: "done"; stated: Stated[] } | Refused> {
  const stated = observations.map((text): Stated => ({ text, isAbsolute: false }));
  let open: { at: number; ask: ToRewrite }[] = observations.map((text, at) => ({ at, ask: { text } }));
  for (let round = 0; round <= options.retries && open.length > 0; round++) {
    const answer = await rewrite(open.map(({ ask }) => ask));
    if (!isDone(answer)) return answer;
    const again: typeof open = [];
    for (const [index, { at, ask }] of open.entries()) {
      const judged = judge(ask.text, answer.texts[index], options);
      if (judged.to === "kept") stated[at] = judged.stated;
      else {
        stated[at] = judged.otherwise;
        again.push({
          at,
          ask: defined({ text: ask.text, problem: judged.problem, tried: judged.tried }),
        });
      }
    }
    open = again;
  }
  return { to: "done", stated };
}

function isDone<Refused extends { to: string }>(
  answer: { to: "done"; texts: readonly (string | undefined)[] } | Refused,
): answer is { to: "done"; texts: readonly (string | undefined)[] } {
  return answer.to === "done";
}

type Judged =
  { to: "kept"; stated: Stated } | { to: "again"; problem: string; tried?: string; otherwise: Stated };

function judge(original: string, rewritten: string | undefined, options: AbsoluteOptions): Judged {
  const text = rewritten?.trim() ?? "";
  const asSaid: Stated = { text: original, isAbsolute: false };
  if (text === "") {
    const problem = "it was left out";
    return { to: "again", problem, otherwise: { ...asSaid, problem } };
  }
  const drift = driftOf(original, text, options.known);
  if (hasDrifted(drift)) {
    const problem = driftInWords(drift);
    // What speaks of somebody else is worse than what does not stand alone.
    return { to: "again", problem, tried: text, otherwise: { ...asSaid, problem } };
  }
  const pointers = options.gate === "off" ? [] : pointersIn(text);
  if (pointers.length === 0) return { to: "kept", stated: { text, isAbsolute: true } };
  const problem = pointersInWords(pointers);
  if (options.gate === "warn") return { to: "kept", stated: { text, isAbsolute: true, problem } };
  const marked: Stated = { text, isAbsolute: false, problem };
  return options.force
    ? { to: "kept", stated: marked }
    : { to: "again", problem, tried: text, otherwise: marked };
}

function driftInWords({ lost, invented }: Drift): string {
  return [
    ...(lost.length === 0 ? [] : [`it no longer names ${lost.join(", ")}`]),
    ...(invented.length === 0 ? [] : [`it names ${invented.join(", ")}, which nobody mentioned`]),
  ].join("; ");
}

const POINTER_WORDS: Readonly<Record<Pointer["kind"], string>> = {
  pronoun: "say who is meant instead of",
  time: "give the date instead of",
  place: "name the place instead of",
  thing: "name what is meant instead of",
};

function pointersInWords(pointers: readonly Pointer[]): string {
  return pointers.map(({ kind, text }) => `${POINTER_WORDS[kind]} “${text}”`).join("; ");
}
