/**
 * The writing side of the index: one file for each wall, in one folder.
 *
 * Synchronous, for a thread of its own. Nothing here has to survive: a file
 * that does not open, is damaged or of another schema is removed, and its
 * paths are then unknown, so that they are read again. A path whose walls do
 * not agree (a crash between two of them) has an empty stamp, for the same.
 */
import { groupBy } from "../../../model/group.js";
import type { Passage } from "../../../model/passage.js";
import type { SpaceId } from "../../../model/space.js";
import { MAIN_SCOPE } from "../../../model/address.js";
import { openDatabase, removeDatabase, type Database } from "../../../platform/sqlite.js";
import type { Embedded, Unembedded } from "../engine.js";
import { unitVector } from "../vectors.js";
import { wallOf, type Wall, type WallId } from "../walls.js";
import { isDamage } from "./damage.js";
import { indexFiles, pathOfWall } from "./folder.js";
import { SCHEMA_VERSION, versionOf } from "./schema.js";
import {
  addVectors,
  createWallFile,
  filesIn,
  joinWords,
  passagesIn,
  removeSpace,
  replaceFile,
  spacesIn,
  unembeddedIn,
  wallIn,
  type KnownFile,
} from "./wall-file.js";

/** Behind it stand the files without any passage: their stamps have to be known too. */
const NOBODY: Wall = { id: "nobody" as WallId, belonging: { level: "owner", scope: MAIN_SCOPE } };

const CACHE_KB = 2_000;
/** Connections kept open; another one costs a few milliseconds. */
const MOST_OPEN = 16;

/** What the whole index holds. */
export interface IndexState {
  /** Every path with the walls that hold something of it; the stamp is empty for a path that must be read again. */
  files: Map<string, KnownFile>;
  /** Those with passages, sorted by id. */
  walls: Wall[];
  passages: number;
}

/** What a write did. */
export interface Written {
  /** Walls whose file was removed, so that a reader must close it. */
  gone: WallId[];
  /** Walls whose file was damaged; what it held is unknown now. */
  lost: WallId[];
  passages: number;
  /** Only when they are not the same as before. */
  walls?: Wall[];
}

/** Word lists are put together after a wall has grown by so many passages, and by so much of it. */
const LEAST_GROWN = 500;
const GROWN_SHARE = 0.1;

interface Held {
  wall: Wall;
  passages: number;
  files: Map<string, KnownFile>;
}

export class IndexWriter {
  readonly #held = new Map<WallId, Held>();
  readonly #open = new Map<WallId, Database>();
  /** Passages that came since the word lists were last put together. */
  readonly #grown = new Map<WallId, number>();
  /** How many index files could not be used when this was opened. */
  readonly unusable: number;

  constructor(readonly folder: string) {
    let unusable = 0;
    for (const file of indexFiles(folder)) {
      if (this.#isRead(file)) continue;
      removeDatabase(file);
      unusable += 1;
    }
    this.unusable = unusable;
  }

  upsert(path: string, stamp: string, passages: readonly Passage[]): Written {
    const byWall = groupBy(passages, (passage) => wallOf(passage).id);
    const walls = new Map<WallId, Wall>();
    for (const [id, [first]] of byWall) if (first !== undefined) walls.set(id, wallOf(first));
    if (walls.size === 0) walls.set(NOBODY.id, NOBODY);
    const file = { stamp, walls: [...walls.keys()].sort() };
    return this.#changing((written) => {
      for (const [id, wall] of walls)
        this.#write(wall, path, { ...file, passages: byWall.get(id) ?? [] }, written);
      this.#removeFrom(path, (id) => !walls.has(id), written);
    });
  }

  remove(path: string): Written {
    return this.#changing((written) => this.#removeFrom(path, () => true, written));
  }

  state(): IndexState {
    const files = new Map<string, KnownFile>();
    for (const [id, held] of this.#held) {
      for (const [path, known] of held.files) {
        const walls = [...(files.get(path)?.walls ?? []), id];
        files.set(path, { stamp: this.#isWhole(path, known) ? known.stamp : "", walls });
      }
    }
    return { files, walls: this.#walls(), passages: this.#passages() };
  }

  unembedded(space: SpaceId, most: number): Unembedded[] {
    const found: Unembedded[] = [];
    for (const { wall, passages } of [...this.#held.values()]) {
      if (found.length >= most) break;
      if (passages === 0) continue;
      for (const one of unembeddedIn(this.#opened(wall), space, most - found.length))
        found.push({ wall: wall.id, ...one });
    }
    return found;
  }

  embed(space: SpaceId, vectors: readonly Embedded[]): void {
    for (const [id, ofWall] of groupBy(vectors, ({ wall }) => wall)) {
      const held = this.#held.get(id);
      if (held === undefined) continue;
      const units = ofWall.map(({ key, values }) => ({ key, vector: values && unitVector(values) }));
      addVectors(this.#opened(held.wall), space, units);
    }
  }

  spaces(): Map<SpaceId, number> {
    const counts = new Map<SpaceId, number>();
    for (const { wall } of [...this.#held.values()])
      for (const [space, count] of spacesIn(this.#opened(wall)))
        counts.set(space, (counts.get(space) ?? 0) + count);
    return counts;
  }

  forgetSpace(space: SpaceId): void {
    for (const { wall } of [...this.#held.values()]) removeSpace(this.#opened(wall), space);
  }

  /** A step of what can wait until nobody asks; false when nothing is left. */
  rest(): boolean {
    for (const [id, grown] of this.#grown) {
      const held = this.#held.get(id);
      if (held === undefined || grown < Math.max(LEAST_GROWN, held.passages * GROWN_SHARE)) continue;
      if (!joinWords(this.#opened(held.wall))) this.#grown.delete(id);
      return true;
    }
    return false;
  }

  /** Takes a file that a reader found damaged out of use. */
  discard(id: WallId): void {
    this.#close(id);
    removeDatabase(pathOfWall(this.folder, id));
    this.#held.delete(id);
    this.#grown.delete(id);
  }

  /** With the bytes: a deleted row would stay in the file until something is written over it. */
  drop(walls: readonly WallId[]): IndexState {
    for (const id of [...walls, NOBODY.id]) this.discard(id);
    return this.state();
  }

  close(): void {
    this.#grown.clear();
    for (const id of [...this.#open.keys()]) this.#close(id);
  }

  /** False where the file is damaged, of another schema or of another name's wall. */
  #isRead(file: string): boolean {
    let db: Database | undefined;
    try {
      db = openDatabase(file, "write", CACHE_KB);
      if (versionOf(db) !== SCHEMA_VERSION) return false;
      const wall = wallIn(db);
      if (pathOfWall(this.folder, wall.id) !== file) return false;
      this.#held.set(wall.id, { wall, passages: passagesIn(db), files: filesIn(db) });
      return true;
    } catch (error) {
      if (!isDamage(error)) throw error;
      return false;
    } finally {
      db?.close();
    }
  }

  #changing(work: (written: Written) => void): Written {
    const before = this.#walls();
    const written: Written = { gone: [], lost: [], passages: 0 };
    work(written);
    const walls = this.#walls();
    const same = walls.length === before.length && walls.every(({ id }, index) => id === before[index]?.id);
    return { ...written, passages: this.#passages(), ...(same ? {} : { walls }) };
  }

  #walls(): Wall[] {
    const held = [...this.#held.values()].filter(({ passages }) => passages > 0);
    return held.map(({ wall }) => wall).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #passages(): number {
    return [...this.#held.values()].reduce((sum, { passages }) => sum + passages, 0);
  }

  #isWhole(path: string, { stamp, walls }: KnownFile): boolean {
    const listed = walls.every((id) => this.#held.get(id as WallId)?.files.get(path)?.stamp === stamp);
    return listed && [...this.#held].every(([id, { files }]) => !files.has(path) || walls.includes(id));
  }

  #removeFrom(path: string, where: (id: WallId) => boolean, written: Written): void {
    for (const { wall, files } of [...this.#held.values()])
      if (files.has(path) && where(wall.id)) this.#write(wall, path, undefined, written);
  }

  #write(
    wall: Wall,
    path: string,
    next: (KnownFile & { passages: readonly Passage[] }) | undefined,
    written: Written,
  ): void {
    try {
      const db = this.#opened(wall);
      replaceFile(db, path, next);
      const held = this.#held.get(wall.id) ?? { wall, passages: 0, files: new Map<string, KnownFile>() };
      if (next === undefined) held.files.delete(path);
      else held.files.set(path, { stamp: next.stamp, walls: next.walls });
      const grown = passagesIn(db) - held.passages;
      if (grown > 0) this.#grown.set(wall.id, (this.#grown.get(wall.id) ?? 0) + grown);
      held.passages += grown;
      this.#held.set(wall.id, held);
      if (held.files.size > 0) return;
      this.discard(wall.id);
      written.gone.push(wall.id);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.discard(wall.id);
      written.lost.push(wall.id);
    }
  }

  #opened(wall: Wall): Database {
    const known = this.#open.get(wall.id);
    if (known !== undefined) {
      // The last used stands last.
      this.#open.delete(wall.id);
      this.#open.set(wall.id, known);
      return known;
    }
    const [oldest] = this.#open.keys();
    if (this.#open.size >= MOST_OPEN && oldest !== undefined) this.#close(oldest);
    const file = pathOfWall(this.folder, wall.id);
    if (!this.#held.has(wall.id)) removeDatabase(file);
    const db = openDatabase(file, "write", CACHE_KB);
    if (!this.#held.has(wall.id)) createWallFile(db, wall);
    this.#open.set(wall.id, db);
    return db;
  }

  #close(id: WallId): void {
    this.#open.get(id)?.close();
    this.#open.delete(id);
  }
}
