/**
 * Hands exchanges that are over to the historian's queue, and remembers how far it
 * has got in `queue/cursors.json`.
 *
 * First the jobs, under names that follow from what they are about, then the
 * cursors: killed between the two, the jobs that stand show how far it was.
 */
import type { ModelWorkParts } from "../llm/job-context.js";
import { isGroup, type Lists, type ScopeId, scopeOf, sessionOf } from "../model/address.js";
import { defined, groupBy } from "../model/collections.js";
import type { FiledMessage, MessageId } from "../model/message.js";
import { epochMs, type EpochMs, parseInstant } from "../model/time.js";
import { sha256 } from "../platform/files.js";
import { setAside } from "../protocol/conflicts.js";
import { type Cursor, type CursorEntry, parseCursors, printCursors } from "../protocol/cursors.js";
import { ifNoText, publish, readText } from "../protocol/publish.js";
import { jobIds, type QueueFolder, readJob } from "../protocol/queue-folders.js";
import { writeJobOnce } from "../protocol/queue.js";
import type { EndJob, ExchangesJob, QueueJob } from "../protocol/queue-job.js";
import { recordFiles } from "../protocol/records.js";
import { type RecordKeys, removeRecords } from "../protocol/record-removal.js";
import { at, FILES } from "../protocol/workspace.js";
import { afterLook, type Look, nextExchangesAt, planExchanges } from "./exchanges.js";

/** What tells them from other jobs by name. */
const NAME = "rounds-";

type Whose = Pick<CursorEntry, "scope" | "session" | "user">;

/** Of one user; in a group nothing is looked for. */
interface Conversation extends Whose {
  /** In history.json, oldest first. */
  messages: readonly FiledMessage[];
  goesOn: boolean;
}

export class EnqueueExchanges {
  #cursors = new Map<string, CursorEntry>();
  #nextAt: EpochMs | undefined;

  constructor(readonly parts: ModelWorkParts) {}

  /** When something is due without anything being said; undefined where nothing is. */
  get nextAt(): EpochMs | undefined {
    return this.#nextAt;
  }

  /** Before the first look, and once what a killed memd had under way waits again. */
  async load(): Promise<void> {
    const { writer, workspace } = this.parts;
    const text = await readText(writer.disk, at(workspace, FILES.cursors)).catch(ifNoText);
    let entries: CursorEntry[] = [];
    try {
      if (text !== undefined) entries = parseCursors(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      // Somebody's edit that nobody can read: it stays, beside, and all is looked at once more.
      await setAside(writer, workspace, FILES.cursors, text ?? "", "unreadable");
    }
    this.#cursors = new Map(entries.map((entry) => [laneOf(entry), entry]));
    for (const folder of ["pending", "failed"] as const) await this.#catchUp(folder);
  }

  /** Hands over what is due. */
  async enqueue(lists: Lists): Promise<void> {
    const { clock, settings, zone } = this.parts;
    const conversations = conversationsOf(lists);
    this.#nextAt = undefined;
    if (!settings.cognitive.enabled || !settings.historian.extract) return;
    const now = clock.now();
    let hasMoved = false;
    for (const [lane, { messages, goesOn, ...of }] of conversations) {
      const cursor = this.#cursors.get(lane);
      const plan = planExchanges(behind(messages, cursor), cursor, { now, goesOn, zone }, settings.historian);
      if (plan !== undefined) {
        const closed = defined({ closedAt: cursor?.closedAt });
        for (const look of plan.looks) await this.#handOver({ ...of, ...closed }, look);
        this.#cursors.set(lane, { ...of, ...plan.cursor, ...closed });
        hasMoved = true;
      }
      const next = this.#cursors.get(lane);
      this.#expect(nextExchangesAt(behind(messages, next), next, settings.historian), now);
    }
    if (hasMoved) await this.#keep(new Set(conversations.keys()));
  }

  /** The conversation of this turn is over: of what was said by now, facts that are of it alone are not looked for, and no prompt goes on from it. */
  async close({ scope, session, user, createdAt }: EndJob): Promise<void> {
    const closedAt = parseInstant(createdAt);
    // In a group nothing is looked for, and the conversation is everybody's.
    const whose = isGroup(scope) ? "" : user;
    if (whose === undefined || closedAt === undefined) return;
    const of = { scope, session, user: whose };
    const known = this.#cursors.get(laneOf(of)) ?? { ...of, ...NOTHING_YET };
    this.#cursors.set(laneOf(of), { ...known, closedAt });
    await keepCursors(this.parts, this.#cursors);
  }

  #expect(next: EpochMs | undefined, now: EpochMs): void {
    if (next === undefined || next <= now) return;
    if (this.#nextAt === undefined || next < this.#nextAt) this.#nextAt = next;
  }

  async #handOver(
    { scope, session, user, closedAt }: Omit<CursorEntry, keyof Cursor>,
    look: Look,
  ): Promise<void> {
    const { writer, workspace } = this.parts;
    const all = [...look.earlier, ...look.said];
    const [first, last] = [look.said[0] ?? all[0], all.at(-1)];
    const moment = parseInstant(last?.at ?? "");
    if (first === undefined || last === undefined || moment === undefined) return;
    const isClosed = closedAt !== undefined && moment <= closedAt;
    const wants = look.wants.filter((kind) => !isClosed || kind !== "fact");
    if (wants.length === 0) return;
    const whose = { user, scope, session };
    const job: ExchangesJob = { version: 1, kind: "rounds", createdAt: last.at, ...whose, ...look, wants };
    const name = sha256(JSON.stringify([scope, session, user, first.id, look.wants])).slice(0, 8);
    await writeJobOnce(writer, workspace, job, moment, `${NAME}${name}`);
  }

  /** What is no longer in history.json and wholly told needs no cursor: whatever comes is new. That it was closed is kept. */
  #keep(present: ReadonlySet<string>): Promise<void> {
    for (const [lane, { stretch, closedAt }] of this.#cursors)
      if (!present.has(lane) && stretch.said.length === 0 && closedAt === undefined)
        this.#cursors.delete(lane);
    return keepCursors(this.parts, this.#cursors);
  }

  async #catchUp(folder: QueueFolder): Promise<void> {
    const { writer, workspace } = this.parts;
    for (const id of await jobIds(writer, workspace, folder)) {
      // Thousands of others may wait beside them.
      if (!id.includes(NAME)) continue;
      const file = await readJob(writer, workspace, folder, id);
      if (file?.read.is !== "job" || file.read.job.kind !== "rounds") continue;
      const { scope, session, user, createdAt, ...look } = file.read.job;
      const moment = parseInstant(createdAt);
      if (user === undefined || moment === undefined) continue;
      const lane = laneOf({ scope, session, user });
      const known = this.#cursors.get(lane);
      const next = afterLook(known, look, moment);
      if (next !== undefined)
        this.#cursors.set(lane, { scope, session, user, ...next, ...defined({ closedAt: known?.closedAt }) });
    }
  }
}

/** Before anything was looked at. */
const NOTHING_YET: Cursor = {
  through: { id: "none" as MessageId, at: epochMs(0) },
  stretch: { rounds: 0, said: [] },
};

async function keepCursors(
  { writer, workspace }: ModelWorkParts,
  cursors: ReadonlyMap<string, CursorEntry>,
): Promise<void> {
  await publish(writer, at(workspace, FILES.cursors), printCursors([...cursors.values()]));
}

function laneOf({ scope, session, user }: Whose): string {
  return JSON.stringify([scope, session, user]);
}

function conversationsOf({ history, inbox }: Lists): Map<string, Conversation> {
  const known = new Set(history.map(({ message }) => message.id));
  const places = (listed: readonly FiledMessage[]): Map<string, FiledMessage[]> =>
    groupBy(
      listed.filter(({ message, belongsTo }) => belongsTo !== undefined && !isGroup(scopeOf(message))),
      ({ message, belongsTo = "" }) =>
        laneOf({ scope: scopeOf(message), session: sessionOf(message), user: belongsTo }),
    );
  const waiting = places(inbox.filter(({ message }) => !known.has(message.id)));
  const conversations = new Map<string, Conversation>();
  for (const [lane, messages] of places(history)) {
    const last = messages.at(-1);
    if (last === undefined) continue;
    const { message, belongsTo = "" } = last;
    const goesOn = waiting.has(lane) && message.role !== "user";
    const of = { scope: scopeOf(message), session: sessionOf(message), user: belongsTo };
    conversations.set(lane, { ...of, messages, goesOn });
  }
  return conversations;
}

/** What has not been looked at; the last that was may have left history.json by now. */
function behind(messages: readonly FiledMessage[], cursor: Cursor | undefined): readonly FiledMessage[] {
  if (cursor === undefined) return messages;
  const index = messages.findLastIndex(({ message }) => message.id === cursor.through.id);
  if (index !== -1) return messages.slice(index + 1);
  return messages.filter(({ filedAt }) => filedAt > cursor.through.at);
}

/** Where the job ends its conversation. First the cursor: of what was said until now no fact of the conversation is looked for any more. */
export async function closeConversation(
  { writer, workspace, log }: ModelWorkParts,
  exchanges: EnqueueExchanges,
  job: QueueJob,
): Promise<void> {
  if (job.kind !== "end" || job.close !== true) return;
  await exchanges.close(job);
  const isOfIt = ({ scope, session, user }: RecordKeys): boolean =>
    scope === job.scope && session === job.session && (isGroup(job.scope) || user === job.user);
  const files = await recordFiles(writer.disk, workspace, { scope: job.scope as ScopeId });
  const { lines } = await removeRecords(writer, workspace, files, {
    goes: (keys) => keys.kind === "fact" && keys.level === "session" && isOfIt(keys),
  });
  log.write({ level: "info", event: "session_closed", scope: job.scope, records: lines });
}
