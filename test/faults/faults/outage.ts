/**
 * One fault as it is seen from outside: when it begins and ends, what memd says
 * and does meanwhile, and how long it takes to be well again.
 */
import type { LogEvent } from "../../../src/platform/log.js";
import type { Status } from "../../../src/service/status.js";
import type { Occurrence } from "./kinds.js";

/** How long a fault that stays does stay. */
const OUTAGE_MS = 6000;
const RECOVERY_MS = 5000;
/** A round every two seconds, and one for what was asked meanwhile. */
const MOST_ROUNDS = OUTAGE_MS / 2000 + 2;
const MOST_EVENTS = 10;

/** How memd is at one moment. */
export interface Look {
  atMs: number;
  /** Calls since the last look. */
  operations: number;
  /** Rounds that began since the last look. One that waits for a half-written file goes on over several looks. */
  rounds: number;
  /** Absent while it has not started. */
  status?: Status;
  /** Nothing is under way. */
  rests: boolean;
}

export class Outage {
  readonly broken: string[] = [];
  beganAtMs: number | undefined;
  liftedAtMs: number | undefined;
  recoveredAtMs: number | undefined;
  mostPerSecond = 0;
  #rounds = 0;
  #met = 0;
  #eventsBefore = 0;
  readonly #window: number[] = [];

  constructor(
    readonly occurrence: Occurrence,
    readonly events: readonly LogEvent[],
    readonly stepsPerSecond: number,
  ) {}

  /** It is on, or memd is not over it yet. */
  get isOpen(): boolean {
    return this.beganAtMs !== undefined && this.recoveredAtMs === undefined;
  }

  get isOver(): boolean {
    return this.recoveredAtMs !== undefined;
  }

  /** To be told after every step of the clock. True when the fault has just begun. */
  look(look: Look): boolean {
    const { occurrence } = this;
    if (!occurrence.hasBegun) return false;
    const begins = this.beganAtMs === undefined;
    if (begins) this.#begin(look.atMs);
    else if (occurrence.inForce) this.#endure(look);
    if (occurrence.inForce && look.atMs - (this.beganAtMs ?? 0) >= OUTAGE_MS) this.#lift(look.atMs);
    else if (this.liftedAtMs !== undefined && this.recoveredAtMs === undefined) this.#convalesce(look);
    this.#met = occurrence.met.length;
    return begins;
  }

  #begin(atMs: number): void {
    this.beganAtMs = atMs;
    this.#eventsBefore = this.events.length;
    if (!this.occurrence.inForce) this.liftedAtMs = atMs;
  }

  #endure({ operations, rounds, status }: Look): void {
    this.#window.push(operations);
    if (this.#window.length > this.stepsPerSecond) this.#window.shift();
    this.mostPerSecond = Math.max(
      this.mostPerSecond,
      this.#window.reduce((sum, count) => sum + count, 0),
    );
    this.#rounds += rounds;
    if (status === undefined || this.occurrence.met.length === this.#met) return;
    const { trouble } = status;
    const { code } = this.occurrence.fault?.kind ?? {};
    if (trouble === undefined) this.broken.push("the status says nothing of the trouble");
    else if (trouble.code !== code) this.broken.push(`the status says ${trouble.code}: ${trouble.message}`);
    else if (trouble.message === "" || trouble.advice === "") this.broken.push("the trouble has no words");
  }

  #lift(atMs: number): void {
    this.occurrence.lifted = true;
    this.liftedAtMs = atMs;
    const told = this.events.slice(this.#eventsBefore).map(({ event }) => event);
    if (this.#rounds > MOST_ROUNDS)
      this.broken.push(`${this.#rounds} rounds in ${OUTAGE_MS} ms: memd does not rest`);
    if (told.length > MOST_EVENTS)
      this.broken.push(`${told.length} lines of log: ${[...new Set(told)].join(" ")}`);
    if (told.includes("trouble_over")) this.broken.push("trouble_over was said while it lasted");
  }

  #convalesce({ atMs, status, rests }: Look): void {
    const tookMs = atMs - (this.liftedAtMs ?? 0);
    if (status !== undefined && status.trouble === undefined && rests) this.recoveredAtMs = atMs;
    else if (tookMs > RECOVERY_MS) {
      this.recoveredAtMs = Infinity;
      this.broken.push(`not recovered after ${RECOVERY_MS} ms: ${status?.trouble?.message ?? "not started"}`);
    }
  }
}
