/**
 * The entry of the package: what `import … from "memd"` gives. The one file that
 * exports what others own, since a package has one door.
 */
export { isMemdError, MemdError, type ErrorCode } from "../model/errors.js";
export type { Found } from "../model/found.js";
export type { DocumentInput, EndInput, ImportInput, SayInput } from "./inputs.js";
export { openWorkspace, type Memory } from "./memory.js";
export type {
  AddressInput,
  Answer,
  EventsOptions,
  History,
  HistoryOptions,
  ListOptions,
  MemoriesOptions,
  ProfileFound,
  ProfileOptions,
  ProfilesOptions,
  PromptFound,
  PromptOptions,
  ReadOptions,
  Status,
  TopicFound,
  TopicsFound,
  TopicsOptions,
} from "./inputs.js";
