/**
 * What was said in one conversation, as the ledger knows it: from the list, the journal or the day that
 * holds it, whatever was trimmed since. A person's edit of a day counts. Left out is what is private, what
 * a host took back (a rewind), and input that still waits for its answer.
 */
import type { LedgerEntry } from "../archive/ledger-entry.js";
import { unlistedOf } from "../archive/list-state.js";
import { Blocks } from "../archive/standing-messages.js";
import {
  type Address,
  idOfKey,
  LOCAL_ADDRESS,
  MAIN_SESSION,
  mayRead,
  NO_SESSION,
  type ScopeId,
  scopeOf,
  sessionOf,
  type Viewer,
} from "../model/address.js";
import { addAll, defined, groupBy } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import type { FiledMessage } from "../model/message.js";
import { isoOf } from "../model/time.js";
import { redactSecrets } from "../text/redact.js";
import type { Memd } from "./memd.js";
import type { AnswerOf, ParsedOf } from "./operations.js";

const MESSAGES_LISTED = 50;

/** Newest last. Throws `usage` for a cursor that is none. */
export async function listMessages(
  memd: Memd,
  viewer: Viewer,
  asked: ParsedOf<"history">,
): Promise<AnswerOf<"history">> {
  await memd.caughtUp();
  const { limit = MESSAGES_LISTED, cursor } = asked;
  const own = addressOf(viewer);
  const scope = (asked.scope ?? own.scope) as ScopeId;
  // Who has no session of their own reads that of everybody.
  const ownSession = own.session === NO_SESSION ? MAIN_SESSION : own.session;
  const entries = entriesOf(memd, viewer, scope, asked.session ?? ownSession);
  const begin = cursor === undefined ? 0 : entries.findIndex(({ key }) => idOfKey(key) === cursor) + 1;
  if (cursor !== undefined && begin === 0)
    throw new MemdError("usage", `"${cursor}" is no cursor of this conversation.`);
  const messages: FiledMessage[] = [];
  let next = begin;
  // Private messages and blocks that are gone are looked past.
  while (messages.length < limit && next < entries.length) {
    const batch = entries.slice(next, next + limit - messages.length);
    addAll(messages, await messagesOf(memd, batch));
    next += batch.length;
  }
  const last = entries[next - 1];
  return defined({
    messages: messages.reverse().map(shown),
    next: next < entries.length && last !== undefined ? idOfKey(last.key) : undefined,
  });
}

/** Newest first. */
function entriesOf({ archive }: Memd, viewer: Viewer, scope: ScopeId, session: string): LedgerEntry[] {
  const { ledger } = archive.context;
  const said = unlistedOf({
    entries: ledger.conversation(scope, session),
    // As if history.json held none of them: then all that was said is missing there.
    standing: [],
    listed: new Set(),
    hasMet: (key) => ledger.hasMet(key),
    after: undefined,
  });
  return [...said].filter(({ belongsTo: user }) => mayRead(viewer, defined({ level: "scope", scope, user })));
}

/** Newest first. */
async function messagesOf({ archive }: Memd, batch: readonly LedgerEntry[]): Promise<FiledMessage[]> {
  const { writer, workspace, catalogue } = archive.context;
  const blocks = new Blocks(writer.disk, workspace, catalogue);
  const found = new Map<string, FiledMessage>();
  for (const { key, held } of batch) if (held !== undefined) found.set(idOfKey(key), held);
  const settled = batch.filter(({ held }) => held === undefined);
  for (const [first, ...more] of groupBy(settled, ({ day }) => day).values()) {
    if (first === undefined) continue;
    const ids = [first, ...more].map(({ key }) => idOfKey(key));
    for (const filed of await blocks.of(first.scope, first.day, ids)) found.set(filed.message.id, filed);
  }
  return batch.flatMap(({ key }) => {
    const filed = found.get(idOfKey(key));
    return filed === undefined || filed.message.private === true ? [] : [filed];
  });
}

function shown({ message, filedAt, belongsTo }: FiledMessage): AnswerOf<"history">["messages"][number] {
  const { id, role, text, user = belongsTo, speaker, tool } = message;
  return defined({
    id,
    role,
    text: redactSecrets(text),
    at: isoOf(filedAt),
    user,
    speaker,
    scope: scopeOf(message),
    session: sessionOf(message),
    tool: tool && { name: tool.name, callId: tool.callId },
  });
}

/** Where a viewer reads from; the owner from `local` in `main`. */
export function addressOf(viewer: Viewer): Address {
  if (viewer.kind === "owner") return LOCAL_ADDRESS;
  const { user, scope, session } = viewer;
  return { user, scope, session };
}
