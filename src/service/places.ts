/** Where something was said: scopes with their sessions, as the ledger knows them. */
import type { LedgerEntry } from "../archive/ledger-entry.js";
import { mayRead, type Viewer } from "../model/address.js";
import { defined, groupBy } from "../model/collections.js";
import { epochMs, isoOf } from "../model/time.js";
import { addressOf } from "./history.js";
import type { Memd } from "./memd.js";
import type { AnswerOf, ParsedOf } from "./operations.js";

/** The one that was spoken in last comes first. */
export async function listScopes(memd: Memd, viewer: Viewer): Promise<AnswerOf<"listScopes">> {
  const byScope = groupBy(await readableEntries(memd, viewer), ({ scope }) => scope);
  const scopes = [...byScope].map(([scope, said]) => {
    const sessions = new Set(said.map(({ session }) => session)).size;
    return { id: scope, sessions, ...spanOf(said) };
  });
  return { scopes: scopes.sort(latestFirst) };
}

/** Of one scope, the reader's own where none is named. */
export async function listSessions(
  memd: Memd,
  viewer: Viewer,
  asked: ParsedOf<"listSessions">,
): Promise<AnswerOf<"listSessions">> {
  const wanted = asked.scope ?? addressOf(viewer).scope;
  const said = (await readableEntries(memd, viewer)).filter(({ scope }) => scope === wanted);
  const sessions = [...groupBy(said, ({ session }) => session)].map(([session, ofSession]) => ({
    id: session,
    scope: wanted,
    users: [...new Set(ofSession.flatMap(({ belongsTo }) => belongsTo ?? []))].sort(),
    ...spanOf(ofSession),
  }));
  return { sessions: sessions.sort(latestFirst) };
}

/** What was said that the viewer may read. */
export async function readableEntries(memd: Memd, viewer: Viewer): Promise<LedgerEntry[]> {
  await memd.caughtUp();
  return [...memd.archive.context.ledger.entries()].filter(({ scope, belongsTo: user }) =>
    mayRead(viewer, defined({ level: "scope", scope, user })),
  );
}

interface Span {
  messages: number;
  from: string;
  to: string;
}

function spanOf(said: readonly LedgerEntry[]): Span {
  let [from, to] = [Infinity, -Infinity];
  for (const { filedAt } of said) [from, to] = [Math.min(from, filedAt), Math.max(to, filedAt)];
  return { messages: said.length, from: isoOf(epochMs(from)), to: isoOf(epochMs(to)) };
}

function latestFirst(one: Span & { id: string }, other: Span & { id: string }): number {
  return other.to.localeCompare(one.to) || one.id.localeCompare(other.id);
}
