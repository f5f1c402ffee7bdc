/**
 * Vectors of a small model that runs in a thread of memd's own, `llm.embedding = "local:…"`. The package that
 * runs it is its owner's (local-model.ts). The thread is given a few texts at a time, so that a question never
 * waits for more than those.
 */
import type { Disk } from "../../platform/disk.js";
import { addAll } from "../../model/collections.js";
import { messageOf } from "../../model/errors.js";
import { startThread, type Thread } from "../../platform/thread.js";
import { redactSecrets } from "../../text/redact.js";
import type { Encoded, Encoder, EncodeRequest } from "./encoder.js";
import { encodedBy, findLocal, shortName } from "./local-model.js";
import { prefixed } from "./prefixes.js";

interface LocalParts {
  disk: Disk;
  /** A name, or an absolute folder. */
  name: string;
  /** Where the package is installed. */
  folder: string | undefined;
  /** The built thread. */
  entry: string;
}

/** A second or so of work on one core: the thread answers in the order asked. */
const AT_ONCE = 8;

export class LocalEncoder implements Encoder {
  readonly isHere = true;
  readonly model: string;
  readonly title: string;
  #thread: Thread | undefined;
  #isClosed = false;

  constructor(readonly parts: LocalParts) {
    this.model = `local:${parts.name}`;
    this.title = shortName(parts.name);
  }

  gives(model: string): boolean {
    return model === this.model;
  }

  async encode(given: readonly string[], { of, signal }: EncodeRequest): Promise<Encoded> {
    const late = new Promise<Encoded>((resolve) => {
      signal?.addEventListener("abort", () => resolve({ reason: "nobody waits for it any more" }));
    });
    const texts = given.map((text) => prefixed(redactSecrets(text), this.title, of));
    const encoded = this.#encode(texts, signal).catch((error: unknown): Encoded => ({
      reason: messageOf(error),
    }));
    return Promise.race([encoded, late]);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.end();
  }

  async #encode(texts: readonly string[], signal?: AbortSignal): Promise<Encoded> {
    const vectors: number[][] = [];
    for (let at = 0; at < texts.length && signal?.aborted !== true; at += AT_ONCE) {
      const some = texts.slice(at, at + AT_ONCE);
      const thread = await this.#started();
      const answered = encodedBy.parse(await thread.ask({ texts: some }));
      if (answered.vectors.length !== some.length) throw new Error(`${this.title} left out a text`);
      addAll(vectors, answered.vectors);
    }
    return { vectors };
  }

  /** Looked for anew as long as something is missing: who installs it meanwhile need not start memd again. */
  async #started(): Promise<Thread> {
    if (this.#thread?.isAlive() === true) return this.#thread;
    const { disk, folder, name, entry } = this.parts;
    const found = await findLocal(disk, folder, name);
    if ("missing" in found) throw new Error(found.missing);
    if (this.#isClosed) throw new Error("memd is stopping");
    // Somebody else has started it meanwhile.
    if (this.#thread?.isAlive() === true) return this.#thread;
    // What the package prints is nobody's; nor are variables, a key among them, anything of its.
    this.#thread = startThread(entry, found, { env: {}, execArgv: [], stdout: true, stderr: true });
    return this.#thread;
  }
}
