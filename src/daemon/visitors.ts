/** Who is inside: requests that are being answered, and streams of events that are read. */
import type { Clock } from "../platform/clock.js";
import type { Door } from "../serve/door.js";

export class Visitors {
  readonly #streams = new Set<() => void>();
  #asking = 0;
  /** Of the clock that does not jump; when one came or left last. */
  lastMs = -Infinity;

  constructor(readonly clock: Pick<Clock, "monotonicMs">) {}

  get inside(): number {
    return this.#asking + this.#streams.size;
  }

  /** The door, by which nobody comes in uncounted. */
  through(door: Door): Door {
    return async (request, place) => {
      this.#step(1);
      try {
        const response = await door(request, place);
        const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
        return isStream ? this.#read(response) : response;
      } finally {
        this.#step(-1);
      }
    };
  }

  /** Streams end: whoever read them comes again, to whoever is there then. */
  showOut(): void {
    for (const end of [...this.#streams]) end();
  }

  #step(change: 1 | -1): void {
    this.#asking += change;
    this.lastMs = this.clock.monotonicMs();
  }

  #read(response: Response): Response {
    const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
    if (reader === undefined) return response;
    const left = (): void => {
      this.#streams.delete(end);
      this.lastMs = this.clock.monotonicMs();
    };
    let end = left;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        end = () => {
          left();
          void reader.cancel().catch(() => undefined);
          controller.close();
        };
        this.#streams.add(end);
      },
      pull: async (controller) => {
        const { done, value } = await reader.read();
        // One that was shown out is closed already.
        if (!this.#streams.has(end)) return;
        if (!done) return controller.enqueue(value);
        left();
        controller.close();
      },
      cancel: (reason) => {
        left();
        return reader.cancel(reason);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  }
}
