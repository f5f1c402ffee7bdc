import { describe, expect, test } from "vitest";
import { viewerAt } from "../../src/model/address.js";
import type { FiledMessage, Message, MessageId } from "../../src/model/message.js";
import type { Hit, Passage } from "../../src/model/passage.js";
import { epochMs, parseInstant, zoneOf, type Day } from "../../src/model/time.js";
import { newPreamble, parseVerbatim, printBlock, printVerbatim } from "../../src/protocol/verbatim.js";
import { memoryEngine } from "../../src/recall/index/memory.js";
import { passagesOfVerbatim } from "../../src/recall/message-passages.js";
import { recall } from "../../src/recall/recall.js";
import { scope } from "./passage-samples.js";

const zone = zoneOf("UTC");
const DAY = "2025-03-05" as Day;

let minute = 0;
function filed(id: string, text: string, more: Partial<Message> = {}): FiledMessage {
  const createdAt = `2025-03-05T10:${String(minute++ % 60).padStart(2, "0")}:00Z`;
  return {
    message: { id: id as MessageId, role: "user", text, createdAt, ...more },
    filedAt: parseInstant(createdAt) ?? epochMs(0),
    belongsTo: "local",
  };
}

const call = (id: string, name: string, input: string, result: string): FiledMessage =>
  filed(id, result, { role: "tool", tool: { callId: id, name, input, result } });

/** As the day stands in its file. */
function passagesOf(messages: readonly FiledMessage[]): Passage[] {
  const blocks = messages.map((message) => ({ raw: printBlock(message, zone) }));
  const file = parseVerbatim(
    printVerbatim({ day: DAY, scope: scope("main"), preamble: newPreamble(DAY), blocks }),
  );
  if (file === undefined) throw new Error("no verbatim file");
  return [...passagesOfVerbatim(`memory/${DAY}-day.md`, file, zone)];
}

async function search(passages: readonly Passage[], query: string): Promise<Hit[]> {
  const engine = memoryEngine();
  await engine.upsert(`memory/${DAY}-day.md`, "1", passages);
  const now = () => epochMs(Date.parse("2025-03-06T12:00:00Z"));
  const settings = { min_score: 0.2, limit: 10 };
  const viewer = viewerAt({ user: "local", scope: scope("main"), session: "main" });
  return (await recall({ engine, zone, now, settings }, query, viewer)).hits;
}

const idsIn = (hits: readonly Hit[]): string[] => hits.flatMap(({ passage }) => passage.messageIds);

const NOISE = Array.from({ length: 12 }, (_, at) =>
  filed(`noise-${at}`, `The kettle boils and the cat sleeps, ${at}.`, {
    role: at % 2 === 0 ? "user" : "agent",
  }),
);

describe("an answer after several calls of tools", () => {
  const exchange = [
    filed("asked", "Which quay does the Malta ferry leave from on Sundays?"),
    call("call-1", "browse", "timetable", "404 page not found"),
    call("call-2", "browse", "archive", "503 unavailable"),
    call("call-3", "read", "leaflet.pdf", "see appendix"),
    filed("answered", "From number seven, right behind the customs house.", { role: "agent" }),
  ];

  test("is found by the words of its question", async () => {
    const hits = await search(passagesOf([...NOISE, ...exchange]), "quay of the Malta ferry on Sundays");
    expect(idsIn(hits).slice(0, 2)).toEqual(["asked", "answered"]);
  });

  test("in Chinese", async () => {
    const passages = passagesOf([
      ...NOISE,
      filed("asked", "周日去马耳他的渡轮从哪个码头出发？"),
      call("call-1", "browse", "a", "404"),
      call("call-2", "browse", "b", "503"),
      call("call-3", "read", "c", "x"),
      filed("answered", "七号，就在海关大楼后面。", { role: "agent" }),
    ]);
    expect(idsIn(await search(passages, "马耳他渡轮的码头")).slice(0, 2)).toEqual(["asked", "answered"]);
  });

  test("stands next to its question however many there were, and the calls take no place of their own", () => {
    const sequenceOf = new Map(
      passagesOf(exchange).map(({ messageIds, sequence }) => [String(messageIds[0]), sequence ?? 0]),
    );
    const asked = sequenceOf.get("asked") ?? 0;
    expect(sequenceOf.get("answered")).toBe(asked + 1);
    for (const id of ["call-1", "call-2", "call-3"]) expect(sequenceOf.get(id)).toBe(asked + 1);
  });
});
