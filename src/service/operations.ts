/**
 * The table of operations: all that can be asked of a memd. The routes of HTTP, the commands and the
 * library are read off it, and the tables of the docs are held against it. Five things are asked over HTTP
 * that are no operations: `GET /ping`, which must be answered whatever else goes on, `GET /events`, a
 * stream, `GET /metrics`, the status for Prometheus, `GET /openapi.json`, which tells of all, and `/mcp`,
 * by which agents ask for them as tools.
 */
import * as checks from "./operations/checks.js";
import * as conversation from "./operations/conversation.js";
import * as embedding from "./operations/embedding.js";
import * as memories from "./operations/memories.js";
import * as page from "./operations/page.js";
import type { Answer, Sent } from "./operations/operation.js";
import * as profiles from "./operations/profiles.js";
import * as queue from "./operations/queue.js";
import * as sources from "./operations/sources.js";
import * as texts from "./operations/texts.js";
import * as tokens from "./operations/tokens.js";
import * as topics from "./operations/topics.js";
import * as upkeep from "./operations/upkeep.js";
import type * as z from "zod";

export const OPERATIONS = {
  ...upkeep,
  ...conversation,
  ...memories,
  ...profiles,
  ...topics,
  ...texts,
  ...sources,
  ...queue,
  ...checks,
  ...tokens,
  ...embedding,
  ...page,
};

export type Operations = typeof OPERATIONS;
export type OperationName = keyof Operations;

export type SentTo<N extends OperationName> = Sent<Operations[N]>;
export type AnswerOf<N extends OperationName> = Answer<Operations[N]>;
/** Parsed. */
export type ParsedOf<N extends OperationName> = z.output<Operations[N]["input"]>;
