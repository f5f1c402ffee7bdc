/**
 * All messages of a workspace in which nobody works: a copy, or one whose owner this process is.
 *
 * They are what memd itself would know at its start: the blocks of the days, as people edited them,
 * and of the journal what has no block of its newest version yet. What was forgotten is not there.
 */
import { Catalogue } from "../archive/catalogue.js";
import { Ledger } from "../archive/ledger.js";
import { replay } from "../archive/replay.js";
import { keyOfMessage, type MessageKey, type ScopeId, sessionOf } from "../model/address.js";
import { entryOf } from "../model/collections.js";
import type { FiledMessage } from "../model/message.js";
import type { Bound, Day, Zone } from "../model/time.js";
import type { Disk } from "../platform/disk.js";
import { parseForgotten } from "../protocol/forgotten.js";
import { ifNoText, readText } from "../protocol/publish.js";
import { openVerbatim } from "../protocol/verbatim.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";

/** Which are wanted. */
export interface Wanted {
  scope?: string | undefined;
  /** Nothing that was said before. */
  since?: Bound | undefined;
}

/** A message by what is known of it without its text. */
export interface Standing {
  scope: ScopeId;
  session: string;
  role: string;
  createdAt: string;
  day: Day;
}

export class MessagesAtRest {
  private constructor(
    readonly disk: Disk,
    readonly workspace: Workspace,
    readonly standing: ReadonlyMap<MessageKey, Standing>,
    readonly forgotten: Ledger["forgotten"],
    readonly days: readonly Day[],
    /** Their files, by day. */
    readonly paths: ReadonlyMap<Day, ReadonlySet<string>>,
    /** Files of which nothing is known, and why. */
    readonly unreadable: readonly { path: string; reason: string }[],
    /** What has no block of its newest version yet. */
    readonly unwritten: ReadonlyMap<MessageKey, FiledMessage>,
  ) {}

  static async open(disk: Disk, workspace: Workspace, zone: Zone): Promise<MessagesAtRest> {
    const ledger = new Ledger(zone);
    const catalogue = new Catalogue(disk, workspace);
    const text = (await readText(disk, at(workspace, FILES.forgotten)).catch(ifNoText)) ?? "";
    ledger.forgotten.add(parseForgotten(text).keys);
    await replay({ disk, workspace, catalogue, ledger }, () => undefined);
    const standing = new Map<MessageKey, Standing>();
    for (const { key, scope, session, role, createdAt = "", day } of ledger.entries())
      standing.set(key, { scope, session, role, createdAt, day });
    const unwritten = new Map(
      ledger.unsettled().flatMap(({ key, held }) => (held === undefined ? [] : [[key, held] as const])),
    );
    const paths = new Map<Day, Set<string>>();
    for (const { day, path } of catalogue.verbatimDays()) entryOf(paths, day, () => new Set()).add(path);
    const days = [...new Set([...standing.values()].map(({ day }) => day))].sort();
    const { forgotten } = ledger;
    const unreadable = catalogue.unreadable();
    return new MessagesAtRest(disk, workspace, standing, forgotten, days, paths, unreadable, unwritten);
  }

  /** Oldest first. */
  async *all(wanted: Wanted = {}): AsyncGenerator<FiledMessage> {
    for (const day of this.days) yield* await this.on(day, wanted);
  }

  /** Of one day, oldest first. */
  async on(day: Day, { scope, since }: Wanted = {}): Promise<FiledMessage[]> {
    const found = new Map<MessageKey, FiledMessage>();
    for (const path of this.paths.get(day) ?? [])
      for (const filed of await this.#blocksIn(path)) {
        const key = keyOfMessage(filed.message);
        // After a crash in a move a block may stand twice, which says the same.
        if (this.standing.get(key)?.day === day) found.set(key, this.unwritten.get(key) ?? filed);
      }
    for (const [key, filed] of this.unwritten) if (this.standing.get(key)?.day === day) found.set(key, filed);
    return [...found]
      .filter(([key, { filedAt }]) => {
        const isThere = scope === undefined || this.standing.get(key)?.scope === scope;
        if (!isThere || since === undefined) return isThere;
        return "day" in since ? day >= since.day : filedAt >= since.at;
      })
      .map(([, filed]) => filed)
      .sort((one, other) => one.filedAt - other.filedAt);
  }

  /** Whether a message stands here that is this one: of its id, and where and when it was said. */
  hasSame({ message }: FiledMessage): boolean {
    const known = this.standing.get(keyOfMessage(message));
    if (known === undefined) return false;
    const isThen = known.createdAt === message.createdAt || message.createdAt === "";
    return isThen && known.role === message.role && known.session === sessionOf(message);
  }

  async #blocksIn(path: string): Promise<FiledMessage[]> {
    const file = openVerbatim((await this.disk.read(at(this.workspace, path))) ?? new Uint8Array());
    return [...(file?.blocks ?? [])].map(({ filed }) => filed);
  }
}
