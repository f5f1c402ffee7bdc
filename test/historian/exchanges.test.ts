/** Which rounds are looked at, and when a stretch of them is told as one. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { afterLook, planExchanges, type Plan } from "../../src/historian/exchanges.js";
import { shownOf } from "../../src/historian/shown.js";
import type { Cursor } from "../../src/protocol/cursors.js";
import { DEFAULT_SETTINGS } from "../../src/model/settings.js";
import type { FiledMessage, MessageId } from "../../src/model/message.js";
import { epochMs, HOUR_MS, isoOf, MINUTE_MS, zoneOf, type EpochMs } from "../../src/model/time.js";

const START = Date.parse("2026-03-02T12:00:00Z");
const zone = zoneOf("UTC");
const settings = { ...DEFAULT_SETTINGS.historian, stretch_rounds: 3 };

const message = (n: number, role: "user" | "agent" | "tool", more: object = {}): FiledMessage => {
  const filedAt = epochMs(START + n * MINUTE_MS);
  const text = `said ${n}`;
  return {
    message: { id: `m${n}` as MessageId, role, text, createdAt: isoOf(filedAt), ...more },
    filedAt,
    belongsTo: "lin",
  };
};
/** Questions and answers, a minute each. */
const talk = (rounds: number, from = 0): FiledMessage[] =>
  Array.from({ length: rounds }, (_none, n) => [
    message(from + 2 * n, "user"),
    message(from + 2 * n + 1, "agent"),
  ]).flat();
const soon = (messages: readonly FiledMessage[]): EpochMs => epochMs((messages.at(-1)?.filedAt ?? 0) + 1000);
const plan = async (
  messages: readonly FiledMessage[],
  {
    cursor,
    now = soon(messages),
    goesOn = false,
    before = [],
  }: { cursor?: Cursor; now?: EpochMs; goesOn?: boolean; before?: readonly FiledMessage[] } = {},
): Promise<Plan | undefined> => {
  const shown = await shownOf([...before, ...messages], zone, () => undefined);
  return planExchanges(messages, cursor, { now, goesOn, shown }, settings);
};
const ids = (lines: readonly { id: string }[] = []): string[] => lines.map(({ id }) => id);

test("a round is looked at once the next one has begun", async () => {
  const begun = await plan(talk(1));
  expect(begun).toBeUndefined();
  const two = await plan(talk(2));
  expect(two?.looks).toMatchObject([{ wants: ["trait", "fact"], earlier: [] }]);
  expect(ids(two?.looks[0]?.said)).toEqual(["m0", "m1"]);
  expect(two?.cursor.through.id).toBe("m1");
});

test("the last round is over when its answer is followed by a waiting message, or by nothing for a while", async () => {
  expect(ids((await plan(talk(1), { goesOn: true }))?.looks[0]?.said)).toEqual(["m0", "m1"]);
  const later = epochMs(soon(talk(1)) + 2 * MINUTE_MS);
  expect(ids((await plan(talk(1), { now: later }))?.looks[0]?.said)).toEqual(["m0", "m1"]);
});

test("a stretch is told as one when it has its rounds, with what was looked at before", async () => {
  const first = await plan(talk(2), { goesOn: true });
  expect(first?.looks).toHaveLength(1);
  const rest = await plan(talk(2, 4), { cursor: first!.cursor, goesOn: true });
  expect(rest?.looks[0]).toMatchObject({ wants: ["trait", "fact", "episode", "foresight"] });
  expect(ids(rest?.looks[0]?.earlier)).toEqual(["m0", "m1", "m2", "m3"]);
  expect(ids(rest?.looks[0]?.said)).toEqual(["m4", "m5"]);
  // The fourth round has begun another one.
  expect(ids(rest?.looks[1]?.said)).toEqual(["m6", "m7"]);
  expect(rest?.cursor.stretch).toMatchObject({ rounds: 1 });
});

test("much text closes a stretch before its rounds do", async () => {
  const long = talk(1).map((filed) => ({
    ...filed,
    message: { ...filed.message, text: "字".repeat(5000) },
  }));
  expect((await plan(long, { goesOn: true }))?.looks[0]?.wants).toContain("episode");
  expect((await plan(long, { goesOn: true }))?.looks[0]?.said[0]?.text.length).toBeLessThan(4100);
});

test("no secret is handed on or kept for later, nor where it is said again a few messages on", async () => {
  const secret = "tr0ub4dor-3xyz-Quay";
  const said = [
    message(0, "user", { text: `the password is ${secret}` }),
    message(1, "agent", { text: "Noted." }),
    message(2, "user", { text: `${secret}, as I said` }),
    message(3, "agent"),
  ];
  const whole = await plan(said, { goesOn: true });
  expect(ids(whole?.looks[0]?.said)).toHaveLength(4);
  expect(JSON.stringify(whole)).not.toContain(secret);
  const first = await plan(said.slice(0, 2), { goesOn: true });
  expect(JSON.stringify(first)).toMatch(/the password is \[redacted:/);
  const rest = await plan(said.slice(2), {
    cursor: first!.cursor,
    goesOn: true,
    before: said.slice(0, 2),
  });
  expect(ids(rest?.looks[0]?.said)).toEqual(["m2", "m3"]);
  expect(JSON.stringify(rest)).not.toContain(secret);
});

test("what nobody goes on with for hours is told as it is", async () => {
  const begun = await plan(talk(1), { goesOn: true });
  const cursor = begun!.cursor;
  expect(await plan([], { cursor, now: soon(talk(1)) })).toBeUndefined();
  const later = epochMs(START + 7 * HOUR_MS);
  const told = await plan([], { cursor, now: later });
  expect(told?.looks).toMatchObject([{ wants: ["episode", "foresight"], said: [] }]);
  expect(ids(told?.looks[0]?.earlier)).toEqual(["m0", "m1"]);
  expect(told?.cursor.stretch.said).toEqual([]);
});

test("nothing private is looked at, and in a group nothing at all", async () => {
  const secret = [message(0, "user"), message(1, "user", { private: true }), message(2, "agent")];
  expect(ids((await plan(secret, { goesOn: true }))?.looks[0]?.said)).toEqual(["m0", "m2"]);
  const group = talk(2).map((filed) => ({ ...filed, message: { ...filed.message, scope: "group:g" } }));
  expect((await plan(group, { goesOn: true }))?.looks).toEqual([]);
});

test("however the messages come, each is looked at once, in order, and no stretch loses one", async () => {
  const roles = fc.array(fc.constantFrom("user" as const, "agent" as const, "tool" as const), {
    minLength: 1,
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(roles, fc.array(fc.nat(5), { minLength: 1, maxLength: 20 }), async (given, steps) => {
      const messages = given.map((role, n) => message(n, role));
      let cursor: Cursor | undefined;
      const said: string[] = [];
      const told: string[] = [];
      let shown = 0;
      const turn = async (now: EpochMs): Promise<void> => {
        const done =
          cursor === undefined ? -1 : messages.findIndex(({ message: { id } }) => id === cursor?.through.id);
        const next = await plan(messages.slice(done + 1, shown), { ...(cursor && { cursor }), now });
        if (next === undefined) return;
        for (const look of next.looks) {
          said.push(...ids(look.said));
          if (look.wants.includes("episode")) told.push(...ids(look.earlier), ...ids(look.said));
          // A job that stands tells how far it was looked.
          const moment = Date.parse([...look.earlier, ...look.said].at(-1)?.at ?? "");
          cursor = afterLook(cursor, look, epochMs(moment)) ?? cursor;
        }
        expect(cursor?.through.id ?? next.cursor.through.id).toBe(next.cursor.through.id);
        cursor = next.cursor;
      };
      for (const step of steps) {
        shown = Math.min(messages.length, shown + step);
        await turn(soon(messages.slice(0, shown)));
      }
      shown = messages.length;
      await turn(epochMs(START + 100 * HOUR_MS));
      expect(said).toEqual(ids(messages.map(({ message: { id } }) => ({ id }))));
      expect(told).toEqual(said);
    }),
    { numRuns: 300 },
  );
});
