/**
 * Which passages hold a term, kept in memory for the terms that were asked for
 * last. Passages go by small numbers here: their ids are too large to be
 * counted with quickly.
 *
 * A cache over one index file: whoever reads the file's list of changes tells
 * `update` of each, and then it says what the file says.
 */
import type { Passage } from "../../../model/passage.js";
import type { Database } from "../../../platform/sqlite.js";
import { indexedTermsOf } from "../indexed-terms.js";
import type { FilterSql } from "./filter-sql.js";
import { matching } from "./schema.js";

/** A term that more passages hold is counted, and its passages are read where they are needed. */
const MOST_AT_ONCE = 2_000;
/** Numbers kept for all terms together; the terms that were asked for first go first. */
const MOST_KEPT = 500_000;

export class Postings {
  /** By id. One that is gone keeps its number, which no term has. */
  readonly #numbers = new Map<number, number>();
  readonly #ids: number[] = [];
  readonly #lengths: number[] = [];
  /** So many were there at the beginning: their numbers go up with their ids. */
  readonly #inOrder: number;
  readonly #holding = new Map<string, Int32Array>();
  #kept = 0;
  /** In how many passages common terms are. */
  readonly #counts = new Map<string, number>();

  constructor(readonly db: Database) {
    const rows = db.prepare("SELECT group_concat(id) AS ids, group_concat(length) AS lengths FROM passages");
    const { ids, lengths } = rows.get() ?? {};
    const all = numbersIn(lengths);
    for (const [at, id] of numbersIn(ids).entries()) this.#place(id, all[at] ?? 0);
    this.#inOrder = this.#ids.length;
  }

  idOf(number: number): number {
    return this.#ids[number] ?? 0;
  }

  /** Undefined where no passage has had the id. */
  numberOf(id: number): number | undefined {
    return this.#numbers.get(id);
  }

  /** Of the passages whose ids differ by `far` at most. */
  around(number: number, far: number): number[] {
    const id = this.idOf(number);
    const found: number[] = [];
    if (number < this.#inOrder) {
      const last = Math.min(this.#inOrder - 1, number + far);
      for (let near = Math.max(0, number - far); near <= last; near++)
        if (near !== number && Math.abs(this.idOf(near) - id) <= far) found.push(near);
      if (this.#ids.length === this.#inOrder) return found;
    }
    for (let beside = id - far; beside <= id + far; beside++) {
      const near = this.#numbers.get(beside);
      if (near !== undefined && near !== number && !found.includes(near)) found.push(near);
    }
    return found;
  }

  /** In terms. */
  lengthOf(number: number): number {
    return this.#lengths[number] ?? 0;
  }

  /** In how many passages each term is. */
  frequenciesOf(terms: readonly string[]): number[] {
    const unknown = terms.filter((term) => !this.#holding.has(term) && !this.#counts.has(term));
    if (unknown.length > 0) {
      const found = this.#read(unknown, SOME_HOLDING, []);
      const common = unknown.filter((_, at) => (found[at]?.length ?? 0) > MOST_AT_ONCE);
      for (const [at, numbers] of found.entries())
        if (numbers.length <= MOST_AT_ONCE) this.#keep(unknown[at] ?? "", numbers);
      for (const [at, count] of this.#counted(common).entries()) this.#counts.set(common[at] ?? "", count);
    }
    return terms.map((term) => this.#holding.get(term)?.length ?? this.#counts.get(term) ?? 0);
  }

  /** Of each term, the numbers of the passages that hold it and pass the filter. */
  holding(terms: readonly string[], { where, values }: FilterSql): readonly Int32Array[] {
    if (where !== "") return this.#read(terms, `${HOLDING_PASSAGES} AND ${where}`, values);
    const unknown = terms.filter((term) => !this.#holding.has(term));
    if (unknown.length > 0)
      for (const [at, numbers] of this.#read(unknown, ALL_HOLDING, []).entries())
        this.#keep(unknown[at] ?? "", numbers);
    const found = terms.map((term) => this.#holding.get(term) ?? NONE);
    this.#letGo();
    return found;
  }

  /** The passage was added, changed or removed. */
  update(id: number): void {
    const row = this.db.prepare("SELECT length, passage, vector FROM passages WHERE id = ?").get(id);
    const number = this.#place(id, Number(row?.["length"] ?? 0));
    const terms =
      row === undefined
        ? []
        : indexedTermsOf(JSON.parse(String(row["passage"])) as Passage, String(row["vector"]));
    const held = new Set(terms);
    this.#counts.clear();
    for (const [term, numbers] of this.#holding) {
      if (held.has(term) === numbers.includes(number)) continue;
      const others = numbers.filter((one) => one !== number);
      this.#holding.set(term, held.has(term) ? Int32Array.of(...others, number) : others);
    }
  }

  #place(id: number, length: number): number {
    const number = this.#numbers.get(id) ?? this.#ids.length;
    this.#numbers.set(id, number);
    this.#ids[number] = id;
    this.#lengths[number] = length;
    return number;
  }

  /** `from` gives rows of `words` for the term `value`. */
  #read(terms: readonly string[], from: string, values: FilterSql["values"]): Int32Array[] {
    const rows = this.db
      .prepare(`SELECT (SELECT group_concat(id) FROM (${from})) AS ids FROM json_each(?) ORDER BY key`)
      .all(...values, asked(terms));
    return rows.map(({ ids }) => Int32Array.from(numbersIn(ids), (id) => this.#numbers.get(id) ?? GONE));
  }

  #counted(terms: readonly string[]): number[] {
    const rows = this.db
      .prepare(
        "SELECT (SELECT count(*) FROM words WHERE words MATCH value) AS n FROM json_each(?) ORDER BY key",
      )
      .all(asked(terms));
    return rows.map(({ n }) => Number(n));
  }

  #keep(term: string, numbers: Int32Array): void {
    this.#holding.set(term, numbers);
    this.#kept += numbers.length;
  }

  #letGo(): void {
    for (const [term, numbers] of this.#holding) {
      if (this.#kept <= MOST_KEPT) return;
      this.#holding.delete(term);
      this.#kept -= numbers.length;
    }
  }
}

const ALL_HOLDING = "SELECT rowid AS id FROM words WHERE words MATCH value";
const SOME_HOLDING = `${ALL_HOLDING} LIMIT ${MOST_AT_ONCE + 1}`;
const HOLDING_PASSAGES = "SELECT id FROM words JOIN passages ON id = words.rowid WHERE words MATCH value";

function asked(terms: readonly string[]): string {
  return JSON.stringify(terms.map(matching));
}

const NONE = new Int32Array();
/** No passage: every id that a term has stands among the passages. */
const GONE = -1;

/** Of `1,2,3`: one long text is read several times as fast as many rows. */
function numbersIn(joined: unknown): number[] {
  return typeof joined === "string" ? joined.split(",").map(Number) : [];
}
