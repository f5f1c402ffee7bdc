/**
 * A model that answers or fails as told, and remembers when it was asked for
 * what: never early, never again for what stands, never before the retry's
 * time, and no message twice in one job.
 */
import type { OwedSummary } from "../../../src/archive/owed.js";
import type { SummaryEnd } from "../../../src/archive/summarise.js";
import type { SummaryJob, SummaryOutcome } from "../../../src/llm/jobs/summary.js";
import { dateOf, dayIn, isTooEarly, nextTry, tierOf } from "./calendar.js";
import type { Expected } from "./expected.js";

export type Mood = "good" | "bad" | "busy";

interface Failed {
  attempts: number;
  nextAt: number;
}

/** What the clock said while one summary was being made. */
export interface Asking {
  zone: string;
  owed: OwedSummary;
  /** A person asked: the retry does not count. */
  asked: boolean;
  /** Since it was found to be due; since its making began. */
  dueClock: readonly number[];
  clock: readonly number[];
}

export class ModelWitness {
  calls = 0;
  readonly #failed = new Map<string, Failed>();
  readonly #published = new Set<string>();

  constructor(readonly expected: Expected) {}

  /** Answers a job, after looking whether it should have been asked. */
  async answer(job: SummaryJob, asking: Asking, mood: Mood): Promise<SummaryOutcome> {
    this.calls++;
    const { scope, date } = job;
    this.#checkTime(asking);
    this.#checkLadder(asking);
    if (asking.owed.days.every((day) => this.#published.has(`${scope} ${job.tier} ${day.day} ${day.hash}`)))
      this.expected.break(`asked again for ${scope} ${date}, which was published`);
    this.#checkOnce(job);
    if (mood === "bad") return { to: "failed", reason: "no good", usage: [] };
    if (mood === "busy")
      return { to: "unavailable", reason: "busy", retryAfterMs: RETRY_AFTER_MS, usage: [] };
    return {
      to: "done",
      usage: [],
      result: { kind: "summary", id: job.id, by: "test", sections: carriedOn(job) },
    };
  }

  /** `now`: what the clock said when the answer came. */
  ended(owed: OwedSummary, end: SummaryEnd, mood: Mood, now: number): void {
    const target = `${owed.scope} ${owed.date}`;
    if (end.to === "made") {
      this.#failed.delete(target);
      for (const { day, hash } of owed.days) this.#published.add(`${owed.scope} ${owed.tier} ${day} ${hash}`);
    }
    if (end.to !== "failed") return;
    const attempts = (this.#failed.get(target)?.attempts ?? 0) + 1;
    if (attempts !== end.attempts)
      this.expected.break(`${target} counts ${end.attempts} attempts, not ${attempts}`);
    this.#failed.set(target, {
      attempts: end.attempts,
      nextAt: nextTry(end.attempts, now, mood === "busy" ? RETRY_AFTER_MS : 0),
    });
  }

  /** The retry keeps it from being tried. */
  waits(target: string, now: number): boolean {
    const failed = this.#failed.get(target);
    return failed !== undefined && isTooEarly(failed.nextAt, now);
  }

  /** After a crash: what a retry file says counts, since the last step may have been lost or not. */
  recall(files: readonly string[]): void {
    this.#failed.clear();
    for (const file of files) {
      const { scope, date, attempts, nextAt } = JSON.parse(file) as Record<string, unknown>;
      const target = `${String(scope)} ${String(date)}`;
      if ((this.#failed.get(target)?.attempts ?? 0) < Number(attempts))
        this.#failed.set(target, { attempts: Number(attempts), nextAt: Date.parse(String(nextAt)) });
    }
  }

  #checkTime({ zone, owed, clock }: Asking): void {
    const ripe = clock.some((now) =>
      owed.days.every(({ day }) => {
        const tier = tierOf(day, dayIn(zone, now));
        return tier === owed.tier && dateOf(day, tier) === owed.date;
      }),
    );
    if (ripe) return;
    const days = owed.days.map(({ day }) => day).join();
    const today = clock.map((now) => dayIn(zone, now)).join();
    this.expected.break(`a ${owed.tier} summary of ${days} was asked for on ${today}`);
  }

  #checkLadder({ owed, asked, dueClock }: Asking): void {
    const target = `${owed.scope} ${owed.date}`;
    if (asked || dueClock.some((now) => !this.waits(target, now))) return;
    this.expected.break(`${target} was tried before its time: ${JSON.stringify(this.#failed.get(target))}`);
  }

  #checkOnce(job: SummaryJob): void {
    const tokens = job.sections.flatMap(({ utterances, days }) => [
      ...utterances.map(({ text }) => tokenOf(text)),
      ...days.flatMap(({ text }) => [...new Set(text.split("\n").filter(isNote).map(tokenOf))]),
    ]);
    const twice = tokens.find((token, at) => tokens.indexOf(token) !== at);
    if (twice !== undefined) this.expected.break(`${twice} is twice in one job for ${job.scope} ${job.date}`);
  }
}

/** Longer than any step of the retry: it counts as one. */
const RETRY_AFTER_MS = 10 * 24 * 3600 * 1000;

/** One line for each message, after what stands; nothing is said twice, as a model is told. */
function carriedOn(job: SummaryJob): { user?: string; text: string }[] {
  return job.sections.map(({ user, utterances, days, previous }) => {
    const lines = new Set((previous ?? "").split("\n").filter(isNote));
    for (const { text } of days) for (const line of text.split("\n").filter(isNote)) lines.add(line);
    for (const { text } of utterances) lines.add(`- ${text.split("\n")[0]}`);
    return { ...(user === undefined ? {} : { user }), text: [...lines].join("\n") };
  });
}

function isNote(line: string): boolean {
  return line.startsWith("- ");
}

/** Texts begin with `id.version`. */
function tokenOf(text: string): string {
  return text.replace(/^- /, "").split(" ")[0] ?? "";
}
