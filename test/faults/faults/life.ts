/**
 * One run: a supervisor lives through a busy week of a workspace while one fault
 * befalls its disk; then another one starts on what is left.
 *
 * The clock is driven by hand, so seconds cost nothing and what memd does
 * between two of them can be counted.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { settingsSchema } from "../../../src/model/settings.js";
import { isMemdError, messageOf } from "../../../src/model/errors.js";
import { DAY_MS, later, MINUTE_MS } from "../../../src/model/time.js";
import type { Disk } from "../../../src/platform/disk.js";
import { listeningLog, type LogEvent } from "../../../src/platform/log.js";
import { diskOver } from "../../../src/platform/node-disk.js";
import { promptsFolder, workerEntry } from "../../../src/platform/package-root.js";
import { systemRandom } from "../../../src/platform/clock.js";
import { writeDrop } from "../../../src/protocol/read-list.js";
import { statusOf } from "../../../src/service/status.js";
import { Memd } from "../../../src/service/memd.js";
import { loadDateHints } from "../../../src/text/dates/hints.js";
import { slugOf } from "../../../src/text/keywords.js";
import { indexInMemory } from "../../../src/recall/index/open.js";
import { instant } from "../../support/archive-desk.js";
import { failingSystem } from "./failing-system.js";
import { Host } from "./host.js";
import { Occurrence, type Asked, type Fault } from "./kinds.js";
import { testModel } from "./model.js";
import { age, leftovers, missingLines, whenAllIsDone, whileItLasts, type Verdict } from "./oracle.js";
import { Outage } from "./outage.js";
import { DIFFICULT_MONTH, NOW, SETTINGS, writeWorkspace } from "./workspace.js";
import { handClock } from "../../support/hand-clock.js";
import { memoryLocks } from "../../support/memory-locks.js";

const STEP_MS = 250;
const SECOND_STEPS = 4;
/** More between two moments is a loop that does not end. */
const SPIN = 20_000;
const QUIET_TURNS = 6;
/** A service is started again after these. */
const RESTART_STEPS = 2 * SECOND_STEPS;
const PATIENCE_STEPS = 60 * SECOND_STEPS;

export interface Lived {
  broken: string[];
  lost: number;
  doubled: number;
  /** Every call of the run that the fault met, or could have. */
  asked: Asked[];
  met: Asked[];
  /** From the end of the fault until all was well. */
  recoveryMs: number | undefined;
  mostPerSecond: number;
  retriedSyncs: number;
}

export async function live(fault: Fault | undefined): Promise<Lived> {
  // These load their tables the first time, which takes of the real time and none of the clock's.
  await Promise.all([slugOf(["渡船"], ""), loadDateHints()]);
  const root = fs.realpathSync(fs.mkdtempSync(path.join(memoryFolder(), "memd-faults-")));
  try {
    writeWorkspace(root);
    return await new Life(root, fault).run();
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

class Life {
  readonly #clock = handClock(instant(NOW));
  readonly #events: LogEvent[] = [];
  readonly #asked: Asked[] = [];
  readonly #model = testModel(DIFFICULT_MONTH);
  readonly #broken: string[] = [];
  readonly #verdicts: Verdict[] = [];
  readonly #host: Host;
  readonly #occurrence: Occurrence;
  readonly #outage: Outage;
  readonly #system;
  readonly #disk: Disk;
  #supervisor: Memd | undefined;
  /** How many have begun. */
  #rounds = 0;

  constructor(
    readonly root: string,
    fault: Fault | undefined,
  ) {
    this.#host = new Host(root);
    this.#occurrence = new Occurrence(fault);
    this.#outage = new Outage(this.#occurrence, this.#events, SECOND_STEPS);
    this.#system = failingSystem(root, (asked) => {
      this.#asked.push(asked);
      return this.#occurrence.rule(asked);
    });
    this.#disk = diskOver(this.#system.calls);
  }

  async run(): Promise<Lived> {
    await this.#start();
    await this.#steps(1);
    // Where the fault is over already, what comes between it and the end is no news.
    if (!this.#outage.isOver) {
      await this.#say("said: is the mill open today");
      this.#host.talk();
      this.#host.saveLate();
      await this.#hint(1);
    }
    if (!this.#outage.isOver) {
      this.#host.breakInbox();
      await this.#hint(2);
      this.#host.mendInbox();
      await this.#hint(1);
    }
    this.#model.difficult = undefined;
    this.#clock.set(later(this.#clock.now(), 7 * DAY_MS));
    await this.#archive();
    this.#clock.set(later(this.#clock.now(), 2 * MINUTE_MS));
    await this.#hint(2);
    while (this.#outage.isOpen) await this.#step();
    await this.#supervisor?.stop();
    this.#judge(whenAllIsDone(this.root, this.#host.promises, this.#host.delivered));
    for (const line of missingLines(this.root, this.#system.lostLines))
      this.#broken.push(`an fsync failed and this was not written again: ${line.slice(0, 60)}`);
    if (this.#system.openHandles > 0) this.#broken.push(`${this.#system.openHandles} files were left open`);
    await this.#secondLife();
    return this.#told();
  }

  /** As a service that is started again when it could not start. */
  async #start(): Promise<void> {
    for (;;) {
      const supervisor = this.#open(this.#disk);
      const failed = await this.#drive(
        supervisor.start({ watch: false, work: true }).then(
          () => undefined,
          (error: unknown) => ({ error }),
        ),
      );
      if (failed === undefined) {
        this.#supervisor = supervisor;
        return;
      }
      if (!isMemdError(failed.error) || !failed.error.code.startsWith("disk_"))
        this.#broken.push(`the start ended with ${messageOf(failed.error)}`);
      await supervisor.stop();
      for (let step = 0; step < RESTART_STEPS; step++) await this.#step();
    }
  }

  #open(disk: Disk): Memd {
    const supervisor = new Memd({
      workspace: { root: this.root },
      settings: settingsSchema.parse(SETTINGS),
      disk,
      clock: this.#clock,
      random: systemRandom,
      locks: memoryLocks(),
      watch: { watch: () => Promise.resolve({ close: () => Promise.resolve() }) },
      spawn: this.#model.spawn,
      ripgrep: () => Promise.resolve([]),
      openIndex: indexInMemory,
      log: listeningLog((event) => this.#events.push(event)),
      systemZone: "UTC",
      environment: {},
      workerEntry: workerEntry(),
      promptFolders: [promptsFolder()],
      guard: () => Promise.resolve(),
    });
    this.#count(supervisor);
    return supervisor;
  }

  /** A round looks at what others wrote; before that, after a fault and once a minute, it scans everything anew. */
  #count({ archive }: Memd): void {
    const look = archive.look.bind(archive);
    const rescan = archive.rescan.bind(archive);
    let hasBegun = false;
    archive.rescan = () => {
      this.#rounds++;
      hasBegun = true;
      return rescan();
    };
    archive.look = () => {
      if (!hasBegun) this.#rounds++;
      hasBegun = false;
      return look();
    };
  }

  /** Until it is taken. What was refused may have been kept all the same. */
  async #say(text: string): Promise<void> {
    for (let n = 1; ; n++) {
      const words = n === 1 ? text : `${text}, for the ${n}th time`;
      if (await this.#drive(this.#tell(words))) return;
      await this.#passOver();
    }
  }

  async #tell(text: string): Promise<boolean> {
    const message = { role: "user" as const, text, createdAt: "2026-02-20T12:00:03.000Z" };
    const supervisor = this.#supervisor!;
    const { writer, workspace, clock } = supervisor.archive.context;
    const isTaken = await writeDrop(writer, workspace, message, clock.now()).then(
      () => true,
      () => false,
    );
    if (isTaken) supervisor.wake();
    this.#host.told(text, isTaken);
    return isTaken;
  }

  /** A pass that is asked for, until one is reported done. */
  async #archive(): Promise<void> {
    for (;;) {
      const asked = this.#supervisor!.archiveNow().catch(() => undefined);
      const report = await this.#drive(asked);
      for (const { date, reason } of report?.failed ?? []) this.#broken.push(`${date} failed: ${reason}`);
      if (report !== undefined) return;
      await this.#passOver();
    }
  }

  /** Whoever was refused asks again when it is over. */
  async #passOver(): Promise<void> {
    do await this.#steps(1);
    while (this.#outage.isOpen);
  }

  async #hint(seconds: number): Promise<void> {
    this.#supervisor?.wake();
    await this.#steps(seconds);
  }

  async #steps(seconds: number): Promise<void> {
    for (let step = 0; step < seconds * SECOND_STEPS; step++) await this.#step();
  }

  /** Moves time on until the work is done. */
  async #drive<T>(work: Promise<T>): Promise<T> {
    let ended = false;
    const mark = work.finally(() => {
      ended = true;
    });
    await this.#quiet();
    for (let step = 0; !ended; step++) {
      if (step > PATIENCE_STEPS) throw new Error("memd neither answers nor refuses");
      await this.#step();
    }
    return mark;
  }

  async #step(): Promise<void> {
    const before = this.#system.operations;
    const roundsBefore = this.#rounds;
    await this.#clock.advance(STEP_MS);
    await this.#quiet();
    const operations = this.#system.operations - before;
    const supervisor = this.#supervisor;
    if (!this.#occurrence.hasBegun || this.#outage.isOver) return;
    const begins = this.#outage.look({
      atMs: this.#clock.monotonicMs(),
      operations,
      rounds: this.#rounds - roundsBefore,
      rests: supervisor?.progress.running === 0,
      ...(supervisor === undefined ? {} : { status: await statusOf(supervisor, "") }),
    });
    if (!begins) return;
    this.#judge(whileItLasts(this.root, this.#host.promises, this.#host.torn));
    if (this.#occurrence.inForce && supervisor !== undefined) await this.#ask(supervisor);
  }

  /** While nothing can be written, nothing is acknowledged. */
  async #ask(supervisor: Memd): Promise<void> {
    if (await this.#tell("asked: while it lasted")) this.#broken.push("say was taken");
    supervisor.archiveNow().then(
      () => this.#occurrence.inForce && this.#broken.push("a pass was reported done"),
      () => undefined,
    );
    await this.#quiet();
  }

  /** Until nothing is under way any more that does not wait for the clock. */
  async #quiet(): Promise<void> {
    const system = this.#system;
    system.most = system.operations + SPIN;
    let last = system.operations;
    for (let turns = 0; turns < QUIET_TURNS; turns++) {
      await this.#clock.breathe();
      if (system.operations !== last) turns = 0;
      last = system.operations;
      if (last > system.most) throw new Error(`${SPIN} calls without a rest`);
    }
  }

  /** The next start finds everything, changes nothing of it, and clears away what was left. */
  async #secondLife(): Promise<void> {
    const supervisor = this.#open(diskOver(failingSystem(this.root, () => undefined).calls));
    age(this.root);
    await supervisor.start({ watch: false, work: true });
    await supervisor.idle();
    await supervisor.stop();
    this.#judge(whenAllIsDone(this.root, this.#host.promises, this.#host.delivered));
    for (const file of leftovers(this.root)) this.#broken.push(`${file} was left`);
  }

  #judge(verdict: Verdict): void {
    this.#verdicts.push(verdict);
    this.#broken.push(...verdict.broken);
  }

  #told(): Lived {
    const { beganAtMs, liftedAtMs = 0, recoveredAtMs, mostPerSecond, broken } = this.#outage;
    const most = (of: "lost" | "doubled"): number =>
      Math.max(...this.#verdicts.map((verdict) => verdict[of]));
    return {
      broken: [...new Set([...this.#broken, ...broken, ...this.#system.broken, ...this.#said()])],
      lost: most("lost"),
      doubled: most("doubled"),
      asked: this.#asked,
      met: this.#occurrence.met,
      recoveryMs: beganAtMs === undefined ? undefined : (recoveredAtMs ?? Infinity) - liftedAtMs,
      mostPerSecond,
      retriedSyncs: this.#system.retriedSyncs,
    };
  }

  /** What the log and the model have to say in the end. */
  *#said(): Generator<string> {
    const last = this.#events
      .map(({ event }) => event)
      .filter((event) => /^trouble/.test(event))
      .at(-1);
    if (last === "trouble") yield "the log never says that the trouble is over";
    for (const { reason } of this.#events.filter(({ code }) => code === "internal"))
      yield `internal: ${String(reason)}`;
    const done = this.#model.calls.filter((call) => call.done).map(({ job }) => job);
    if (new Set(done).size < done.length) yield "the model was asked again for what it had answered";
  }
}

/** A file system in memory where there is one: what is tested is memd, not the disk. */
function memoryFolder(): string {
  return fs.existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir();
}
