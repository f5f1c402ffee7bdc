/**
 * Looks after the documents beside the ticks, at start and every minute: what
 * `documents` in memd.toml names is read when it has changed, what is gone takes
 * its document with it, and what a killed process had begun is done.
 */
import { isMemdError } from "../model/errors.js";
import { LOCAL_USER } from "../model/address.js";
import { MINUTE_MS } from "../model/time.js";
import { type Background, Jobs, type Loop, type Put, type Tick } from "../platform/background.js";
import { globMatcher } from "../platform/glob.js";
import { DOCUMENT_LIMIT_BYTES, idOfSource, TOO_LARGE, troubleWithText } from "../protocol/new-document.js";
import { readText } from "../protocol/publish.js";
import { at } from "../protocol/workspace.js";
import { copyOf } from "./originals.js";
import { type DocumentParts, DocumentStore, type HeldDocument } from "./store.js";
import { mayBeSource, sourceFiles, sourceStamp, type SourceFile } from "./sources.js";

/** After a disk that refused. */
const REST_MS = MINUTE_MS / 2;
/** One look at a time. */
const LOOK = "look";

export class DocumentsWorker implements Background {
  readonly name = "documents";
  readonly store: DocumentStore;
  readonly #isWanted: (path: string) => boolean;
  /** Stamps of files that were read, by path; and of those that are no documents. */
  readonly #read = new Map<string, string>();
  readonly #refused = new Map<string, string>();
  readonly #logged = new Set<string>();
  readonly #jobs: Jobs;

  constructor(
    readonly parts: DocumentParts,
    loop: Loop,
  ) {
    this.store = new DocumentStore(parts);
    this.#isWanted = globMatcher(parts.settings.documents);
    // A forgetting does not touch the files that are read: there is nothing to begin anew.
    this.#jobs = new Jobs({ clock: parts.clock }, loop, { restMs: REST_MS });
  }

  get running(): number {
    return this.#jobs.running;
  }

  /** Begins a look, unless one is under way. */
  poll({ isRescan }: Pick<Tick, "isRescan">): void {
    if (isRescan && this.#jobs.isFree(LOOK)) this.#jobs.start(LOOK, (put) => this.#look(put));
  }

  /** Settles when no look is under way. */
  over(): Promise<void> {
    return this.#jobs.over();
  }

  stop(): Promise<void> {
    return this.#jobs.stop();
  }

  /** Whether a file is one of those that are named, and is there as far as can be seen. */
  async isSource(path: string): Promise<boolean> {
    if (!mayBeSource(path) || !this.#isWanted(path)) return false;
    const { writer, workspace } = this.parts;
    try {
      return sourceStamp(await writer.disk.stat(at(workspace, path))) !== undefined;
    } catch (error) {
      if (!isMemdError(error, "disk_denied")) throw error;
      return true;
    }
  }

  /** Whether it changed anything. */
  async #look(put: Put): Promise<boolean> {
    const { writer, workspace, settings } = this.parts;
    const { catalogue } = this.store;
    await catalogue.load();
    let changed = false;
    const { files, unseen } = await sourceFiles(writer.disk, workspace, settings.documents);
    for (const { path, reason } of unseen) this.#log(path, reason, reason);
    for (const source of files) changed = (await this.#readAgain(source, put)) || changed;
    const present = new Set(files.map(({ path }) => path));
    for (const held of catalogue.all()) {
      const { head, file } = held;
      if (await this.#isGone(held, present, unseen.length === 0)) {
        await put(() => this.store.unlink(file, { kept: true }));
        changed = true;
      } else if (head !== undefined && head.windowChars === undefined) {
        await put(() => this.store.handOver(file));
        changed = true;
      }
    }
    await put(async () => {
      if ((await this.store.sweep()) > 0) changed = true;
    });
    return changed;
  }

  /** True where that changed a document. */
  async #readAgain(source: SourceFile, put: Put): Promise<boolean> {
    const { path, stamp } = source;
    const id = idOfSource(path);
    const file = copyOf(path);
    const head = this.store.catalogue.at(file)?.head;
    const isWatched = head?.source === path && head.stamp !== undefined;
    if (isWatched && head.stamp === stamp) this.#read.set(path, stamp);
    if ((isWatched && this.#read.get(path) === stamp) || this.#refused.get(path) === stamp) return false;
    if (this.#jobs.isStopping) return false;
    const text = await this.#textOf(source);
    if (typeof text !== "string") {
      this.#log(path, stamp, text.trouble);
      if (text.mayChange) return false;
      this.#refused.set(path, stamp);
      // It says nothing any more that could be kept.
      if (isWatched) await put(() => this.store.unlink(file, { kept: true }));
      return isWatched;
    }
    let changed = false;
    try {
      await put(async () => {
        const { outcome } = await this.store.put({ text, id, source: path, stamp, user: LOCAL_USER });
        changed = outcome !== "same";
        this.#read.set(path, stamp);
      });
    } catch (error) {
      if (!isMemdError(error, "value_invalid") && !isMemdError(error, "file_unreadable")) throw error;
      this.#refused.set(path, stamp);
      this.#log(path, stamp, error.message);
    }
    return changed;
  }

  async #textOf({ path, size }: SourceFile): Promise<string | { trouble: string; mayChange: boolean }> {
    if (size > DOCUMENT_LIMIT_BYTES) return { trouble: TOO_LARGE, mayChange: false };
    const { writer, workspace } = this.parts;
    try {
      const text = await readText(writer.disk, at(workspace, path));
      if (text === undefined) return { trouble: "is gone", mayChange: true };
      const trouble = troubleWithText(text);
      return trouble === undefined ? text : { trouble, mayChange: false };
    } catch (error) {
      if (error instanceof SyntaxError) return { trouble: "is not UTF-8 text", mayChange: false };
      // Somebody's file that memd may not read yet: what is known of it is kept.
      if (!isMemdError(error, "disk_denied")) throw error;
      return { trouble: error.message, mayChange: true };
    }
  }

  /** Of a document that is read from a file: that is gone, or none of those that are named. */
  async #isGone({ head }: HeldDocument, present: ReadonlySet<string>, sawAll: boolean): Promise<boolean> {
    if (head?.source === undefined || head.stamp === undefined) return false;
    if (present.has(head.source) && head.id === idOfSource(head.source)) return false;
    return sawAll || !(await this.isSource(head.source));
  }

  /** Once for each state of a file. */
  #log(path: string, stamp: string, reason: string): void {
    const key = JSON.stringify([path, stamp]);
    if (this.#logged.has(key)) return;
    this.#logged.add(key);
    this.parts.log.write({ level: "warn", event: "document_skipped", file: path, reason });
  }
}
