/**
 * The files that a prompt is made of beside the conversation: looked at once for all that is asked of
 * them until the next `look`, and read when they have changed. One that cannot be read is left out of
 * the prompt, never the reason for none.
 */
import { type Address, isGroup } from "../model/address.js";
import { addAll, entryOf } from "../model/collections.js";
import type { MemoryRecord } from "../model/record.js";
import type { Settings } from "../model/settings.js";
import { MINUTE_MS, type EpochMs } from "../model/time.js";
import { fileChars, pinnedFor, type ContextInputs } from "../context/inputs.js";
import type { Clock } from "../platform/clock.js";
import { type Disk } from "../platform/disk.js";
import { stampOf } from "../platform/files.js";
import { parseCursors } from "../protocol/cursors.js";
import { parseMemos } from "../protocol/memos.js";
import { parseProfile, type Profile } from "../protocol/profile.js";
import { readText } from "../protocol/publish.js";
import { parseRecords } from "../protocol/records.js";
import { parseWindow, type WindowSummary } from "../protocol/window-file.js";
import {
  at,
  FILES,
  memoryDir,
  profilePath,
  userRecordsPaths,
  windowPath,
  type Workspace,
} from "../protocol/workspace.js";

type Sources = Pick<
  ContextInputs,
  "memoryMd" | "soul" | "awareness" | "readInPart" | "profiles" | "memos" | "records" | "window"
>;

interface Read {
  stamp: string;
  value: unknown;
}

/** What is looked at of a text, in whole lines. */
interface Part {
  text: string;
  isPart: boolean;
}

export class PromptSources {
  /** What files said, by path. */
  readonly #known = new Map<string, Read>();
  /** What this look has found, by file and by folder; absent is what nobody has asked for yet. */
  #seen = new Map<string, Promise<Read | undefined>>();
  #listed = new Map<string, Promise<string[]>>();
  #awareness: { part: Part | undefined; untilMs: number } | undefined;
  /** What was looked at of a long text, when it was read. */
  #mostChars = 0;

  constructor(readonly parts: { disk: Disk; clock: Clock; workspace: Workspace; settings: Settings }) {}

  /** What follows is as the files are now. */
  look(): void {
    const most = fileChars(this.parts.settings.context);
    if (most !== this.#mostChars) {
      this.#known.clear();
      this.#awareness = undefined;
    }
    this.#mostChars = most;
    this.#seen = new Map();
    this.#listed = new Map();
  }

  async forConversation(viewer: Address): Promise<Sources> {
    const read = (await this.#records(viewer)).flatMap(([, reading]) => reading?.value ?? []);
    return { ...(await this.#few(viewer)), records: read as MemoryRecord[] };
  }

  /**
   * Serialises to another text whenever `forConversation` would give something
   * else. Of records, which may be thousands, it holds the stamps of their files.
   */
  async versionFor(viewer: Address): Promise<unknown> {
    // A file that cannot be read has none, so that it counts as changed once it can.
    const stamps = (await this.#records(viewer)).map(([file, reading]) => [file, reading?.stamp]);
    return [await this.#few(viewer), stamps];
  }

  /** All but the records. */
  async #few(viewer: Address): Promise<Omit<Sources, "records">> {
    const most = fileChars(this.parts.settings.context);
    const memory = await this.#read(FILES.memory, (text) => endOf(text, most));
    const soul = await this.#read(FILES.soul, (text) => beginningOf(text, most));
    const awareness = await this.#awarenessText();
    const files = [
      { name: FILES.memory, part: memory },
      { name: FILES.soul, part: soul },
      { name: FILES.awareness, part: awareness },
    ];
    return {
      memoryMd: pinnedFor(viewer, memory?.text),
      soul: soul?.text,
      awareness: awareness?.text,
      readInPart: files.flatMap(({ name, part }) => (part?.isPart === true ? [name] : [])),
      profiles: await this.#profiles(viewer),
      memos: (await this.#read(`${memoryDir(viewer.scope)}/memos.json`, parseMemos)) ?? [],
      window: await this.window(viewer),
    };
  }

  async window({ user, scope, session }: Address): Promise<WindowSummary | undefined> {
    const summary = await this.#read(windowPath(scope, session, user), parseWindow);
    // What a file says it is of counts, not its name alone.
    return summary?.scope === scope && summary.session === session ? summary : undefined;
  }

  /** Until when a conversation was closed; in a group whoever closed it. */
  async closedAt({ user, scope, session }: Address): Promise<EpochMs | undefined> {
    const cursors = (await this.#read(FILES.cursors, parseCursors)) ?? [];
    const ofPlace = cursors.filter((cursor) => cursor.scope === scope && cursor.session === session);
    return ofPlace.find((cursor) => cursor.of === undefined && (isGroup(scope) || cursor.user === user))
      ?.closedAt;
  }

  async #profiles({ user, scope }: Address): Promise<Profile[]> {
    const own = user === "" ? undefined : await this.#read(profilePath("user", user), parseProfile);
    const group = scope.slice("group:".length);
    const ofGroup = isGroup(scope) ? await this.#read(profilePath("group", group), parseProfile) : undefined;
    // What a file says it is of counts, not its name alone.
    return [
      ...(own?.entity === "user" && own.id === user ? [own] : []),
      ...(ofGroup?.entity === "group" && ofGroup.id === group ? [ofGroup] : []),
    ];
  }

  /** Of the scope, and what is of user level. */
  async #records(viewer: Address): Promise<[file: string, Read | undefined][]> {
    const found: [string, Read | undefined][] = [];
    for (const file of await this.#recordFiles(viewer))
      found.push([file, await this.#reading(file, parseRecords)]);
    return found;
  }

  async #recordFiles({ user, scope }: Address): Promise<string[]> {
    const folder = `${memoryDir(scope)}/records`;
    const names = await entryOf(this.#listed, folder, () => this.#names(folder));
    const files = names.filter((name) => name.endsWith(".jsonl")).map((name) => `${folder}/${name}`);
    if (user !== "") addAll(files, userRecordsPaths(user));
    return files;
  }

  async #names(folder: string): Promise<string[]> {
    const { disk, workspace } = this.parts;
    const entries = await disk.list(at(workspace, folder)).catch(() => []);
    return entries.filter(({ kind }) => kind === "file").map(({ name }) => name);
  }

  /** What the agent can do changes seldom, and a prompt that stays the same is cheaper. */
  async #awarenessText(): Promise<Part | undefined> {
    const { clock, settings } = this.parts;
    const nowMs = clock.monotonicMs();
    if (this.#awareness === undefined || this.#awareness.untilMs <= nowMs) {
      const most = fileChars(settings.context);
      const part = await this.#read(FILES.awareness, (text) => beginningOf(text, most));
      this.#awareness = { part, untilMs: nowMs + settings.context.awareness_minutes * MINUTE_MS };
    }
    return this.#awareness.part;
  }

  async #read<T>(file: string, parse: (text: string) => T): Promise<T | undefined> {
    return (await this.#reading(file, parse))?.value as T | undefined;
  }

  #reading(file: string, parse: (text: string) => unknown): Promise<Read | undefined> {
    return entryOf(this.#seen, file, () => this.#readAgain(file, parse));
  }

  async #readAgain(file: string, parse: (text: string) => unknown): Promise<Read | undefined> {
    const { disk, workspace } = this.parts;
    const path = at(workspace, file);
    try {
      const stat = await disk.stat(path);
      if (stat === undefined) {
        this.#known.delete(file);
        return undefined;
      }
      const stamp = stampOf(stat);
      const known = this.#known.get(file);
      if (known?.stamp === stamp) return known;
      const text = await readText(disk, path);
      const read = { stamp, value: text === undefined ? undefined : parse(text) };
      this.#known.set(file, read);
      return read;
    } catch {
      // Half written, or not what it should be: the next refresh looks again.
      return undefined;
    }
  }
}

function beginningOf(text: string, most: number): Part {
  if (text.length <= most) return { text, isPart: false };
  const to = text.lastIndexOf("\n", most);
  return { text: text.slice(0, to < 0 ? most : to).toWellFormed(), isPart: true };
}

/** What was added last stands last. */
function endOf(text: string, most: number): Part {
  if (text.length <= most) return { text, isPart: false };
  const from = text.indexOf("\n", text.length - most) + 1;
  return { text: text.slice(from === 0 ? -most : from).toWellFormed(), isPart: true };
}
