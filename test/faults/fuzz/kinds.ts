/** Every kind of input, and how many of each make up a run. */
import { ANSWERS } from "./answers.js";
import type { Kind } from "./kind.js";
import { LINES } from "./lines.js";
import { LISTS } from "./lists.js";
import { MARKDOWN } from "./markdown.js";
import { SETTINGS } from "./settings.js";
import { STATE } from "./state.js";
import { TEXTS } from "./texts.js";
import { WORKSPACES } from "./workspaces.js";

export const KINDS: readonly Kind[] = [
  ...LISTS,
  ...LINES,
  ...STATE,
  ...MARKDOWN,
  ...SETTINGS,
  ...ANSWERS,
  ...TEXTS,
  ...WORKSPACES,
];

/** At least `total` inputs, by the shares of the kinds. */
export function countOf(kind: Kind, total: number): number {
  const shares = KINDS.reduce((sum, { share }) => sum + share, 0);
  return Math.ceil((kind.share / shares) * total);
}
