import { describe, expect, test } from "vitest";
import type { Inquiry } from "../../src/context/inputs.js";
import { atOnce } from "../../src/model/steps.js";
import { chooseLines, type Candidates, type Choice } from "../../src/context/memory-choice.js";
import { bodyOf } from "../../src/context/memory-room.js";
import type { Hit, Passage } from "../../src/model/passage.js";
import { epochMs } from "../../src/model/time.js";
import { breadthOf } from "../../src/text/asking.js";
import { estimateTokens } from "../../src/text/tokens.js";
import { hit, zone } from "./given.js";

const asked = (text: string): Inquiry => ({ text, context: [], breadth: breadthOf(text) });
const about = (question: string, hits: readonly Hit[], parts: Record<string, string[]> = {}): Candidates => ({
  inquiry: asked(question),
  ownScore: Math.max(0, ...hits.map(({ score }) => score)),
  hits: hits.map((one) => ({
    hit: one,
    parts: () => parts[one.passage.id] ?? [one.passage.text],
  })),
});
const choose = (all: Candidates[], budgetTokens = 3072): Choice =>
  atOnce(chooseLines(all, { budgetTokens, lines: 120, events: 40 }, zone));
const textsOf = ({ chosen }: Choice): string[] => chosen.map(({ hit: { passage } }) => passage.text);

function on(day: string, text: string, score: number, more: Partial<Passage> = {}): Hit {
  const saidAt = epochMs(Date.parse(`${day}T04:00:00Z`));
  return hit({ text, day, saidAt, path: `memory/${day}-day.md`, ...more }, score);
}

describe("what is worth its tokens", () => {
  test("one strong hit and many weak ones are few lines", () => {
    const strong = on("2026-01-02", "The mooring deposit is €400.", 0.8);
    const weak = Array.from({ length: 40 }, (_, at) => on("2026-01-03", `A deposit of sand, ${at}.`, 0.2));
    const choice = choose([about("How much is the mooring deposit?", [strong, ...weak])]);
    expect(textsOf(choice)).toEqual([strong.passage.text]);
    expect(choice.leftOut).toHaveLength(40);
    expect(new Set(choice.leftOut.map(({ why }) => why))).toEqual(new Set(["clearly weaker than the best"]));
  });

  test("hits that are all as good fill the budget and never pass it", () => {
    const hits = Array.from({ length: 200 }, (_, at) =>
      on(`2026-01-${String((at % 28) + 1).padStart(2, "0")}`, `Harbour ${at} was visited by the boat.`, 0.6),
    );
    for (const budget of [200, 1000, 2000]) {
      const { chosen, leftOut } = choose([about("Which harbours did we visit?", hits)], budget);
      const tokens = estimateTokens(bodyOf(chosen));
      expect(tokens).toBeLessThanOrEqual(budget);
      expect(tokens).toBeGreaterThan(budget * 0.7);
      expect(leftOut.some(({ why }) => why === "no room in the section")).toBe(true);
    }
  });

  test("what is no question shows what says much of it, and nothing that only the words before it found", () => {
    const statement = "we are melting in the harbour heat";
    const shownOf = (score: number, ownScore?: number): string[] =>
      textsOf(
        choose([
          {
            ...about(statement, [on("2026-01-02", "A heat wave.", score)]),
            ...(ownScore !== undefined && { ownScore }),
          },
        ]),
      );
    expect(shownOf(0.5)).toEqual(["A heat wave."]);
    expect(shownOf(0.25)).toEqual([]);
    expect(shownOf(0.5, 0.25)).toEqual([]);
    expect(shownOf(0.5, 0.4)).toEqual(["A heat wave."]);
    const question = about("Is there a heat wave?", [on("2026-01-02", "A heat wave.", 0.25)]);
    expect(textsOf(choose([{ ...question, ownScore: 0.1 }]))).toEqual(["A heat wave."]);
  });

  test("of weak hits only, five are shown", () => {
    const weak = Array.from({ length: 12 }, (_, at) => on("2026-01-03", `A deposit of sand, ${at}.`, 0.1));
    const choice = choose([about("Is there sand?", weak)]);
    expect(textsOf(choice)).toEqual(weak.slice(0, 5).map(({ passage }) => passage.text));
  });

  test("a limit of lines holds, and one of events", () => {
    const hits = Array.from({ length: 20 }, (_, at) =>
      on(`2026-01-${at + 10}`, `The mast was repaired, ${at}.`, 0.6, {
        kind: at % 2 === 0 ? "event" : "message",
      }),
    );
    const limits = { budgetTokens: 3072, lines: 9, events: 2 };
    const { chosen } = atOnce(chooseLines([about("When was the mast repaired?", hits)], limits, zone));
    expect(chosen).toHaveLength(9);
    expect(chosen.filter(({ hit: { passage } }) => passage.kind === "event")).toHaveLength(2);
  });

  test("what two questions found is shown once", () => {
    const one = on("2026-01-02", "The anchor and the mast lie in Lisbon.", 0.6);
    const { chosen } = choose([about("Where is the anchor?", [one]), about("Where is the mast?", [one])]);
    expect(chosen).toHaveLength(1);
  });
});

describe("every question has its share", () => {
  const many = (what: string, count: number, score: number): Hit[] =>
    Array.from({ length: count }, (_, at) =>
      on(
        `2026-01-${String((at % 28) + 1).padStart(2, "0")}`,
        `The ${what} was looked at again, ${at}.`,
        score,
      ),
    );

  test.each([
    ["Which anchors did we look at?", "Which masts did we look at?"],
    ["我们看过哪些锚？", "我们看过哪些桅杆？"],
  ])("however good the hits of the other: %s %s", (first, second) => {
    const choice = choose([about(first, many("anchor", 60, 0.9)), about(second, many("mast", 60, 0.5))], 600);
    const used = [0, 1].map((question) =>
      choice.chosen.filter((line) => line.question === question).reduce((sum, { tokens }) => sum + tokens, 0),
    );
    expect(Math.min(...used)).toBeGreaterThan(0.4 * (used[0] ?? 0) + 0.4 * (used[1] ?? 0));
  });

  test("one that needs less leaves it to the other", () => {
    const choice = choose([
      about("Which anchors did we look at?", many("anchor", 60, 0.6)),
      about("Who has the key?", many("key", 1, 0.6)),
    ]);
    expect(choice.chosen.filter(({ question }) => question === 0).length).toBeGreaterThan(30);
    expect(choice.chosen.filter(({ question }) => question === 1)).toHaveLength(1);
  });
});

test("no day takes more than about half while another good one has none", () => {
  const crowd = Array.from({ length: 80 }, (_, at) =>
    on("2026-01-05", `The mast was repaired again, ${at}.`, 0.6),
  );
  const others = ["2026-01-06", "2026-01-07", "2026-01-08"].map((day) =>
    on(day, `On that day the mast was repaired in ${day}.`, 0.55),
  );
  const { chosen } = choose([about("Which masts were repaired?", [...crowd, ...others])], 700);
  const days = new Set(chosen.map(({ hit: { passage } }) => passage.day));
  expect([...days].sort()).toEqual(["2026-01-05", "2026-01-06", "2026-01-07", "2026-01-08"]);
});

test("a day alone may take it all", () => {
  const crowd = Array.from({ length: 80 }, (_, at) =>
    on("2026-01-05", `The mast was repaired again, ${at}.`, 0.6),
  );
  const { chosen } = choose([about("Which masts were repaired?", crowd)], 700);
  expect(estimateTokens(bodyOf(chosen))).toBeGreaterThan(500);
});

describe("summaries", () => {
  const told = [
    on("2026-01-05", "Bad news. The mast broke near Malta. Nobody was hurt.", 0.6),
    on("2026-01-05", "A new mast was ordered in Lisbon.", 0.55),
  ];
  const summary = on(
    "2026-01-05",
    "- 12:00 user: The mast broke near Malta.\n- 12:05 user: The mast was insured by Bruno.",
    0.5,
    {
      kind: "day_summary",
    },
  );
  const lines = {
    [summary.passage.id]: [
      "12:00 user: The mast broke near Malta.",
      "12:05 user: The mast was insured by Bruno.",
    ],
  };

  test("come first where a whole matter is asked for", () => {
    const { chosen } = choose([about("Can you summarize the story of the mast?", [...told, summary], lines)]);
    expect(chosen[0]?.hit).toBe(summary);
  });

  test("come behind the messages where one thing is", () => {
    const { chosen } = choose([about("Where did the mast break?", [...told, summary], lines)]);
    expect(chosen[0]?.hit).toBe(told[0]);
  });

  test("do not say again what a message that is shown says", () => {
    const { chosen } = choose([about("Where did the mast break?", [...told, summary], lines)]);
    const body = bodyOf(chosen);
    expect(body.match(/The mast broke near Malta/g)).toHaveLength(1);
    expect(body).toContain("insured by Bruno");
  });

  test("are quoted by the lines that hold what is asked", () => {
    const other = {
      [summary.passage.id]: ["09:00 user: The tea is cold.", "12:05 user: The mast was insured."],
    };
    const body = bodyOf(choose([about("Who insured the mast?", [summary], other)]).chosen);
    expect(body).toContain("The mast was insured.");
    expect(body).not.toContain("tea");
  });
});

describe("an answer", () => {
  const question = on("2026-01-05", "Which quay does the ferry leave from?", 0.15, {
    session: "main",
    sequence: 7,
  });
  const answer = on("2026-01-05", "The ferry leaves from quay seven.", 0.7, {
    role: "agent",
    trust: "agent",
    session: "main",
    sequence: 8,
  });

  test("comes with its question, which by itself is too weak", () => {
    const { chosen } = choose([about("Where does the ferry leave?", [answer, question])]);
    expect(chosen.map(({ hit: one }) => one)).toEqual([answer, question]);
    const body = bodyOf(chosen);
    expect(body.indexOf("Which quay")).toBeLessThan(body.indexOf("quay seven"));
  });

  test("comes without what was asked in another conversation, or costs much", () => {
    const elsewhere = { ...question, passage: { ...question.passage, session: "other" } };
    expect(choose([about("Where does the ferry leave?", [answer, elsewhere])]).chosen).toHaveLength(1);
    const long = { ...question, passage: { ...question.passage, text: "码头渡轮出发".repeat(60) } };
    expect(choose([about("Where does the ferry leave?", [answer, long])]).chosen).toHaveLength(1);
  });
});
