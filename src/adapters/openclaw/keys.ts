/** Under which keys an OpenClaw agent was spoken to. Pure. */
import { fieldsOf, isFields, stringOf } from "../fields.js";

/** `agent:main:cron:…`, `hook:…`, `agent:x:subagent:…`. */
const OF_ITSELF = /(?:^|:)(?:cron|hook|heartbeat|subagent|acp|active-memory)(?::|$)/;

/** Timers, heartbeats and helpers: nobody spoke to it. */
export function isOfItself(key: string): boolean {
  return OF_ITSELF.test(key);
}

/** Where what is said under the key is remembered; undefined where that follows from what it is about. */
export function placeOfKey(key: string): string | undefined {
  const [, channel, kind, id] = APART.exec(key) ?? [];
  if (kind === undefined || id === undefined) return agentOf(key);
  const of = kind === "direct" || kind === "dm" ? `direct:${id}` : id;
  return `group:${channel === undefined ? of : `${channel}:${of}`}`;
}

/**
 * `agent:main:telegram:group:-100`, `agent:main:discord:channel:7`: what several people read; and
 * `agent:main:whatsapp:direct:+49`: one person's chat, of an owner who keeps those apart from each other and
 * from their own. Who it is nobody says, so that nothing is told there but what was said there.
 */
const APART = /^agent:[^:]+:(?:([^:].*?):)?(group|channel|direct|dm):([^:].*)$/;

/** One of several agents, other than the main one: it has a memory of its own. */
function agentOf(key: string): string | undefined {
  const agent = /^agent:([^:]+):/.exec(key)?.[1];
  return agent === "main" ? undefined : agent;
}

/** The keys of sessions, as `sessions.json` has them. */
export function keysInIndex(value: unknown): Map<string, string> {
  const keys = new Map<string, string>();
  for (const [key, entry] of Object.entries(fieldsOf(value))) {
    const session = isFields(entry) ? stringOf(entry["sessionId"]) : undefined;
    if (session !== undefined) keys.set(session, key);
  }
  return keys;
}
