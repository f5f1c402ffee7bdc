import fc from "fast-check";
import { expect, test } from "vitest";
import { characterBorder, cutMiddle, cutText, openFence, TRUNCATED } from "../../src/text/sentences.js";
import { foreignText } from "../context/given.js";

test("a text that is not too long stays as it is", () => {
  expect(cutText("好的", 2)).toBe("好的");
  expect(cutText("", 0)).toBe("");
});

test("a cut says so", () => expect(cutText("the deploy timed out", 10)).toBe("the deploy [truncated]"));

test("a cut never divides what people see as one character", () => {
  expect(cutText("ab👨‍👩‍👧‍👦cd", 5)).toBe("ab [truncated]");
  expect(cutText("cafe\u0301s", 4)).toBe("caf [truncated]");
  expect(cutText("🇨🇳🇯🇵", 5)).toBe("🇨🇳 [truncated]");
});

test("a letter under a thousand accents is cut all the same", () => {
  expect(cutText(`a${"\u0301".repeat(1000)}`, 300)).toHaveLength(300 + ` ${TRUNCATED}`.length);
});

test("an open code fence is closed before the mark", () => {
  expect(cutText("run:\n```sh\nnpm ci\nnpm test\n```", 20)).toBe("run:\n```sh\nnpm ci\nnp\n```\n[truncated]");
  expect(cutText("~~~~\n```\nlong code", 10)).toBe("~~~~\n```\nl\n~~~~\n[truncated]");
  expect(cutText("```\na\n```\nprose goes on", 15)).toBe("```\na\n```\nprose [truncated]");
});

test("backticks inside a line open nothing", () => expect(openFence("```a``` and on")).toBeUndefined());

test("whatever the text, a cut is a whole beginning of it, no longer than allowed, with its fences closed", () => {
  fc.assert(
    fc.property(foreignText, fc.integer({ min: 0, max: 900 }), (text, maxChars) => {
      const cut = cutText(text, maxChars);
      if (text.length <= maxChars) {
        expect(cut).toBe(text);
        return;
      }
      expect(cut.endsWith(TRUNCATED)).toBe(true);
      expect(openFence(cut)).toBeUndefined();
      const head = text.slice(0, characterBorder(text, maxChars));
      expect(cut.startsWith(head.trimEnd())).toBe(true);
      expect(head.length).toBeLessThanOrEqual(maxChars);
      if (text.isWellFormed()) expect(cut.isWellFormed()).toBe(true);
    }),
  );
});

test("the beginning and the end of a text that is too long hold no half characters", () => {
  const faces = "🤀🀀🤀🀀👨‍👩‍👧‍👦";
  for (let budget = 1; budget < 40; budget++)
    for (const text of [faces, `${faces}${faces}`, `mast ${faces}`])
      expect(cutMiddle(text, budget, "the rest")).toSatisfy((cut: string) => cut.isWellFormed());
});
