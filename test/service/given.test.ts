import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isMemdError } from "../../src/model/errors.js";
import { epochMs } from "../../src/model/time.js";
import { endedJob, spokenMessage } from "../../src/service/given.js";
import { parseMessage, printMessage } from "../../src/protocol/message.js";
import { parseQueueJob } from "../../src/protocol/queue-job.js";
import { hostileText, jsonValue } from "../support/arbitrary.js";

const now = epochMs(Date.parse("2026-01-05T10:00:00Z"));
const NOW = "2026-01-05T10:00:00.000Z";

const names = fc.oneof({ weight: 9, arbitrary: hostileText.filter((text) => text !== "") }, hostileText);
const address = { user: names, scope: names, session: names };
/** Mostly what it should be, with a field now and then that is not. */
const sayings = fc
  .tuple(
    fc.record(
      {
        text: hostileText,
        role: fc.constantFrom("user", "agent", "tool", "system", "assistant"),
        speaker: hostileText,
        ...address,
        private: fc.boolean(),
        createdAt: fc.constantFrom(NOW, "2026-01-05", "2026-01-05 10:00:00+08"),
        mood: jsonValue,
      },
      { requiredKeys: ["text"] },
    ),
    fc.option(fc.tuple(fc.constantFrom("text", "role", "user", "tool", "scene", "__proto__"), jsonValue), {
      freq: 4,
    }),
  )
  .map(([fields, odd]) => Object.fromEntries([...Object.entries(fields), ...(odd === null ? [] : [odd])]));
const turns = fc
  .tuple(
    fc.record(
      { memo: hostileText, observations: fc.array(hostileText), force: fc.boolean(), ...address },
      { requiredKeys: [] },
    ),
    fc.option(fc.tuple(fc.constantFrom("memo", "observations", "force", "user", "more"), jsonValue), {
      freq: 4,
    }),
  )
  .map(([fields, odd]) => Object.fromEntries([...Object.entries(fields), ...(odd === null ? [] : [odd])]));

describe("what is said", () => {
  test("is a user's message of this moment unless it says otherwise", () => {
    expect(spokenMessage({ text: "hi" }, now)).toEqual({ role: "user", text: "hi", createdAt: NOW });
    const given = {
      text: "port = 5433",
      role: "tool",
      user: "lin",
      speaker: "Lin",
      scope: "group:harbor",
      session: "s",
      scene: "group",
      private: true,
      createdAt: "2026-01-04T10:00:00+08:00",
      tool: { name: "read", callId: "c1", result: "x" },
      attachments: [{ kind: "image", path: "a.png" }],
    };
    expect(spokenMessage({ ...given, mood: "calm" }, now)).toEqual({ ...given, extra: { mood: "calm" } });
    expect(spokenMessage({ text: "hi", role: "assistant" }, now).role).toBe("agent");
    expect(spokenMessage({ text: "hi", createdAt: new Date(now) }, now).createdAt).toBe(NOW);
    expect(spokenMessage({ text: "hi", user: undefined }, now)).not.toHaveProperty("user");
    expect(spokenMessage({ text: "", tool: { name: "read", callId: "c1" } }, now).text).toBe("");
  });

  test.each([
    ["nothing", undefined, /A message must be an object/],
    ["a text alone", "hi", /must be an object/],
    ["a list", [{ text: "hi" }], /must be an object/],
    ["no text", {}, /"text"/],
    ["a text that is a number", { text: 5 }, /"text" must be text/],
    ["blanks", { text: " \n " }, /"text" must be more than blanks/],
    ["a role that is none", { text: "hi", role: "narrator" }, /"role" must be user, agent, tool or system/],
    ["a time that is none", { text: "hi", createdAt: "yesterday" }, /"createdAt" must be an ISO 8601 time/],
    ["an empty time", { text: "hi", createdAt: "" }, /"createdAt"/],
    ["a number for a time", { text: "hi", createdAt: 1_767_607_200 }, /"createdAt"/],
    ["an empty user", { text: "hi", user: "" }, /"user" must be a name/],
    ["half a character in a scope", { text: "hi", scope: "\ud800" }, /"scope" must be a name/],
    ["a session that is an object", { text: "hi", session: {} }, /"session" must be a name/],
    ["a speaker that is a number", { text: "hi", speaker: 7 }, /"speaker"/],
    ["private that is text", { text: "hi", private: "yes" }, /"private"/],
    ["a tool without a call", { text: "hi", tool: { name: "x" } }, /"tool"/],
    ["attachments that are none", { text: "hi", attachments: ["a.png"] }, /"attachments"/],
    ["an id", { text: "hi", id: "mine" }, /"id" must be not given/],
    ["on whose behalf", { text: "hi", as: "lin" }, /"as" must be not given/],
    ["what JSON cannot carry", { text: "hi", size: 5n }, /what JSON can carry/],
  ])("is refused for %s", (_what, given, sentence) => {
    expect(() => spokenMessage(given, now)).toThrow(sentence);
    expect(troubleOf(() => spokenMessage(given, now))).toMatchObject({ code: "value_invalid", exit: 2 });
  });

  test("comes back from its file as it was taken, whatever was given", () => {
    let taken = 0;
    fc.assert(
      fc.property(sayings, (given) => {
        const trouble = troubleOf(() => spokenMessage(given, now));
        if (trouble !== undefined) {
          expect(isMemdError(trouble, "value_invalid")).toBe(true);
          return;
        }
        taken += 1;
        const message = spokenMessage(given, now);
        expect(parseMessage(JSON.parse(JSON.stringify(printMessage(message))))).toEqual(message);
      }),
      { numRuns: 500 },
    );
    expect(taken).toBeGreaterThan(50);
  });
});

describe("what is kept of a turn", () => {
  test("says where it belongs, and leaves out blanks", () => {
    expect(endedJob({ memo: "Done.", observations: ["a", "  ", "b"], force: true }, now)).toEqual({
      version: 1,
      kind: "end",
      createdAt: NOW,
      user: "local",
      scope: "main",
      session: "main",
      memo: "Done.",
      observations: ["a", "b"],
      force: true,
    });
    const elsewhere = endedJob(
      { memo: " ", observations: ["a"], user: "lin", scope: "s", session: "x" },
      now,
    );
    expect(elsewhere).toMatchObject({ user: "lin", scope: "s", session: "x", observations: ["a"] });
    expect(elsewhere).not.toHaveProperty("memo");
    expect(elsewhere).not.toHaveProperty("force");
  });

  test("in a group, without a user, belongs to nobody in particular", () => {
    expect(endedJob({ memo: "Done.", scope: "group:harbor" }, now)).not.toHaveProperty("user");
  });

  test.each([
    [{}],
    [{ memo: " \n" }],
    [{ observations: [] }],
    [{ memo: "", observations: ["", "\t"], force: true }],
  ])("is nothing for %j", (given) => {
    expect(endedJob(given, now)).toBeUndefined();
  });

  test.each([
    ["nothing", undefined, /The end of a turn must be an object/],
    ["a mistyped name", { memos: "Done." }, /"memos" must be one of memo, observations/],
    ["a memo that is a list", { memo: ["Done."] }, /"memo" must be text/],
    ["one observation", { observations: "a" }, /"observations" must be a list of texts/],
    ["an observation that is none", { observations: ["a", 5] }, /"observations"/],
    ["a force that is text", { memo: "Done.", force: "yes" }, /"force" must be true or false/],
    ["an empty scope", { memo: "Done.", scope: "" }, /"scope" must be a name/],
    ["a wrong address even where there is nothing to keep", { user: "" }, /"user" must be a name/],
    ["a time that is none", { memo: "Done.", createdAt: "soon" }, /"createdAt"/],
  ])("is refused for %s", (_what, given, sentence) => {
    expect(() => endedJob(given, now)).toThrow(sentence);
    expect(troubleOf(() => endedJob(given, now))).toMatchObject({ code: "value_invalid" });
  });

  test("is a job that can be read, or is refused, whatever was given", () => {
    let jobs = 0;
    fc.assert(
      fc.property(turns, (turn) => {
        const trouble = troubleOf(() => endedJob(turn, now));
        if (trouble !== undefined) {
          expect(isMemdError(trouble, "value_invalid")).toBe(true);
          return;
        }
        const job = endedJob(turn, now);
        if (job === undefined) return;
        jobs += 1;
        expect(parseQueueJob(JSON.stringify(job))).toEqual({ is: "job", job });
      }),
      { numRuns: 500 },
    );
    expect(jobs).toBeGreaterThan(20);
  });
});

function troubleOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    // Handed to the test, which says what it must be.
    return error;
  }
}
