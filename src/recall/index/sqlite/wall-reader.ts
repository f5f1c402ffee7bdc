/**
 * The reading side of one index file: what is asked of it, of one moment.
 *
 * Documents that were read stay in memory by their id; before each question the
 * file's own list of changes says which of them are no longer true.
 */
import type { Passage, PassageKind } from "../../../model/passage.js";
import type { SpaceId } from "../../../model/space.js";
import { epochMs } from "../../../model/time.js";
import type { Database } from "../../../platform/sqlite.js";
import { ALL_UP_TO_PASSAGES, MOST_CANDIDATES, NEIGHBOURS } from "../candidates.js";
import type { Document } from "../document.js";
import type { PassageFilter } from "../engine.js";
import { VectorShelf } from "../vectors.js";
import { filterSql } from "./filter-sql.js";
import { FIRST_PLACED_ID, matching } from "./schema.js";

/** A document with what a filter asks of it. */
export interface Stored {
  id: number;
  document: Document;
  kind: PassageKind;
  user?: string;
  session?: string;
  day: string;
  saidAt: Passage["saidAt"];
}

export interface WallStatistics {
  passages: number;
  length: number;
  windows: number;
  speakers: readonly string[];
}

/** Kept by one wall; the oldest go first. A document takes about half a kilobyte. */
const MOST_REMEMBERED = 40_000;

export class WallReader {
  readonly #vectors = new Map<SpaceId, VectorShelf<number>>();
  #generation = -1;
  #remembered = new Map<number, Stored | undefined>();
  #statistics: WallStatistics = { passages: 0, length: 0, windows: 0, speakers: [] };

  constructor(readonly db: Database) {}

  /** Call first, inside a snapshot. */
  refresh(): WallStatistics {
    const about = this.db.prepare("SELECT generation, passages, length, windows FROM about").get();
    const generation = Number(about?.["generation"]);
    if (generation === this.#generation) return this.#statistics;
    this.#forgetChanged(generation);
    this.#generation = generation;
    const speakers = this.db.prepare("SELECT name FROM speakers ORDER BY name").all();
    this.#statistics = {
      passages: Number(about?.["passages"]),
      length: Number(about?.["length"]),
      windows: Number(about?.["windows"]),
      speakers: speakers.map(({ name }) => String(name)),
    };
    return this.#statistics;
  }

  documentFrequencies(terms: readonly string[]): number[] {
    const count = this.db.prepare("SELECT count(*) AS n FROM words WHERE words MATCH ?");
    return terms.map((term) => Number(count.get(matching([term]))?.["n"]));
  }

  /** Ids of the passages worth scoring. */
  candidates(terms: readonly string[], filter: PassageFilter): number[] {
    const { where, values } = filterSql(filter);
    const from =
      where === ""
        ? "words WHERE words MATCH ?"
        : `words JOIN passages ON id = words.rowid WHERE words MATCH ? AND ${where}`;
    const best =
      this.#statistics.passages > ALL_UP_TO_PASSAGES ? ` ORDER BY rank LIMIT ${MOST_CANDIDATES}` : "";
    const rows = this.db
      .prepare(`SELECT words.rowid AS id FROM ${from}${best}`)
      .all(matching(terms), ...values);
    return rows.map(({ id }) => Number(id));
  }

  /** These and those that stand next to them. */
  withNeighbours(ids: readonly number[]): Stored[] {
    const wanted = new Set<number>();
    for (const id of ids) {
      wanted.add(id);
      if (id < FIRST_PLACED_ID) continue;
      for (let away = 1; away <= NEIGHBOURS; away++) wanted.add(id - away).add(id + away);
    }
    const missing = [...wanted].filter((id) => !this.#remembered.has(id));
    if (missing.length > 0) this.#readDocuments(missing);
    const found: Stored[] = [];
    for (const id of wanted) {
      const stored = this.#remembered.get(id);
      if (stored !== undefined) found.push(stored);
    }
    this.#forgetOldest();
    return found;
  }

  /** All vectors of the space; read at the first question that needs them. */
  vectors(space: SpaceId): VectorShelf<number> {
    const known = this.#vectors.get(space);
    if (known !== undefined) return known;
    const shelf = new VectorShelf<number>();
    this.#vectors.set(space, shelf);
    const rows = this.db.prepare("SELECT id, vector FROM vectors WHERE space = ?").all(space);
    for (const { id, vector } of rows) place(shelf, Number(id), vector);
    return shelf;
  }

  /** Ids of all that the filter lets through; undefined where that is everything. */
  passing(filter: PassageFilter): ReadonlySet<number> | undefined {
    const { where, values } = filterSql(filter);
    if (where === "") return undefined;
    const rows = this.db.prepare(`SELECT id FROM passages WHERE ${where}`).all(...values);
    return new Set(rows.map(({ id }) => Number(id)));
  }

  passage(id: number): Passage | undefined {
    const row = this.db.prepare("SELECT passage, first, last FROM passages WHERE id = ?").get(id);
    return row === undefined ? undefined : passageOf(row["passage"], row["first"], row["last"]);
  }

  passagesAt(path: string): Passage[] {
    const rows = this.db
      .prepare(
        "SELECT passage, first, last, place FROM passages JOIN files USING (file) WHERE path = ? ORDER BY place",
      )
      .all(path);
    return rows.flatMap(({ passage, first, last }) => passageOf(passage, first, last) ?? []);
  }

  #readDocuments(ids: readonly number[]): void {
    const rows = this.db
      .prepare(
        "SELECT id, kind, user, session, day, said_at, document, vector FROM passages WHERE id IN (SELECT value FROM json_each(?))",
      )
      .all(JSON.stringify(ids));
    for (const id of ids) this.#remembered.set(id, undefined);
    for (const { id, kind, user, session, day, said_at, document, vector } of rows) {
      this.#remembered.set(Number(id), {
        id: Number(id),
        document: { ...(JSON.parse(String(document)) as Omit<Document, "vector">), vector: String(vector) },
        kind: kind as PassageKind,
        ...(user === null ? {} : { user: String(user) }),
        ...(session === null ? {} : { session: String(session) }),
        day: String(day),
        saidAt: epochMs(Number(said_at)),
      });
    }
  }

  #forgetChanged(generation: number): void {
    const oldest = this.db.prepare("SELECT min(generation) AS g FROM changes").get()?.["g"];
    if (
      this.#generation < 0 ||
      oldest === null ||
      Number(oldest) > this.#generation + 1 ||
      generation < this.#generation
    ) {
      this.#remembered.clear();
      this.#vectors.clear();
      return;
    }
    const changed = this.db.prepare("SELECT id FROM changes WHERE generation > ?").all(this.#generation);
    for (const { id } of changed) {
      this.#remembered.delete(Number(id));
      for (const [space, shelf] of this.#vectors) {
        const row = this.db
          .prepare("SELECT vector FROM vectors WHERE space = ? AND id = ?")
          .get(space, Number(id));
        shelf.delete(Number(id));
        if (row !== undefined) place(shelf, Number(id), row["vector"]);
      }
    }
  }

  #forgetOldest(): void {
    if (this.#remembered.size <= MOST_REMEMBERED) return;
    for (const id of this.#remembered.keys()) {
      if (this.#remembered.size <= MOST_REMEMBERED * 0.9) return;
      this.#remembered.delete(id);
    }
  }
}

/** An empty one says that the passage gets none. */
function place(shelf: VectorShelf<number>, id: number, bytes: unknown): void {
  if (!(bytes instanceof Uint8Array) || bytes.length === 0) return;
  // Copied: a Float32Array begins at a multiple of four.
  shelf.set(id, new Float32Array(bytes.slice().buffer));
}

function passageOf(passage: unknown, first: unknown, last: unknown): Passage {
  return { ...(JSON.parse(String(passage)) as Passage), lines: [Number(first), Number(last)] };
}
