/**
 * The rows of one transaction on an index file, and what they change in its sums.
 *
 * A passage's id is its place in its conversation; who stood there (the same day
 * in another file) moves aside.
 */
import type { Passage } from "../../../model/passage.js";
import type { SpaceId } from "../../../model/space.js";
import type { Database, Statement } from "../../../platform/sqlite.js";
import { documentOf } from "../document.js";
import { indexedTermsOf } from "../indexed-terms.js";
import { partOf } from "../partitions.js";
import { FIRST_PLACED_ID, KEPT_GENERATIONS, placedId } from "./schema.js";

/** A passage as it stands, and where in its file. */
export interface Row {
  id: number;
  same: string;
  place: number;
  first: number;
  last: number;
}

export class PartitionEdit {
  readonly #generation: number;
  readonly #remove: Statement;
  #passages = 0;
  #length = 0;
  #windows = 0;
  #changed = 0;

  constructor(readonly db: Database) {
    this.#generation = Number(db.prepare("SELECT generation FROM about").get()?.["generation"]) + 1;
    this.#remove = db.prepare("DELETE FROM passages WHERE id = ?");
  }

  move({ id, place, first, last }: Row, to: number, [newFirst, newLast]: readonly [number, number]): void {
    if (place === to && first === newFirst && last === newLast) return;
    this.db
      .prepare("UPDATE passages SET place = ?, first = ?, last = ? WHERE id = ?")
      .run(to, newFirst, newLast, id);
  }

  remove(id: number): void {
    const row = this.db.prepare("SELECT speaker, length, windows FROM passages WHERE id = ?").get(id);
    if (row === undefined) return;
    const speaker = row["speaker"] === null ? undefined : String(row["speaker"]);
    this.#remove.run(id);
    this.db.prepare("DELETE FROM words WHERE rowid = ?").run(id);
    this.db.prepare("DELETE FROM vectors WHERE id = ?").run(id);
    this.#count(speaker, -1, Number(row["length"]), Number(row["windows"]));
    this.#note(id);
  }

  add(file: number, place: number, passage: Passage, same: string): void {
    const { vector, signature, ...document } = documentOf(passage);
    const id = this.#idFor(document.conversation, document.sequence);
    this.db
      .prepare("INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(
        id,
        file,
        place,
        same,
        passage.kind,
        passage.user ?? null,
        passage.session ?? null,
        partOf(passage) ?? null,
        passage.day,
        passage.saidAt,
        document.speaker ?? null,
        document.length,
        document.windows.length,
        passage.lines[0],
        passage.lines[1],
        JSON.stringify(document),
        vector,
        bytesOf(signature),
        JSON.stringify(passage),
      );
    const terms = indexedTermsOf(passage, vector).join(" ");
    this.db.prepare("INSERT INTO words (rowid, terms) VALUES (?, ?)").run(id, terms);
    this.#count(document.speaker, 1, document.length, document.windows.length);
    this.#note(id);
  }

  setVector(space: SpaceId, key: string, vector: Float32Array): void {
    const [id, same] = key.split(" ");
    const row = this.db.prepare("SELECT same FROM passages WHERE id = ?").get(Number(id));
    if (row?.["same"] !== same) return;
    this.db
      .prepare("INSERT OR REPLACE INTO vectors (space, id, vector) VALUES (?, ?, ?)")
      .run(space, Number(id), bytesOf(vector));
    this.#note(Number(id));
  }

  finish(): void {
    if (this.#changed === 0) return;
    this.db
      .prepare(
        "UPDATE about SET generation = ?, passages = passages + ?, length = length + ?, windows = windows + ?",
      )
      .run(this.#generation, this.#passages, this.#length, this.#windows);
    this.db.prepare("DELETE FROM speakers WHERE turns = 0").run();
    this.db.prepare("DELETE FROM changes WHERE generation <= ?").run(this.#generation - KEPT_GENERATIONS);
  }

  /** Its place in the conversation; who stood there (the same day in another file) moves aside. */
  #idFor(conversation: string | undefined, sequence: number | undefined): number {
    const ordinal = conversation === undefined ? undefined : this.#ordinalOf(conversation);
    const placed = ordinal === undefined || sequence === undefined ? undefined : placedId(ordinal, sequence);
    if (placed === undefined) return this.#asideId();
    const taken = this.db.prepare("SELECT 1 FROM passages WHERE id = ?").get(placed);
    if (taken !== undefined) this.#moveAside(placed);
    return placed;
  }

  #moveAside(id: number): void {
    const aside = this.#asideId();
    const row = this.db.prepare("SELECT passage, vector FROM passages WHERE id = ?").get(id);
    const passage = JSON.parse(String(row?.["passage"])) as Passage;
    this.db.prepare("UPDATE passages SET id = ? WHERE id = ?").run(aside, id);
    this.db.prepare("UPDATE vectors SET id = ? WHERE id = ?").run(aside, id);
    this.db.prepare("DELETE FROM words WHERE rowid = ?").run(id);
    const terms = indexedTermsOf(passage, String(row?.["vector"])).join(" ");
    this.db.prepare("INSERT INTO words (rowid, terms) VALUES (?, ?)").run(aside, terms);
    this.#note(id);
    this.#note(aside);
  }

  #asideId(): number {
    const highest = this.db.prepare("SELECT max(id) AS id FROM passages WHERE id < ?").get(FIRST_PLACED_ID);
    return Number(highest?.["id"] ?? 0) + 1;
  }

  #ordinalOf(conversation: string): number {
    this.db.prepare("INSERT OR IGNORE INTO conversations (name) VALUES (?)").run(conversation);
    return Number(
      this.db.prepare("SELECT ordinal FROM conversations WHERE name = ?").get(conversation)?.["ordinal"],
    );
  }

  #count(speaker: string | undefined, step: 1 | -1, length: number, windows: number): void {
    this.#passages += step;
    this.#length += step * length;
    this.#windows += step * windows;
    if (speaker === undefined) return;
    this.db
      .prepare(
        "INSERT INTO speakers VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET turns = turns + excluded.turns",
      )
      .run(speaker, step);
  }

  #note(id: number): void {
    this.#changed += 1;
    this.db.prepare("INSERT INTO changes VALUES (?, ?)").run(this.#generation, id);
  }
}

function bytesOf(numbers: Float32Array | Int32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
