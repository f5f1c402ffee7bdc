/** Entry of the thread that writes the index. */
import { answerWith } from "../../../platform/thread.js";
import { byFolder } from "./index-threads.js";
import { writerAnswer, type WriterMessage } from "./messages.js";
import { IndexWriter } from "./writer.js";

answerWith(() =>
  byFolder(
    (folder) => new IndexWriter(folder),
    (writer, message) => writerAnswer(writer, message as WriterMessage),
  ),
);
