/** Passages for tests: a sentence is enough. */
import type { MessageId } from "../../src/model/message.js";
import { MAIN_SCOPE, type ScopeId } from "../../src/model/address.js";
import type { Passage } from "../../src/model/passage.js";
import { epochMs, type EpochMs } from "../../src/model/time.js";
import type { Engine } from "../../src/recall/index/engine.js";

export const NOON = epochMs(Date.parse("2025-06-15T12:00:00Z"));

export function said(
  text: string,
  more: Partial<Passage> & { id?: string; path?: string; saidAt?: EpochMs } = {},
): Passage {
  const path = more.path ?? "memory/2025-06-15-day.md";
  const name = more.id ?? text;
  return {
    kind: "message",
    level: "scope",
    scope: MAIN_SCOPE,
    user: "local",
    session: "main",
    lines: [1, 2],
    text,
    saidAt: NOON,
    day: "2025-06-15",
    role: "user",
    messageIds: [name as MessageId],
    trust: "human",
    ...more,
    path,
    id: `${path}#${name}`,
  };
}

/** A file of these texts, each a passage by its place. */
export function putTexts(
  engine: Pick<Engine, "upsert">,
  path: string,
  texts: readonly string[],
  more: Partial<Passage> = {},
): Promise<void> {
  return engine.upsert(
    path,
    texts.join("|"),
    texts.map((text, index) => said(text, { ...more, path, id: String(index) })),
  );
}

export const scope = (name: string): ScopeId => name as ScopeId;
