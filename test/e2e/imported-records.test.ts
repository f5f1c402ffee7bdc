/** What is only told by the records that were made of an import is found: the days that were counted, who has whom. */
import { expect, test } from "vitest";
import type { Status } from "../../src/service/status.js";
import { cliPlace } from "../support/cli.js";

const NOW = "2026-03-02T12:00:00Z";

/** What was said on a day, what somebody asks about it a year later, and what only the record says. */
const TOLD: readonly (readonly [day: string, said: string, asks: string, answer: string])[] = [
  [
    "2025-01-08",
    "Yesterday I signed up for a pottery class in Leeds.",
    "When did I sign up for pottery?",
    "2025-01-07",
  ],
  ["2025-01-15", "Last week I bought a red canoe from Marta.", "When did I buy the canoe?", "2025-01-06"],
  [
    "2025-01-22",
    "I lost my job at Harbor Freight this month.",
    "In which month did I lose my job?",
    "2025-01",
  ],
  [
    "2025-02-03",
    "Two days ago I adopted a kitten named Miso.",
    "On which day did I adopt the kitten?",
    "2025-02-01",
  ],
  [
    "2025-02-10",
    "I ran the Porto marathon yesterday in under four hours.",
    "When was the marathon that I ran?",
    "2025-02-09",
  ],
  ["2025-02-17", "My sister Ana got married last month.", "When did Ana marry?", "2025-01"],
  [
    "2025-02-24",
    "I started skating three years ago and never stopped.",
    "Since which year do I skate?",
    "2022",
  ],
  [
    "2025-03-03",
    "The day before yesterday I visited the tram museum in Lisbon.",
    "When was I in the tram museum?",
    "2025-03-01",
  ],
  [
    "2025-03-10",
    "That drawing was for my daughter Sara's birthday.",
    "Do I have a daughter, and what is she called?",
    "has a daughter, Sara",
  ],
  [
    "2025-03-17",
    "I'm a shooting guard for the team and our coach is strict.",
    "What do I play as?",
    "is a shooting guard",
  ],
  ["2025-03-24", "Last Saturday I sold my old kiln to a potter.", "When did I sell the kiln?", "2025-03-22"],
  ["2025-03-31", "I'm going to fly to Oslo in three weeks.", "When do I fly to Oslo?", "2025-04-2"],
  ["2025-04-07", "Last year I visited Kyoto with my brother Leo.", "In which year was I in Kyoto?", "2024"],
  ["2025-04-14", "我昨天买了一台二手钢琴。", "我什么时候买了钢琴？", "2025-04-13"],
  ["2025-04-21", "我上周参加了青岛的帆船比赛。", "我什么时候参加了帆船比赛？", "2025-04-14"],
  ["2025-04-28", "我去年开了一家咖啡店。", "咖啡店是哪一年开的？", "2024"],
  ["2025-05-05", "前天我收养了一只橘猫。", "我哪天收养了橘猫？", "2025-05-03"],
  ["2025-05-12", "我对花生过敏，不喝牛奶。", "我不能喝什么？", "Lin Yue 不喝牛奶"],
  ["2025-05-19", "我女儿昨天发烧了，我带她去医院。", "我有女儿吗？", "有女儿"],
  ["2025-05-26", "下周三我要去杭州出差。", "我哪天去杭州出差？", "2025-06-04"],
];

test("questions whose answer stands in records alone are answered, days, names and relations", async () => {
  const place = cliPlace();
  const lines = TOLD.map(([day, text], n) =>
    JSON.stringify({
      id: `m-${n}`,
      role: "user",
      text,
      createdAt: `${day}T10:00:00Z`,
      session: `s-${n}`,
      speaker: "Lin Yue",
    }),
  );
  expect((await place.memd(["import", "-"], { now: NOW, input: lines.join("\n") })).code).toBe(0);
  for (const [, said, , answer] of TOLD) expect(said).not.toContain(answer);
  const daemon = place.launch(["start"], { now: NOW });
  await daemon.says("Ready.");
  const left = async (): Promise<number> => {
    const { stdout } = await place.memd(["status", "--json"], { now: NOW });
    const { imported, queue } = JSON.parse(stdout) as Status;
    return (imported?.left ?? 0) + queue.pending + queue.processing;
  };
  await expect.poll(left, { timeout: 60_000, interval: 500 }).toBe(0);
  const missed: string[] = [];
  for (const [, , question, answer] of TOLD) {
    const { stdout } = await place.memd(["search", "--json", "-n", "10", question], { now: NOW });
    const { hits } = JSON.parse(stdout) as { hits: { kind: string; text: string }[] };
    const isRecord = (kind: string): boolean => kind === "fact" || kind === "foresight";
    if (!hits.some(({ kind, text }) => isRecord(kind) && text.includes(answer)))
      missed.push(`${question} ${hits.map(({ kind, text }) => `${kind} ${text}`).join(" | ")}`);
  }
  expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(2);
  daemon.kill("SIGTERM");
  await daemon.ended;
}, 180_000);
