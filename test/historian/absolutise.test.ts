import { expect, test } from "vitest";
import { absolutise, type Rewrite, type Stated, type ToRewrite } from "../../src/historian/absolutise.js";

type Refused = { to: "unavailable"; reason: string };
const options = { gate: "strict" as const, retries: 2, force: false, known: new Set<string>() };

/** Answers round by round; the last answer again and again. */
function answering(...rounds: (readonly (string | undefined)[])[]): {
  rewrite: Rewrite<Refused>;
  asked: ToRewrite[][];
} {
  const asked: ToRewrite[][] = [];
  return {
    asked,
    rewrite: async (texts) => {
      const texts2 = rounds[asked.length] ?? rounds.at(-1) ?? [];
      asked.push([...texts]);
      return { to: "done", texts: texts2 };
    },
  };
}

async function told(
  observations: readonly string[],
  rounds: (readonly (string | undefined)[])[],
  more: Partial<typeof options> | { gate: "warn" | "off" } = {},
): Promise<{ stated: Stated[]; asked: ToRewrite[][] }> {
  const { rewrite, asked } = answering(...rounds);
  const answer = await absolutise(observations, rewrite, { ...options, ...more });
  if (answer.to !== "done") throw new Error(answer.reason);
  return { stated: answer.stated, asked };
}

test("what stands alone is kept at once, and only the rest is sent back, told why", async () => {
  const { stated, asked } = await told(
    ["I like tea", "he left yesterday"],
    [["Lin likes tea.", "he left on 2026-03-01."], ["Wei left on 2026-03-01."]],
  );
  expect(stated).toEqual([
    { text: "Lin likes tea.", said: "I like tea", isAbsolute: true },
    { text: "Wei left on 2026-03-01.", said: "he left yesterday", isAbsolute: true },
  ]);
  expect(asked[1]).toEqual([
    {
      text: "he left yesterday",
      tried: "he left on 2026-03-01.",
      problem: "say who is meant instead of “he”",
    },
  ]);
});

test("after two more tries it is kept as far as it came, and marked", async () => {
  const { stated, asked } = await told(["he left"], [["he left home."]]);
  expect(asked).toHaveLength(3);
  expect(stated).toEqual([
    {
      text: "he left home.",
      said: "he left",
      isAbsolute: false,
      problem: "say who is meant instead of “he”",
    },
  ]);
});

test("the words that were written again are kept beside, without the secrets in them", async () => {
  const { stated } = await told(
    ["he said my password is Blossom!quartz-Kite yesterday"],
    [["Wei told the password of the house on 2026-03-01."]],
  );
  expect(stated[0]?.text).toBe("Wei told the password of the house on 2026-03-01.");
  expect(stated[0]?.said).toContain("he said my password is");
  expect(stated[0]?.said).not.toContain("Blossom");
});

test("what drifts is never kept: the words are those that were said", async () => {
  const { stated } = await told(["Lin(u-17) left"], [["Wei(u-18) left."]]);
  expect(stated).toEqual([
    {
      text: "Lin(u-17) left",
      isAbsolute: false,
      problem: "it no longer names u-17; it names u-18, which nobody mentioned",
    },
  ]);
});

test("by force what fails the gate is kept at once, but not what drifts", async () => {
  const forced = await told(["he left"], [["he left home."]], { force: true });
  expect(forced.asked).toHaveLength(1);
  expect(forced.stated[0]).toMatchObject({ text: "he left home.", isAbsolute: false });
  expect((await told(["Lin(u-17) left"], [["Wei(u-18) left."]], { force: true })).asked).toHaveLength(3);
});

test("warned it is kept as absolute with a word, switched off nobody looks", async () => {
  expect((await told(["he left"], [["he left."]], { gate: "warn" })).stated).toEqual([
    { text: "he left.", said: "he left", isAbsolute: true, problem: "say who is meant instead of “he”" },
  ]);
  expect((await told(["he left"], [["he left."]], { gate: "off" })).stated).toEqual([
    { text: "he left.", said: "he left", isAbsolute: true },
  ]);
});

test("what a model leaves out is asked for again, and never gone", async () => {
  const { stated, asked } = await told(["Lin left", "Wei stayed"], [["Lin left.", undefined], [""]]);
  expect(asked[1]).toEqual([{ text: "Wei stayed", problem: "it was left out" }]);
  expect(stated[1]).toEqual({ text: "Wei stayed", isAbsolute: false, problem: "it was left out" });
});

test("a provider that cannot be had is told as it is", async () => {
  const refused: Refused = { to: "unavailable", reason: "503" };
  expect(await absolutise<Refused>(["x"], async () => refused, options)).toBe(refused);
});
