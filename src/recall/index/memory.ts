/**
 * The `memory` engine: all in JavaScript, a map of postings in each partition, gone with the
 * process. For where no native index loads, for throw-away workspaces and for the library in tests;
 * past 20,000 passages it is the wrong engine.
 */
import type { Pace } from "../../model/work.js";
import { entryOf } from "../../model/collections.js";
import type { Passage } from "../../model/passage.js";
import type { SpaceId } from "../../model/space.js";
import { contentHash } from "../../platform/files.js";
import { Mutex } from "../../platform/background.js";
import { answerFrom, type Gathered } from "./answer.js";
import { documentOf, momentOf } from "./document.js";
import { candidatesAmong, holds, isKnown, MOST_NEAREST, passes, type Matches } from "./candidates.js";
import type { CorpusStatistics, Engine, EngineQuery, Unembedded } from "./engine.js";
import { type Entry, PartitionIndex, type Segment } from "./partition-index.js";
import { nearnessTo, unitVector, type VectorStore } from "./vectors.js";
import { eachOnce, partitionOf, type Partition, type PartitionId } from "./partitions.js";

/** Beyond this a caller should warn that `sqlite` is the better engine. */
export const MEMORY_ENGINE_COMFORT_PASSAGES = 20_000;

interface IndexedFile {
  stamp: string;
  /** In the order of the file. */
  entries: Entry[];
}

export interface MemoryEngine extends Engine {
  /** What a search scores. */
  gather(query: EngineQuery): Gathered<Passage>;
}

/** `pace` is awaited between pieces of long work, so that nothing else in the process waits. */
export function memoryEngine(pace: Pace = () => undefined): MemoryEngine {
  const files = new Map<string, IndexedFile>();
  const indexes = new Map<PartitionId, PartitionIndex>();
  /** Sorted; undefined after one came or went. */
  let partitions: readonly Partition[] | undefined;
  const writes = new Mutex();

  const indexFor = (partition: Partition): PartitionIndex =>
    entryOf(indexes, partition.id, () => {
      partitions = undefined;
      return new PartitionIndex(partition);
    });

  /** No await in here: a search sees all of the old or all of the new. */
  const swap = (path: string, next: IndexedFile | undefined): void => {
    const staying = new Set(next?.entries);
    const before = files.get(path)?.entries ?? [];
    const known = new Set(before);
    for (const entry of before) if (!staying.has(entry)) indexes.get(entry.partition)?.delete(entry);
    for (const entry of staying) if (!known.has(entry)) indexFor(partitionOf(entry.passage)).add(entry);
    if (next === undefined) files.delete(path);
    else files.set(path, next);
    for (const [id, { whole }] of indexes)
      if (whole.entries.size === 0) {
        indexes.delete(id);
        partitions = undefined;
      }
  };

  const segmentsOf = ({ partitions }: Pick<EngineQuery, "partitions">): Segment[] =>
    eachOnce(partitions).flatMap((open) => indexes.get(open.id)?.openTo(open) ?? []);

  return {
    upsert: (path, stamp, passages) =>
      writes.run(async () => {
        const reusable = new Map(files.get(path)?.entries.map((entry) => [sameness(entry.passage), entry]));
        const entries: Entry[] = [];
        const moved: [Entry, Passage][] = [];
        for (const passage of passages) {
          const kept = reusable.get(sameness(passage));
          if (kept === undefined) entries.push(newEntry(passage));
          else {
            reusable.delete(sameness(passage));
            moved.push([kept, passage]);
            entries.push(kept);
          }
          await pace();
        }
        for (const [entry, passage] of moved) entry.passage = passage;
        swap(path, { stamp, entries });
      }),
    remove: (path) => writes.run(async () => swap(path, undefined)),
    // What is removed is kept nowhere.
    scrub: (going, whole = false) =>
      writes.run(async () => {
        const gone = new Set(whole ? going : []);
        for (const [path, { entries }] of [...files])
          if (entries.some(({ partition }) => gone.has(partition))) swap(path, undefined);
      }),
    stamps: async () => new Map([...files].map(([path, { stamp }]) => [path, stamp])),
    partitions: async () =>
      (partitions ??= [...indexes.values()]
        .map(({ partition }) => partition)
        .sort((a, b) => (a.id < b.id ? -1 : 1))),
    passagesAt: async (path, which) => {
      const entries = files.get(path)?.entries ?? [];
      if (which === undefined) return entries.map(({ passage }) => passage);
      const open = "words" in which ? undefined : new Set(which.partitions);
      const wanted = entries.flatMap(({ passage, partition }) =>
        (open?.has(partition) ?? true) && holds(passage, which) ? [passage] : [],
      );
      return "words" in which ? wanted : wanted.slice(0, which.most);
    },
    pathsIn: async (partitions) => {
      const open = new Set(partitions);
      return [...files].flatMap(([path, { entries }]) =>
        entries.some(({ partition }) => open.has(partition)) ? [path] : [],
      );
    },
    gather: (query) => gather(query, segmentsOf(query)),
    search: async (query) => answerFrom(gather(query, segmentsOf(query)), query),
    newest: async ({ partitions: asked, filter, most, until = Infinity }) => {
      const passages = segmentsOf({ partitions: asked })
        .flatMap(({ entries }) => [...entries].map(({ passage }) => passage))
        .filter((passage) => passage.saidAt <= until && passes(passage, filter));
      const earlier = passages.map(({ saidAt }) => saidAt).filter((saidAt) => saidAt < until);
      const from = momentOf(earlier, most);
      return passages.filter(({ saidAt }) => saidAt >= from);
    },
    frequencies: async (asked, terms) => {
      const open = segmentsOf({ partitions: asked });
      return terms.map((term) => frequencyIn(open, term));
    },
    beginning: async (asked, letters) => [
      ...new Set(segmentsOf({ partitions: asked }).flatMap(({ postings }) => postings.beginning(letters))),
    ],
    size: async () => ({
      files: files.size,
      passages: [...indexes.values()].reduce((sum, { whole }) => sum + whole.entries.size, 0),
      partitions: indexes.size,
    }),
    unembedded: async (space, most) => unembedded([...indexes.values()], space, most),
    embed: (space, vectors) =>
      writes.run(async () => {
        const entries = new Map(
          [...indexes].flatMap(([partition, { whole }]) =>
            [...whole.entries].map((entry) => [`${partition} ${entry.key}`, entry] as const),
          ),
        );
        for (const { partition, key, values } of vectors) {
          const entry = entries.get(`${partition} ${key}`);
          if (entry !== undefined)
            indexes.get(partition)?.setVector(space, entry, values && unitVector(values));
        }
      }),
    spaces: async () => {
      const counts = new Map<SpaceId, number>();
      for (const { whole } of indexes.values())
        for (const [space, { done }] of whole.vectors)
          counts.set(space, (counts.get(space) ?? 0) + done.size);
      return counts;
    },
    forgetSpace: async (space) => {
      for (const index of indexes.values()) index.forgetSpace(space);
    },
    isAlive: () => true,
    close: () => writes.over(),
  };
}

function frequencyIn(open: readonly Segment[], term: string): number {
  return open.reduce((sum, { postings }) => sum + postings.holding(term).length, 0);
}

function gather(query: EngineQuery, open: readonly Segment[]): Gathered<Passage> {
  const { question, filter, vector } = query;
  const terms = question.terms.map(({ term }) => term);
  const total = (of: (segment: Segment) => number): number =>
    open.reduce((sum, segment) => sum + of(segment), 0);
  const statistics: CorpusStatistics = {
    passages: total(({ entries }) => entries.size),
    length: total(({ length }) => length),
    windows: total(({ windows }) => windows),
    documentFrequencies: terms.map((term) => frequencyIn(open, term)),
    speakers: [...new Set(open.flatMap(({ speakers }) => [...speakers.keys()]))].sort(),
  };
  const storeOf = ({ vectors }: Segment): VectorStore<Entry> | undefined =>
    vector && vectors.get(vector.space)?.store;
  const asked = vector && unitVector(vector.values);
  const nearness =
    asked &&
    nearnessTo(
      asked,
      vector.common,
      open.flatMap((segment) => storeOf(segment) ?? []),
    );
  const entries: Entry[] = [];
  const scorable = open.flatMap((segment) => {
    const vectors = storeOf(segment);
    const accept = ({ passage }: Entry): boolean => passes(passage, filter);
    const nearest = (nearness && vectors?.nearest(nearness, MOST_NEAREST, accept)) ?? [];
    const found = new Set([...candidatesIn(segment, query, open.length), ...nearest]);
    const around = new Set(
      [...found]
        .flatMap((entry) => segment.around(entry.document))
        .filter(({ passage }) => isKnown(passage, filter)),
    );
    return [...new Set([...found, ...around])].map((entry) => {
      entries.push(entry);
      const own = vectors?.get(entry);
      return {
        document: entry.document,
        eligible: found.has(entry) || accept(entry),
        ...(own === undefined || nearness === undefined ? {} : { near: nearness(own) }),
      };
    });
  });
  return { statistics, scorable, passages: (places) => places.map((at) => entries[at]?.passage) };
}

function unembedded(indexes: readonly PartitionIndex[], space: SpaceId, most: number): Unembedded[] {
  const found: Unembedded[] = [];
  for (const { partition, whole } of indexes) {
    const done = whole.vectors.get(space)?.done;
    for (const entry of whole.entries) {
      if (found.length === most) return found;
      if (done?.has(entry) === true) continue;
      found.push({ partition: partition.id, key: entry.key, passage: entry.passage });
    }
  }
  return found;
}

function candidatesIn(
  segment: Segment,
  { question, filter, most }: EngineQuery,
  partitions: number,
): Entry[] {
  const { entries, postings, length } = segment;
  const held = question.terms.map(({ term }) => postings.holding(term));
  const matches: Matches<Entry> = {
    passages: entries.size,
    length,
    documentFrequencies: held.map((keys) => keys.length),
    holding: (wanted) =>
      wanted.map((term) => (held[term] ?? []).filter(({ passage }) => passes(passage, filter))),
    weights: question.terms.map(({ weight }) => weight),
    lengthOf: ({ document }) => document.length,
    neighboursOf: ({ document }) => segment.around(document),
    idsOf: (keys) => new Map(keys.map((entry) => [entry, entry.document.id])),
  };
  return candidatesAmong(matches, most, partitions);
}

/** Passages alike in this need no new index entry. */
function sameness(passage: Passage): string {
  const { id, speaker, text, role, day, session, sequence } = passage;
  return JSON.stringify([partitionOf(passage).id, id, speaker, role, day, session, sequence, text]);
}

function newEntry(passage: Passage): Entry {
  const key = contentHash(sameness(passage));
  return { passage, document: documentOf(passage), partition: partitionOf(passage).id, key };
}
