/** Which passages of one index file have a vector, and in which spaces. */
import type { Passage } from "../../../model/passage.js";
import type { SpaceId } from "../../../model/space.js";
import type { Database } from "../../../platform/sqlite.js";

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

export function spacesIn(db: Database): [SpaceId, number][] {
  const rows = db.prepare("SELECT space, count(*) AS n FROM vectors GROUP BY space").all();
  return rows.map(({ space, n }) => [String(space) as SpaceId, Number(n)]);
}

export function removeSpace(db: Database, space: SpaceId): void {
  db.prepare("DELETE FROM vectors WHERE space = ?").run(space);
}
