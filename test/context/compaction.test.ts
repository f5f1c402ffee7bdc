import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { afterWindow, planCompaction } from "../../src/context/compaction.js";
import { fitWindow } from "../../src/context/fit-history.js";
import { atOnce } from "../../src/model/steps.js";
import { callIdsOf, type FiledMessage, type MessageId } from "../../src/model/message.js";
import { DEFAULT_SETTINGS } from "../../src/model/settings.js";
import { epochMs } from "../../src/model/time.js";
import type { WindowSummary } from "../../src/protocol/window-file.js";
import { estimateTokens } from "../../src/text/tokens.js";
import { anyFiled, filed, zone } from "./given.js";

const settings = { ...DEFAULT_SETTINGS.context, profile: "full" as const };

function talk(count: number, words: number): FiledMessage[] {
  return Array.from({ length: count }, (_, minute) =>
    filed({
      id: `t${minute}`,
      role: minute % 2 === 0 ? "user" : "agent",
      text: `${minute} ${"word ".repeat(words)}`,
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
    }),
  );
}

function summaryThrough(last: FiledMessage, body = "- what was said"): WindowSummary {
  return {
    scope: "main" as WindowSummary["scope"],
    session: "main",
    by: "builtin",
    through: { id: last.message.id, at: last.filedAt },
    covers: [],
    body,
    edited: false,
  };
}

describe("compaction", () => {
  test("does nothing while the window is not well filled", () => {
    expect(planCompaction(talk(50, 100), undefined, settings, zone)).toBeUndefined();
  });

  test("at 30,000 tokens leaves the newest 15,000", () => {
    const messages = talk(300, 110);
    const plan = planCompaction(messages, undefined, settings, zone);
    const kept = afterWindow(messages, plan?.through);
    const tokens = kept.reduce((sum, { message }) => sum + estimateTokens(message.text), 0);
    expect(tokens).toBeLessThanOrEqual(15_000);
    expect(tokens).toBeGreaterThan(12_000);
    expect((plan?.fold.length ?? 0) + kept.length).toBe(300);
    expect(
      planCompaction(messages, summaryThrough(plan?.fold.at(-1) ?? messages[0]!), settings, zone),
    ).toBeUndefined();
  });

  test("keeps one message at least, however large", () => {
    const messages = talk(2, 40_000);
    const plan = planCompaction(messages, undefined, { ...settings, compact_at_tokens: 15_000 }, zone);
    expect(plan?.fold.map(({ message }) => message.id)).toEqual(["t0"]);
  });

  test("with one message there is nothing to drop", () => {
    const messages = talk(1, 40_000);
    expect(
      planCompaction(messages, undefined, { ...settings, compact_at_tokens: 100 }, zone),
    ).toBeUndefined();
  });

  test("a picture weighs what it costs the model", () => {
    const pictures = talk(25, 1).map((each) => ({
      ...each,
      message: { ...each.message, attachments: [{ kind: "image" }] },
    }));
    expect(planCompaction(pictures, undefined, settings, zone)).toBeDefined();
  });

  test("whatever was said: no call is cut off from its result, nothing private is folded, and something stays", () => {
    const small = { ...settings, compact_at_tokens: 200, compact_to_tokens: 80, full_history_tokens: 400 };
    fc.assert(
      fc.property(fc.array(anyFiled, { maxLength: 40 }), (drawn) => {
        const messages = drawn.map((each, index) => ({
          ...each,
          message: { ...each.message, id: `n${index}` as MessageId },
        }));
        const plan = planCompaction(messages, undefined, small, zone);
        if (plan === undefined) return;
        const kept = afterWindow(messages, plan.through);
        const gone = messages.slice(0, messages.length - kept.length);
        expect(kept.length).toBeGreaterThan(0);
        expect(plan.fold).toEqual(gone.filter(({ message }) => message.private !== true));
        const keptCalls = new Set(kept.flatMap(({ message }) => callIdsOf(message)));
        for (const { message } of gone)
          for (const call of callIdsOf(message)) expect(keptCalls.has(call)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the window", () => {
  test("shows the summary, then what it does not stand for", () => {
    const messages = talk(6, 1);
    const { body, cuts } = atOnce(fitWindow(messages, summaryThrough(messages[3]!), zone, 1000));
    expect(body.split("\n")[0]).toBe("Summary of what was said until 2026-01-01 08:03: - what was said");
    expect(body).toContain("user: 4 word");
    expect(body).not.toContain("agent: 3 word");
    expect(cuts).toEqual(["summarised until 2026-01-01 08:03"]);
  });

  test("goes on from the time of the last summarised message where that has left history.json", () => {
    const messages = talk(6, 1);
    expect(afterWindow(messages.slice(4), summaryThrough(messages[3]!).through)).toHaveLength(2);
    expect(afterWindow(messages, { id: "gone" as MessageId, at: epochMs(0) })).toHaveLength(6);
  });

  test("a huge message is shown by its beginning, its end and where the whole is", () => {
    const huge = filed({ id: "huge", text: `It begins. ${"filler ".repeat(20_000)}It ends.` });
    const { body, shown } = atOnce(fitWindow([huge, ...talk(2, 1)], undefined, zone, 4000));
    expect(body).toContain("It begins.");
    expect(body).toContain("It ends.");
    expect(body).toMatch(
      /\[… \d+ characters left out; the whole is message huge in history\.json or memory\/ …\]/,
    );
    expect(estimateTokens(shown[0]?.text ?? "")).toBeLessThanOrEqual(1000);
  });

  test("what was cut in code is code on both sides", () => {
    const code = `Look:\n\`\`\`ts\n${"const a = 1;\n".repeat(4000)}\`\`\`\nDone.`;
    const { body } = atOnce(fitWindow([filed({ text: code })], undefined, zone, 2000));
    expect(body.match(/```/g)).toHaveLength(4);
  });

  test("whatever was said, it fits", () => {
    fc.assert(
      fc.property(
        fc.array(anyFiled, { maxLength: 30 }),
        fc.integer({ min: 30, max: 3000 }),
        (messages, budget) => {
          const last = messages.at(Math.floor(messages.length / 2));
          const summary = last === undefined ? undefined : summaryThrough(last, "- a\n- b\n".repeat(50));
          expect(estimateTokens(atOnce(fitWindow(messages, summary, zone, budget)).body)).toBeLessThanOrEqual(
            budget,
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});
