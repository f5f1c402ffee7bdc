/**
 * What an agent was told to remember of somebody who is not the owner: facts of that user, listed, added,
 * changed and removed on their behalf, as the bullets of `memory.md` are on the owner's (pinned.ts). They
 * are the agent's words, so no more is trusted of them than of an agent; and nothing else that is known
 * of the user is listed or changed here.
 */
import { pointersIn } from "../text/pointers.js";
import { RecordStore } from "../historian/record-store.js";
import { type Address, MAIN_SCOPE, mayRead, type Viewer } from "../model/address.js";
import { MemdError } from "../model/errors.js";
import type { MemoryRecord, RecordId } from "../model/record.js";
import { monthOf } from "../model/time.js";
import { plainText } from "../protocol/memory-entries.js";
import { redactSecrets } from "../text/redact.js";
import { asShown, oneNamed } from "./entries.js";
import type { Memd } from "./memd.js";
import type { AnswerOf } from "./operations.js";

type Entry = AnswerOf<"updatePinned">["entry"];

/** Ids of these facts begin with it. */
const MARK = "kept-";
const ID_CHARS = 10;
const LIST = "what was remembered";

/** Whose list it is: undefined for who has `memory.md`. */
export function rememberedBy(viewer: Viewer): Address | undefined {
  return viewer.kind === "owner" || mayRead(viewer, { level: "owner", scope: MAIN_SCOPE })
    ? undefined
    : viewer;
}

/** Oldest first. */
export async function listRemembered(memd: Memd, of: Address): Promise<Entry[]> {
  return entriesOf(await loaded(memd, of));
}

/** `added` is false where it stands. */
export async function addRemembered(memd: Memd, of: Address, given: string): Promise<AnswerOf<"addPinned">> {
  const text = saying(given);
  return changed(memd, of, async (store, write) => {
    const standing = factsIn(store).find((fact) => fact.text === text);
    if (standing !== undefined) return { added: false, entry: theEntry(store, standing.id) };
    const { clock, random } = memd.parts;
    const now = clock.now();
    const { user, scope } = of;
    const id = `${MARK}${random.name(ID_CHARS)}` as RecordId;
    const fact = { id, kind: "fact", level: "user", scope, user, at: now, recordedAt: now } as const;
    await write({ ...fact, ...stated(text), sources: [], trust: "agent" });
    return { added: true, entry: theEntry(store, id) };
  });
}

/** `which` is a number of the list, an id, the whole text, or a part that only one has; `shown` as in `asShown`. Throws `entry_unknown`, `entry_changed`. */
export async function changeRemembered(
  memd: Memd,
  of: Address,
  which: string | number,
  given: string,
  shown?: string,
): Promise<{ entry: Entry }> {
  const text = saying(given);
  return changed(memd, of, async (store, write) => {
    const { id = "" } = asShown(oneNamed(entriesOf(store), which, LIST), shown);
    const record = factsIn(store).find((fact) => fact.id === id);
    if (record !== undefined) await write({ ...record, ...stated(text), recordedAt: memd.parts.clock.now() });
    return { entry: theEntry(store, id) };
  });
}

/** It goes for good, as `memd forget` has a record go. Throws `entry_unknown`, `entry_changed`. */
export async function removeRemembered(
  memd: Memd,
  of: Address,
  which: string | number,
  shown?: string,
): Promise<{ removed: Entry }> {
  const removed = asShown(oneNamed(await listRemembered(memd, of), which, LIST), shown);
  await memd.forget({ record: removed.id }, false);
  return { removed };
}

function saying(given: string): string {
  const text = plainText(given);
  if (text === "") throw new MemdError("value_invalid", "There is nothing to remember.");
  return text;
}

function stated(text: string): Pick<MemoryRecord, "text" | "isAbsolute"> {
  return { text, isAbsolute: pointersIn(text).length === 0 };
}

/** As the files say it now. */
async function loaded(memd: Memd, { user }: Address): Promise<RecordStore> {
  const { writer, workspace } = memd.archive.context;
  const store = new RecordStore(writer, workspace, { user });
  await store.load();
  return store;
}

/** While nobody else writes. */
async function changed<T>(
  memd: Memd,
  of: Address,
  work: (store: RecordStore, write: (record: MemoryRecord) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const done = await memd.exclusive(async () => {
    const store = await loaded(memd, of);
    const { zone } = memd.archive.context;
    return work(store, (record) => store.add([record], monthOf(zone.dayOf(record.recordedAt))));
  });
  memd.changed();
  return done;
}

function factsIn(store: RecordStore): MemoryRecord[] {
  return store.records().filter(({ id, supersededAt }) => id.startsWith(MARK) && supersededAt === undefined);
}

function entriesOf(store: RecordStore): Entry[] {
  return factsIn(store)
    .sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
    .map(({ id, text }, index) => ({ number: index + 1, text: redactSecrets(text), id }));
}

function theEntry(store: RecordStore, id: string): Entry {
  const entry = entriesOf(store).find((one) => one.id === id);
  if (entry === undefined) throw new MemdError("internal", "What was remembered cannot be found again.");
  return entry;
}
