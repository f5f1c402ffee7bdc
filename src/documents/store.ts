/**
 * Documents are put in their place here, and taken away: the text first, which says that it was not
 * handed over, then its jobs, then the note that they stand, and last the records of the text before it
 * go, but for those that another text bears out as well. Killed anywhere, the next look at what stands
 * does the rest. Everything here runs when no tick does.
 */
import type { ModelWorkParts } from "../llm/job-context.js";
import type { ScopeId } from "../model/address.js";
import { Mutex } from "../platform/background.js";
import { type Disk } from "../platform/disk.js";
import { dirname, stampOf } from "../platform/files.js";
import { setAside } from "../protocol/conflicts.js";
import {
  type AddedDocument,
  type DocumentHead,
  isDocsScope,
  parseDocumentSource,
  readableDocument,
} from "../protocol/document.js";
import { type AddOutcome, handOverDocument, putDocument } from "../protocol/documents.js";
import type { GivenDocument } from "../protocol/new-document.js";
import { ifNoText, readText, removeFile } from "../protocol/publish.js";
import { type RecordKeys, removeRecords } from "../protocol/record-removal.js";
import { recordFilesUnder } from "../protocol/records.js";
import { at, documentPath, FILES, memoryDir, scopeName, type Workspace } from "../protocol/workspace.js";
import { own } from "../text/fold.js";

export type DocumentParts = Pick<ModelWorkParts, "writer" | "workspace" | "clock" | "settings" | "log">;

export class DocumentStore {
  readonly catalogue: DocumentCatalogue;
  /** What the records of a folder were swept for. */
  readonly #swept = new Map<string, string>();

  constructor(readonly parts: DocumentParts) {
    this.catalogue = new DocumentCatalogue(parts.writer.disk, parts.workspace);
  }

  /** Durable, and handed to the historian, when it returns. Throws `value_invalid` and `file_unreadable`. */
  async put(given: GivenDocument): Promise<{ file: string; outcome: AddOutcome }> {
    const { writer, workspace, clock, log } = this.parts;
    const { file, outcome, document, conflict } = await putDocument(writer, workspace, given, clock.now());
    await this.catalogue.recheck(file);
    if (conflict) log.write({ level: "warn", event: "edit_conflict", file });
    if (outcome !== "same")
      log.write({ level: "info", event: "document_added", file, outcome, chars: document.chars });
    await this.handOver(file);
    return { file, outcome };
  }

  /** What comes after the text, where that is still to be done. */
  async handOver(file: string): Promise<void> {
    const { writer, workspace, clock, settings } = this.parts;
    const head = this.catalogue.at(file)?.head;
    if (head === undefined || head.windowChars !== undefined) return;
    await handOverDocument(writer, workspace, head, settings.historian.document_window_chars, clock.now());
    await this.catalogue.recheck(file);
    await this.#sweepFolder(dirname(dirname(file)));
  }

  /** With its records. `kept`: what a person made of it goes to `conflicts/`. */
  async unlink(file: string, { kept }: { kept: boolean }): Promise<void> {
    const { writer, workspace, log } = this.parts;
    if (kept && this.catalogue.at(file)?.head?.edited === true) {
      const text = await readText(writer.disk, at(workspace, file)).catch(() => undefined);
      if (text !== undefined) await setAside(writer, workspace, file, text, "edit");
      log.write({ level: "warn", event: "edit_conflict", file });
    }
    await removeFile(writer, at(workspace, file));
    await this.catalogue.recheck(file);
    log.write({ level: "info", event: "document_removed", file });
    await this.#sweepFolder(dirname(dirname(file)));
  }

  /** Takes away the records of texts that stand no more; how many. */
  async sweep(): Promise<number> {
    let dropped = 0;
    for (const folder of this.catalogue.folders) dropped += await this.#sweepFolder(folder);
    return dropped;
  }

  async #sweepFolder(folder: string): Promise<number> {
    const { writer, workspace, log } = this.parts;
    const texts = this.catalogue
      .all()
      .filter(({ file }) => dirname(dirname(file)) === folder)
      // What cannot be read may be anything.
      .map(({ file, head }) => [file, head?.hash ?? null] as const);
    const stamp = async (): Promise<string> =>
      JSON.stringify([await recordsStamp(writer.disk, workspace, folder), texts]);
    if (this.#swept.get(folder) === (await stamp())) return 0;
    const hashes = new Map(texts);
    const hashOf: HashOf = ({ scope = "" }, id) =>
      memoryDir(scope as ScopeId) === folder ? hashes.get(documentPath(scope as ScopeId, id)) : null;
    const files = await recordFilesUnder(writer.disk, workspace, folder);
    const { ids } = await removeRecords(writer, workspace, files, { goes: (keys) => isStale(keys, hashOf) });
    const records = ids.length;
    this.#swept.set(folder, await stamp());
    if (records > 0) log.write({ level: "info", event: "document_records_removed", folder, records });
    return records;
  }
}

/** Hash of the text of a document: undefined where it is gone, null where nobody can tell. */
type HashOf = (record: RecordKeys, id: string) => string | undefined | null;

/** Whose documents have all been replaced or are gone. */
function isStale(record: RecordKeys, hashOf: HashOf): boolean {
  const { id, sources } = record;
  if (id === undefined || sources.length === 0) return false;
  return sources.map(parseDocumentSource).every((text) => {
    const present = text === undefined ? null : hashOf(record, text.id);
    return present !== null && present !== text?.hash;
  });
}

/** Changes when the records in a folder do. */
async function recordsStamp(disk: Disk, workspace: Workspace, folder: string): Promise<string> {
  const files = await recordFilesUnder(disk, workspace, folder);
  const stats = await Promise.all(files.map((file) => disk.stat(at(workspace, file))));
  return JSON.stringify(stats.map(stampOf));
}

/** The documents as they stand in the memory tree: of each the head, read again when its file has changed. Texts are not kept. */
export interface HeldDocument {
  /** Relative to the workspace. */
  file: string;
  /** Of the file. */
  stamp: string;
  /** Undefined where the file cannot be read as what its place says. */
  head: (DocumentHead & Pick<AddedDocument, "edited" | "bodyLine">) | undefined;
}

const SCOPES = `${FILES.records}/scopes`;
const DOCS_ENDING = scopeName(":docs" as ScopeId);

class DocumentCatalogue {
  readonly #held = new Map<string, HeldDocument>();
  /** One look at a file after the other: the last one knows best. */
  readonly #looks = new Mutex();
  /** Folders of scopes that hold documents, or did: their records may. */
  folders: readonly string[] = [];

  constructor(
    readonly disk: Disk,
    readonly workspace: Workspace,
  ) {}

  /** By path. */
  all(): HeldDocument[] {
    return [...this.#held.values()];
  }

  at(file: string): HeldDocument | undefined {
    return this.#held.get(file);
  }

  /** Brings it up to date with the files. */
  async load(): Promise<void> {
    const { disk, workspace } = this;
    const found: string[] = [];
    const present = new Set<string>();
    for (const { kind, name } of await disk.list(at(workspace, SCOPES))) {
      if (kind !== "dir") continue;
      const folder = `${SCOPES}/${name}`;
      const dir = `${folder}/documents`;
      const holds = (await disk.stat(at(workspace, dir)))?.kind === "dir";
      if (!holds && !name.endsWith(DOCS_ENDING)) continue;
      found.push(folder);
      for (const entry of holds ? await disk.list(at(workspace, dir)) : []) {
        if (entry.kind !== "file" || !entry.name.endsWith(".md") || entry.name.startsWith(".")) continue;
        present.add(`${dir}/${entry.name}`);
        await this.recheck(`${dir}/${entry.name}`);
      }
    }
    this.folders = found;
    // What came since its folder was listed is there all the same.
    for (const file of [...this.#held.keys()]) if (!present.has(file)) await this.recheck(file);
  }

  /** One file again, after it was written or removed. */
  recheck(file: string): Promise<void> {
    return this.#looks.run(() => this.#recheck(file));
  }

  async #recheck(file: string): Promise<void> {
    const { disk, workspace } = this;
    const stat = await disk.stat(at(workspace, file));
    if (stat?.kind !== "file") return void this.#held.delete(file);
    const stamp = stampOf(stat);
    if (this.#held.get(file)?.stamp === stamp) return;
    this.#held.set(file, { file, stamp, head: await this.#headOf(file) });
  }

  async #headOf(file: string): Promise<HeldDocument["head"]> {
    const text = await readText(this.disk, at(this.workspace, file)).catch(ifNoText);
    const document = text === undefined ? undefined : readableDocument(text);
    if (document === undefined) return undefined;
    const { body: _body, ...head } = document;
    const isItsPlace =
      isDocsScope(head.scope) &&
      documentPath(head.scope, head.id) === file &&
      file.startsWith(`${memoryDir(head.scope)}/`);
    return isItsPlace ? own(head) : undefined;
  }
}
