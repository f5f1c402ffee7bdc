/**
 * How the library has a question answered: by the memd that runs, else by a
 * child process that takes the owner's place for as long as the answer takes,
 * as a command does.
 *
 * Loaded with the first question. A child costs about as much as a command, so
 * there is one at a time; a program that asks often keeps a memd running.
 */
import { isMemdError, MemdError, type ErrorCode } from "../model/errors.js";
import { SECOND_MS } from "../model/time.js";
import { answers } from "../platform/owner.js";
import { answerEntry } from "../platform/package-root.js";
import { environment } from "../platform/process.js";
import { NODE, nodeSpawn } from "../platform/spawn.js";
import { ownerSocket } from "../protocol/owner-note.js";
import type { Workspace } from "../protocol/workspace.js";
import { askRunning, type Method } from "./running.js";

export interface Question {
  method: Method;
  path: string;
  body?: unknown;
}

/** What the child is told, as one line. */
export interface QuestionLine extends Question {
  workspace: string;
}

/** What it says, as one line. */
export type AnswerLine = { answer: unknown } | { error: { code: ErrorCode; message: string } };

const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

/** Asks one question after the other where no memd runs. Throws what memd answers with, or `not_running`. */
export function askerOf(workspace: Workspace): (question: Question) => Promise<unknown> {
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (question: Question): Promise<unknown> => {
    const mine = turn.then(
      async () => (await byRunning(workspace, question)) ?? byChild(workspace, question),
    );
    turn = mine.catch(() => undefined);
    return mine;
  };
  return async (question) => (await byRunning(workspace, question)) ?? inTurn(question);
}

/** Undefined where none runs. */
async function byRunning(
  workspace: Workspace,
  { method, path, body }: Question,
): Promise<object | null | undefined> {
  const socket = await ownerSocket(workspace);
  if (!(await answers(socket))) return undefined;
  try {
    return await askRunning(socket, (memd) => memd.ask<object | null>(method, path, body));
  } catch (error) {
    if (isMemdError(error, "not_running")) return undefined;
    throw error;
  }
}

async function byChild(workspace: Workspace, question: Question): Promise<unknown> {
  let said: string | undefined;
  const child = nodeSpawn({
    argv: [NODE, answerEntry()],
    environment: Object.fromEntries(
      Object.entries(environment()).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    outputLimitBytes: MOST_ANSWER_BYTES,
    graceMs: SECOND_MS,
    onLine: (line) => (said ??= line),
  });
  const line: QuestionLine = { workspace: workspace.root, ...question };
  child.send(JSON.stringify(line));
  const { fault, code, signal } = await child.ended;
  if (said === undefined) {
    const reason = fault ?? lastLineOf(child.stderrTail()) ?? `it ended with ${signal ?? code ?? "nothing"}`;
    throw new MemdError("not_running", `No memd runs, and none could be started to answer: ${reason}.`);
  }
  const answered = JSON.parse(said) as AnswerLine;
  if ("error" in answered) throw new MemdError(answered.error.code, answered.error.message);
  return answered.answer;
}

function lastLineOf(text: string): string | undefined {
  return text.trim().split("\n").at(-1)?.replace(/\.$/, "") || undefined;
}
