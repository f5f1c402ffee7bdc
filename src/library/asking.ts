/**
 * How the library has a question answered: by the memd that runs, else by a
 * child process that takes the owner's place for as long as the answer takes,
 * as a command does.
 *
 * A child costs about as much as a command, so there is one at a time; a
 * program that asks often keeps a memd running.
 */
import { Mutex } from "../platform/background.js";
import { isMemdError, MemdError } from "../model/errors.js";
import { SECOND_MS } from "../model/time.js";
import { answers } from "../platform/owner.js";
import { answerEntry } from "../platform/package-root.js";
import { environment } from "../platform/process.js";
import { NODE, nodeSpawn, type Child } from "../platform/spawn.js";
import { ownerSocket } from "../protocol/owner-note.js";
import type { Workspace } from "../protocol/workspace.js";
import { answerTo, errorIn } from "./running.js";

/** What the child is told, as one line. It says one too: what memd answers to a request. */
export interface QuestionLine {
  workspace: string;
  operation: string;
  asked: object;
}

const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

/** Asks the memd of one workspace. */
export class Asking {
  readonly #turns = new Mutex();
  #child: Child | undefined;
  #isClosed = false;

  constructor(readonly workspace: Workspace) {}

  /** One question after the other where no memd runs. Throws what memd answers with, or `not_running`. */
  async answer(operation: string, asked: object): Promise<unknown> {
    const running = await this.#byRunning(operation, asked);
    if (running !== undefined) return running.answer;
    return this.#turns.run(async () => {
      const another = await this.#byRunning(operation, asked);
      return another === undefined ? this.#byChild(operation, asked) : another.answer;
    });
  }

  /** The child that answers ends; what it was asked, and whatever is asked from now on, throws `not_running`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#child?.killGroup();
  }

  /** Undefined where none runs. */
  async #byRunning(operation: string, asked: object): Promise<{ answer: unknown } | undefined> {
    this.#ensureOpen();
    const socket = await ownerSocket(this.workspace);
    if (!(await answers(socket))) return undefined;
    try {
      return { answer: await answerTo(socket, operation, asked) };
    } catch (error) {
      if (isMemdError(error, "not_running")) return undefined;
      throw error;
    }
  }

  async #byChild(operation: string, asked: object): Promise<unknown> {
    this.#ensureOpen();
    let said: string | undefined;
    const child = nodeSpawn({
      argv: [NODE, answerEntry()],
      environment: environment(),
      outputLimitBytes: MOST_ANSWER_BYTES,
      graceMs: SECOND_MS,
      onLine: (line) => (said ??= line),
    });
    this.#child = child;
    const line: QuestionLine = { workspace: this.workspace.root, operation, asked };
    child.send(JSON.stringify(line));
    const { fault, code, signal } = await child.ended;
    if (said === undefined) {
      this.#ensureOpen();
      const reason =
        fault ?? lastLineOf(child.stderrTail()) ?? `it ended with ${signal ?? code ?? "nothing"}`;
      throw new MemdError("not_running", `No memd runs, and none could be started to answer: ${reason}.`);
    }
    const answered: unknown = JSON.parse(said);
    if (typeof answered !== "object" || answered === null || !("answer" in answered)) throw errorIn(answered);
    return answered.answer;
  }

  #ensureOpen(): void {
    if (this.#isClosed) throw new MemdError("not_running", "This memory was closed.");
  }
}

function lastLineOf(text: string): string | undefined {
  return text.trim().split("\n").at(-1)?.replace(/\.$/, "") || undefined;
}
