/** Entry of the thread that searches the index. */
import { answerWith } from "../../../platform/thread.js";
import { readerAnswer, type ReaderMessage } from "./messages.js";
import { IndexReader } from "./reader.js";

answerWith((folder) => {
  const reader = new IndexReader(String(folder));
  return {
    answer: (message) => readerAnswer(reader, message as ReaderMessage),
    rest: () => reader.rest(),
  };
});
