/** Entry of the thread that searches the index. */
import { answerWith } from "../../../platform/thread.js";
import { byFolder } from "./index-threads.js";
import { readerAnswer, type ReaderMessage } from "./messages.js";
import { IndexReader } from "./reader.js";

answerWith(() =>
  byFolder(
    (folder) => new IndexReader(folder),
    (reader, message) => readerAnswer(reader, message as ReaderMessage),
  ),
);
