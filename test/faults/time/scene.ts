/**
 * A workspace on a disk in memory whose clock and zone are played with: hosts
 * write, memd looks, passes and restarts, and between any two operations of the
 * disk the clock may be set or the process die. What must hold is looked at
 * after every step.
 */
import type { Archive } from "../../../src/archive/archive.js";
import { prune, prunePlan } from "../../../src/archive/prune.js";
import { epochMs } from "../../../src/model/time.js";
import { Pass } from "../../../src/archive/passes.js";
import { dayIn } from "./calendar.js";
import { Expected, type Written } from "./expected.js";
import { ModelWitness, type Mood } from "./model-witness.js";
import { openArchive } from "./open-archive.js";
import { filesUnder, historyOf, journalOn, ROOT, standingOn, type Standing } from "./standing.js";
import { summarise } from "../../support/summarise.js";
import { handClock, type HandClock } from "../../support/hand-clock.js";
import { memoryDisk, type MemoryDisk } from "../../support/memory-disk.js";

/** Happens before the n-th operation of the disk in a step, counted from 0. */
export interface Mishap {
  at: number;
  /** The clock is set to this, seen from what it says. */
  clock?: (now: number) => number;
  dies?: true;
}

export interface SceneOptions {
  now: number;
  zone: string;
  settings?: Record<string, unknown>;
}

class Died extends Error {}

export class Scene {
  readonly expected = new Expected();
  readonly model = new ModelWitness(this.expected);
  readonly disk: MemoryDisk;
  readonly clock: HandClock;
  zone: string;
  /** Operations of the disk in the last step. */
  operations = 0;
  #archive: Archive | undefined;
  /** What the clock has said since the step began. */
  #clock: number[] = [];
  readonly #settings: Record<string, unknown>;
  readonly #written = new Map<string, Written>();
  #drops = 0;

  constructor({ now, zone, settings = {} }: SceneOptions) {
    this.zone = zone;
    this.#settings = settings;
    this.clock = handClock(epochMs(now));
    this.disk = memoryDisk(() => this.now);
    this.setClock(now);
  }

  get now(): number {
    return this.clock.now();
  }

  get archive(): Archive {
    if (this.#archive === undefined) throw new Error("the scene is not open");
    return this.#archive;
  }

  setClock(at: number): void {
    this.clock.set(epochMs(Math.round(at)));
    this.#clock.push(this.now);
    this.expected.clockShowed(this.zone, this.now);
  }

  /** Starts memd on what there is, as after a kill; with another zone, as after a change of settings. */
  async open(zone = this.zone, mishaps: readonly Mishap[] = []): Promise<void> {
    this.zone = zone;
    this.expected.clockShowed(zone, this.now);
    await this.#step(mishaps, () => this.#start());
    await this.#checkStep(false);
  }

  /** The host adds a message to history.json. */
  async say(message: Written, text = `${message.id}.v1 ${message.id}`): Promise<void> {
    const { id, scope, createdAt } = message;
    this.#written.set(id, message);
    const raw = {
      id,
      role: "user",
      text,
      ...(scope === "main" ? {} : { scope }),
      ...(createdAt === undefined ? {} : { createdAt }),
    };
    await this.#writeHistory([...this.history(), raw]);
  }

  /** The host writes a new text of a message that still stands in history.json. */
  async revise(id: string, text: string): Promise<void> {
    await this.#writeHistory(this.history().map((raw) => (raw["id"] === id ? { ...raw, text } : raw)));
  }

  /** Another writer drops a message without a time: that of its file counts. */
  async drop(): Promise<void> {
    const id = `d${String(this.#drops++).padStart(6, "0")}`;
    const said = this.now;
    this.#written.set(id, { id, scope: "main", createdAt: new Date(said).toISOString(), said });
    await this.disk.makeDir(`${ROOT}/inbox.d`);
    this.disk.writeInPlace(
      `${ROOT}/inbox.d/${id}.json`,
      JSON.stringify({ role: "user", text: `${id}.v1 drop` }),
    );
  }

  async emptyInbox(): Promise<void> {
    await this.#replace("inbox.json", "[]");
  }

  history(): Record<string, unknown>[] {
    return historyOf(standingOn(this.disk));
  }

  async look(mishaps: readonly Mishap[] = []): Promise<void> {
    await this.#step(mishaps, () => this.archive.look());
    await this.#checkStep(false);
  }

  /** A pass as the supervisor drives one. `mood`: how the model is, by turns. */
  async pass(mood: () => Mood, asked = false, mishaps: readonly Mishap[] = []): Promise<void> {
    const pass = new Pass(asked ? "asked" : "interval", 0);
    const whole = await this.#step(mishaps, async () => {
      const { archive } = this;
      await archive.rescan();
      await archive.look();
      await archive.writeVerbatim();
      for (;;) {
        const due = this.#clock.length - 1;
        const owed = archive.due(asked).find(({ target }) => pass.mayTry(target));
        if (owed === undefined) break;
        const begun = this.#clock.length - 1;
        let mine: Mood = "good";
        let answeredAt = this.now;
        const end = await summarise(archive, owed, async (job) => {
          mine = mood();
          const seen = { dueClock: this.#clock.slice(due), clock: this.#clock.slice(begun) };
          const outcome = await this.model.answer(job, { zone: this.zone, owed, asked, ...seen }, mine);
          answeredAt = this.now;
          return outcome;
        });
        this.model.ended(owed, end, mine, answeredAt);
        pass.count(owed, end);
        if (end.to === "changed") await archive.rescan();
      }
      await archive.mirror();
    });
    const undisturbed = whole && mishaps.length === 0;
    const owed = await this.#checkStep(undisturbed);
    if (!undisturbed) return;
    const failed = new Set(pass.failed.map(({ scope, date }) => `${scope} ${date}`));
    for (const target of owed)
      if (!failed.has(target) && (asked || !this.model.waits(target, this.now)))
        this.expected.break(`${target} is owed, was due, and was not made`);
  }

  async prune(): Promise<void> {
    const { archive } = this;
    const shown = new Set([...archive.history.messages, ...archive.inbox.messages].map(({ key }) => key));
    await prune(archive.context, await prunePlan(archive.context, shown));
    this.expected.checkJournal(await journalOn(this.disk, standingOn(this.disk)), true);
  }

  async #start(): Promise<void> {
    this.#archive = openArchive(this.disk, this.clock, this.zone, this.#settings);
    await this.#archive.start();
  }

  /** Runs one step of memd with its mishaps; false when the process died in it, and another took over. */
  async #step(mishaps: readonly Mishap[], run: () => Promise<void>): Promise<boolean> {
    this.#clock = [this.now];
    this.operations = 0;
    const readable = this.#readable();
    let dead = false;
    this.disk.before(() => {
      if (dead) throw new Died();
      for (const { at, clock, dies } of mishaps) {
        if (at !== this.operations) continue;
        if (clock !== undefined) this.setClock(clock(this.now));
        if (dies !== undefined) dead = true;
      }
      this.operations++;
      if (dead) throw new Died();
    });
    try {
      await run();
    } catch (error) {
      if (!dead) throw error;
    }
    this.disk.before(() => undefined);
    if (dead) {
      this.expected.died();
      await this.#start();
      this.model.recall(filesUnder(standingOn(this.disk), "queue/summaries/").map(([, text]) => text));
    }
    for (const { message, text } of readable) this.expected.saw(message, text, this.#clock);
    return !dead;
  }

  /** What a look finds: the list first, then the drops, which go into it. */
  #readable(): { message: Written; text: string }[] {
    const standing = standingOn(this.disk);
    const listed = historyOf(standing).map(({ id, text }) => ({ id: String(id), text: String(text) }));
    const drops = filesUnder(standing, "inbox.d/").map(([path, raw]) => ({
      id: path.replace(/^.*\/(.+)\.json$/, "$1"),
      text: String((JSON.parse(raw) as Record<string, unknown>)["text"]),
    }));
    return [...listed, ...drops].flatMap(({ id, text }) => {
      const message = this.#written.get(id);
      if (message === undefined) this.expected.break(`history.json has what nobody wrote: ${id}`);
      return message === undefined ? [] : [{ message, text }];
    });
  }

  /** What is owed by the calendar. `complete`: after a pass that nothing disturbed. */
  async #checkStep(complete: boolean): Promise<Set<string>> {
    const standing: Standing = standingOn(this.disk);
    this.expected.checkJournal(await journalOn(this.disk, standing), false);
    this.expected.checkBlocks(standing, this.zone, complete);
    if (complete) this.expected.checkMirror(standing);
    return this.expected.checkMemory(standing, dayIn(this.zone, this.now), complete);
  }

  async #writeHistory(list: readonly Record<string, unknown>[]): Promise<void> {
    await this.#replace("history.json", JSON.stringify(list));
  }

  /** By a temporary file and a rename, as careful hosts save. */
  async #replace(file: string, text: string): Promise<void> {
    await this.disk.makeDir(ROOT);
    this.disk.writeInPlace(`${ROOT}/.host`, text);
    await this.disk.rename(`${ROOT}/.host`, `${ROOT}/${file}`);
  }
}
