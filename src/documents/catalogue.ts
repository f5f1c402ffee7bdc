/**
 * The documents as they stand in the memory tree: of each the head, read again
 * when its file has changed. Texts are not kept.
 */
import type { ScopeId } from "../model/address.js";
import type { Disk } from "../platform/disk.js";
import { stampOf } from "../platform/stamp.js";
import { isDocsScope, type DocumentHead } from "../protocol/document.js";
import { readableDocument } from "../protocol/documents.js";
import { ifNoText, readText } from "../protocol/publish.js";
import { at, documentPath, FILES, memoryDir, scopeName, type Workspace } from "../protocol/workspace.js";
import { own } from "../text/own.js";

export interface HeldDocument {
  /** Relative to the workspace. */
  file: string;
  /** Undefined where the file cannot be read as what its place says. */
  head: (DocumentHead & { edited: boolean }) | undefined;
}

interface Held extends HeldDocument {
  stamp: string;
}

const SCOPES = `${FILES.records}/scopes`;
const DOCS_ENDING = scopeName(":docs" as ScopeId);

export class DocumentCatalogue {
  readonly #held = new Map<string, Held>();
  #folders: string[] = [];

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

  /** Folders of scopes that hold documents, or did: their records may. */
  get folders(): readonly string[] {
    return this.#folders;
  }

  /** Brings it up to date with the files. */
  async load(): Promise<void> {
    const { disk, workspace } = this;
    const scopes = await disk.list(at(workspace, SCOPES));
    const found: string[] = [];
    const present = new Set<string>();
    for (const { kind, name } of scopes) {
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
    this.#folders = found;
    for (const file of this.#held.keys()) if (!present.has(file)) this.#held.delete(file);
  }

  /** One file again, after it was written or removed. */
  async recheck(file: string): Promise<void> {
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
    const { body: _body, bodyLine: _line, ...head } = document;
    const isItsPlace =
      isDocsScope(head.scope) &&
      documentPath(head.scope, head.id) === file &&
      file.startsWith(`${memoryDir(head.scope)}/`);
    return isItsPlace ? own(head) : undefined;
  }
}
