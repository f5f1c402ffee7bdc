/** Pinned memory: the bullets of `memory.md`, listed, added, changed and removed on the owner's behalf. */
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import {
  entriesOf,
  plainText,
  plainTitle,
  withChangedEntry,
  withEntry,
  withoutEntry,
  type MemoryEntry,
} from "../protocol/memory-entries.js";
import { decoded, rewriteMemory } from "../protocol/memory-file.js";
import { at, FILES } from "../protocol/workspace.js";
import { asShown, oneNamed } from "./entries.js";
import type { AnswerOf } from "./operations.js";
import type { Memd } from "./memd.js";

type PinnedEntry = AnswerOf<"updatePinned">["entry"];

const DEFAULT_HEADING = "Notes";
const ID_CHARS = 8;

export async function listPinned({ archive }: Memd): Promise<PinnedEntry[]> {
  const { writer, workspace } = archive.context;
  const bytes = await writer.disk.read(at(workspace, FILES.memory));
  const text = bytes === undefined ? "" : decoded(bytes);
  if (text === undefined) throw new MemdError("file_unreadable", `${FILES.memory} is not UTF-8 text.`);
  return entriesOf(text).map(pinned);
}

/** `added` is false when it stands under that heading already. */
export async function addPinned(
  memd: Memd,
  given: { text: string; heading?: string },
): Promise<AnswerOf<"addPinned">> {
  const text = plainText(given.text);
  const heading = plainTitle(given.heading ?? DEFAULT_HEADING);
  if (text === "") throw new MemdError("value_invalid", "There is nothing to pin.");
  if (heading === "") throw new MemdError("value_invalid", "The heading is empty.");
  const id = memd.archive.context.writer.random.name(ID_CHARS);
  let standing: MemoryEntry[] = [];
  const added = await changeMemory(memd, (present) => {
    const next = withEntry(present, { text, heading, id });
    standing = entriesOf(next ?? present);
    return next;
  });
  const entry = standing
    .map(pinned)
    .find((one) => one.text === text && one.heading?.toLowerCase() === heading.toLowerCase());
  if (entry === undefined) throw new MemdError("internal", "What was pinned cannot be found again.");
  return { added, entry };
}

/** Its place, its mark and its id stay; see `removePinned` for `which` and `shown`. */
export async function changePinned(
  memd: Memd,
  which: string | number,
  given: string,
  shown?: string,
): Promise<{ entry: PinnedEntry }> {
  const text = plainText(given);
  if (text === "") throw new MemdError("value_invalid", "There is nothing to pin.");
  const entry = await changeEntry(memd, which, shown, (present, standing) =>
    standing.text === text ? undefined : withChangedEntry(present, standing, text),
  );
  return { entry: { ...entry, text } };
}

/** `which` is a number of the list, an id, the whole text of an entry, or a part that only one entry has; `shown` as in `asShown`. Throws `entry_unknown`, `entry_changed`. */
export async function removePinned(
  memd: Memd,
  which: string | number,
  shown?: string,
): Promise<{ removed: PinnedEntry }> {
  return { removed: await changeEntry(memd, which, shown, withoutEntry) };
}

/** The entry as it stood. */
async function changeEntry(
  memd: Memd,
  which: string | number,
  shown: string | undefined,
  change: (text: string, entry: MemoryEntry) => string | undefined,
): Promise<PinnedEntry> {
  let found: PinnedEntry | undefined;
  await changeMemory(memd, (present) => {
    const entries = entriesOf(present);
    found = asShown(oneNamed(entries.map(pinned), which, FILES.memory), shown);
    const entry = entries[found.number - 1];
    return entry && change(present, entry);
  });
  if (found === undefined) throw new MemdError("internal", "Nothing was changed.");
  return found;
}

function pinned({ heading, text, id }: MemoryEntry, index: number): PinnedEntry {
  return defined({ number: index + 1, heading, text, id });
}

/** Rewrites memory.md; true when that changed it. A person's save is waited for, and the ticks go on meanwhile. */
async function changeMemory(memd: Memd, change: (text: string) => string | undefined): Promise<boolean> {
  const { writer, workspace, clock } = memd.archive.context;
  const changed = await rewriteMemory(writer, workspace, clock, change, (work) => memd.exclusive(work));
  memd.changed();
  return changed;
}
