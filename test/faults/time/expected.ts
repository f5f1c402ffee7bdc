/**
 * What has to be true of a workspace, whatever its clock did: kept beside the
 * run from what the host wrote and what the clock said, and compared with what
 * stands on the disk. Every difference is a broken promise in words.
 */
import type { FiledMessage } from "../../../src/model/message.js";
import { coverHash } from "../../../src/protocol/verbatim.js";
import { DAY, dateOf, dayIn, tierOf } from "./calendar.js";
import { filesUnder, historyOf, type Standing } from "./standing.js";

/** A message as its host writes it. */
export interface Written {
  id: string;
  scope: string;
  /** As it stands in the file; absent in one that says no time. */
  createdAt?: string;
  /** The instant that `createdAt` names, when it is one. */
  said?: number;
}

interface Followed extends Written {
  /** Texts in the order in which memd saw them. */
  versions: string[];
  /** The instants that count as the time it is filed under. */
  filedAt: Set<number>;
  order: number;
  /** Of the file that got its block. */
  day?: string;
}

export class Expected {
  readonly broken = new Set<string>();
  readonly #messages = new Map<string, Followed>();
  /** `id: text` of every line, in the order of writing. */
  #journal: string[] = [];
  /** Latest day that the clock has shown, in any zone. */
  #latest = "0000-00-00";
  #halfMoved = false;

  get messages(): number {
    return this.#messages.size;
  }

  /** A process that dies while a day moves leaves both files, until the next pass. */
  died(): void {
    this.#halfMoved = true;
  }

  break(what: string): void {
    this.broken.add(what);
  }

  clockShowed(zone: string, at: number): void {
    const today = dayIn(zone, at);
    if (today > this.#latest) this.#latest = today;
  }

  /** memd has read this text. `clock`: what its clock may have said when it did so first. */
  saw(message: Written, text: string, clock: readonly number[]): void {
    const known = this.#messages.get(message.id);
    if (known?.versions.at(-1) === text) return;
    this.#journal.push(`${message.id}: ${text}`);
    if (known !== undefined) return void known.versions.push(text);
    const { said } = message;
    const filedAt = new Set(clock.map((now) => (said === undefined || said > now + DAY ? now : said)));
    this.#messages.set(message.id, {
      ...message,
      filedAt,
      versions: [text],
      order: this.#messages.size,
    });
  }

  /** `prunes`: lines of messages that have their block may have gone. */
  checkJournal(lines: readonly string[], prunes: boolean): void {
    if (prunes) {
      let at = 0;
      for (const line of this.#journal) if (line === lines[at]) at++;
      if (at === lines.length) this.#journal = [...lines];
    }
    if (lines.join("\n") === this.#journal.join("\n")) return;
    const longer = lines.length > this.#journal.length ? lines : this.#journal;
    const index = longer.findIndex((_line, at) => this.#journal[at] !== lines[at]);
    this.break(
      `the journal is not what was seen, in its order: line ${index + 1} is "${lines[index]}", not "${this.#journal[index]}" (${lines.length} lines, not ${this.#journal.length})`,
    );
  }

  /** Blocks: one of each message, newest text, in the file of its day, in order. `complete`: after a whole pass. */
  checkBlocks(standing: Standing, zone: string, complete: boolean): void {
    const found = new Map<string, { count: number; text: string }>();
    for (const { path, day, blocks } of standing.days) {
      let before = { at: -Infinity, order: -1 };
      for (const { filed } of blocks) {
        const { message, filedAt } = filed;
        const followed = this.#messages.get(message.id);
        if (followed === undefined) {
          this.break(`${path} has a message that nobody wrote: ${message.id}`);
          continue;
        }
        found.set(message.id, { count: (found.get(message.id)?.count ?? 0) + 1, text: message.text });
        this.#checkBlock(followed, day, filed, zone);
        const { order } = followed;
        if (before.at > filedAt || (before.at === filedAt && before.order > order))
          this.break(`${path}: ${message.id} stands behind what came later`);
        before = { at: filedAt, order };
      }
    }
    for (const { id, versions } of this.#messages.values()) {
      const { count, text } = found.get(id) ?? { count: 0, text: undefined };
      if (count > (this.#halfMoved && !complete ? 2 : 1)) this.break(`${id} has ${count} blocks`);
      if (!complete) continue;
      if (count === 0) this.break(`${id} has no block after a pass`);
      else if (text !== versions.at(-1))
        this.break(`${id} says "${text}", but "${versions.at(-1)}" was seen last`);
    }
    if (complete) this.#halfMoved = false;
    for (const [path] of filesUnder(standing, "conflicts/")) this.break(`${path} was set aside`);
  }

  /** Where days stand, and which of them have which summary; what is owed by the calendar, as `scope date`. */
  checkMemory(standing: Standing, today: string, complete: boolean): Set<string> {
    const owed = new Set<string>();
    const covered = this.#checkSummaries(standing);
    for (const { path, day, blocks } of standing.days) {
      const tier = tierOf(day, today);
      const archived = path.includes("/archive/");
      if (archived && !path.includes(`/archive/${day.slice(0, 7)}/`))
        this.break(`${path} is in another month`);
      if (archived && tierOf(day, this.#latest) === "verbatim")
        this.break(`${path} was moved before its time`);
      if (complete && !archived && tier !== "verbatim") this.break(`${path} is old and was not moved`);
      const hash = coverHash(blocks.map(({ filed }) => filed));
      const scope = blocks[0]?.filed.message.scope ?? "main";
      const isCovered =
        covered.has([scope, "month", day, hash].join(" ")) ||
        (tier === "day" && covered.has([scope, "day", day, hash].join(" ")));
      if (tier !== "verbatim" && !isCovered) owed.add(`${scope} ${dateOf(day, tier)}`);
    }
    return owed;
  }

  /** `archived: true` only where there is a block. */
  checkMirror(standing: Standing): void {
    const settled = new Set(
      standing.days.flatMap(({ blocks }) => blocks.map(({ filed }) => String(filed.message.id))),
    );
    for (const { id, archived } of historyOf(standing))
      if (archived === true && !settled.has(String(id)))
        this.break(`${String(id)} is called archived and has no block`);
  }

  /** Every line and every day once in each; what is covered, as `scope tier day hash`. */
  #checkSummaries(standing: Standing): Set<string> {
    const covered = new Set<string>();
    for (const { path, summary } of standing.summaries) {
      if (summary === undefined) {
        this.break(`${path} is no summary`);
        continue;
      }
      const { scope, tier, covers, body } = summary;
      for (const { day, hash } of covers) covered.add([scope, tier, day, hash].join(" "));
      const lines = body.split("\n").filter((line) => /^(?:- |## )/.test(line));
      const twice = lines.find((line, at) => lines.indexOf(line) !== at);
      if (twice !== undefined) this.break(`${path} says twice: ${twice}`);
      if (new Set(covers.map(({ day }) => day)).size !== covers.length)
        this.break(`${path} covers a day twice`);
    }
    return covered;
  }

  #checkBlock(followed: Followed, day: string, { message, filedAt }: FiledMessage, zone: string): void {
    const { id, createdAt } = followed;
    if (!followed.versions.includes(message.text))
      this.break(`${id} has a text that was never seen: "${message.text}"`);
    if (message.createdAt !== (createdAt ?? "")) this.break(`${id} is said to be of ${message.createdAt}`);
    if (!followed.filedAt.has(filedAt)) this.break(`${id} is filed under ${new Date(filedAt).toISOString()}`);
    if (followed.day === undefined && day !== dayIn(zone, filedAt))
      this.break(`${id} is in the file of ${day}, but in ${zone} it was ${dayIn(zone, filedAt)}`);
    if (followed.day !== undefined && followed.day !== day)
      this.break(`${id} went from the file of ${followed.day} to that of ${day}`);
    followed.day = day;
  }
}
