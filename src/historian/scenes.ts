/**
 * What is looked for in a conversation or a document that nobody observed
 * explicitly, by its scene.
 *
 * Pure. What is said in a group is no one person's, so nothing is made of it
 * but what an agent observes. Source: the design's table of extractors.
 */
import { isGroup } from "../model/address.js";
import type { FindingKind } from "../model/finding.js";

const SCENES = ["assistant", "group", "document"] as const;
type Scene = (typeof SCENES)[number];

interface Rhythm {
  /** Of every exchange. */
  exchange: readonly FindingKind[];
  /** Of a stretch of several; a part of a document is one. */
  stretch: readonly FindingKind[];
}

export const WANTED: Readonly<Record<Scene, Rhythm>> = {
  assistant: { exchange: ["trait", "fact"], stretch: ["episode", "foresight"] },
  group: { exchange: [], stretch: [] },
  document: { exchange: ["fact"], stretch: ["episode"] },
};

/** As the message says, else as its place does. */
export function sceneOf(scope: string, said?: string): Scene {
  const named = SCENES.find((scene) => scene === said);
  return isGroup(scope) ? "group" : (named ?? "assistant");
}
