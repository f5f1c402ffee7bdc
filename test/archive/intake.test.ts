import fc from "fast-check";
import { expect, test } from "vitest";
import { idsFor, naturalHash, type Read } from "../../src/archive/identity.js";
import { takeIn } from "../../src/archive/intake.js";
import { Ledger } from "../../src/archive/ledger.js";
import type { IncomingMessage } from "../../src/model/message.js";
import { idOfKey } from "../../src/model/address.js";
import { zoneOf, type EpochMs } from "../../src/model/time.js";
import type { Origin } from "../../src/protocol/journal.js";
import { parseMessage } from "../../src/protocol/message.js";
import { instant } from "../support/archive-desk.js";

const NOW = instant("2026-02-20T12:00:00Z");

function message(raw: Record<string, unknown>): IncomingMessage {
  const parsed = parseMessage({ role: "user", createdAt: "2026-02-20T11:59:00Z", ...raw });
  if (parsed === undefined) throw new Error("no message");
  return parsed;
}

/** A journal in memory: what is taken in counts at once. */
function intake(): {
  take: (from: Origin, messages: Record<string, unknown>[], now?: EpochMs) => string[];
  ledger: Ledger;
} {
  const ledger = new Ledger(zoneOf("UTC"));
  const readings: Partial<Record<Origin, Read[]>> = {};
  return {
    ledger,
    take: (from, messages, now = NOW) => {
      const { entries, keys, reading } = takeIn(
        ledger,
        messages.map(message),
        from,
        readings[from] ?? [],
        now,
      );
      readings[from] = reading;
      for (const entry of entries) ledger.apply(entry, { path: "journal/x.jsonl", line: 1 });
      return keys.map(idOfKey);
    },
  };
}

test("two equal messages of one second are two messages, on every reading", () => {
  const { take, ledger } = intake();
  const first = take("history", [{ text: "好的" }, { text: "好的" }]);
  expect(new Set(first).size).toBe(2);
  expect(take("history", [{ text: "好的" }, { text: "好的" }])).toEqual(first);
  expect(ledger.size).toBe(2);
});

test("when the host drops the oldest and another equal one comes, that is a third", () => {
  const { take, ledger } = intake();
  const [, second] = take("history", [{ text: "好的" }, { text: "好的" }, { text: "then" }]);
  const after = take("history", [{ text: "好的" }, { text: "then" }, { text: "好的" }]);
  expect(after[0]).toBe(second === undefined ? "" : after[0]);
  expect(ledger.size).toBe(4);
});

test("appending never changes an id and always makes a new one", () => {
  const word = fc.constantFrom("ok", "好的", "yes", "no");
  fc.assert(
    fc.property(fc.array(word), fc.array(word), fc.nat(), (before, added, dropped) => {
      const natural = (texts: string[]) =>
        texts.map((text) => ({ natural: naturalHash(message({ text })), timed: true }));
      const first = idsFor([], natural(before));
      const reading = first.map((id, index): Read => ({
        id,
        natural: natural(before)[index]?.natural ?? "",
      }));
      const whole = idsFor(reading, natural([...before, ...added]));
      expect(whole.slice(0, before.length)).toEqual(first);
      expect(new Set(whole).size).toBe(whole.length);
      const cut = dropped % (before.length + 1);
      const tail = idsFor(reading, natural(before.slice(cut)));
      expect(tail.every((id) => first.includes(id))).toBe(true);
    }),
  );
});

test("the same id with another session or time is another message", () => {
  const { take, ledger } = intake();
  const ids = take("history", [
    { id: "1", text: "a" },
    { id: "1", text: "b", session: "other" },
    { id: "1", text: "c", createdAt: "2026-02-20T11:00:00Z" },
  ]);
  expect(ids[0]).toBe("1");
  expect(ids.slice(1).every((id) => /^1~[0-9a-f]{8}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(3);
  expect(take("history", [{ id: "1", text: "b", session: "other" }])).toEqual([ids[1]]);
  expect(ledger.size).toBe(3);
});

test("what an imported conversation brings along of another one, under its id, time and words, is that one's", () => {
  const { take, ledger } = intake();
  const said = { id: "1", text: "a", session: "first", createdAt: "2026-02-20T11:00:00Z" };
  expect(take("import", [said])).toEqual(["1"]);
  const copy = { ...said, session: "fork", createdAt: "2026-02-20T12:00:00+01:00" };
  expect(take("import", [copy])).toEqual(["1"]);
  expect(ledger.size).toBe(1);
  for (const other of [
    { ...copy, text: "b" },
    { ...copy, createdAt: "2026-02-20T13:00:00Z" },
    { ...copy, createdAt: "" },
  ])
    expect(take("import", [other])).not.toEqual(["1"]);
  expect(take("history", [copy])).not.toEqual(["1"]);
});

test("a streamed answer is one message whose last version counts", () => {
  const { take, ledger } = intake();
  for (const text of ["Hel", "Hello", "Hello there"]) take("history", [{ id: "1", role: "agent", text }]);
  expect(ledger.size).toBe(1);
  expect(ledger.unsettled()[0]?.held?.message.text).toBe("Hello there");
});

test("two copies of one id in a file are read again without end neither growing nor flapping", () => {
  const { take, ledger } = intake();
  const copies = [
    { id: "1", text: "old" },
    { id: "1", text: "new" },
  ];
  take("history", copies);
  const { entries } = takeIn(ledger, copies.map(message), "history", [], NOW);
  expect(entries).toEqual([]);
});

test("an inbox message and its history copy are one, by id or by text within ten minutes", () => {
  const byId = intake();
  byId.take("inbox", [{ id: "q", text: "hi" }]);
  expect(byId.take("history", [{ id: "q", text: "hi", createdAt: "2026-02-20T11:58:00Z" }])).toEqual(["q"]);
  expect(byId.ledger.size).toBe(1);

  const byText = intake();
  const [id] = byText.take("inbox", [{ text: "hi" }]);
  expect(byText.take("history", [{ id: "h1", text: "hi", createdAt: "2026-02-20T12:04:00Z" }])).toEqual([id]);
  expect(byText.take("history", [{ id: "h1", text: "hi", createdAt: "2026-02-20T12:04:00Z" }])).toEqual([id]);
  expect(byText.ledger.size).toBe(1);

  const late = intake();
  late.take("inbox", [{ text: "hi" }]);
  late.take("history", [{ id: "h1", text: "hi", createdAt: "2026-02-20T12:20:00Z" }]);
  expect(late.ledger.size).toBe(2);
});

test("an input and its copy in history are one, though both say a time that lies days ahead", () => {
  const { take, ledger } = intake();
  const ahead = { text: "see you", createdAt: "2026-02-23T12:00:00Z" };
  take("drop", [{ ...ahead, id: "d1" }]);
  expect(take("history", [ahead], (NOW + 5000) as EpochMs)).toEqual(["d1"]);
  expect(ledger.size).toBe(1);
});

test("an inbox message that has met its copy takes in no second one", () => {
  const { take, ledger } = intake();
  take("inbox", [{ id: "q", text: "好的" }]);
  take("history", [{ id: "q", text: "好的" }]);
  take("history", [
    { id: "q", text: "好的" },
    { text: "好的", createdAt: "2026-02-20T12:01:00Z" },
  ]);
  expect(ledger.size).toBe(2);
});

test("a time that is no date, or more than a day ahead, files the message under the time first seen", () => {
  const { take, ledger } = intake();
  take("history", [
    { id: "1", text: "a", createdAt: "soon" },
    { id: "2", text: "b", createdAt: "2036-01-01T00:00:00Z" },
    { id: "3", text: "c", createdAt: "2026-02-21T11:00:00Z" },
  ]);
  expect(ledger.unsettled().map(({ day }) => day)).toEqual(["2026-02-20", "2026-02-20", "2026-02-21"]);
  expect(ledger.unsettled()[0]?.held?.message.createdAt).toBe("soon");
});

test("an agent's message belongs to the user it answers in its session; in a group to nobody", () => {
  const { take, ledger } = intake();
  take("history", [
    { id: "1", text: "q", user: "alice", session: "s" },
    { id: "2", text: "q", user: "bob", session: "t" },
    { id: "3", role: "agent", text: "to alice", session: "s" },
    { id: "4", role: "agent", text: "to local", session: "u" },
    { id: "5", text: "hello", scope: "group:g" },
    { id: "6", role: "agent", text: "hello all", scope: "group:g" },
  ]);
  expect(ledger.unsettled().map(({ held }) => held?.belongsTo)).toEqual([
    "alice",
    "bob",
    "alice",
    "local",
    undefined,
    undefined,
  ]);
  expect(take("history", [{ id: "7", role: "tool", text: "later", session: "s" }])).toEqual(["7"]);
  expect(ledger.unsettled().at(-1)?.held?.belongsTo).toBe("alice");
});

test("a host that gives no id and no time loses none of its repeated messages", () => {
  const { take, ledger } = intake();
  const timeless = (text: string): Record<string, unknown> => ({ text, createdAt: "" });
  const [first] = take("history", [timeless("good morning")]);
  take("history", []);
  const [second] = take("history", [timeless("good morning")]);
  expect(second).not.toBe(first);
  expect(take("history", [timeless("good morning")])).toEqual([second]);
  expect(ledger.size).toBe(2);
});

test("ids that memd wrote into the file and the host drops again still align", () => {
  const { take, ledger } = intake();
  const timeless = (text: string): Record<string, unknown> => ({ text, createdAt: "" });
  const ids = take("history", ["a", "ok", "b", "ok"].map(timeless));
  take(
    "history",
    ["a", "ok", "b", "ok"].map((text, index) => ({ ...timeless(text), id: ids[index] })),
  );
  const after = take("history", ["b", "ok", "ok"].map(timeless));
  expect(after.slice(0, 2)).toEqual(ids.slice(2));
  expect(ledger.size).toBe(5);
});

test("users and tool calls tell messages apart that say the same at the same time", () => {
  const { take, ledger } = intake();
  const call = (callId: string): Record<string, unknown> => ({
    role: "tool",
    text: "",
    createdAt: "",
    tool: { name: "t", callId },
  });
  take("history", [call("c1"), call("c2")]);
  take("history", [call("c2"), call("c3")]);
  take("inbox", [{ text: "+1", user: "alice", scope: "group:g" }]);
  take("history", [{ id: "h", text: "+1", user: "bob", scope: "group:g" }]);
  expect(ledger.size).toBe(5);
});

test("versions of a message whose id another session uses too are recorded, and a steady file records nothing", () => {
  const { take, ledger } = intake();
  const other = { id: "1", session: "B", text: "other session" };
  const [a, b] = take("history", [{ id: "1", session: "A", text: "Hel" }, other]);
  expect(take("history", [{ id: "1", session: "A", text: "Hello" }, other])).toEqual([a, b]);
  expect(
    ledger
      .unsettled()
      .map(({ held }) => held?.message.text)
      .sort(),
  ).toEqual(["Hello", "other session"]);
  const x = (createdAt: string, text: string): Record<string, unknown> => ({ id: "x", createdAt, text });
  const list = [
    x("2026-02-20T07:00:00Z", "one"),
    x("2026-02-20T07:01:00Z", "two"),
    x("2026-02-20T07:01:00Z", "three"),
  ];
  take("history", list);
  expect(takeIn(ledger, list.map(message), "history", [], NOW).entries).toEqual([]);
});

test("an id that question and answer share is two messages; a time spelt otherwise is one", () => {
  const { take, ledger } = intake();
  take("history", [
    { id: "turn", text: "question" },
    { id: "turn", role: "agent", text: "answer" },
  ]);
  expect(ledger.size).toBe(2);
  take("history", [{ id: "z", text: "x", createdAt: "2026-02-20T07:59:00Z" }]);
  take("history", [{ id: "z", text: "x", createdAt: "2026-02-20T07:59:00.000Z" }]);
  expect(ledger.size).toBe(3);
});

test("an answer belongs to whom it follows in its file, whoever waits in the inbox or was imported", () => {
  const { take, ledger } = intake();
  const alice = { id: "1", text: "what is my balance?", user: "alice" };
  take("history", [alice]);
  take("inbox", [{ id: "2", text: "hi", user: "bob" }]);
  take("import", [{ id: "3", text: "old", user: "carol" }]);
  take("history", [alice, { id: "4", role: "agent", text: "42 euro" }]);
  expect(ledger.unsettled().at(-1)?.held?.belongsTo).toBe("alice");
});
