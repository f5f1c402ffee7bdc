/**
 * `queue/cursors.json` while memd runs: moved by whoever hands exchanges over, and kept
 * once their jobs stand. What a disk refused is kept the next time, before anything more is
 * handed over.
 */
import type { ModelWorkParts } from "../llm/job-context.js";
import type { MessageId } from "../model/message.js";
import { epochMs } from "../model/time.js";
import { setAside } from "../protocol/conflicts.js";
import { type Cursor, type CursorEntry, parseCursors, printCursors } from "../protocol/cursors.js";
import { ifNoText, publish, readText } from "../protocol/publish.js";
import { at, FILES } from "../protocol/workspace.js";

/** Whose conversation; of one user, for in a group nothing is looked for. */
export type Whose = Pick<CursorEntry, "scope" | "session" | "user" | "of">;

/** Before anything was looked at. */
export const NOTHING_YET: Cursor = {
  through: { id: "none" as MessageId, at: epochMs(0) },
  stretch: { rounds: 0, said: [] },
};

export class CursorStore {
  readonly #entries = new Map<string, CursorEntry>();
  #isKept = true;

  constructor(readonly parts: Pick<ModelWorkParts, "writer" | "workspace">) {}

  /** As the file says. */
  async load(): Promise<void> {
    const { writer, workspace } = this.parts;
    const text = await readText(writer.disk, at(workspace, FILES.cursors)).catch(ifNoText);
    let entries: CursorEntry[] = [];
    try {
      if (text !== undefined) entries = parseCursors(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      // Somebody's edit that nobody can read: it stays, beside, and all is looked at once more.
      await setAside(writer, workspace, FILES.cursors, text ?? "", "unreadable");
    }
    this.#entries.clear();
    for (const entry of entries) this.#entries.set(placeOf(entry), entry);
    this.#isKept = true;
  }

  get(whose: Whose): CursorEntry | undefined {
    return this.#entries.get(placeOf(whose));
  }

  all(): IterableIterator<CursorEntry> {
    return this.#entries.values();
  }

  move(entry: CursorEntry): void {
    this.#entries.set(placeOf(entry), entry);
    this.#isKept = false;
  }

  drop(whose: Whose): void {
    if (this.#entries.delete(placeOf(whose))) this.#isKept = false;
  }

  /** Durable when this returns; nothing is written where none has moved. */
  async keep(): Promise<void> {
    if (this.#isKept) return;
    const { writer, workspace } = this.parts;
    await publish(writer, at(workspace, FILES.cursors), printCursors([...this.all()]));
    this.#isKept = true;
  }
}

export function placeOf({ scope, session, user, of }: Whose): string {
  return JSON.stringify([scope, session, user, of]);
}
