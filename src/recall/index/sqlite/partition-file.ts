/**
 * The writing side of one index file.
 *
 * Everything of a path changes in one transaction. What is alike keeps its row;
 * a passage that only moved in its file gets its new lines. A passage's id is its
 * place in its conversation; who stood there (the same day in another file) moves aside.
 */
import type { Passage } from "../../../model/passage.js";
import type { SpaceId } from "../../../model/space.js";
import { contentHash } from "../../../platform/files.js";
import type { Database, Statement } from "../../../platform/sqlite.js";
import { documentOf, indexedTermsOf } from "../document.js";
import { type Partition, partOf } from "../partitions.js";
import { FIRST_PLACED_ID, KEPT_GENERATIONS, placedId, SCHEMA } from "./schema.js";

/** A file as this partition knows it: its version, and in which partitions its passages stand. */
export interface KnownFile {
  stamp: string;
  partitions: readonly string[];
}

export function createPartitionFile(db: Database, partition: Partition): void {
  db.transaction(() => {
    db.exec(SCHEMA);
    db.prepare("INSERT INTO about VALUES (?, 0, 0, 0, 0)").run(JSON.stringify(partition));
  });
}

export function partitionIn(db: Database): Partition {
  return JSON.parse(String(db.prepare("SELECT partition FROM about").get()?.["partition"])) as Partition;
}

export function filesIn(db: Database): Map<string, KnownFile> {
  const rows = db.prepare("SELECT path, stamp, partitions FROM files").all();
  return new Map(
    rows.map(({ path, stamp, partitions }) => [
      String(path),
      { stamp: String(stamp), partitions: JSON.parse(String(partitions)) as string[] },
    ]),
  );
}

export function passagesIn(db: Database): number {
  return Number(db.prepare("SELECT passages FROM about").get()?.["passages"]);
}

/** A passage that is gone or changed gets none. */
export function addVectors(
  db: Database,
  space: SpaceId,
  vectors: readonly { key: string; vector: Float32Array | undefined }[],
): void {
  db.transaction(() => {
    const edit = new PartitionEdit(db);
    for (const { key, vector } of vectors) edit.setVector(space, key, vector ?? new Float32Array());
    edit.finish();
  });
}

/** Everything of the path becomes this; undefined removes the path. */
export function replaceFile(
  db: Database,
  path: string,
  next: (KnownFile & { passages: Iterable<Passage> }) | undefined,
): void {
  db.transaction(() => {
    const edit = new PartitionEdit(db);
    const known = db.prepare("SELECT file FROM files WHERE path = ?").get(path)?.["file"];
    const before = known === undefined ? [] : rowsOf(db, Number(known));
    if (next === undefined) {
      for (const row of before) edit.remove(row.id);
      db.prepare("DELETE FROM files WHERE path = ?").run(path);
      return edit.finish();
    }
    db.prepare(
      "INSERT INTO files (path, stamp, partitions) VALUES (?, ?, ?) ON CONFLICT (path) DO UPDATE SET stamp = excluded.stamp, partitions = excluded.partitions",
    ).run(path, next.stamp, JSON.stringify(next.partitions));
    const file = Number(db.prepare("SELECT file FROM files WHERE path = ?").get(path)?.["file"]);
    const reusable = new Map(before.map((row) => [row.same, row]));
    const fresh: [place: number, passage: Passage, same: string][] = [];
    let place = -1;
    for (const passage of next.passages) {
      place++;
      const same = samenessOf(passage);
      const kept = reusable.get(same);
      // Where something stood, that goes first and makes room.
      if (kept === undefined && before.length === 0) edit.add(file, place, passage, same);
      else if (kept === undefined) fresh.push([place, passage, same]);
      else {
        reusable.delete(same);
        edit.move(kept, place, passage.lines);
      }
    }
    for (const row of reusable.values()) edit.remove(row.id);
    for (const [place, passage, same] of fresh) edit.add(file, place, passage, same);
    edit.finish();
  });
}

/**
 * Of what was removed nothing is left: the lists of words, which keep terms of rows that are gone until they are put
 * together anew, the names of conversations of which nothing stands, pages that are free or were moved, and the log.
 */
export function scrubFile(db: Database): void {
  db.transaction(() => {
    const standing = `SELECT id / ${FIRST_PLACED_ID} FROM passages WHERE id >= ${FIRST_PLACED_ID}`;
    db.prepare(`DELETE FROM conversations WHERE ordinal NOT IN (${standing})`).run();
    db.prepare("INSERT INTO words (words) VALUES ('optimize')").run();
  });
  db.compact();
}

/**
 * One step of putting the lists of words together that many writes left in
 * pieces: a search looks into each piece. False when nothing is left to do.
 */
export function joinWords(db: Database): boolean {
  const changes = (): number => Number(db.prepare("SELECT total_changes() AS n").get()?.["n"]);
  const before = changes();
  // A negative number of pages: of all pieces, not only of those that are alike.
  db.prepare("INSERT INTO words (words, rank) VALUES ('merge', ?)").run(-JOINED_PAGES);
  // Less than two changes: by the package's own account there was nothing to merge.
  return changes() - before >= 2;
}

/** Some milliseconds of work. */
const JOINED_PAGES = 64;

function rowsOf(db: Database, file: number): Row[] {
  const rows = db.prepare("SELECT id, same, place, first, last FROM passages WHERE file = ?").all(file);
  return rows.map(({ id, same, place, first, last }) => ({
    id: Number(id),
    same: String(same),
    place: Number(place),
    first: Number(first),
    last: Number(last),
  }));
}

/** All but where it stands in its file. */
function samenessOf({ lines: _lines, ...passage }: Passage): string {
  return contentHash(JSON.stringify(passage));
}

/** A passage as it stands, and where in its file. */
interface Row {
  id: number;
  same: string;
  place: number;
  first: number;
  last: number;
}

class PartitionEdit {
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
