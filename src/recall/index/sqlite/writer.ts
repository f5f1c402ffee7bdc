/**
 * The writing side of the index: one file for each partition, in one folder.
 *
 * Synchronous, for a thread of its own. Nothing here has to survive: a file
 * that does not open, is damaged or of another schema is removed, and its
 * paths are then unknown, so that they are read again. A path whose partitions do
 * not agree (a crash between two of them) has an empty stamp, for the same.
 */
import { groupBy } from "../../../model/collections.js";
import type { Passage } from "../../../model/passage.js";
import type { SpaceId } from "../../../model/space.js";
import { MAIN_SCOPE } from "../../../model/address.js";
import { openDatabase, removeDatabase, type Database } from "../../../platform/sqlite.js";
import type { Embedded, Unembedded } from "../engine.js";
import { unitVector } from "../vectors.js";
import { partitionOf, type Partition, type PartitionId } from "../partitions.js";
import { OpenConnections } from "./open-connections.js";
import { indexFiles, isDamage, pathOfPartition, SCHEMA_VERSION, versionOf } from "./schema.js";
import {
  addVectors,
  createPartitionFile,
  filesIn,
  joinWords,
  passagesIn,
  replaceFile,
  scrubFile,
  partitionIn,
  type KnownFile,
} from "./partition-file.js";
import { removeSpace, spacesIn, unembeddedIn } from "./spaces.js";

/** Behind it stand the files without any passage: their stamps have to be known too. */
const NOBODY: Partition = { id: "nobody" as PartitionId, belonging: { level: "owner", scope: MAIN_SCOPE } };

const CACHE_KB = 2_000;

/** What the whole index holds. */
export interface IndexState {
  /** Every path with the partitions that hold something of it; the stamp is empty for a path that must be read again. */
  files: Map<string, KnownFile>;
  /** Those with passages, sorted by id. */
  partitions: Partition[];
  passages: number;
}

/** What a write did. */
export interface Written {
  /** Partitions whose file was removed, so that a reader must close it. */
  gone: PartitionId[];
  /** Partitions whose file was damaged; what it held is unknown now. */
  lost: PartitionId[];
  passages: number;
  /** Only when they are not the same as before. */
  partitions?: Partition[];
}

/** What of a file stands in a partition. */
interface Share {
  partition: Partition;
  passages: Iterable<Passage>;
}

/** Word lists are put together after a partition has grown by so many passages, and by so much of it. */
const LEAST_GROWN = 500;
const GROWN_SHARE = 0.1;

interface Held {
  partition: Partition;
  passages: number;
  files: Map<string, KnownFile>;
}

export class IndexWriter {
  readonly #held = new Map<PartitionId, Held>();
  readonly #open = new OpenConnections();
  /** Passages that came since the word lists were last put together. */
  readonly #grown = new Map<PartitionId, number>();
  #unusable = 0;

  constructor(readonly folder: string) {
    for (const file of indexFiles(folder)) {
      if (this.#isRead(file)) continue;
      removeDatabase(file);
      this.#unusable += 1;
    }
  }

  /** How many index files could not be used when this was opened, to who asks first. */
  unusableOnce(): number {
    const unusable = this.#unusable;
    this.#unusable = 0;
    return unusable;
  }

  upsert(path: string, stamp: string, passages: readonly Passage[]): Written {
    const shares = [...groupBy(passages, (passage) => partitionOf(passage).id).values()].flatMap((share) =>
      share[0] === undefined ? [] : [{ partition: partitionOf(share[0]), passages: share }],
    );
    return this.replace(path, stamp, shares.length > 0 ? shares : [{ partition: NOBODY, passages: [] }]);
  }

  /** The same of passages that are known by partition; they may be made while they are written. */
  replace(path: string, stamp: string, shares: readonly Share[]): Written {
    const partitions = shares.map(({ partition }) => partition.id).sort();
    return this.#changing((written) => {
      for (const { partition, passages } of shares)
        this.#write(partition, path, { stamp, partitions, passages }, written);
      this.#removeFrom(path, (id) => !partitions.includes(id), written);
    });
  }

  remove(path: string): Written {
    return this.#changing((written) => this.#removeFrom(path, () => true, written));
  }

  state(): IndexState {
    const files = new Map<string, KnownFile>();
    for (const [id, held] of this.#held) {
      for (const [path, known] of held.files) {
        const partitions = [...(files.get(path)?.partitions ?? []), id];
        files.set(path, { stamp: this.#isWhole(path, known) ? known.stamp : "", partitions });
      }
    }
    return { files, partitions: this.#partitions(), passages: this.#passages() };
  }

  unembedded(space: SpaceId, most: number): Unembedded[] {
    const found: Unembedded[] = [];
    for (const { partition, passages } of [...this.#held.values()]) {
      if (found.length >= most) break;
      if (passages === 0) continue;
      for (const one of unembeddedIn(this.#opened(partition), space, most - found.length))
        found.push({ partition: partition.id, ...one });
    }
    return found;
  }

  embed(space: SpaceId, vectors: readonly Embedded[]): void {
    for (const [id, ofPartition] of groupBy(vectors, ({ partition }) => partition)) {
      const held = this.#held.get(id);
      if (held === undefined) continue;
      const units = ofPartition.map(({ key, values }) => ({ key, vector: values && unitVector(values) }));
      addVectors(this.#opened(held.partition), space, units);
    }
  }

  spaces(): Map<SpaceId, number> {
    const counts = new Map<SpaceId, number>();
    for (const { partition } of [...this.#held.values()])
      for (const [space, count] of spacesIn(this.#opened(partition)))
        counts.set(space, (counts.get(space) ?? 0) + count);
    return counts;
  }

  forgetSpace(space: SpaceId): void {
    for (const { partition } of [...this.#held.values()]) removeSpace(this.#opened(partition), space);
  }

  /** A step of what can wait until nobody asks; false when nothing is left. */
  rest(): boolean {
    for (const [id, grown] of this.#grown) {
      const held = this.#held.get(id);
      if (held === undefined || grown < Math.max(LEAST_GROWN, held.passages * GROWN_SHARE)) continue;
      if (!joinWords(this.#opened(held.partition))) this.#grown.delete(id);
      return true;
    }
    return false;
  }

  /** Takes a file that a reader found damaged out of use. */
  discard(id: PartitionId): void {
    this.#open.close(id);
    removeDatabase(pathOfPartition(this.folder, id));
    this.#held.delete(id);
    this.#grown.delete(id);
  }

  /** Of what was removed from these, and from those in which nothing stands, no byte is left. */
  scrub(partitions: readonly PartitionId[], whole: boolean): Written {
    const empty = [...this.#held].flatMap(([id, { passages }]) => (passages === 0 ? [id] : []));
    return this.#changing((written) => {
      for (const id of new Set([...partitions, ...empty])) {
        const held = this.#held.get(id);
        if (held === undefined) continue;
        if (!whole && this.#isScrubbed(held.partition)) continue;
        this.discard(id);
        written.lost.push(id);
      }
    });
  }

  /** A disk that is full, or somebody who reads on, is no reason to keep it. */
  #isScrubbed(partition: Partition): boolean {
    try {
      scrubFile(this.#opened(partition));
      this.#grown.delete(partition.id);
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    this.#grown.clear();
    this.#open.closeAll();
  }

  /** False where the file is damaged, of another schema or of another name's partition. */
  #isRead(file: string): boolean {
    let db: Database | undefined;
    try {
      db = openDatabase(file, "write", CACHE_KB);
      if (versionOf(db) !== SCHEMA_VERSION) return false;
      const partition = partitionIn(db);
      if (pathOfPartition(this.folder, partition.id) !== file) return false;
      this.#held.set(partition.id, { partition, passages: passagesIn(db), files: filesIn(db) });
      return true;
    } catch (error) {
      if (!isDamage(error)) throw error;
      return false;
    } finally {
      db?.close();
    }
  }

  #changing(work: (written: Written) => void): Written {
    const before = this.#partitions();
    const written: Written = { gone: [], lost: [], passages: 0 };
    work(written);
    const partitions = this.#partitions();
    const same =
      partitions.length === before.length && partitions.every(({ id }, index) => id === before[index]?.id);
    return { ...written, passages: this.#passages(), ...(same ? {} : { partitions }) };
  }

  #partitions(): Partition[] {
    const held = [...this.#held.values()].filter(({ passages }) => passages > 0);
    return held.map(({ partition }) => partition).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #passages(): number {
    return [...this.#held.values()].reduce((sum, { passages }) => sum + passages, 0);
  }

  #isWhole(path: string, { stamp, partitions }: KnownFile): boolean {
    const listed = partitions.every(
      (id) => this.#held.get(id as PartitionId)?.files.get(path)?.stamp === stamp,
    );
    return listed && [...this.#held].every(([id, { files }]) => !files.has(path) || partitions.includes(id));
  }

  #removeFrom(path: string, where: (id: PartitionId) => boolean, written: Written): void {
    for (const { partition, files } of [...this.#held.values()])
      if (files.has(path) && where(partition.id)) this.#write(partition, path, undefined, written);
  }

  #write(
    partition: Partition,
    path: string,
    next: (KnownFile & { passages: Iterable<Passage> }) | undefined,
    written: Written,
  ): void {
    try {
      const db = this.#opened(partition);
      replaceFile(db, path, next);
      const held = this.#held.get(partition.id) ?? {
        partition,
        passages: 0,
        files: new Map<string, KnownFile>(),
      };
      if (next === undefined) held.files.delete(path);
      else held.files.set(path, { stamp: next.stamp, partitions: next.partitions });
      const grown = passagesIn(db) - held.passages;
      if (grown > 0) this.#grown.set(partition.id, (this.#grown.get(partition.id) ?? 0) + grown);
      held.passages += grown;
      this.#held.set(partition.id, held);
      if (held.files.size > 0) return;
      this.discard(partition.id);
      written.gone.push(partition.id);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.discard(partition.id);
      written.lost.push(partition.id);
    }
  }

  #opened(partition: Partition): Database {
    return this.#open.get(partition.id, () => {
      const file = pathOfPartition(this.folder, partition.id);
      if (!this.#held.has(partition.id)) removeDatabase(file);
      const db = openDatabase(file, "write", CACHE_KB);
      if (!this.#held.has(partition.id)) createPartitionFile(db, partition);
      return db;
    });
  }
}
