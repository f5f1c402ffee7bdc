/** Connections by which partitions are written: those that were used last stay open. */
import type { Database } from "../../../platform/sqlite.js";
import type { PartitionId } from "../partitions.js";

/** To open another one costs a few milliseconds. */
const MOST_OPEN = 16;

export class OpenConnections {
  readonly #open = new Map<PartitionId, Database>();

  /** `open`: makes one where none is open; before that the one that was used longest ago is closed where there are many. */
  get(id: PartitionId, open: () => Database): Database {
    let db = this.#open.get(id);
    const [oldest] = this.#open.keys();
    if (db === undefined && this.#open.size >= MOST_OPEN && oldest !== undefined) this.close(oldest);
    db ??= open();
    // The last used stands last.
    this.#open.delete(id);
    this.#open.set(id, db);
    return db;
  }

  close(id: PartitionId): void {
    this.#open.get(id)?.close();
    this.#open.delete(id);
  }

  closeAll(): void {
    for (const id of [...this.#open.keys()]) this.close(id);
  }
}
