/**
 * Documents are put in their place here, and taken away: the text first, which
 * says that it was not handed over, then its jobs, then the note that they
 * stand, and last the records of the text before it go.
 *
 * Killed anywhere, the next look at what stands does the rest. Everything here
 * runs when no tick does.
 */
import type { ScopeId } from "../model/address.js";
import type { Settings } from "../model/settings.js";
import type { Clock } from "../platform/clock.js";
import type { Log } from "../platform/log.js";
import { dirname } from "../platform/path.js";
import { setAside } from "../protocol/conflicts.js";
import { putDocument, type AddOutcome } from "../protocol/documents.js";
import type { GivenDocument } from "../protocol/new-document.js";
import { readText, type FileWriter } from "../protocol/publish.js";
import { removeFile } from "../protocol/remove.js";
import { at, documentPath, memoryDir, type Workspace } from "../protocol/workspace.js";
import { dropStaleRecords, recordsStamp } from "./stale-records.js";
import { DocumentCatalogue } from "./catalogue.js";
import { handOverDocument } from "../protocol/document-window.js";

export interface DocumentParts {
  writer: FileWriter;
  workspace: Workspace;
  clock: Clock;
  settings: Settings;
  log: Log;
}

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
    const dropped = await dropStaleRecords(writer, workspace, folder, ({ scope = "" }, id) =>
      memoryDir(scope as ScopeId) === folder ? hashes.get(documentPath(scope as ScopeId, id)) : null,
    );
    this.#swept.set(folder, await stamp());
    if (dropped > 0)
      log.write({ level: "info", event: "document_records_removed", folder, records: dropped });
    return dropped;
  }
}
