/**
 * Entry of a child of the library (library/client.ts): one question on stdin, its answer on stdout, in
 * the owner's place where no memd runs. Ends with its answer, or as soon as whoever asked is gone.
 */
import type { QuestionLine } from "../library/client.js";
import { answerTo, printError } from "../library/running.js";
import { exitNow } from "../platform/process.js";
import { workerIo } from "../platform/spawn.js";
import { purposeOf, withSocket } from "./memd.js";

const io = workerIo();
io.onLine((line) => {
  void answer(JSON.parse(line) as QuestionLine).then((answered) => {
    io.send(JSON.stringify(answered));
    exitNow(0);
  });
});

async function answer({ workspace, operation, asked }: QuestionLine): Promise<object> {
  try {
    return {
      answer: await withSocket({ workspace }, purposeOf(operation), (socket) =>
        answerTo(socket, operation, asked),
      ),
    };
  } catch (error) {
    return printError(error);
  }
}
