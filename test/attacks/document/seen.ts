/** What somebody read in an answer and asks for next: ids, cursors, versions. */
import type { Sent } from "./drafts.js";

/** Stands in a request for one that whoever asks has read by then. */
export const SEEN = { id: "⟦id⟧", cursor: "⟦next⟧", revision: "⟦revisions⟧" } as const;
const FIELDS = Object.values(SEEN).map((mark) => ({ mark, field: mark.slice(1, -1) }));
/** The newest of each. */
const MOST = 100;

export class Seen {
  readonly #known = new Map<string, string[]>();

  constructor(readonly random: () => number) {}

  /** Of an answer, whatever it is. */
  learn(text: string): void {
    if (!text.startsWith("{")) return;
    JSON.parse(text, (field, value: unknown) => {
      if (!FIELDS.some((one) => one.field === field)) return value;
      const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
      if (texts.length > 0)
        this.#known.set(field, [...(this.#known.get(field) ?? []), ...texts].slice(-MOST));
      return value;
    });
  }

  filled(sent: Sent): Sent {
    let { address, body } = sent;
    // The id of a document is written, and read by everybody in its place.
    const isWritten = address.startsWith("/documents") && body !== undefined;
    for (const { mark, field } of FIELDS) {
      const known = isWritten ? [] : (this.#known.get(field) ?? []);
      const one = known[Math.floor(this.random() * known.length)] ?? "whale";
      address = address.replaceAll(encodeURIComponent(mark), () => encodeURIComponent(one.toWellFormed()));
      body = body?.replaceAll(mark, () => JSON.stringify(one).slice(1, -1));
    }
    return { ...sent, address, ...(body !== undefined && { body }) };
  }
}
