/**
 * Which passages hold a term, kept in memory for the terms that were asked for
 * last. Passages go by small numbers here: their ids are too large to be
 * counted with quickly.
 *
 * A cache over one index file: whoever reads the file's list of changes tells
 * `update` of each, and then it says what the file says.
 */
import type { Passage } from "../../../model/passage.js";
import { type Bound, noonOf } from "../../../model/time.js";
import type { Database } from "../../../platform/sqlite.js";
import type { PassageFilter } from "../engine.js";
import { indexedTermsOf } from "../document.js";
import { matching } from "./schema.js";
import { Vocabulary } from "./vocabulary.js";

/** A term that more passages hold is counted, and its passages are read where they are needed. */
const MOST_AT_ONCE = 2_000;
/** Numbers kept for all terms together; the terms that were asked for first go first. */
const MOST_KEPT = 500_000;

export class Postings {
  /** By number. A passage that is gone keeps its own, which no term has. */
  readonly #ids: number[];
  readonly #lengths: number[];
  /** So many were there at the beginning: their numbers go up with their ids. */
  readonly #inOrder: number;
  /** Of those that came later, by id. */
  readonly #later = new Map<number, number>();
  readonly #holding = new Map<string, Int32Array>();
  #kept = 0;
  /** In how many passages common terms are. */
  readonly #counts = new Map<string, number>();
  readonly vocabulary: Vocabulary;

  constructor(readonly db: Database) {
    // The index alone: the rows themselves are a hundred times as long.
    const rows = db.prepare(
      "SELECT group_concat(id) AS ids, group_concat(length) AS lengths FROM passages INDEXED BY lengths_of_passages",
    );
    const { ids, lengths } = rows.get() ?? {};
    this.#ids = numbersIn(ids);
    this.#lengths = numbersIn(lengths);
    this.#inOrder = this.#ids.length;
    this.vocabulary = new Vocabulary(db);
  }

  /** Numbers are below it. */
  get count(): number {
    return this.#ids.length;
  }

  idOf(number: number): number {
    return this.#ids[number] ?? 0;
  }

  /** Undefined where no passage has had the id. */
  numberOf(id: number): number | undefined {
    return this.#later.get(id) ?? this.#early(id, 0);
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
      const near = this.numberOf(beside);
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
    const unknown = terms.filter((term) => this.#isUnknown(term) && !this.#counts.has(term));
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
    if (where !== "") {
      const said = terms.filter((term) => this.vocabulary.mayHold(term));
      const found = this.#read(said, `${HOLDING_PASSAGES} AND ${where}`, values);
      const holding = new Map(said.map((term, at) => [term, found[at]]));
      return terms.map((term) => holding.get(term) ?? NONE);
    }
    const unknown = terms.filter((term) => this.#isUnknown(term));
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
    this.vocabulary.add(terms);
    for (const [term, numbers] of this.#holding) {
      if (held.has(term) === numbers.includes(number)) continue;
      const others = numbers.filter((one) => one !== number);
      this.#holding.set(term, held.has(term) ? Int32Array.of(...others, number) : others);
    }
  }

  /** Somebody may say it, and who does was not read yet. */
  #isUnknown(term: string): boolean {
    return !this.#holding.has(term) && this.vocabulary.mayHold(term);
  }

  #place(id: number, length: number): number {
    const number = this.numberOf(id) ?? this.#ids.length;
    if (number === this.#ids.length) this.#later.set(id, number);
    this.#ids[number] = id;
    this.#lengths[number] = length;
    return number;
  }

  /** Of one that was there at the beginning, not below `from`. */
  #early(id: number, from: number): number | undefined {
    let [low, high] = [from, this.#inOrder - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#ids[middle] ?? 0;
      if (found === id) return middle;
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  /** Quick where the ids go up, as rows of `words` do. */
  #numbersOf(ids: readonly number[]): Int32Array {
    let from = 0;
    return Int32Array.from(ids, (id, at) => {
      if (at > 0 && id < (ids[at - 1] ?? 0)) from = 0;
      const early = this.#early(id, from);
      if (early !== undefined) from = early + 1;
      return early ?? this.#later.get(id) ?? GONE;
    });
  }

  /** `from` gives rows of `words` for the term `value`. */
  #read(terms: readonly string[], from: string, values: FilterSql["values"]): Int32Array[] {
    const rows = this.db
      .prepare(`SELECT (SELECT group_concat(id) FROM (${from})) AS ids FROM json_each(?) ORDER BY key`)
      .all(...values, asked(terms));
    return rows.map(({ ids }) => this.#numbersOf(numbersIn(ids)));
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
    // What nobody says is asked for once, and there is no end of it.
    if (numbers.length === 0) return;
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

/** A filter as SQL over the columns of `passages`: the same as `passes`, in front of the limit. Pure. */
export interface FilterSql {
  /** Empty where everything passes. */
  where: string;
  values: (string | number)[];
}

/** With `part`, of that part of the partition alone. */
export function filterSql({ kinds, user, session, from, to, asOf }: PassageFilter, part?: string): FilterSql {
  const parts: [sql: string, ...values: (string | number)[]][] = [];
  if (part !== undefined) parts.push(["part = ?", part]);
  if (kinds !== undefined) parts.push(["kind IN (SELECT value FROM json_each(?))", JSON.stringify(kinds)]);
  if (user !== undefined) parts.push(["user = ?", user]);
  if (session !== undefined) parts.push(["session = ?", session]);
  if (from !== undefined) parts.push(boundSql(from, ">="));
  if (to !== undefined) parts.push(boundSql(to, "<="));
  if (asOf !== undefined) parts.push(knownSql(asOf));
  return {
    where: parts.map(([sql]) => sql).join(" AND "),
    values: parts.flatMap(([, ...values]) => values),
  };
}

/** The same as `isKnown`. */
function knownSql(asOf: Bound): [string, ...(string | number)[]] {
  const [sql, value] = boundSql(asOf, "<=");
  if (!("day" in asOf)) return [sql, value];
  const isSummary = "kind IN ('day_summary', 'month_summary')";
  return [`CASE WHEN ${isSummary} THEN said_at <= ? ELSE ${sql} END`, noonOf(asOf.day), value];
}

/** `day` may be a month, which is in the range when any of its days is. */
function boundSql(bound: Bound, compare: ">=" | "<="): [string, string | number] {
  return "day" in bound
    ? [`day ${compare} substr(?, 1, length(day))`, bound.day]
    : [`said_at ${compare} ?`, bound.at];
}
