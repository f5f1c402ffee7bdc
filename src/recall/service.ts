/**
 * Recall for this workspace: the index kept up to date with the files, and asked. The index is
 * derived: when it cannot be written (a full disk) or its threads end, that is told once, what it
 * knows is still searched, and the next tick tries again; nothing else of memd waits for it.
 */
import type { ModelWorkParts } from "../llm/job-context.js";
import { OWNER, type Viewer } from "../model/address.js";
import { defined } from "../model/collections.js";
import { isMemdError, MemdError, messageOf } from "../model/errors.js";
import type { Listed } from "../model/found.js";
import { pacer } from "../platform/clock.js";
import type { Disk } from "../platform/disk.js";
import type { FolderLooks } from "../platform/folder-looks.js";
import type { Ripgrep } from "../platform/ripgrep.js";
import type { Engine, EngineSize } from "./index/engine.js";
import { MEMORY_ENGINE_COMFORT_PASSAGES } from "./index/memory.js";
import type { Partition } from "./index/partitions.js";
import { isDead, type EngineName, type OpenedIndex, type OpenIndex } from "./index/open.js";
import { newReconcileState, readAgainWhereChanged, reconcile, type ReconcileParts } from "./reconcile.js";
import type { RecallModels } from "./models.js";
import { newest, type Newest, type NewestOptions } from "./newest.js";
import { type Lines, openPassages, openPaths } from "./open-passages.js";
import { recall, type Recalled, type RecallOptions } from "./recall.js";
import type { UnfiledMessage } from "./message-passages.js";
import type { SkippedFile } from "./walk.js";
import { ChangedSources } from "./changed-sources.js";
import { withStanding } from "./standing.js";
import type { Embedder, EmbeddingStatus } from "./embedder.js";
import { readWords } from "./words.js";
import type { Words } from "../text/everyday-words.js";
import { datesAskedIn, warmDateHints } from "../text/dates/hints.js";

interface SearchParts extends Pick<ModelWorkParts, "clock" | "workspace" | "zone" | "settings" | "log"> {
  disk: Disk;
  looks?: FolderLooks | undefined;
  ripgrep: Ripgrep;
  openIndex: OpenIndex;
  embedder?: Embedder;
  models?: Pick<RecallModels, "rewrite" | "rerank">;
  /** Nobody has asked for a while; or, with false, somebody asks again. */
  resting?: (rests: boolean) => void;
}

/** What `status` tells of the index. */
export interface IndexStatus extends EngineSize {
  engine: EngineName;
  skipped: SkippedFile[];
  /** Why it could not be brought up to date. */
  fault?: string;
  /** Where an embedding model is named. */
  embedding?: EmbeddingStatus;
}

/** What a person changes meanwhile may let another changed file come up. */
const MOST_ASKED_AGAIN = 2;

export class RecallService {
  #opening: Promise<OpenedIndex> | undefined;
  #state = newReconcileState();
  #words: Words | undefined;
  #toldLarge = false;
  #fault: string | undefined;
  #isClosed = false;
  readonly #changed = new ChangedSources();
  #skipped: readonly SkippedFile[] = [];
  /** Whether files were read again for somebody's question since the last refresh. */
  #hasReadAgain = false;
  /** Files that have changed were left to another refresh. */
  isBehind = false;
  /** Something that was indexed is gone or has changed: the files have to be looked at again. */
  onLost: () => void = () => undefined;

  constructor(readonly parts: SearchParts) {}

  /**
   * Brings the index up to date; messages without a block are found by their
   * journal lines. True where files were read or are gone, so that other things may be found.
   */
  async refresh(
    unfiled: readonly UnfiledMessage[],
    told: Pick<ReconcileParts, "onProgress" | "isCalled"> = {},
  ): Promise<boolean> {
    const { disk, looks, workspace, zone, clock, settings } = this.parts;
    try {
      const engine = await this.#engine();
      const { patterns } = settings.secrets;
      const parts = defined({ disk, looks, workspace, engine, zone, pace: pacer(clock), patterns, ...told });
      const { skipped, read, removed, left = 0 } = await reconcile(parts, unfiled, this.#state);
      this.isBehind = left > 0;
      this.#skipped = skipped;
      this.parts.embedder?.fill(engine);
      this.#fault = undefined;
      await this.#tellLarge();
      const isNew = this.#hasReadAgain || read + removed > 0;
      this.#hasReadAgain = false;
      if (isNew || !this.#changed.knows) this.#changed.tell(await engine.stamps(), this.parts.log);
      return isNew;
    } catch (error) {
      this.isBehind = false;
      // A fault of the disk port is everybody's and told by the supervisor.
      if (isMemdError(error)) throw error;
      const reason = messageOf(error);
      if (this.#fault !== reason) this.parts.log.write({ level: "error", event: "index_fault", reason });
      this.#fault = reason;
      if (this.#opening !== undefined && (await isDead(this.#opening))) await this.#close();
      return true;
    }
  }

  /** Quotes what the files say now. */
  async find(query: string, viewer: Viewer, options: RecallOptions = {}): Promise<Recalled> {
    return this.#asItStands(
      () => this.#ask(query, viewer, options),
      ({ hits }) => hits.map(({ passage }) => passage.path),
    );
  }

  /**
   * Opens the index while something else is read, and asks it for nobody what waits: whoever asks that
   * next waits for no disk. What fails is told by whoever asks first.
   */
  async open(waiting: () => Promise<string | undefined>): Promise<void> {
    try {
      const [text] = await Promise.all([waiting(), this.#engine()]);
      // Of what is found nothing is made.
      const options: RecallOptions = { mode: "keyword", paraphrased: true, minScore: 1 };
      if (text !== undefined) await this.#ask(text, OWNER, options);
    } catch {
      // Nobody has asked yet.
    }
  }

  /** Does ahead what the first questions with a date in them would wait for; what fails here fails there, and is told then. */
  async warm(): Promise<void> {
    const { zone, clock } = this.parts;
    this.#wordsOnce();
    await warmDateHints(zone.dayOf(clock.now()), pacer(clock)).catch(() => undefined);
  }

  /** Records and profiles, without a question. */
  async newest(viewer: Viewer, options: NewestOptions): Promise<Newest> {
    const { zone, clock } = this.parts;
    const parts = { engine: await this.#engine(), zone, now: () => clock.now() };
    return this.#asItStands(
      () => newest(parts, viewer, options),
      ({ listed }) => listed.map(({ passage }) => passage.path),
    );
  }

  /** Of these lines of a file what the viewer may read. */
  async read(path: string, viewer: Viewer, lines: Lines): Promise<Listed[]> {
    const { zone, clock } = this.parts;
    const engine = await this.#engine();
    const passages = await this.#asItStands(
      () => openPassages(engine, viewer, path, lines),
      (found) => (found.length === 0 ? [] : [path]),
    );
    return passages.map((passage) => withStanding<Listed>({ passage }, { at: clock.now() }, zone));
  }

  /** The files in which something stands that the viewer may read. */
  async paths(viewer: Viewer): Promise<string[]> {
    return openPaths(await this.#engine(), viewer);
  }

  /** Whether a search by more than words has more to say. */
  get asksModels(): boolean {
    const { embedder, models } = this.parts;
    return embedder?.status?.model !== undefined || models?.rerank !== undefined;
  }

  /** Of what has gone from these partitions nothing is left in the index, no byte either. After a refresh. */
  async scrub(isOf: (belonging: Partition["belonging"]) => boolean): Promise<void> {
    const engine = await this.#engine();
    const partitions = await engine.partitions();
    // Where that could not read everything, what should be gone may stand there still.
    const isWhole = this.#fault !== undefined || this.isBehind;
    const scrubbed = partitions.filter(({ belonging }) => isOf(belonging));
    await engine.scrub(
      scrubbed.map(({ id }) => id),
      isWhole,
    );
  }

  /** Forgets all that was indexed; the next refresh reads every file. */
  async clear(): Promise<void> {
    const engine = await this.#engine();
    for (const path of (await engine.stamps()).keys()) await engine.remove(path);
    this.#state = newReconcileState();
  }

  async status(): Promise<IndexStatus> {
    const { engine, name } = await this.#opened();
    return defined({
      engine: name,
      ...(await engine.size()),
      skipped: this.#skipped.slice(),
      fault: this.#fault,
      embedding: this.parts.embedder?.status,
    });
  }

  /** For good: whoever asks afterwards would open threads that nobody ends, and the process with them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.parts.embedder?.close();
    await this.#close();
  }

  async #ask(query: string, viewer: Viewer, options: RecallOptions): Promise<Recalled> {
    const { zone, clock, settings, ripgrep, workspace, embedder, models } = this.parts;
    const parts = {
      engine: await this.#engine(),
      zone,
      now: () => clock.now(),
      settings: settings.recall,
      dateHints: datesAskedIn,
      words: () => this.#wordsOnce(),
      pace: pacer(clock),
      models: { ...models, vectorOf: async (text: string) => (await embedder?.vectorOf(text)) ?? {} },
      files: { ripgrep, workspace },
    };
    return recall(parts, query, viewer, options);
  }

  /** Asked again where what was found stands in files that have changed since they were read. */
  async #asItStands<T>(ask: () => Promise<T>, pathsOf: (found: T) => readonly string[]): Promise<T> {
    for (let again = 0; ; again++) {
      const found = await ask();
      if (again === MOST_ASKED_AGAIN || !(await this.#readAgain(pathsOf(found)))) return found;
    }
  }

  async #readAgain(paths: readonly string[]): Promise<boolean> {
    const { disk, workspace, zone, settings } = this.parts;
    try {
      const parts = { disk, workspace, zone, ...settings.secrets, engine: await this.#engine() };
      if (!(await readAgainWhereChanged(parts, paths, this.#state))) return false;
    } catch {
      // What keeps files from being read into the index is told by the next refresh; what was found still answers.
      return false;
    }
    this.#hasReadAgain = true;
    this.onLost();
    return true;
  }

  /** Read by the first question, or ahead of it. */
  #wordsOnce(): Words {
    return (this.#words ??= readWords());
  }

  async #engine(): Promise<Engine> {
    return (await this.#opened()).engine;
  }

  #opened(): Promise<OpenedIndex> {
    if (this.#isClosed) return Promise.reject(new MemdError("not_running", "memd was stopped."));
    const { settings, clock, log, openIndex } = this.parts;
    this.#opening ??= openIndex({
      engine: settings.index.engine,
      pace: pacer(clock),
      onLost: (partitions) => {
        // A reconciling that runs goes on with the one it began with, and settles nothing of the next.
        this.#state.settled = new Map();
        log.write({ level: "warn", event: "index_rebuilt", partitions });
        this.onLost();
      },
      onFallback: (reason) => log.write({ level: "warn", event: "index_fallback", engine: "memory", reason }),
      onRest: (rests) => {
        if (rests) this.#words = undefined;
        this.parts.resting?.(rests);
      },
    });
    // The next one who asks tries again.
    this.#opening.catch(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    this.#state = newReconcileState();
    // An index that was never opened, or whose threads have ended, has nothing left to close.
    await opening?.then(({ engine }) => engine.close()).catch(() => undefined);
  }

  async #tellLarge(): Promise<void> {
    if (this.#toldLarge) return;
    const { engine, name } = await this.#opened();
    const { passages } = await engine.size();
    if (name !== "memory" || passages <= MEMORY_ENGINE_COMFORT_PASSAGES) return;
    this.#toldLarge = true;
    const comfortable = MEMORY_ENGINE_COMFORT_PASSAGES;
    this.parts.log.write({ level: "warn", event: "index_large", passages, comfortable });
  }
}
