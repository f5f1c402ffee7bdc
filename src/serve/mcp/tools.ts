/** The tools of an agent, those first that every agent is shown; and which of them somebody is. */
import type { Seat } from "../../model/address.js";
import type { Settings } from "../../model/settings.js";
import { existsFor } from "../../service/served.js";
import * as finding from "./finding-tools.js";
import * as keeping from "./keeping-tools.js";
import type { Tool } from "./tool.js";

export const TOOLS: readonly Tool[] = [
  finding.searchMemories,
  finding.searchEvents,
  finding.getProfile,
  finding.read,
  finding.getPrompt,
  keeping.activateTopic,
  keeping.remember,
  keeping.end,
  finding.searchProfiles,
  finding.listMemories,
  finding.getHistory,
  keeping.listTopics,
  keeping.memoryList,
  keeping.memoryUpdate,
  keeping.memoryDelete,
  keeping.deleteMemory,
  keeping.addDocument,
];

/** Those that only the owner may ask for are not there for anybody else. */
export function toolsFor(seat: Seat | undefined, which: Settings["mcp"]["tools"]): readonly Tool[] {
  return TOOLS.filter(({ access, isBasic }) => existsFor(seat, access) && (which === "all" || isBasic));
}
