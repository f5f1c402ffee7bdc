/**
 * Observations that stand alone: rewritten by a provider, looked at by the gate,
 * and sent back with what is wrong, twice at most.
 *
 * Nothing is lost here: what cannot be put right is kept as it was said, and
 * marked. Decisions are pure; `rewrite` is the only effect.
 */
import { jobIdOf, type ModelWorkParts } from "../llm/job-context.js";
import type { AbsolutiseJob } from "../llm/jobs/absolutise.js";
import { isGroup, LOCAL_USER } from "../model/address.js";
import { defined } from "../model/collections.js";
import type { Settings } from "../model/settings.js";
import type { EpochMs } from "../model/time.js";
import type { Refused } from "../model/work.js";
import type { QueueJob } from "../protocol/queue-job.js";
import { type Pointer, pointersIn } from "../text/pointers.js";
import { redactSecrets } from "../text/redact.js";

export interface Stated {
  text: string;
  /** The words before it was written again. */
  said?: string;
  isAbsolute: boolean;
  /** Why it is not, for the log. */
  problem?: string;
}

/** What could not be made to stand alone, for the log. */
export function problemsIn(
  stated: readonly (Stated | undefined)[],
): { problem: string; isAbsolute: boolean }[] {
  return stated.flatMap((each) =>
    each?.problem === undefined ? [] : [{ problem: each.problem, isAbsolute: each.isAbsolute }],
  );
}

export type ToRewrite = AbsolutiseJob["texts"][number];

/** One answer for each text, in order; undefined where there is none. */
export type Rewrite<R = Refused> = (
  texts: readonly ToRewrite[],
) => Promise<{ to: "done"; texts: readonly (string | undefined)[] } | R>;

interface AbsoluteOptions {
  gate: Settings["historian"]["gate"];
  retries: number;
  /** A text that fails the gate without drifting is kept at once. */
  force: boolean;
  /** Ids of all else from which a rewriting may take them. */
  known: ReadonlySet<string>;
}

/** What each observation has become; or why no provider could be had. */
export async function absolutise<R extends Refused>(
  observations: readonly string[],
  rewrite: Rewrite<R>,
  options: AbsoluteOptions,
): Promise<{ to: "done"; stated: Stated[] } | R> {
  const stated = observations.map((text): Stated => ({ text, isAbsolute: false }));
  let open: { at: number; ask: ToRewrite }[] = observations.map((text, at) => ({ at, ask: { text } }));
  for (let round = 0; round <= options.retries && open.length > 0; round++) {
    const answer = await rewrite(open.map(({ ask }) => ask));
    if (answer.to !== "done") return answer;
    open = open.flatMap(({ at, ask: { text } }, index) => {
      const { again, ...now } = judged(text, answer.texts[index]?.trim() ?? "", options);
      stated[at] = now.stated;
      return again === undefined ? [] : [{ at, ask: again }];
    });
  }
  const withSaid = stated.map((one, at) => defined({ ...one, said: otherThan(one.text, observations[at]) }));
  return { to: "done", stated: withSaid };
}

function otherThan(text: string, said: string | undefined): string | undefined {
  return said === undefined || said === text ? undefined : redactSecrets(said);
}

/** What stands of a text that was written again, and what is asked once more where that may help. */
function judged(
  original: string,
  text: string,
  { gate, force, known }: AbsoluteOptions,
): { stated: Stated; again?: ToRewrite } {
  const drift = driftInWords(driftOf(original, text, known));
  if (text === "" || drift !== "") {
    // What speaks of somebody else is worse than what does not stand alone.
    const problem = text === "" ? "it was left out" : drift;
    const again = { text: original, problem, ...defined({ tried: text || undefined }) };
    return { stated: { text: original, isAbsolute: false, problem }, again };
  }
  const problem = gate === "off" ? "" : pointersInWords(pointersIn(text));
  if (problem === "") return { stated: { text, isAbsolute: true } };
  const stated: Stated = { text, isAbsolute: gate === "warn", problem };
  return gate === "warn" || force ? { stated } : { stated, again: { text: original, problem, tried: text } };
}

function driftInWords({ lost, invented }: Drift): string {
  const gone = lost.length === 0 ? [] : [`it no longer names ${lost.join(", ")}`];
  const fresh = invented.length === 0 ? [] : [`it names ${invented.join(", ")}, which nobody mentioned`];
  return [...gone, ...fresh].join("; ");
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

/** Ids that are in the original and no more in the rewriting, and those that are in the rewriting and in nothing that was known. */
interface Drift {
  lost: string[];
  invented: string[];
}

/**
 * Whether a sentence that was written again still speaks of the same. An id is what stands in
 * brackets behind a name, `Lin Yue(u-17)`, any word of letters and digits, and any number of five
 * digits or more; dates and times are none, since they are what is added.
 * `known`: ids of all else that the rewriting may have taken them from.
 */
export function driftOf(original: string, rewritten: string, known: ReadonlySet<string> = new Set()): Drift {
  const before = idsIn(original);
  const after = idsIn(rewritten);
  return {
    lost: [...before].filter((id) => !after.has(id)),
    invented: [...after].filter((id) => !before.has(id) && !known.has(id)),
  };
}

export function hasDrifted({ lost, invented }: Drift): boolean {
  return lost.length > 0 || invented.length > 0;
}

const DATE_OR_TIME =
  /\d{4}-\d{1,2}(?:-\d{1,2})?(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?|\d{4}\s*年(?:\s*\d{1,2}\s*月)?(?:\s*\d{1,2}\s*[日号])?|\d{1,2}:\d{2}(?::\d{2})?|\d{4}\/\d{1,2}\/\d{1,2}|\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}(?:am|pm)\b/giu;
const IN_BRACKETS = /[(（]([\p{L}\p{N}][\p{L}\p{N}_.:@-]*)[)）]/gu;
const LETTERS_AND_DIGITS =
  /(?<![\p{L}\p{N}])(?=[A-Za-z0-9_-]{0,60}\d)(?=[A-Za-z0-9_-]{0,60}[A-Za-z])[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*|\d{5,}/gu;

export function idsIn(...texts: readonly string[]): Set<string> {
  const ids = new Set<string>();
  for (const text of texts) {
    const rest = text.replace(DATE_OR_TIME, " ");
    for (const [, id = ""] of rest.matchAll(IN_BRACKETS))
      if (/[\d_@-]|^\p{Ll}+$/u.test(id)) ids.add(id.toLowerCase());
    for (const [id] of rest.matchAll(LETTERS_AND_DIGITS)) ids.add(id.toLowerCase());
  }
  return ids;
}

/** Ids that a provider was told: those of texts, and whoever was named, by whole name and by each word of it. */
export function idsTold(names: readonly string[], texts: readonly string[]): Set<string> {
  const ids = idsIn(...texts, ...names);
  for (const name of names)
    for (const part of [name, ...name.split(/[\s()（）]+/)]) if (part !== "") ids.add(part.toLowerCase());
  return ids;
}

/** Where there is one user, and nobody has said their name. */
const THE_USER = "the user";

/** Who is meant by "I", in words for a provider. */
export function speakerFor(named: string | undefined): string | undefined {
  return named === LOCAL_USER ? THE_USER : named;
}

export interface Statement extends Pick<AbsolutiseJob, "source" | "recent"> {
  /** Of the job in the queue. */
  id: string;
  job: Pick<QueueJob, "user" | "scope">;
  at: EpochMs;
  speaker: string | undefined;
}

export async function rewritten(
  { pool, zone, onUsage }: ModelWorkParts,
  { id, job, at, speaker, source, recent }: Statement,
  texts: readonly ToRewrite[],
): Promise<{ to: "done"; texts: readonly string[] } | Refused> {
  const work: AbsolutiseJob = {
    kind: "absolutise",
    id: jobIdOf(id, texts),
    ...defined({ user: isGroup(job.scope) ? undefined : job.user, speaker }),
    day: zone.dayOf(at),
    clock: zone.clockOf(at).slice(0, 5),
    texts: texts.map((text) => ({ ...text })),
    source,
    recent,
  };
  const outcome = await pool.run(work);
  onUsage(outcome.usage);
  return outcome.to === "done" ? { to: "done", texts: outcome.result.texts } : outcome;
}
