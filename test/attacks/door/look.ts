/** Asks all cases of a door and says which answers may not be. */
import type { Case } from "./cases.js";
import { expectedFor } from "./oracle.js";
import { type Sent, sentFor } from "./request.js";
import type { TokenKind } from "./cases.js";
import type { Served } from "../../../src/service/served.js";

export interface Answered {
  status: number;
  text: string;
}

export interface Looked {
  /** What is said of each answer that may not be, with what was asked. */
  wrong: string[];
  count: number;
  /** How many had each status. */
  statuses: Map<number, number>;
}

export interface Look {
  /** The true one: what is asked and what may be answered is read off it. */
  table: readonly Served[];
  secrets: Readonly<Record<TokenKind, string | undefined>>;
  port: number;
  isWire: boolean;
  ask: (sent: Sent, asked: Case) => Promise<Answered>;
  /** What an answer tells that its reader may not read, or does not tell that it must. */
  tells: (text: string, reader: string | undefined) => string | undefined;
  cases: Iterable<Case>;
  /** Where what is asked for may not be there, or not be on: an answer may be an error of those. */
  mayFail?: boolean;
  /** Enough is enough. */
  most?: number;
}

export async function lookAt({
  table,
  secrets,
  port,
  isWire,
  ask,
  tells,
  cases,
  mayFail = false,
  most = 5,
}: Look): Promise<Looked> {
  const looked: Looked = { wrong: [], count: 0, statuses: new Map() };
  for (const asked of cases) {
    const sent = sentFor(asked, secrets, port);
    const { statuses, reader } = expectedFor(asked, sent, table, isWire);
    const { status, text } = await ask(sent, asked);
    looked.count += 1;
    looked.statuses.set(status, (looked.statuses.get(status) ?? 0) + 1);
    // What the owner has turned off is a 409; a turn of another place is refused whoever brings it.
    const mayBe = asked.target.row?.name === "end" ? [400, 403, 409] : [400, 409];
    const isError = mayFail && statuses.includes(200) && mayBe.includes(status);
    const isMeant = statuses.includes(status) || (isError && !text.includes('"internal"'));
    const told = asked.method === "HEAD" ? undefined : tells(text, status === 200 ? reader : undefined);
    if (isMeant && told === undefined) continue;
    const { place, token, as } = asked;
    const what = isMeant ? told : `${status} instead of ${statuses.join(" or ")}`;
    looked.wrong.push(
      `${what}: ${place} ${token} as ${JSON.stringify(as?.value)} ${JSON.stringify({ ...sent, headers: { ...sent.headers, "x-huge": asked.hugeHeader } })} → ${text.slice(0, 200)}`,
    );
    if (looked.wrong.length >= most) break;
  }
  return looked;
}
