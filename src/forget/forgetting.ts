/**
 * Forgetting: what a person names goes from every file, and does not come back.
 *
 * First a durable line says what, with the hashes of the keys; then the work,
 * each step of which may be done again; then the line loses the names. Killed
 * anywhere between, the next start does all of it once more. It runs while no
 * tick does; what workers are making meanwhile of what is gone is not published.
 */
import { addAll, defined } from "../model/collections.js";
import type { Archive } from "../archive/archive.js";
import { forgetMessages, keysOfMessages, messagesNamed } from "../archive/forget.js";
import { standingMessages } from "../archive/standing-messages.js";
import { goneFrom } from "../archive/identity.js";
import { MemdError } from "../model/errors.js";
import type { FiledMessage, MessageId } from "../model/message.js";
import { isGroup, keyOf, MAIN_SCOPE, type ScopeId } from "../model/address.js";
import type { RecordId } from "../model/record.js";
import { letGoReplaced } from "../protocol/displaced.js";
import {
  Forgotten,
  hashOfMessage,
  hashOfRecord,
  isOf,
  parseForgotten,
  scopesOf,
  withBegun,
  withDone,
  type ForgetTarget,
  type Forgetting as Line,
  type ForgottenKey,
} from "../protocol/forgotten.js";
import { ifNoText, publish, readText } from "../protocol/publish.js";
import { at, FILES, memoryDir, tellerDir } from "../protocol/workspace.js";
import {
  clearCopies,
  clearMemos,
  clearPrompts,
  clearScope,
  clearWindows,
  plannedMemos,
  type Files,
  syncTree,
  windowsOf,
} from "./other-files.js";
import { clearProfiles, profilesOf } from "./profiles.js";
import { clearQueue, plannedJobs } from "./queue.js";
import { clearRecords, clearTopics, plannedRecords } from "./records.js";

/** What is asked for: by address, or by the id of a message or a record. */
export interface ForgetRequest {
  session?: string | undefined;
  scope?: string | undefined;
  user?: string | undefined;
  /** Of a message or a record. */
  id?: string | undefined;
  /** Of a record, and of nothing else. */
  record?: string | undefined;
}

/** What goes, or would go. */
export interface ForgetReport {
  /** False where it was only asked what would. */
  forgotten: boolean;
  target: ForgetTarget;
  messages: number;
  /** Whole records; others go back to what they were. */
  records: number;
  memos: number;
  /** Paths. */
  windows: string[];
  /** Ids. */
  jobs: string[];
  /** `user:lin`; they are told again from what remains. */
  profiles: string[];
}

/** Whoever keeps something in memory of what the files said. */
export interface ForgetHearers {
  /** The files no longer say it. `isGone`: of messages. */
  cleared(target: ForgetTarget, isGone: (filed: FiledMessage) => boolean): Promise<void>;
}

/** What an earlier try had removed there is to stay removed. */
const TOUCHED = ["memory", "queue", "teller", FILES.conflicts, FILES.drops, FILES.journal, FILES.displaced];

export class Forgetting {
  /** Begun, and kept from its end by a fault. */
  #open: Line[] = [];

  constructor(
    readonly archive: Archive,
    readonly hearers: ForgetHearers,
  ) {}

  /** Runs when no tick does. Throws `forget_unknown` for what nobody knows. */
  async forget(request: ForgetRequest, dryRun: boolean): Promise<ForgetReport> {
    const { archive } = this;
    await archive.look();
    const target = this.#targetOf(request);
    const { line, ...report } = await this.#planned(target);
    if (dryRun) return { forgotten: false, ...report };
    const { writer, workspace, ledger, log } = archive.context;
    const file = at(workspace, FILES.forgotten);
    await publish(writer, file, withBegun((await readText(writer.disk, file)) ?? "", line));
    ledger.forgotten.add(line.keys);
    this.#open.push(line);
    await this.#carryOut(line);
    log.write({ level: "info", event: "forgotten", messages: report.messages, records: report.records });
    return { forgotten: true, ...report };
  }

  /** Ends what a killed memd had begun; before anything else is done with the files. */
  async resume(): Promise<void> {
    const { writer, workspace } = this.archive.context;
    const text = (await readText(writer.disk, at(workspace, FILES.forgotten)).catch(ifNoText)) ?? "";
    this.#open = parseForgotten(text).open;
    await this.goOn();
  }

  /** The same where a fault of the disk had cut it off. Runs when no tick does. */
  async goOn(): Promise<void> {
    if (this.#open.length === 0) return;
    const { context } = this.archive;
    for (const folder of TOUCHED) await syncTree(context, folder);
    await context.writer.disk.syncDir(context.workspace.root);
    for (const line of [...this.#open]) await this.#carryOut(line);
  }

  async #carryOut(line: Line): Promise<void> {
    const { archive } = this;
    const { context } = archive;
    const { writer, workspace } = context;
    const { target } = line;
    const gone = new Forgotten();
    gone.add(line.keys);
    const scopes = scopesOf(target);
    await archive.forgetting(async () => {
      const said = await standingMessages(context, gone, scopes);
      await clearCopies(context, target, said);
      await clearPrompts(context, target);
      await clearQueue(context, line, gone);
      await clearProfiles(context, line);
      await clearRecords(context, line, gone);
      await clearWindows(context, await windowsOf(context, target, said));
      await clearMemos(context, target);
      for (const scope of scopes) await clearTopics(context, scope, gone);
      await forgetMessages(context, gone, scopes);
      await clearScope(context, target);
      for (const { scope, date } of context.retries.all())
        if (target.is === "scope" && scopes.includes(scope)) await context.retries.settled(scope, date);
      await context.catalogue.refresh();
      await archive.lookAgain();
      for (const file of [FILES.history, FILES.inbox]) await letGoReplaced(writer, workspace, file);
      await this.hearers.cleared(target, goneFrom(gone));
    });
    await endForgetting(context, line);
    this.#open = this.#open.filter(({ id }) => id !== line.id);
  }

  #targetOf({ session, scope, user, id, record }: ForgetRequest): ForgetTarget {
    const { context } = this.archive;
    if (record !== undefined) return { is: "record", record: record as RecordId };
    const place = (scope ?? MAIN_SCOPE) as ScopeId;
    if (id !== undefined) {
      if (session !== undefined || user !== undefined)
        throw new MemdError("usage", "An id needs no session and no user.");
      const found = messagesNamed(context, id as MessageId, scope as ScopeId | undefined);
      if (found.length > 1)
        throw new MemdError(
          "usage",
          `There is a message ${id} in ${found.map((each) => each.scope).join(" and ")}: say which with the scope.`,
        );
      const [message] = found;
      return message === undefined
        ? { is: "record", record: id as RecordId }
        : { is: "message", message: message.id, scope: message.scope };
    }
    if (session !== undefined) return { is: "session", session, scope: place, ...defined({ user }) };
    if (scope === undefined) throw new MemdError("usage", "Say what to forget: a session, a scope or an id.");
    if (user !== undefined)
      throw new MemdError("usage", "A scope is forgotten whole; name a session of that user.");
    return { is: "scope", scope: place };
  }

  async #planned(named: ForgetTarget): Promise<Omit<ForgetReport, "forgotten"> & { line: Line }> {
    const { context } = this.archive;
    const { writer, ledger, clock } = context;
    let target = named;
    const own = target.is === "message" ? ledger.resolve(keyOf(target.scope, target.message)) : undefined;
    const users = new Map<string, { user: string | undefined; scope: string }>();
    let messages = 0;
    const chosen = keysOfMessages(context, ({ key, scope, session, user }) => {
      if (key !== own && !isOf(target, { scope, session, user })) return false;
      messages++;
      // A conversation may have told more than its records say.
      if (own === undefined) users.set(JSON.stringify([user, scope]), { user, scope });
      return true;
    });
    if (target.is === "scope") for (const scope of scopesOf(target)) addAll(chosen, ledger.stubsOf(scope));
    if (own !== undefined && chosen.length === 0) chosen.push({ key: own });
    const keys: ForgottenKey[] = chosen.map(({ key, place }) => defined({ hash: hashOfMessage(key), place }));
    if (target.is === "record") keys.push({ hash: hashOfRecord(target.record) });
    const gone = new Forgotten();
    gone.add(keys);
    const records = await plannedRecords(context, target, gone);
    const said = own === undefined ? [] : await standingMessages(context, gone, scopesOf(target));
    const scope = records.of[0]?.scope as ScopeId | undefined;
    if (target.is === "record" && scope !== undefined) target = { ...target, scope };
    const windows = await windowsOf(context, target, said);
    const jobs = await plannedJobs(context, target, gone);
    const memos = await plannedMemos(context, target);
    if (target.is === "scope" && isGroup(target.scope))
      users.set("", { user: undefined, scope: target.scope });
    const profiles = await profilesOf(context, [...users.values(), ...records.of]);
    const isKnown =
      chosen.length + records.lines + windows.length + jobs.length + memos > 0 ||
      (await this.#stands(target));
    if (!isKnown) throw new MemdError("forget_unknown", this.#nobodyKnows(target));
    const now = clock.now();
    const line: Line = { id: writer.random.name(8), at: now, target, profiles, keys };
    return { line, target, messages, records: records.ids.length, memos, windows, jobs, profiles };
  }

  async #stands(target: ForgetTarget): Promise<boolean> {
    const { writer, workspace } = this.archive.context;
    const places =
      target.is === "scope"
        ? scopesOf(target)
            .filter((scope) => scope !== MAIN_SCOPE)
            .map(memoryDir)
        : target.is === "session"
          ? [tellerDir(target.scope, target.session)]
          : [];
    const stats = await Promise.all(places.map((place) => writer.disk.stat(at(workspace, place))));
    return stats.some((stat) => stat !== undefined);
  }

  #nobodyKnows(target: ForgetTarget): string {
    switch (target.is) {
      case "session": {
        const others = new Set<string>();
        for (const { session, scope } of this.archive.context.ledger.entries())
          if (session === target.session) others.add(scope);
        const of = target.user === undefined ? "" : ` of ${target.user}`;
        const hint = others.size === 0 ? "" : ` There is one in ${[...others].join(" and ")}.`;
        return `Nothing is known of a session ${target.session}${of} in ${target.scope}.${hint}`;
      }
      case "scope":
        return `Nothing is known of a scope ${target.scope}.`;
      case "message":
        return `There is no message ${target.message}.`;
      case "record":
        return `There is no message and no record ${target.record}.`;
      default:
        return target satisfies never;
    }
  }
}

/** All of it is gone: of what was forgotten only the hashes stay. */
async function endForgetting({ writer, workspace }: Files, line: Line): Promise<void> {
  const file = at(workspace, FILES.forgotten);
  await publish(writer, file, withDone((await readText(writer.disk, file)) ?? "", line));
}
