/**
 * The writing side of one index file.
 *
 * Everything of a path changes in one transaction. What is alike keeps its row;
 * a passage that only moved in its file gets its new lines.
 */
import type { Passage } from "../../../model/passage.js";
import type { SpaceId } from "../../../model/space.js";
import { contentHash } from "../../../platform/hash.js";
import type { Database } from "../../../platform/sqlite.js";
import type { Partition } from "../partitions.js";
import { SCHEMA } from "./schema.js";
import { PartitionEdit, type Row } from "./partition-edit.js";

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

/** Passages without a vector of the space. */
export function unembeddedIn(
  db: Database,
  space: SpaceId,
  most: number,
): { key: string; passage: Passage }[] {
  const rows = db
    .prepare(
      "SELECT id, same, passage FROM passages WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE space = ? AND vectors.id = passages.id) LIMIT ?",
    )
    .all(space, most);
  return rows.map(({ id, same, passage }) => ({
    key: `${Number(id)} ${String(same)}`,
    passage: JSON.parse(String(passage)) as Passage,
  }));
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

export function spacesIn(db: Database): [SpaceId, number][] {
  const rows = db.prepare("SELECT space, count(*) AS n FROM vectors GROUP BY space").all();
  return rows.map(({ space, n }) => [String(space) as SpaceId, Number(n)]);
}

export function removeSpace(db: Database, space: SpaceId): void {
  db.prepare("DELETE FROM vectors WHERE space = ?").run(space);
}

/** Everything of the path becomes this; undefined removes the path. */
export function replaceFile(
  db: Database,
  path: string,
  next: (KnownFile & { passages: readonly Passage[] }) | undefined,
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
    for (const [place, passage] of next.passages.entries()) {
      const same = samenessOf(passage);
      const kept = reusable.get(same);
      if (kept === undefined) fresh.push([place, passage, same]);
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
