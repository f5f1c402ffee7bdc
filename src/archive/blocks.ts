/**
 * Messages of the verbatim days, by id: a day is read when one of its messages
 * is asked for, and again only when its file has changed.
 *
 * What a person edited is what is given; a block that is gone is not. A file
 * that cannot be read gives nothing: it is never the reason for no prompt.
 */
import type { FiledMessage, MessageId } from "../model/message.js";
import type { ScopeId } from "../model/address.js";
import type { Day } from "../model/time.js";
import type { Disk } from "../platform/disk.js";
import { readText } from "../protocol/publish.js";
import { parseVerbatim } from "../protocol/verbatim.js";
import { at, type Workspace } from "../protocol/workspace.js";
import { own } from "../text/own.js";
import type { Catalogue } from "./catalogue.js";
import { stampOf } from "../platform/stamp.js";

/** Undefined where a message has no block there. */
type Found = ReadonlyMap<MessageId, FiledMessage | undefined>;

/** A few conversations' worth. */
const MOST_FILES = 64;
/** Of one day's messages those that were asked for last are kept. */
const MOST_MESSAGES = 256;

export class Blocks {
  /** By path, those read last at the end. */
  readonly #read = new Map<string, { stamp: string; found: Found }>();

  constructor(
    readonly disk: Disk,
    readonly workspace: Workspace,
    readonly catalogue: Catalogue,
  ) {}

  /** Those of these ids that have their block, each once. */
  async of(scope: ScopeId, day: Day, ids: readonly MessageId[]): Promise<FiledMessage[]> {
    const found = new Map<MessageId, FiledMessage>();
    // After a crash in a move there are two, which say the same.
    for (const { path } of this.catalogue.verbatimOf(scope, day))
      for (const filed of await this.#in(path, ids)) found.set(filed.message.id, filed);
    return [...found.values()];
  }

  async #in(path: string, ids: readonly MessageId[]): Promise<FiledMessage[]> {
    const known = this.#read.get(path);
    this.#read.delete(path);
    try {
      const stamp = stampOf(await this.disk.stat(at(this.workspace, path)));
      const before: Found = known?.stamp === stamp ? known.found : new Map();
      const missing = ids.filter((id) => !before.has(id));
      const found = missing.length === 0 ? before : await this.#look(path, missing, before);
      this.#keep(path, stamp, found);
      return ids.flatMap((id) => found.get(id) ?? []);
    } catch {
      // Gone, half written, no text: the next look tries again.
      return [];
    }
  }

  async #look(path: string, ids: readonly MessageId[], before: Found): Promise<Found> {
    const found = new Map<MessageId, FiledMessage | undefined>(ids.map((id) => [id, undefined]));
    const file = parseVerbatim((await readText(this.disk, at(this.workspace, path))) ?? "");
    for (const { filed } of file?.blocks ?? [])
      if (found.has(filed.message.id)) found.set(filed.message.id, own(filed));
    return new Map([...before, ...found]);
  }

  #keep(path: string, stamp: string, found: Found): void {
    this.#read.set(path, { stamp, found: new Map([...found].slice(-MOST_MESSAGES)) });
    for (const oldest of this.#read.keys()) if (this.#read.size > MOST_FILES) this.#read.delete(oldest);
  }
}
