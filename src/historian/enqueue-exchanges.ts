/**
 * Hands exchanges that are over to the historian's queue, and remembers how far it
 * has got in `queue/cursors.json`.
 *
 * First the jobs, under names that follow from what they are about, then the
 * cursors: killed between the two, the jobs that stand show how far it was.
 */
import type { ModelWorkParts } from "../llm/job-context.js";
import {
  isGroup,
  keyOfMessage,
  type Lists,
  type MessageKey,
  type ScopeId,
  scopeOf,
  sessionOf,
} from "../model/address.js";
import { defined, groupBy } from "../model/collections.js";
import type { FiledMessage } from "../model/message.js";
import { type EpochMs, parseInstant } from "../model/time.js";
import { pacer } from "../platform/clock.js";
import type { Cursor } from "../protocol/cursors.js";
import type { EndJob, QueueJob } from "../protocol/queue-job.js";
import { recordFiles } from "../protocol/records.js";
import { type RecordKeys, removeRecords } from "../protocol/record-removal.js";
import { BESIDE_MESSAGES } from "../text/redact.js";
import { type CursorStore, NOTHING_YET, placeOf, type Whose } from "./cursor-store.js";
import { afterLook, hasFinished, nextExchangesAt, planExchanges } from "./exchanges.js";
import { handedOver, handOver } from "./hand-over.js";
import { type Shown, shownOf } from "./shown.js";

const NONE_SHOWN: Shown = new Map();

interface Conversation extends Whose {
  /** In history.json, oldest first. */
  messages: readonly FiledMessage[];
  goesOn: boolean;
}

export class EnqueueExchanges {
  #nextAt: EpochMs | undefined;

  /** `isImported`: what came with an import is looked at by itself, wherever it stands by now. */
  constructor(
    readonly parts: ModelWorkParts,
    readonly cursors: CursorStore,
    readonly isImported: (key: MessageKey) => boolean,
  ) {}

  /** When something is due without anything being said; undefined where nothing is. */
  get nextAt(): EpochMs | undefined {
    return this.#nextAt;
  }

  /** Before the first look, and once what a killed memd had under way waits again. */
  async load(): Promise<void> {
    for (const { whose, job, moment } of await handedOver(this.parts, "said")) {
      const known = this.cursors.get(whose);
      const next = afterLook(known, job, moment);
      if (next !== undefined && next !== known)
        this.cursors.move({ ...whose, ...next, ...defined({ closedAt: known?.closedAt }) });
    }
  }

  /** Hands over what is due. */
  async enqueue(lists: Lists): Promise<void> {
    const { clock, settings, zone } = this.parts;
    const conversations = conversationsOf(lists, this.isImported);
    this.#nextAt = undefined;
    if (!settings.cognitive.enabled || !settings.historian.extract) return;
    await this.cursors.keep();
    const now = clock.now();
    const pace = pacer(clock);
    let hasMoved = false;
    for (const { messages, goesOn, ...of } of conversations.values()) {
      const cursor = this.cursors.get(of);
      const fresh = behind(messages, cursor);
      const shown = hasFinished(fresh, { now, goesOn }, settings.historian)
        ? await shownOf(messages.slice(-fresh.length - BESIDE_MESSAGES), zone, pace)
        : NONE_SHOWN;
      const plan = planExchanges(fresh, cursor, { now, goesOn, shown }, settings.historian);
      if (plan !== undefined) {
        const closed = defined({ closedAt: cursor?.closedAt });
        for (const look of plan.looks) await handOver(this.parts, { ...of, ...closed }, look);
        this.cursors.move({ ...of, ...plan.cursor, ...closed });
        hasMoved = true;
      }
      const next = this.cursors.get(of);
      this.#expect(nextExchangesAt(behind(messages, next), next, settings.historian), now);
    }
    if (!hasMoved) return;
    this.#clear(new Set(conversations.keys()));
    await this.cursors.keep();
  }

  /** The conversation of this turn is over: of what was said by now, facts that are of it alone are not looked for, and no prompt goes on from it. */
  async close({ scope, session, user, createdAt }: EndJob): Promise<void> {
    const closedAt = parseInstant(createdAt);
    // In a group nothing is looked for, and the conversation is everybody's.
    const whose = isGroup(scope) ? "" : user;
    if (whose === undefined || closedAt === undefined) return;
    const of = { scope, session, user: whose };
    this.cursors.move({ ...of, ...NOTHING_YET, ...this.cursors.get(of), closedAt });
    await this.cursors.keep();
  }

  #expect(next: EpochMs | undefined, now: EpochMs): void {
    if (next === undefined || next <= now) return;
    if (this.#nextAt === undefined || next < this.#nextAt) this.#nextAt = next;
  }

  /** What is no longer in history.json and wholly told needs no cursor: whatever comes is new. That it was closed is kept. */
  #clear(present: ReadonlySet<string>): void {
    for (const entry of [...this.cursors.all()]) {
      const isTold = entry.stretch.said.length === 0 && entry.closedAt === undefined;
      if (entry.of !== "import" && isTold && !present.has(placeOf(entry))) this.cursors.drop(entry);
    }
  }
}

function conversationsOf(
  { history, inbox }: Lists,
  isImported: (key: MessageKey) => boolean,
): Map<string, Conversation> {
  const known = new Set(history.map(({ message }) => message.id));
  const places = (listed: readonly FiledMessage[]): Map<string, FiledMessage[]> =>
    groupBy(
      listed.filter(({ message, belongsTo }) => belongsTo !== undefined && !isGroup(scopeOf(message))),
      ({ message, belongsTo = "" }) =>
        placeOf({ scope: scopeOf(message), session: sessionOf(message), user: belongsTo }),
    );
  const waiting = places(inbox.filter(({ message }) => !known.has(message.id)));
  const conversations = new Map<string, Conversation>();
  const said = history.filter(({ message }) => !isImported(keyOfMessage(message)));
  for (const [place, messages] of places(said)) {
    const last = messages.at(-1);
    if (last === undefined) continue;
    const { message, belongsTo = "" } = last;
    const goesOn = waiting.has(place) && message.role !== "user";
    const of = { scope: scopeOf(message), session: sessionOf(message), user: belongsTo };
    conversations.set(place, { ...of, messages, goesOn });
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
