/**
 * An agent that memd can be made the memory of: where it lives, which of its settings name memd, and what of
 * its past is taken in. What those settings look like is known in the agent's own folder.
 */
import type { Made } from "../protocol/connections.js";
import type { Call, OwnCall } from "./own-calls.js";

export const HOST_NAMES = ["claude-code", "codex", "gemini", "cursor", "openclaw"] as const;
export type HostName = (typeof HOST_NAMES)[number];

export interface Host {
  name: HostName;
  /** As people call it. */
  title: string;
  /** Without this folder it is not installed. */
  folder: string;
  /** What names another folder. */
  variable: string | undefined;
  files: readonly HostFile[];
  /** Folders that hold its conversations. */
  past: readonly string[];
  /** What there is to know once it is connected, a sentence each. */
  remarks: readonly string[];
}

/** Whose agents they are. */
export interface Surroundings {
  home: string;
  environment: Readonly<Record<string, string | undefined>>;
}

/** A file of settings. All of it is pure; what cannot be changed throws `Unusable`. */
export interface HostFile {
  path: string;
  /** With memd's entries, each once; undefined for a file that is not there. */
  connected(text: string | undefined, call: Call): Connected;
  /** Without them; undefined where the file is to go. Without `made` whatever is empty by it is taken for memd's. */
  disconnected(text: string, made?: Made): string | undefined;
  found(text: string): Found;
}

export interface Connected {
  text: string;
  made: Made;
}

/** What of memd stands in a file. */
export interface Found {
  calls: readonly OwnCall[];
  /** What memd would add. */
  missing: readonly string[];
  /** Why it may not be called, a sentence's end each. */
  off: readonly string[];
}
