/**
 * The reading side of one index file: what is asked of it, of one moment.
 *
 * What was read stays in memory; before each question the file's own list of
 * changes says which of it is no longer true.
 */
import type { Passage } from "../../../model/passage.js";
import type { SpaceId } from "../../../model/space.js";
import type { Database } from "../../../platform/sqlite.js";
import { candidatesAmong, holds, isOnLine, NEIGHBOURS, type Matches } from "../candidates.js";
import type { EngineQuery, Holding, NewestQuery, PassageFilter, Stretch } from "../engine.js";
import { VectorStore } from "../vectors.js";
import { filterSql, type FilterSql, Postings } from "./postings.js";
import { openAmong, openPart, type Opened, type PartitionStatistics } from "./opened.js";
import { RememberedDocuments, type Stored } from "./remembered-documents.js";
import { FIRST_PLACED_ID } from "./schema.js";
import { passageFrom, type StoredPassage } from "./stored-passage.js";

/** Parts whose sums are kept; to read those of another costs less than a question. */
const MOST_PARTS = 16;

export class PartitionReader {
  readonly #parts = new Map<string, Opened>();
  #generation = -1;
  readonly #documents: RememberedDocuments;
  /** Read at the first question. */
  #postings: Postings | undefined;
  #whole: Opened = { statistics: NOTHING, vectors: new Map() };

  constructor(readonly db: Database) {
    this.#documents = new RememberedDocuments(db);
  }

  /** How many documents are in memory, long ones counted by what they take. */
  get remembered(): number {
    return this.#documents.size;
  }

  forgetDocuments(): void {
    this.#documents.forgetAll();
  }

  /** Call first, inside a snapshot: what is open of it, all of it or one part. */
  open(session: string | undefined): Opened {
    this.#refresh();
    if (session === undefined) return this.#whole;
    const known = this.#parts.get(session);
    if (known !== undefined) return known;
    const [oldest] = this.#parts.keys();
    if (this.#parts.size >= MOST_PARTS && oldest !== undefined) this.#parts.delete(oldest);
    const part = openPart(this.db, this.#known(), session);
    this.#parts.set(session, part);
    return part;
  }

  #refresh(): void {
    const about = this.db.prepare("SELECT generation, passages, length, windows FROM about").get();
    const generation = Number(about?.["generation"]);
    if (generation === this.#generation) return;
    this.#forgetChanged(generation);
    this.#generation = generation;
    this.#parts.clear();
    const speakers = this.db.prepare("SELECT name FROM speakers ORDER BY name").all();
    this.#whole.statistics = {
      passages: Number(about?.["passages"]),
      length: Number(about?.["length"]),
      windows: Number(about?.["windows"]),
      speakers: speakers.map(({ name }) => String(name)),
    };
  }

  documentFrequencies(terms: readonly string[], opened: Opened): number[] {
    if (opened.part === undefined) return this.#known().frequenciesOf(terms);
    // Others may have said the word too: of their number a part knows nothing.
    return this.#known()
      .holding(terms, EVERYTHING)
      .map((numbers) => openAmong(opened, numbers).length);
  }

  /** Terms of any of its parts, and some that were. */
  beginning(letters: string): string[] {
    this.#refresh();
    return this.#known().vocabulary.beginning(letters);
  }

  /** Ids of the passages worth scoring. `partitions`: how many that hold anything are asked together. */
  candidates({ question, filter, most }: EngineQuery, opened: Opened, partitions: number): number[] {
    const terms = question.terms.map(({ term }) => term);
    const postings = this.#known();
    const where = filterSql(filter);
    const { passages, length } = opened.statistics;
    const matches: Matches<number> = {
      passages,
      length,
      documentFrequencies: this.documentFrequencies(terms, opened),
      holding: (wanted) => {
        const held = postings.holding(
          wanted.map((term) => terms[term] ?? ""),
          where,
        );
        return held.map((numbers) => openAmong(opened, numbers));
      },
      weights: question.terms.map(({ weight }) => weight),
      lengthOf: (number) => postings.lengthOf(number),
      neighboursOf: (number) =>
        postings.idOf(number) < FIRST_PLACED_ID ? [] : postings.around(number, NEIGHBOURS),
      idsOf: (numbers) => this.#namesOf(numbers, postings),
    };
    return candidatesAmong(matches, most, partitions).map((number) => postings.idOf(number));
  }

  /** These and those that stand next to them in what is open. */
  withNeighbours(ids: readonly number[], { part }: Opened): Stored[] {
    const wanted = new Set<number>();
    for (const id of ids) {
      wanted.add(id);
      if (id < FIRST_PLACED_ID) continue;
      for (let away = 1; away <= NEIGHBOURS; away++) wanted.add(id - away).add(id + away);
    }
    return this.#documents.among(wanted).filter(({ id }) => part?.ids.has(id) !== false);
  }

  /** All vectors of the space that are open; read at the first question that needs them. */
  vectors(space: SpaceId, { part, vectors }: Opened): VectorStore<number> {
    const known = vectors.get(space);
    if (known !== undefined) return known;
    const store = new VectorStore<number>();
    vectors.set(space, store);
    const of = "SELECT id, vector FROM vectors WHERE space = ?";
    const rows =
      part === undefined
        ? this.db.prepare(of).all(space)
        : this.db.prepare(`${of} AND id IN (SELECT id FROM passages WHERE part = ?)`).all(space, part.name);
    for (const { id, vector } of rows) place(store, Number(id), vector);
    return store;
  }

  /** Ids of all that the filter lets through; undefined where that is everything. */
  passing(filter: PassageFilter): ReadonlySet<number> | undefined {
    const { where, values } = filterSql(filter);
    if (where === "") return undefined;
    const rows = this.db.prepare(`SELECT id FROM passages WHERE ${where}`).all(...values);
    return new Set(rows.map(({ id }) => Number(id)));
  }

  /** Those that are still there, by id. */
  passages(ids: readonly number[]): Map<number, StoredPassage> {
    const rows = this.db
      .prepare("SELECT id, passage, first, last FROM passages WHERE id IN (SELECT value FROM json_each(?))")
      .all(JSON.stringify(ids));
    return new Map(
      rows.map(({ id, passage, first, last }) => [
        Number(id),
        { json: String(passage), lines: [Number(first), Number(last)] },
      ]),
    );
  }

  /** When the newest were said, the latest first; `most` of them before `until`. */
  moments({ filter, most, until }: NewestQuery, session?: string): number[] {
    const { where, values } = filterSql(filter, session);
    const rows = this.db
      .prepare(
        `SELECT said_at FROM passages WHERE ${where || "1"} AND said_at < ? ORDER BY said_at DESC LIMIT ?`,
      )
      .all(...values, until ?? Number.MAX_SAFE_INTEGER, most);
    return rows.map(({ said_at }) => Number(said_at));
  }

  /** Both ends included. */
  between(filter: PassageFilter, from: number, until: number, session?: string): StoredPassage[] {
    const { where, values } = filterSql(filter, session);
    const rows = this.db
      .prepare(
        `SELECT passage, first, last FROM passages WHERE ${where || "1"} AND said_at >= ? AND said_at <= ?`,
      )
      .all(...values, Math.max(from, Number.MIN_SAFE_INTEGER), Math.min(until, Number.MAX_SAFE_INTEGER));
    return rows.map(({ passage, first, last }) => ({
      json: String(passage),
      lines: [Number(first), Number(last)],
    }));
  }

  /** In the order of the file. One after the other is read: a long day's texts never stand in memory together. */
  passagesAt(path: string, which: Holding | Stretch | undefined): Passage[] {
    const rows = this.db
      .prepare("SELECT id, first, last FROM passages JOIN files USING (file) WHERE path = ? ORDER BY place")
      .all(path);
    const one = this.db.prepare("SELECT passage FROM passages WHERE id = ?");
    const most = which !== undefined && "most" in which ? which.most : Infinity;
    const wanted: Passage[] = [];
    for (const { id = null, first, last } of rows) {
      if (wanted.length === most) break;
      const lines = [Number(first), Number(last)] as const;
      if (which !== undefined && !isOnLine(lines, which)) continue;
      const passage = passageFrom({ json: String(one.get(id)?.["passage"]), lines });
      if (which === undefined || holds(passage, which)) wanted.push(passage);
    }
    return wanted;
  }

  #known(): Postings {
    this.#postings ??= new Postings(this.db);
    return this.#postings;
  }

  #namesOf(numbers: readonly number[], postings: Postings): Map<number, string> {
    const rows = this.db
      .prepare(
        "SELECT id, document ->> 'id' AS name FROM passages WHERE id IN (SELECT value FROM json_each(?))",
      )
      .all(JSON.stringify(numbers.map((number) => postings.idOf(number))));
    return new Map(rows.map(({ id, name }) => [postings.numberOf(Number(id)) ?? -1, String(name)]));
  }

  #forgetChanged(generation: number): void {
    const oldest = this.db.prepare("SELECT min(generation) AS g FROM changes").get()?.["g"];
    if (
      this.#generation < 0 ||
      oldest === null ||
      Number(oldest) > this.#generation + 1 ||
      generation < this.#generation
    ) {
      this.forgetDocuments();
      this.#whole.vectors.clear();
      this.#postings = undefined;
      return;
    }
    const changed = this.db.prepare("SELECT id FROM changes WHERE generation > ?").all(this.#generation);
    for (const { id } of changed) {
      this.#documents.forget(Number(id));
      this.#postings?.update(Number(id));
      for (const [space, store] of this.#whole.vectors) {
        const row = this.db
          .prepare("SELECT vector FROM vectors WHERE space = ? AND id = ?")
          .get(space, Number(id));
        store.delete(Number(id));
        if (row !== undefined) place(store, Number(id), row["vector"]);
      }
    }
  }
}

const NOTHING: PartitionStatistics = { passages: 0, length: 0, windows: 0, speakers: [] };

/** No filter. */
const EVERYTHING: FilterSql = { where: "", values: [] };

/** An empty one says that the passage gets none. */
function place(store: VectorStore<number>, id: number, bytes: unknown): void {
  if (!(bytes instanceof Uint8Array) || bytes.length === 0) return;
  // Copied: a Float32Array begins at a multiple of four.
  store.set(id, new Float32Array(bytes.slice().buffer));
}
