/**
 * The reading side of the index: opens the files of the partitions it is asked
 * about and no other.
 *
 * Synchronous, for a thread of its own. A file that turns out to be damaged is
 * named in the answer and counts as empty.
 */
import type { Passage } from "../../../model/passage.js";
import { answerFrom, type AnswerOf } from "../answer.js";
import { isKnown, MOST_NEAREST, passes } from "../candidates.js";
import type { CorpusStatistics, EngineQuery, Holding, NewestQuery, QueryVector, Stretch } from "../engine.js";
import { momentOf } from "../document.js";
import { nearnessTo, unitVector, type Nearness, type VectorStore } from "../vectors.js";
import { eachOnce, type OpenPartition, type PartitionId } from "../partitions.js";
import { isDamage } from "./schema.js";
import type { StoredPassage } from "./stored-passage.js";
import type { Opened } from "./opened.js";
import { OpenFiles } from "./open-files.js";
import type { PartitionReader } from "./partition-reader.js";
import type { Stored } from "./remembered-documents.js";

/** Passages as they stand in the file: they are read where they are used. */
export interface Found extends AnswerOf<StoredPassage> {
  damaged: PartitionId[];
}

export interface Newest {
  passages: StoredPassage[];
  damaged: PartitionId[];
}

export interface PassagesOfPath {
  passages: Passage[];
  damaged: PartitionId[];
}

export interface Frequencies {
  frequencies: number[];
  damaged: PartitionId[];
}

export interface Beginning {
  terms: string[];
  damaged: PartitionId[];
}

export class IndexReader {
  readonly #files: OpenFiles;

  constructor(folder: string) {
    this.#files = new OpenFiles(folder);
  }

  search(query: EngineQuery): Found {
    const { partitions, question, filter, vector } = query;
    const terms = question.terms.map(({ term }) => term);
    return this.#atOneMoment(partitions, (readers, ask) => {
      const fresh = readers
        .flatMap(
          ([{ id, session }, reader]) => ask(id, () => ({ id, reader, opened: reader.open(session) })) ?? [],
        )
        .filter(({ opened }) => opened.statistics.passages > 0);
      const near = vector === undefined ? undefined : nearnessAmong(vector, fresh, ask);
      const ofPartitions = fresh.flatMap(
        ({ id, reader, opened }) =>
          ask(id, () => inPartition(reader, opened, query, fresh.length, near?.(reader))) ?? [],
      );
      const scorable = ofPartitions.flatMap(({ candidates, stored, nearness }) =>
        stored.map((one) => {
          const here = nearness(one.id);
          const eligible = candidates.has(one.id) || passes(one, filter);
          return { document: one.document, eligible, ...(here === undefined ? {} : { near: here }) };
        }),
      );
      const places = ofPartitions.flatMap(({ reader, stored }) => stored.map(({ id }) => ({ reader, id })));
      const passages = (wanted: readonly number[]): (StoredPassage | undefined)[] =>
        passagesOf(places, wanted);
      return answerFrom({ statistics: summed(ofPartitions, terms.length), scorable, passages }, query);
    });
  }

  newest(query: NewestQuery): Newest {
    const { partitions, filter, most, until = Infinity } = query;
    return this.#atOneMoment(partitions, (readers, ask) => {
      const moments = readers.flatMap(
        ([{ id, session }, reader]) => ask(id, () => reader.moments(query, session)) ?? [],
      );
      const from = momentOf(moments, most);
      const passages = readers.flatMap(
        ([{ id, session }, reader]) => ask(id, () => reader.between(filter, from, until, session)) ?? [],
      );
      return { passages };
    });
  }

  /** `partitions`: those that may hold something of the path. */
  passagesAt(path: string, partitions: readonly PartitionId[], which?: Holding | Stretch): PassagesOfPath {
    const whole = partitions.map((id) => ({ id }));
    return this.#atOneMoment(whole, (readers, ask) => {
      const passages = readers.flatMap(
        ([{ id }, reader]) => ask(id, () => reader.passagesAt(path, which)) ?? [],
      );
      return { passages };
    });
  }

  frequencies(partitions: readonly OpenPartition[], terms: readonly string[]): Frequencies {
    return this.#atOneMoment(partitions, (readers, ask) => {
      const ofPartitions = readers.flatMap(([{ id, session }, reader]) => {
        const found = ask(id, () => reader.documentFrequencies(terms, reader.open(session)));
        return found === undefined ? [] : [found];
      });
      return {
        frequencies: terms.map((_, term) => ofPartitions.reduce((sum, found) => sum + (found[term] ?? 0), 0)),
      };
    });
  }

  beginning(partitions: readonly OpenPartition[], letters: string): Beginning {
    return this.#atOneMoment(partitions, (readers, ask) => {
      const terms = readers.flatMap(([{ id }, reader]) => ask(id, () => reader.beginning(letters)) ?? []);
      return { terms: [...new Set(terms)] };
    });
  }

  /** Its file is gone, or another stands in its place. */
  forget(id: PartitionId): void {
    this.#files.forget(id);
  }

  /** A step of what makes the next questions faster; false when nothing is left to do. */
  rest(): boolean {
    return this.#files.rest();
  }

  close(): void {
    this.#files.close();
  }

  /** Everything asked in it is as it stood at its beginning, in each partition. */
  #atOneMoment<T>(
    partitions: readonly OpenPartition[],
    work: (readers: readonly [OpenPartition, PartitionReader][], ask: Ask) => T,
  ): T & { damaged: PartitionId[] } {
    const damaged: PartitionId[] = [];
    const ask: Ask = (id, question) => {
      try {
        return question();
      } catch (error) {
        if (!isDamage(error) && !isAbsent(error)) throw error;
        if (isDamage(error)) damaged.push(id);
        return undefined;
      }
    };
    const begun: [OpenPartition, PartitionReader][] = [];
    try {
      for (const partition of eachOnce(partitions)) {
        const reader = ask(partition.id, () => {
          const opened = this.#files.get(partition.id);
          opened.db.exec("BEGIN");
          return opened.reader;
        });
        if (reader !== undefined) begun.push([partition, reader]);
      }
      return { ...work(begun, ask), damaged };
    } finally {
      for (const [, reader] of begun) reader.db.exec("COMMIT");
      for (const id of damaged) this.forget(id);
      this.#files.trim();
    }
  }
}

/** Undefined where the file is not there, or damaged. */
type Ask = <T>(id: PartitionId, question: () => T) => T | undefined;

interface OfPartition {
  reader: PartitionReader;
  statistics: Opened["statistics"];
  documentFrequencies: readonly number[];
  candidates: ReadonlySet<number>;
  stored: readonly Stored[];
  nearness: (id: number) => number | undefined;
}

/** The vectors in one partition, and how near one of them is. */
interface Near {
  store: VectorStore<number>;
  nearness: Nearness;
}

/** Around the common centre of all that is asked together. */
function nearnessAmong(
  { space, values, common }: QueryVector,
  fresh: readonly { id: PartitionId; reader: PartitionReader; opened: Opened }[],
  ask: Ask,
): ((reader: PartitionReader) => Near | undefined) | undefined {
  const asked = unitVector(values);
  if (asked === undefined) return undefined;
  const stores = new Map(
    fresh.flatMap(({ id, reader, opened }) => {
      const store = ask(id, () => reader.vectors(space, opened));
      return store === undefined ? [] : [[reader, store] as const];
    }),
  );
  const nearness = nearnessTo(asked, common, [...stores.values()]);
  return (reader) => {
    const store = stores.get(reader);
    return store && { store, nearness };
  };
}

function inPartition(
  reader: PartitionReader,
  opened: Opened,
  query: EngineQuery,
  partitions: number,
  near: Near | undefined,
): OfPartition {
  const { filter } = query;
  const byWords = reader.candidates(query, opened, partitions);
  const passing = near === undefined ? undefined : reader.passing(filter);
  const nearest = near?.store.nearest(near.nearness, MOST_NEAREST, (id) => passing?.has(id) ?? true) ?? [];
  const ids = [...byWords, ...nearest];
  return {
    reader,
    statistics: opened.statistics,
    documentFrequencies: reader.documentFrequencies(
      query.question.terms.map(({ term }) => term),
      opened,
    ),
    candidates: new Set(ids),
    stored: reader.withNeighbours(ids, opened).filter((one) => isKnown(one, filter)),
    nearness: (id) => {
      const vector = near?.store.get(id);
      return vector && near?.nearness(vector);
    },
  };
}

/** Of each partition in one go. */
function passagesOf(
  places: readonly { reader: PartitionReader; id: number }[],
  wanted: readonly number[],
): (StoredPassage | undefined)[] {
  const ids = new Map<PartitionReader, number[]>();
  for (const at of wanted) {
    const place = places[at];
    if (place !== undefined) ids.set(place.reader, [...(ids.get(place.reader) ?? []), place.id]);
  }
  const found = new Map([...ids].map(([reader, all]) => [reader, reader.passages(all)]));
  return wanted.map((at) => {
    const place = places[at];
    return place && found.get(place.reader)?.get(place.id);
  });
}

function summed(ofPartitions: readonly OfPartition[], terms: number): CorpusStatistics {
  const total = (of: (one: OfPartition) => number): number =>
    ofPartitions.reduce((sum, one) => sum + of(one), 0);
  return {
    passages: total(({ statistics }) => statistics.passages),
    length: total(({ statistics }) => statistics.length),
    windows: total(({ statistics }) => statistics.windows),
    documentFrequencies: Array.from({ length: terms }, (_, term) =>
      total(({ documentFrequencies }) => documentFrequencies[term] ?? 0),
    ),
    speakers: [...new Set(ofPartitions.flatMap(({ statistics }) => statistics.speakers))].sort(),
  };
}

/** SQLITE_CANTOPEN: nothing was ever written there, or it has just been removed. */
function isAbsent(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 14;
}
