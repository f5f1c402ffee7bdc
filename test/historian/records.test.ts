import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Likeness, settled } from "../../src/historian/compare.js";
import { eventsOf, type Observed } from "../../src/historian/records.js";
import { leastTrusted, type MemoryRecord } from "../../src/model/record.js";
import type { MessageId } from "../../src/model/message.js";
import type { ScopeId } from "../../src/model/address.js";
import { epochMs, isoOf, zoneOf } from "../../src/model/time.js";

const zone = zoneOf("Asia/Shanghai");
const AT = epochMs(Date.parse("2026-03-02T10:00:00Z"));
const observed: Observed = {
  job: "j1",
  at: AT,
  user: "lin",
  scope: "main" as ScopeId,
  session: "s1",
  sources: ["q-1" as MessageId],
  trust: "agent",
};
const stated = (text: string, isAbsolute = true): { text: string; isAbsolute: boolean } => ({
  text,
  isAbsolute,
});

describe("events of a job", () => {
  test("have ids of the job, its address and its sources", () => {
    const [first, second] = eventsOf([stated("Lin likes tea."), stated("Wei left.")], observed, zone, AT);
    expect(first).toMatchObject({
      id: "j1_1",
      kind: "event",
      level: "scope",
      user: "lin",
      session: "s1",
      sources: ["q-1"],
    });
    expect(second?.id).toBe("j1_2");
  });

  test("in a group are told from both sides, and from one where nobody knows who spoke", () => {
    const group = { ...observed, scope: "group:g" as ScopeId };
    const sides = (from: Observed): (string | undefined)[] =>
      eventsOf([stated("Lin likes tea.")], from, zone, AT).map(({ perspective }) => perspective);
    expect(sides(group)).toEqual(["group", "sender"]);
    expect(sides({ ...group, user: undefined })).toEqual(["group"]);
  });

  test("happened on the one past day that they name", () => {
    const when = (text: string): string => isoOf(eventsOf([stated(text)], observed, zone, AT)[0]?.at ?? AT);
    expect(when("Lin moved on 2026-02-20.")).toBe("2026-02-20T12:00:00.000Z");
    expect(when("Lin moves on 2026-04-20.")).toBe(isoOf(AT));
    expect(when("Lin moved on 2026-02-20 or 2026-02-21.")).toBe(isoOf(AT));
    expect(when("Lin moved on 2026-02-30.")).toBe(isoOf(AT));
  });
});

describe("what was known already", () => {
  const shelf = (): Likeness<MemoryRecord> =>
    new Likeness<MemoryRecord>(
      ({ id }) => id,
      ({ text }) => text,
    );
  const lines = (
    known: Likeness<MemoryRecord>,
    job: string,
    text: string,
    more: Partial<Observed> = {},
  ): MemoryRecord[] =>
    settled(eventsOf([stated(text)], { ...observed, job, ...more }, zone, AT), known, zone);

  test("is the older record once more, with what is new about it", () => {
    const known = shelf();
    lines(known, "j1", "Lin Yue likes oolong tea best of all teas.");
    const again = lines(known, "j2", "Lin Yue likes oolong tea best of all teas!", {
      sources: ["q-2" as MessageId],
      trust: "tool",
    });
    expect(again).toMatchObject([{ id: "j1_1", sources: ["q-1", "q-2"], trust: "tool" }]);
  });

  test("is not what differs in a number, a name or a not", () => {
    const known = shelf();
    lines(known, "j1", "The staging database of the harbour team listens on port 5433.");
    for (const [job, text] of [
      ["j2", "The staging database of the harbour team listens on port 5434."],
      ["j3", "The staging database of the harbour team does not listen on port 5433."],
      ["j4", "The staging database of the Harbour team listens on port 5433."],
    ] as const)
      expect(lines(known, job, text)[0]?.id).toBe(`${job}_1`);
  });

  test("is nobody else's, of no other scope and no other day", () => {
    const known = shelf();
    const text = "Lin Yue likes oolong tea best of all teas.";
    lines(known, "j1", text);
    expect(lines(known, "j2", text, { user: "wei" })[0]?.id).toBe("j2_1");
    expect(lines(known, "j3", text, { at: epochMs(AT + 86_400_000) })[0]?.id).toBe("j3_1");
  });

  test("worked again, a job has nothing to add but what is different now", () => {
    const known = shelf();
    lines(known, "j1", "Lin Yue likes oolong.");
    expect(lines(known, "j1", "Lin Yue likes oolong.")).toEqual([]);
    expect(lines(known, "j1", "Lin Yue(lin) likes oolong.")).toMatchObject([{ id: "j1_1" }]);
  });

  test("is found by likeness alone: each is most like itself", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.lorem({ maxCount: 12 }), { minLength: 1, maxLength: 8 }), (texts) => {
        const known = new Likeness<string>(
          (text) => text,
          (text) => text,
        );
        for (const text of texts) known.put(text);
        return texts.every((text) => {
          const [best] = known.alike(text, () => true);
          return best === undefined || best.likeness <= 1;
        });
      }),
    );
  });
});

test("trust is that of the least trusted", () => {
  expect(leastTrusted(["human", "document", "tool"])).toBe("document");
  expect(leastTrusted([])).toBe("agent");
});
