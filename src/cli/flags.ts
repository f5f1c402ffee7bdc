/** What each command takes beside what all take. And times as they are typed. */
import { MemdError } from "../model/errors.js";
import type { PassageKind, RecallMode } from "../model/passage.js";
import type { RecordKind } from "../model/record.js";
import { boundOf } from "../model/time.js";
import type { CommonOptions } from "./context.js";

export interface StartFlags extends CommonOptions {
  port?: number;
  sample?: boolean;
  detach?: boolean;
  untilIdle?: boolean;
}

export interface SearchFlags extends CommonOptions {
  limit?: number;
  from?: string;
  to?: string;
  asOf?: string;
  explain?: boolean;
  kind?: PassageKind[];
  mode?: RecallMode;
  rerank?: boolean;
  scope?: string;
  user?: string;
  session?: string;
  as?: string;
}

export interface EventsFlags extends CommonOptions {
  limit?: number;
  from?: string;
  to?: string;
  kind?: RecordKind[];
  user?: string;
  group?: string;
  as?: string;
}

export interface PromptFlags extends CommonOptions {
  wait?: string;
  for?: string;
  explain?: boolean;
  patience?: number;
}

export interface SayFlags extends CommonOptions {
  user?: string;
  speaker?: string;
  scope?: string;
  session?: string;
}

export interface DocumentFlags extends CommonOptions {
  id?: string;
  title?: string;
  scope?: string;
  user?: string;
}

export interface ForgetFlags extends CommonOptions {
  session?: string;
  scope?: string;
  user?: string;
  id?: string;
  dryRun?: boolean;
  yes?: boolean;
}

export interface EndFlags extends CommonOptions {
  memo?: string;
  observe?: string[];
  force?: boolean;
  close?: boolean;
  user?: string;
  scope?: string;
  session?: string;
}

/** By the name of their flag. Throws `usage` for the first that is none. */
export function dateFlags(given: Readonly<Record<string, string | undefined>>): void {
  for (const [flag, text] of Object.entries(given))
    if (text !== undefined && boundOf(text) === undefined)
      throw new MemdError("usage", `--${flag} ${text} is no date such as 2026-01-28.`);
}
