import fc from "fast-check";
import { expect, test } from "vitest";
import { builtinSummary } from "../../src/llm/builtin/summary.js";
import type { Day, Month } from "../../src/model/time.js";
import type { SummaryJob, SummarySectionInput } from "../../src/llm/jobs/summary.js";
import { dayJob, said, section } from "./given.js";

async function day(input: SummarySectionInput): Promise<string> {
  return (await builtinSummary(dayJob(input))).sections[0]?.text ?? "";
}

async function month(input: SummarySectionInput): Promise<string> {
  const job: SummaryJob = { ...dayJob(input), tier: "month", date: "2026-01" as Month };
  return (await builtinSummary(job)).sections[0]?.text ?? "";
}

const bullets = (text: string): string[] => text.split("\n").filter((line) => line.startsWith("- "));

const english = [
  said("09:00", "Alice", "Good morning!"),
  said("09:00", "agent", "Good morning! How can I help you today?", "agent"),
  said("09:01", "Alice", "I decided to go with Postgres 16 for the billing service."),
  said("09:02", "agent", "Great choice! Let me know if you need anything else.", "agent"),
  said("09:03", "Alice", "Remind me to call Dr. Smith tomorrow at 3pm. I'm allergic to penicillin."),
  said("09:04", "agent", "Which region should I deploy to?", "agent"),
  said("09:05", "Alice", "Frankfurt."),
  said("09:06", "deploy", "Deployed billing v1.4.2 to eu-central-1 in 12 s.", "tool"),
  said("09:07", "Alice", "lol ok thanks"),
];

const chinese = [
  said("09:00", "小明", "早上好"),
  said("09:01", "小明", "我决定用 Postgres 16 做计费服务。"),
  said("09:02", "agent", "好的，没问题！", "agent"),
  said("09:03", "小明", "下周三下午3点要和王总开会，记得提醒我带合同。"),
  said("09:04", "小明", "我对花生过敏，喜欢喝乌龙茶。"),
  said("09:05", "小明", "哈哈哈"),
];

test("it keeps decisions, promises, facts, results and short answers with their questions", async () => {
  const text = await day(section(english));
  expect(text).toContain("- 09:01 Alice: I decided to go with Postgres 16 for the billing service.");
  expect(text).toContain("call Dr. Smith tomorrow (2026-01-29) at 3pm");
  expect(text).toContain("allergic to penicillin");
  expect(text).toContain("Which region should I deploy to? → Frankfurt.");
  expect(text).toContain("09:06 deploy: Deployed billing v1.4.2");
});

test("it drops greetings, thanks and offers of help", async () => {
  expect(await day(section(english))).not.toMatch(/morning|lol|let me know|how can i help/i);
});

test("Chinese is read as well as English", async () => {
  const text = await day(section(chinese));
  expect(text).toContain("- 09:01 小明: 我决定用 Postgres 16 做计费服务。");
  expect(text).toContain("下周三 (2026-02-04)下午3点要和王总开会");
  expect(text).toContain("我对花生过敏");
  expect(text).not.toMatch(/早上好|哈哈|没问题/);
});

test("a bare yes keeps what it was said to", async () => {
  const text = await day(
    section([
      said("10:00", "agent", "Shall I delete the staging database?", "agent"),
      said("10:01", "Bob", "Yes"),
    ]),
  );
  expect(text).toContain("10:01 Bob: Shall I delete the staging database? → Yes");
});

test("the same thing said again is one bullet; another number makes it another", async () => {
  const text = await day(
    section([
      said("09:00", "Bob", "The server in Lisbon costs 40 euros a month."),
      said("10:00", "Bob", "The server in Lisbon costs 40 euros a month!"),
      said("11:00", "Bob", "The server in Lisbon costs 55 euros a month."),
    ]),
  );
  expect(bullets(text)).toHaveLength(2);
});

test("a whole day has a bounded number of bullets under a handful of headings", async () => {
  const topics = ["garden fence", "tax return", "violin lessons", "kitchen tiles"];
  const busy = Array.from({ length: 400 }, (_, n) =>
    said(
      "12:00",
      "Bob",
      `I decided that step ${n} of the ${topics[n % 4]} costs ${n * 7} euros at ${"abcdefghij"[n % 10]}${n} Street.`,
    ),
  );
  const text = await day(section(busy));
  expect(bullets(text).length).toBeGreaterThanOrEqual(12);
  expect(bullets(text).length).toBeLessThanOrEqual(25);
  const headings = text.match(/^### .+$/gm) ?? [];
  expect(headings.length).toBeGreaterThan(1);
  expect(headings.length).toBeLessThanOrEqual(5);
});

test("a sentence that points at the one before takes it along, or is not chosen", async () => {
  const text = await day(
    section([
      said(
        "10:00",
        "Bob",
        "I met a potter named Jean at the fair in Leeds. She had fired 300 bowls in 2019.",
      ),
      said("10:05", "Alice", "It cost him 4000 euros, he decided."),
      said("10:06", "Bob", "我姐姐林溪下个月从青岛回来。她订了 G232 次车。"),
    ]),
  );
  expect(text).toContain("I met a potter named Jean at the fair in Leeds. She had fired 300 bowls in 2019.");
  expect(text).not.toMatch(/Bob: She had/);
  expect(text).toMatch(/林溪下个月.*她订了 G232/);
  expect(text).not.toContain("It cost him");
});

test("headings are things, not deeds, qualities or who is spoken to", async () => {
  const lines = [
    "I decided to buy the tram ticket with a big discount, Mo.",
    "We ordered the tram pass for 300 euros, thanks Mo!",
    "It was tough, and a tough week, but the kiln broke on Monday.",
    "I bought a second kiln for 900 euros, tough luck.",
    "Update: the invoice of the kiln is paid, 900 euros.",
    "Update: we will update the roof in June with 12 tiles.",
    "The roof costs 4000 euros in Leeds.",
    "I will update you about the roof on 12 June.",
  ];
  const text = await day(section(lines.map((line, n) => said(`10:0${n}`, "Bob", line))));
  const headings = (text.match(/^### .+$/gm) ?? []).map((line) => line.slice(4));
  expect(headings).toEqual(expect.arrayContaining(["kiln", "roof"]));
  expect(headings.join(" ")).not.toMatch(/update|tough|big|Mo\b/i);
});

test("what is said to please is no part of a day that has anything else", async () => {
  const text = await day(
    section([
      said("10:00", "Bob", "I joined the tram museum in Porto as a guide."),
      said("10:01", "Alice", "Wow, Bob, that's incredible!"),
      said("10:02", "Alice", "Your enthusiasm is so inspiring, Bob, keep it up!"),
      said("10:03", "Bob", "I totally agree, Alice!"),
    ]),
  );
  expect(bullets(text)).toEqual(["- 10:00 Bob: I joined the tram museum in Porto as a guide."]);
});

test("a month is made of its days' notes and of conversation, each bullet with its day", async () => {
  const notes = await day(section(english));
  const text = await month({
    days: [{ day: "2026-01-28" as Day, text: notes }],
    utterances: [said("08:00", "Alice", "We shipped billing v2.0 yesterday.", "user", "2026-01-30" as Day)],
  });
  expect(text).toContain("- 2026-01-28 Alice: I decided to go with Postgres 16 for the billing service.");
  expect(text).toContain("- 2026-01-30 Alice: We shipped billing v2.0 yesterday (2026-01-29).");
});

test("no day of a month goes without a word", async () => {
  const days = Array.from({ length: 28 }, (_, n) => `2026-01-${String(n + 1).padStart(2, "0")}` as Day);
  const loud = days.flatMap((on) =>
    Array.from({ length: on === days[0] ? 90 : 1 }, (_, n) =>
      said("08:00", "Bob", `I decided on plan ${n} for ${on} with Company${n} Ltd.`, "user", on),
    ),
  );
  const text = await month(section(loud));
  for (const on of days) expect(text).toContain(`- ${on} `);
  expect(bullets(text).length).toBeLessThanOrEqual(60);
});

test("a previous summary keeps every line, hand-written ones too, and takes in what is new", async () => {
  const previous =
    "### Postgres\n\n- 08:00 Alice: We use Postgres 15 elsewhere.\n\nMy own note: ask Bob about backups.\n\n### Home\n\n- 08:30 Alice: The cat is called Minka.";
  const text = await day(section(english, { previous }));
  for (const line of previous.split("\n")) expect(text.split("\n")).toContain(line);
  expect(text.indexOf("I decided to go with Postgres 16")).toBeLessThan(text.indexOf("### Home"));
  expect(text).toContain("allergic to penicillin");
});

test("secrets stay out of what it writes", async () => {
  const text = await day(
    section([said("09:00", "Bob", "I decided the key is sk-proj-abcdEFGH1234567890abcdEFGH for Berlin.")]),
  );
  expect(text).toContain("[redacted:api-key]");
});

test("an input with nothing new and no text gives back what was there", async () => {
  expect(await day(section([], { previous: "- 08:00 Bob: hello" }))).toBe("- 08:00 Bob: hello");
  expect(await day(section([]))).toBe("");
});

const words = fc.constantFrom(
  "hello",
  "ok",
  "I decided",
  "我喜欢",
  "乌龙茶",
  "Lisbon",
  "40 euros",
  "tomorrow",
  "why?",
  "## x",
  "<!-- y",
  "```",
  "- ",
  "。",
  ". ",
  "\n",
  "谢谢",
  "deploy v1.2",
  "→",
);
const utterances = fc.array(
  fc.record({
    text: fc.array(words, { maxLength: 14 }).map((parts) => parts.join(" ")),
    who: fc.constantFrom("Ann", "local", "agent"),
    at: fc.integer({ min: 10, max: 59 }),
  }),
  { maxLength: 25 },
);
const asSection = (given: { text: string; who: string; at: number }[]): SummarySectionInput =>
  section(given.map(({ text, who, at }) => said(`10:${at}`, who, text, who === "agent" ? "agent" : "user")));

test("the same input gives the same bytes, and fed back as previous it adds nothing", async () => {
  await fc.assert(
    fc.asyncProperty(utterances, fc.constantFrom(day, month), async (given, write) => {
      const input = asSection(given);
      const once = await write(input);
      expect(await write(input)).toBe(once);
      expect(await write({ ...input, previous: once })).toBe(once);
    }),
  );
});

test("never empty for input with words, and never a heading or comment that breaks the file", async () => {
  await fc.assert(
    fc.asyncProperty(utterances, async (given) => {
      const text = await day(asSection(given));
      if (given.some(({ text: spoken }) => /[\p{L}\p{N}]{2}/u.test(spoken)))
        expect(bullets(text).length).toBeGreaterThan(0);
      expect(text).not.toMatch(/^#{1,2}\s|<!--|^---/m);
    }),
  );
});
