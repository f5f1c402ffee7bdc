/**
 * Where messages stand in verbatim files and in the journal: those that are to be
 * forgotten, and, by id, those that a prompt shows. What a person edited is what is
 * given; a block that is gone is not, and a file that cannot be read gives nothing.
 */
import { addAll } from "../model/collections.js";
import type { ScopeId } from "../model/address.js";
import type { FiledMessage, MessageId } from "../model/message.js";
import type { Day } from "../model/time.js";
import { pacer } from "../platform/clock.js";
import { type Disk } from "../platform/disk.js";
import { stampOf } from "../platform/files.js";
import type { Forgotten } from "../protocol/forgotten.js";
import { readJournal } from "../protocol/journal.js";
import { ifNoText, readText } from "../protocol/publish.js";
import { openVerbatim, withoutBlocks, type WithoutBlocks } from "../protocol/verbatim.js";
import { at, type Workspace } from "../protocol/workspace.js";
import { own } from "../text/fold.js";
import type { Catalogue } from "./catalogue.js";
import type { ArchiveContext } from "./context.js";
import { goneFrom } from "./identity.js";

/** A verbatim file that holds blocks which are to go. */
export interface TouchedFile {
  /** Relative. */
  path: string;
  scope: ScopeId;
  without: WithoutBlocks;
}

/** What of them still stands: each as often as it does. */
export async function standingMessages(
  context: ArchiveContext,
  gone: Forgotten,
  scopes: readonly ScopeId[],
): Promise<FiledMessage[]> {
  const found: FiledMessage[] = [];
  for await (const { without } of touchedFiles(context, gone, scopes)) addAll(found, without.gone);
  for await (const filed of journalled(context, gone)) found.push(filed);
  return found;
}

export async function* touchedFiles(
  context: ArchiveContext,
  gone: Forgotten,
  scopes: readonly ScopeId[],
): AsyncGenerator<TouchedFile> {
  const { writer, workspace, catalogue, clock } = context;
  const isGone = goneFrom(gone);
  for (const scope of scopes)
    for (const path of await catalogue.verbatimPaths(scope)) {
      const text = await readText(writer.disk, at(workspace, path)).catch(ifNoText);
      await pacer(clock)();
      const without = text === undefined ? undefined : withoutBlocks(text, scope, isGone);
      if (without !== undefined) yield { path, scope, without };
    }
}

export async function* journalled(
  { writer, workspace }: ArchiveContext,
  gone: Forgotten,
): AsyncGenerator<FiledMessage> {
  const isGone = goneFrom(gone);
  for await (const { entry } of readJournal(writer.disk, workspace))
    if (entry.op === "message" && isGone(entry.filed)) yield entry.filed;
}

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
    const file = openVerbatim((await this.disk.read(at(this.workspace, path))) ?? new Uint8Array());
    for (const { filed } of file?.blocks ?? [])
      if (found.has(filed.message.id)) found.set(filed.message.id, own(filed));
    return new Map([...before, ...found]);
  }

  #keep(path: string, stamp: string, found: Found): void {
    this.#read.set(path, { stamp, found: new Map([...found].slice(-MOST_MESSAGES)) });
    for (const oldest of this.#read.keys()) if (this.#read.size > MOST_FILES) this.#read.delete(oldest);
  }
}
