/** Entry of the thread that writes the index. */
import { answerWith } from "../../../platform/thread.js";
import { writerAnswer, type WriterMessage } from "./messages.js";
import { IndexWriter } from "./writer.js";

answerWith((folder) => {
  const writer = new IndexWriter(String(folder));
  return {
    answer: (message) => writerAnswer(writer, message as WriterMessage),
    rest: () => writer.rest(),
  };
});
