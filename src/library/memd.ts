/**
 * The entry of the package: what `import … from "memd"` gives. The one file that
 * exports what others own, since a package has one door.
 */
export { isMemdError, MemdError, type ErrorCode } from "../model/errors.js";
export type { Found } from "../model/found.js";
export { openWorkspace } from "./memory.js";
export type {
  AddressInput,
  Answer,
  DocumentInput,
  EndInput,
  EventsOptions,
  History,
  HistoryOptions,
  ImportInput,
  ListOptions,
  MemoriesOptions,
  Memory,
  ProfileFound,
  ProfileOptions,
  ProfilesOptions,
  PromptFound,
  PromptOptions,
  ReadOptions,
  SayInput,
  Status,
  TopicFound,
  TopicsFound,
  TopicsOptions,
} from "./inputs.js";
