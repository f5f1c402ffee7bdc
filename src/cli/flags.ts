/** What each command takes beside what all take. Shapes only. */
import type { PassageKind } from "../model/passage.js";
import type { RecallMode } from "../model/recall-mode.js";
import type { RecordKind } from "../model/record.js";
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
