/**
 * The client of the table of operations: what is asked is checked by the row
 * before anything is started, answered by the memd that runs, else by a child
 * process that takes the owner's place for as long as the answer takes, as a
 * command does, and parsed by the row.
 *
 * A child costs about as much as a command, so there is one at a time; a program
 * that asks often keeps a memd running. Loaded with the first question, since it
 * brings the table's schemas.
 */
import * as z from "zod";
import { isMemdError, MemdError } from "../model/errors.js";
import { foundOf } from "../model/found.js";
import type { Hit } from "../model/passage.js";
import { SECOND_MS } from "../model/time.js";
import { Mutex } from "../platform/background.js";
import { answers } from "../platform/owner.js";
import { answerEntry } from "../platform/package-root.js";
import { environment } from "../platform/process.js";
import { type Child, NODE, nodeSpawn } from "../platform/spawn.js";
import { ownerSocket } from "../protocol/owner-note.js";
import type { Workspace } from "../protocol/workspace.js";
import { OPERATIONS, type AnswerOf, type OperationName, type Operations } from "../service/operations.js";
import { only } from "../service/operations/fields.js";
import { invalidIn, type Lenient, type Operation, reader } from "../service/operations/operation.js";
import { withFullNames, type ShortInput } from "../service/operations/operation.js";
import type { Answer, ProfileOptions } from "./inputs.js";
import { answerTo, errorIn } from "./running.js";

/** What the child is told, as one line. It says one too: what memd answers to a request. */
export interface QuestionLine {
  workspace: string;
  operation: string;
  asked: object;
}

const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

/** Asks the memd of one workspace. */
export class Client {
  readonly #turns = new Mutex();
  #child: Child | undefined;
  #isClosed = false;

  constructor(readonly workspace: Workspace) {}

  /** Throws `usage` for what is no operation. */
  async ask<N extends OperationName>(
    name: N,
    given: Lenient<ShortInput<Operations[N]>> | Record<string, never>,
  ): Promise<AnswerOf<N>> {
    if (!Object.hasOwn(OPERATIONS, name))
      throw new MemdError("usage", `There is no operation ${String(name)}.`);
    const answer = await this.#answer(name, checked(OPERATIONS[name], given));
    return answerIn<Operations[N]>(OPERATIONS[name], answer);
  }

  /** In the form of all other answers. */
  async found<N extends "searchMemories" | "searchProfiles">(
    name: N,
    given: Lenient<ShortInput<Operations[N]>>,
  ): Promise<Answer> {
    const { hits, ...remarks }: { hits: Hit[] } & Omit<Answer, "found"> = await this.ask(name, given);
    return { found: hits.map(foundOf), ...remarks };
  }

  /** Undefined where there is none that may be read. */
  async profile(asked: ProfileOptions): Promise<AnswerOf<"getProfile"> | undefined> {
    const { user, group, ...more } = asked;
    if ("user" in asked && "group" in asked)
      throw new MemdError("value_invalid", 'A profile is of one: name "user" or "group".');
    const ofGroup = { entity: "group", id: group?.replace(/^group:/, "") } as const;
    const target =
      "group" in asked ? ofGroup : "user" in asked ? ({ entity: "user", id: user } as const) : {};
    try {
      return await this.ask("getProfile", { ...target, ...more });
    } catch (error) {
      if (isMemdError(error, "profile_unknown")) return undefined;
      throw error;
    }
  }

  /** One question after the other where no memd runs. Throws what memd answers with, or `not_running`. */
  async #answer(operation: string, asked: object): Promise<unknown> {
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

function answerIn<O extends Operation>({ output }: O, answer: unknown): z.output<O["output"]> {
  return z.parse<O["output"]>(output, answer);
}

/** With the names of the table. Throws `value_invalid`. */
function checked({ input, access }: Operation, given: object): Record<string, unknown> {
  try {
    const { as, ...asked } = withFullNames(input, given);
    // What is undefined is not there; but a name that was lost must not open what is of others.
    const kept = Object.fromEntries(
      Object.entries(asked).filter(([field, value]) => value !== undefined || input.shape[field] === only),
    );
    input.parse(kept);
    if (!("as" in given)) return kept;
    if (access === "owner")
      throw new MemdError("usage", 'Only the owner may ask this: "as" must be left out.');
    z.object({ as: reader }).parse({ as });
    return { as, ...kept };
  } catch (error) {
    if (error instanceof z.ZodError) {
      const message = invalidIn(error, Object.keys(input.shape));
      throw new MemdError("value_invalid", message, { cause: error });
    }
    if (isMemdError(error, "usage")) throw new MemdError("value_invalid", error.message, { cause: error });
    throw error;
  }
}

function lastLineOf(text: string): string | undefined {
  return text.trim().split("\n").at(-1)?.replace(/\.$/, "") || undefined;
}
