/**
 * The `memory` engine: all in JavaScript, on wink's BM25, gone with the
 * process. For where no native index loads, for throw-away workspaces and for
 * the library in tests; past 20,000 passages it is the wrong engine.
 */
import type { Passage } from "../../model/passage.js";
import { bestCandidates, passes } from "./candidates.js";
import type { Candidate, CorpusStatistics, Engine, EngineQuery } from "./engine.js";
import { indexedTermsOf } from "./indexed-terms.js";
import type { Entry } from "./segment.js";
import { Shelf } from "./shelf.js";
import { wallOf, type Wall, type WallId } from "./walls.js";

/** Beyond this a caller should warn that `sqlite` is the better engine. */
export const MEMORY_ENGINE_COMFORT_PASSAGES = 20_000;

/** What an entry holds; the passage is replaced when only its lines moved. */
interface Content {
  passage: Passage;
  wall: WallId;
}

interface IndexedFile {
  stamp: string;
  /** In the order of the file. */
  entries: Entry<Content>[];
}

/** `pace` is awaited between pieces of long work, so that nothing else in the process waits. */
export function memoryEngine(pace: () => Promise<void> | undefined = () => undefined): Engine {
  const files = new Map<string, IndexedFile>();
  const shelves = new Map<WallId, { wall: Wall; shelf: Shelf<Content> }>();
  let writing: Promise<void> = Promise.resolve();

  /** Writes follow one another; a failed one does not hold up the next. */
  const inTurn = (write: () => Promise<void>): Promise<void> => {
    const mine = writing.then(write);
    writing = mine.catch(() => undefined);
    return mine;
  };

  const shelfFor = (wall: Wall): Shelf<Content> => {
    const known = shelves.get(wall.id) ?? { wall, shelf: new Shelf<Content>() };
    shelves.set(wall.id, known);
    return known.shelf;
  };

  /** No await in here: a search sees all of the old or all of the new. */
  const swap = (path: string, next: IndexedFile | undefined): void => {
    const staying = new Set(next?.entries);
    const before = files.get(path)?.entries ?? [];
    const known = new Set(before);
    for (const entry of before) if (!staying.has(entry)) shelves.get(entry.content.wall)?.shelf.delete(entry);
    for (const entry of staying) if (!known.has(entry)) shelfFor(wallOf(entry.content.passage)).add(entry);
    if (next === undefined) files.delete(path);
    else files.set(path, next);
    for (const [id, { shelf }] of shelves) if (shelf.passages === 0) shelves.delete(id);
  };

  const tidy = async (): Promise<void> => {
    for (const { shelf } of shelves.values()) while (shelf.tidy()) await pace();
  };

  return {
    upsert: (path, stamp, passages) =>
      inTurn(async () => {
        const reusable = new Map(
          files.get(path)?.entries.map((entry) => [sameness(entry.content.passage), entry]),
        );
        const entries: Entry<Content>[] = [];
        const moved: [Entry<Content>, Passage][] = [];
        for (const passage of passages) {
          const kept = reusable.get(sameness(passage));
          if (kept === undefined) entries.push(entryOf(passage));
          else {
            reusable.delete(sameness(passage));
            moved.push([kept, passage]);
            entries.push(kept);
          }
          await pace();
        }
        for (const [entry, passage] of moved) entry.content.passage = passage;
        swap(path, { stamp, entries });
        await tidy();
      }),
    remove: (path) => inTurn(async () => swap(path, undefined)),
    stamps: async () => new Map([...files].map(([path, { stamp }]) => [path, stamp])),
    walls: async () => [...shelves.values()].map(({ wall }) => wall).sort((a, b) => (a.id < b.id ? -1 : 1)),
    passagesAt: async (path) => files.get(path)?.entries.map(({ content }) => content.passage) ?? [],
    search: async (query) =>
      search(
        query,
        [...new Set(query.walls)].flatMap((id) => shelves.get(id)?.shelf ?? []),
      ),
    size: async () => ({
      files: files.size,
      passages: [...shelves.values()].reduce((sum, { shelf }) => sum + shelf.passages, 0),
      walls: shelves.size,
    }),
    close: () => writing,
  };
}

function search(
  { terms, filter }: EngineQuery,
  open: readonly Shelf<Content>[],
): { statistics: CorpusStatistics; found: Candidate[] } {
  const total = (of: (shelf: Shelf<Content>) => number): number =>
    open.reduce((sum, shelf) => sum + of(shelf), 0);
  const statistics: CorpusStatistics = {
    passages: total((shelf) => shelf.passages),
    length: total((shelf) => shelf.length),
    documentFrequencies: terms.map((term) => total((shelf) => shelf.documentFrequency(term))),
  };
  const accept = ({ content }: Entry<Content>): boolean => passes(content.passage, filter);
  const found = open
    .flatMap((shelf) => shelf.find(terms, accept))
    .map(({ content, length, frequencies }): Candidate => {
      return {
        passage: content.passage,
        length,
        frequencies: terms.map((term) => frequencies.get(term) ?? 0),
      };
    });
  return { statistics, found: bestCandidates(found, statistics) };
}

/** Passages alike in this need no new index entry: same id, terms and wall. */
function sameness(passage: Passage): string {
  return JSON.stringify([wallOf(passage).id, passage.id, passage.speaker, passage.text]);
}

function entryOf(passage: Passage): Entry<Content> {
  const terms = indexedTermsOf(passage);
  const frequencies = new Map<string, number>();
  for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return { content: { passage, wall: wallOf(passage).id }, frequencies, length: terms.length };
}
