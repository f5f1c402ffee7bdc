/** Which files of a workspace are a person's, and go along when they leave: by their paths alone. Pure. */
import { FILES } from "../protocol/workspace.js";

const OWNED_FILES: ReadonlySet<string> = new Set([
  FILES.workspace,
  FILES.settings,
  FILES.inbox,
  FILES.history,
  FILES.memory,
  FILES.soul,
  FILES.awareness,
]);
const PROMPTS = "prompts";
/** At the top. Not among them is what can be made again, what is of the machine, and a person's other files. */
export const OWNED_FOLDERS: readonly string[] = [
  FILES.journal,
  FILES.drops,
  FILES.records,
  "queue",
  FILES.conflicts,
  PROMPTS,
];

/** Where exports were put, and how far other programs' files were read. */
const OF_MACHINE: ReadonlySet<string> = new Set([FILES.exports, FILES.followed]);

/** `path` is relative, with `/` between parts. Hidden names are of what is being written, or somebody else's. */
export function isOwned(path: string): boolean {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part.startsWith("."))) return false;
  const [top = ""] = parts;
  return parts.length === 1 ? OWNED_FILES.has(path) : OWNED_FOLDERS.includes(top) && !OF_MACHINE.has(path);
}

/** What a file is where it comes into another workspace; a verbatim day looks like any other note. */
export type Part =
  | "workspace"
  /** What memd is told to do: another's is never put in force. */
  | "settings"
  /** Messages, and how far they were worked. */
  | "said"
  | "documents"
  | "records"
  | "forgotten"
  | "topics"
  | "note"
  | "other";

const IN_SCOPE = /^memory\/(?:scopes\/[^/]+\/)?/;
const BY_PLACE: readonly (readonly [RegExp, Part])[] = [
  [/^(?:archive\/[^/]+\/)?[^/]+\.md$/, "note"],
  [/^records\/.+\.jsonl$/, "records"],
  [/^documents\/[^/]+\.md$/, "documents"],
  [/^topics\//, "topics"],
];
const SAID: ReadonlySet<string> = new Set([FILES.history, FILES.inbox, FILES.reading, FILES.cursors]);

export function partOf(path: string): Part {
  if (path === FILES.workspace) return "workspace";
  if (path === FILES.settings || path.startsWith(`${PROMPTS}/`)) return "settings";
  if (path === FILES.forgotten) return "forgotten";
  const isSaid = [FILES.journal, FILES.drops, FILES.summaries].some((dir) => path.startsWith(`${dir}/`));
  if (isSaid || SAID.has(path)) return "said";
  const scoped = IN_SCOPE.exec(path);
  if (scoped === null) return "other";
  const below = path.slice(scoped[0].length);
  return BY_PLACE.find(([pattern]) => pattern.test(below))?.[1] ?? "other";
}
