/**
 * Entry of a child of the library: one question on stdin, its answer on stdout,
 * in the owner's place where no memd runs. What it is asked with is
 * library/asking.ts.
 *
 * Ends with its answer, or as soon as whoever asked is gone.
 */
import type { AnswerLine, QuestionLine } from "../library/asking.js";
import { isMemdError, messageOf } from "../model/errors.js";
import { exitNow } from "../platform/process.js";
import { workerIo } from "../platform/stdio.js";
import { withMemd } from "./memd.js";

const io = workerIo();
io.onLine((line) => {
  void answer(JSON.parse(line) as QuestionLine).then((answered) => {
    io.send(JSON.stringify(answered));
    exitNow(0);
  });
});

async function answer({ workspace, method, path, body }: QuestionLine): Promise<AnswerLine> {
  try {
    return { answer: await withMemd({ workspace }, false, (memd) => memd.ask(method, path, body)) };
  } catch (error) {
    const code = isMemdError(error) ? error.code : "internal";
    return { error: { code, message: messageOf(error) } };
  }
}
