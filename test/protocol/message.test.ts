import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MessageId } from "../../src/model/message.js";
import { parseMessage, printMessage, withId } from "../../src/protocol/message.js";
import { canonical, hostMessage } from "../support/arbitrary.js";

const overJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("a message printed and read again is the same message, whatever the host had written", () => {
  fc.assert(
    fc.property(hostMessage, (raw) => {
      const message = parseMessage(raw);
      expect(message).toBeDefined();
      if (message === undefined) return;
      expect(canonical(parseMessage(overJson(printMessage(message))))).toBe(canonical(message));
    }),
    { numRuns: 400 },
  );
});

test("what the host wrote is all there when a message is printed, the archive fields apart", () => {
  fc.assert(
    fc.property(hostMessage, (raw) => {
      const message = parseMessage(raw);
      if (message === undefined) throw new Error("no message");
      const printed = new Map(
        Object.entries(printMessage(withId(message, message.id ?? ("new" as MessageId)))),
      );
      for (const [name, value] of Object.entries(raw)) {
        if (name === "archived" || name === "id" || name === "role") continue;
        const isExact = typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
        const isRead = isExact && ["user", "session", "scope"].includes(name);
        if (isRead) expect(printed.get(name)).toBe(String(value));
        else if (name === "text" && printed.get("content") === value) continue;
        else if (name === "createdAt" && value === "") continue;
        else expect(canonical(printed.get(name))).toBe(canonical(value));
      }
    }),
    { numRuns: 200 },
  );
});

describe("a host that spells things its own way", () => {
  const read = (raw: unknown): unknown => parseMessage(raw);

  test("the words of other systems are read as our roles", () => {
    const roles = ["assistant", "ai", "bot", "model", "human", "function", "developer", "user"];
    expect(roles.map((role) => parseMessage({ role, text: "" })?.role)).toEqual([
      ...["agent", "agent", "agent", "agent", "user", "tool", "system", "user"],
    ]);
  });

  test("a role that nobody knows is kept, and read as a system message", () => {
    const message = parseMessage({ role: "narrator", text: "once" });
    expect(message).toEqual({ role: "system", text: "once", createdAt: "", extra: { role: "narrator" } });
    expect(printMessage(message ?? { role: "user", text: "", createdAt: "" })["role"]).toBe("narrator");
    expect(read({ role: "constructor", text: "x" })).toMatchObject({ role: "system" });
  });

  test("a numeric id is that id in digits", () => {
    expect(read({ id: 17, role: "user", text: "hi" })).toMatchObject({ id: "17" });
    expect(read({ id: 0, role: "user", text: "hi" })).toMatchObject({ id: "0" });
  });

  test("content stands for text, and goes back as content", () => {
    const message = parseMessage({ role: "user", content: "hi" });
    expect(message?.text).toBe("hi");
    expect(printMessage(message ?? { role: "user", text: "", createdAt: "" })).toEqual({
      role: "user",
      content: "hi",
    });
  });

  test("epoch seconds and milliseconds are times", () => {
    expect(read({ text: "x", createdAt: 1_767_607_200 })).toMatchObject({
      createdAt: "2026-01-05T10:00:00.000Z",
    });
    expect(read({ text: "x", createdAt: 1_767_607_200_000 })).toMatchObject({
      createdAt: "2026-01-05T10:00:00.000Z",
    });
  });

  test.each([null, "", {}, [], true, "\ud800"])(
    "an id of %j is none, and never hides the one that memd gives",
    (id) => {
      const message = parseMessage({ id, role: "user", text: "hi" });
      expect(message?.id).toBeUndefined();
      const given = withId(message ?? { role: "user", text: "", createdAt: "" }, "n-1" as MessageId);
      expect(parseMessage(overJson(printMessage(given)))?.id).toBe("n-1");
    },
  );

  test("what such an id says is kept beside the given one", () => {
    const message = parseMessage({ id: { $oid: "65f0" }, role: "user", text: "hi" });
    const given = withId(message ?? { role: "user", text: "", createdAt: "" }, "n-1" as MessageId);
    expect(printMessage(given)).toEqual({ id: "n-1", hostId: { $oid: "65f0" }, role: "user", text: "hi" });
    expect(parseMessage(overJson(printMessage(given)))).toEqual(given);
    expect(parseMessage({ id: null, role: "user", text: "hi" })).not.toHaveProperty("extra");
  });

  test("a later text or time is not undone by what the host had in the wrong type", () => {
    const message = parseMessage({ id: "1", role: "user", text: 5, content: "old", createdAt: null });
    const later = { ...message, role: "user" as const, text: "new", createdAt: "2026-01-05T10:00:00Z" };
    expect(parseMessage(overJson(printMessage(later)))).toMatchObject({
      text: "new",
      createdAt: "2026-01-05T10:00:00Z",
    });
  });

  test.each([null, [], "text", 7, {}, { role: "user" }, { text: 5 }, { content: [{ type: "text" }] }])(
    "%j is no message",
    (raw) => {
      expect(parseMessage(raw)).toBeUndefined();
    },
  );
});

test("a number that has lost digits on the way in is no id: two of them could be one", () => {
  const id = (raw: string): unknown => parseMessage(JSON.parse(`{"role":"user","text":"x","id":${raw}}`))?.id;
  expect(id("17")).toBe("17");
  expect(id("12345678901234567891")).toBeUndefined();
});

test("a name of hundreds of blanks is none, and is kept all the same", () => {
  const blank = " ".repeat(600);
  expect(parseMessage({ role: "user", text: "x", scope: blank })).toMatchObject({ extra: { scope: blank } });
});
