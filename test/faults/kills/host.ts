/**
 * The host of a workspace: writes messages as careful hosts do, each with a mark
 * that stands in its text once, and keeps book of which must never be lost.
 */
import fs from "node:fs";
import path from "node:path";
import type { Chance } from "./chance.js";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Recent, older than five days, and of the month before last. */
const AGES_DAYS = [0, 1, 3, 6, 9, 14, 22, 45, 62, 64, 70] as const;
/** Long enough to be written in several pages of the disk. */
const LONG_CHARS = 9000;

export class Host {
  /** Marks of messages that were acknowledged: durable, and the writer knows. */
  readonly required = new Set<number>();
  /** Marks of messages whose writer was cut off: there or not, but not twice. */
  readonly open = new Set<number>();
  /**
   * Whether each message has one line in the journal. Once the disk has refused
   * part of a batch, the whole of it is written again, and its lines count once.
   */
  isJournalledOnce = true;
  #next = 0;
  readonly #wrote = new Set<string>();

  constructor(
    readonly root: string,
    readonly chance: Chance,
    /** Fsyncs what it writes: a power cut is no excuse then. */
    readonly durable = false,
  ) {}

  get messages(): number {
    return this.#next;
  }

  /** A new message of some age at `now`. Every fifth has no id. */
  message(now: number, ages: readonly number[] = AGES_DAYS): { mark: number; raw: Record<string, unknown> } {
    const mark = this.#next++;
    const age = ages[this.chance.below(ages.length)] ?? 0;
    const createdAt = new Date(now - age * DAY_MS - this.chance.below(3_600_000)).toISOString();
    const filler = mark % 13 === 7 ? ` ${"wide as the sea ".repeat(LONG_CHARS / 16)}` : "";
    const text = `We decided to take ferry ${mark % 17} to Lisbon. ${marked(mark)}${filler}`;
    const named = mark % 5 === 3 ? {} : { id: `k${mark}` };
    return { mark, raw: { ...named, role: mark % 2 === 0 ? "user" : "agent", text, createdAt } };
  }

  /** Appends to history.json or inbox.json by a temporary file and a rename. */
  append(file: "history.json" | "inbox.json", count: number, now: number): void {
    const added = Array.from({ length: count }, () =>
      this.message(now, file === "inbox.json" ? [0] : AGES_DAYS),
    );
    const at = path.join(this.root, file);
    const present = fs.existsSync(at) ? (JSON.parse(fs.readFileSync(at, "utf8")) as unknown[]) : [];
    this.#replace(at, JSON.stringify([...present, ...added.map(({ raw }) => raw)], null, 1));
    this.#wrote.add(file);
    for (const { mark } of added) this.required.add(mark);
  }

  /** Whether this file has been written once: it must be there ever after. */
  wrote(file: string): boolean {
    return this.#wrote.has(file);
  }

  /** One file in inbox.d/; throws, and nothing is acknowledged, when it cannot be written. */
  drop(now: number): void {
    const { mark, raw } = this.message(now, [0]);
    const dir = path.join(this.root, "inbox.d");
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
    const { id: _named, ...message } = raw;
    this.open.add(mark);
    this.#replace(
      path.join(dir, `${now}-${String(mark).padStart(6, "0")}.json`),
      JSON.stringify({ ...message, role: "user" }),
    );
    this.acknowledge(mark);
  }

  acknowledge(mark: number): void {
    this.open.delete(mark);
    this.required.add(mark);
  }

  #replace(file: string, text: string): void {
    const temp = path.join(path.dirname(file), `.host-${path.basename(file)}`);
    try {
      fs.writeFileSync(temp, text, { flush: this.durable });
      fs.renameSync(temp, file);
      if (this.durable) syncDir(path.dirname(file));
    } catch (error) {
      fs.rmSync(temp, { force: true });
      throw error;
    }
  }
}

export function marked(mark: number): string {
  return `[m${mark}]`;
}

function syncDir(dir: string): void {
  const fd = fs.openSync(dir, "r");
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}
