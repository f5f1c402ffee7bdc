/**
 * Settings of a workspace (`memd.toml`) with their defaults.
 *
 * Every constant of the system that a person may want to change is here, with
 * its unit in its name and its meaning beside it: docs/SETTINGS.md is made of
 * that. Parsing and line numbers are protocol/settings.ts.
 */
import * as z from "zod";
import { cognitive, historian } from "./settings/historian.js";
import {
  agents,
  archive,
  documents,
  files,
  git,
  history,
  retention,
  secrets,
  timezone,
} from "./settings/keeping.js";
import { llm, worker } from "./settings/models.js";
import { context, mcp } from "./settings/prompt.js";
import { embedding, index, recall } from "./settings/recall.js";
import { topics } from "./settings/topics.js";

export const settingsSchema = z.strictObject({
  timezone,
  documents,
  files,
  archive,
  history,
  git,
  retention,
  secrets,
  llm,
  worker,
  index,
  recall,
  embedding,
  cognitive,
  historian,
  topics,
  agents,
  mcp,
  context,
});

export type Settings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({});
