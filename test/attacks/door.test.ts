/**
 * Everything that can be asked at the door, by everybody, on everybody's behalf, with
 * everything: the answer is what the table of operations says, and never holds what is
 * of another. `MEMD_RUNS=50` for a long look, `MEMD_SEED` for others.
 */
import { expect, test } from "vitest";
import { type ScopeId, type Viewer } from "../../src/model/address.js";
import { systemClock } from "../../src/platform/clock.js";
import { sha256 } from "../../src/platform/files.js";
import type { Token } from "../../src/protocol/tokens.js";
import { createApp } from "../../src/serve/app.js";
import { openDoor } from "../../src/serve/door.js";
import type { Memd } from "../../src/service/memd.js";
import { OPERATIONS, type OperationName } from "../../src/service/operations.js";
import type { Operation } from "../../src/service/operations/operation.js";
import { served, type Served } from "../../src/service/served.js";
import { randomOf } from "../faults/random.js";
import { casesOf, type TokenKind } from "./door/cases.js";
import { lookAt, type Looked } from "./door/look.js";

const ROUNDS = Number(process.env["MEMD_RUNS"] ?? 3);
const SEED = Number(process.env["MEMD_SEED"] ?? 1);
const PORT = 4711;

const SECRETS: Readonly<Record<TokenKind, string | undefined>> = {
  none: undefined,
  empty: "",
  short: "t".repeat(51),
  wrong: "w".repeat(60),
  owner: "o".repeat(52),
  viewer: `memd_${"v".repeat(52)}`,
  seated: `memd_${"s".repeat(52)}`,
  removed: `memd_${"r".repeat(52)}`,
};

const tokenFor = (kind: TokenKind, session?: string): Token => {
  const hash = sha256(SECRETS[kind] ?? "");
  const seat = { user: "lin", scope: "main" as ScopeId, ...(session === undefined ? {} : { session }) };
  return { id: hash.slice(0, 8), seat, createdAt: "2026-01-05T10:00:00.000Z", hash };
};
const removed = tokenFor("removed");
const TOKENS = [tokenFor("viewer"), tokenFor("seated", "s-1")];

/** What only that reader may be given. No request says it. */
const planted = (reader: string): string => `planted-${sha256(reader).slice(0, 16)}`;
const readerOf = (viewer: Viewer): string =>
  viewer.kind === "owner" ? "owner" : JSON.stringify([viewer.user, viewer.scope, viewer.session]);

/** The row, with what it does replaced by what tells as whom it was done. */
const telling = (name: string, row: Operation): Served =>
  served(name, row, (_service, viewer) => Promise.resolve({ told: planted(readerOf(viewer)) }));
const TABLE: readonly Served[] = (Object.keys(OPERATIONS) as OperationName[]).map((name) =>
  telling(name, OPERATIONS[name]),
);

function tells(text: string, reader: string | undefined): string | undefined {
  const told = [...text.matchAll(/planted-[0-9a-f]{16}/g)].map(([one]) => one);
  const due = reader === undefined ? [] : [planted(reader)];
  return told.join() === due.join() ? undefined : `answered as another than ${reader ?? "nobody"}`;
}

async function looked(
  rounds: number,
  faulty: Partial<{ table: readonly Served[]; tokens: readonly Token[] }> = {},
): Promise<Looked> {
  const { table = TABLE, tokens = TOKENS } = faulty;
  const memd = { isStopping: false, parts: { clock: systemClock() } } as unknown as Memd;
  let nowMs = 0;
  const door = openDoor({
    app: createApp({ memd, socket: "/none", listen: () => () => undefined, stop: () => undefined }, table),
    ownerToken: SECRETS.owner,
    tokens: () => Promise.resolve(tokens),
    // Nobody is told to wait here.
    monotonicMs: () => (nowMs += 1000),
  });
  return lookAt({
    table: TABLE,
    secrets: SECRETS,
    port: PORT,
    isWire: false,
    cases: casesOf(TABLE, rounds, randomOf(SEED)),
    tells,
    ask: async ({ path, ...sent }, { place }) => {
      const request = new Request(`http://127.0.0.1:${PORT}${path}`, sent);
      const answer = await door(
        request,
        place === "socket" ? { kind: "socket" } : { kind: "loopback", port: PORT },
      );
      const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
      if (isStream) await answer.body?.cancel();
      return { status: answer.status, text: isStream ? "" : await answer.text() };
    },
  });
}

test("whatever is asked is answered as the table says, to whom it says, and as whom", async () => {
  const { wrong, count, statuses } = await looked(ROUNDS);
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(ROUNDS >= 3 ? 20_000 : 0);
  // Nothing of it is asked in vain.
  for (const status of [200, 400, 401, 403, 404, 415]) expect(statuses.get(status) ?? 0).toBeGreaterThan(100);
});

/** The table with one row as somebody could have written it by mistake. */
const withRow = (name: OperationName, change: (row: Served) => Served): readonly Served[] =>
  TABLE.map((row) => (row.name === name ? change(row) : row));

test.each<[string, Parameters<typeof looked>[1]]>([
  [
    "a row of the owner's that a viewer may ask",
    { table: withRow("forget", (row) => telling(row.name, { ...OPERATIONS.forget, access: "viewer" })) },
  ],
  [
    "a row that a viewer may not ask any more",
    { table: withRow("history", (row) => telling(row.name, { ...OPERATIONS.history, access: "owner" })) },
  ],
  [
    "a row that passes a name over",
    {
      table: withRow("listProfiles", (row) => ({
        ...row,
        answer: async (service, given, seat) => {
          const { as: _as, ...asked } = given as Record<string, unknown>;
          return row.answer(service, asked, seat);
        },
      })),
    },
  ],
  [
    "a row that asks as the owner where a token is bound",
    {
      table: withRow("searchEvents", (row) => ({
        ...row,
        answer: (service, given) => row.answer(service, given),
      })),
    },
  ],
  [
    "an input that takes what it does not know",
    {
      table: withRow("listDocuments", (row) =>
        telling(row.name, { ...OPERATIONS.listDocuments, input: OPERATIONS.listDocuments.input.loose() }),
      ),
    },
  ],
  ["a token that was removed and still counts", { tokens: [...TOKENS, removed] }],
  [
    "a token that is another's",
    { tokens: TOKENS.map((token) => ({ ...token, seat: { ...token.seat, user: "wei" } })) },
  ],
])("planted: %s is found", async (_what, faulty) => {
  expect((await looked(1, faulty)).wrong).not.toEqual([]);
});
