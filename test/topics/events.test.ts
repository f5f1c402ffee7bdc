import fs from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { MessageId } from "../../src/model/message.js";
import { epochMs } from "../../src/model/time.js";
import { TOPIC_STATES, type TopicEvent, type TopicId } from "../../src/model/topic.js";
import {
  afterEvent,
  afterEvents,
  holdersOf,
  NO_TOPICS,
  placeAfter,
  TOPIC_HAPPENING_MEANINGS,
  TOPIC_HAPPENINGS,
  TOPIC_LIFE,
  TOPIC_PLACES,
  type Topics,
} from "../../src/topics/events.js";

const topic = fc.constantFrom("a", "b", "c", "d").map((id) => id as TopicId);
const ids = fc.uniqueArray(
  fc.constantFrom(..."123456789").map((id) => id as MessageId),
  { maxLength: 4 },
);
const made = fc.record({ id: topic, name: fc.constantFrom("ferries", "渡船"), ids });
const filled = fc.record({ id: topic, ids });
const what: fc.Arbitrary<TopicEvent> = fc
  .tuple(
    fc.integer({ min: 0, max: 1000 }),
    fc.oneof(
      fc.record({
        is: fc.constant("split" as const),
        made: fc.array(made, { maxLength: 2 }),
        filled: fc.array(filled, { maxLength: 2 }),
      }),
      fc.record({
        is: fc.constant("scored" as const),
        scores: fc.array(fc.tuple(topic, fc.constantFrom(0, 0.4, 1, 2)), { maxLength: 3 }),
      }),
      fc.record({
        is: fc.constantFrom("woken" as const, "slept" as const, "archived" as const),
        topics: fc.array(topic, { maxLength: 2 }),
      }),
      fc.record({ is: fc.constant("divided" as const), topic, into: fc.array(made, { maxLength: 3 }) }),
      fc.record({
        is: fc.constant("merged" as const),
        topics: fc.array(topic, { minLength: 1, maxLength: 2 }),
        into: topic,
      }),
      fc.record({ is: fc.constant("forgot" as const), ids }),
    ),
  )
  .map(([at, event]) => ({ at: epochMs(at), ...event }));

const history = fc.array(what, { maxLength: 40 });

test("a message is in one topic at most, and none that was taken in is lost but by forgetting", () => {
  fc.assert(
    fc.property(history, (events) => {
      let topics: Topics = NO_TOPICS;
      for (const event of events) {
        const before = holdersOf(topics);
        topics = afterEvent(topics, event);
        const all = [...topics.values()].flatMap((each) => each.ids);
        expect(new Set(all).size).toBe(all.length);
        const gone = [...before.keys()].filter((id) => !holdersOf(topics).has(id));
        expect(gone.every((id) => event.is === "forgot" && event.ids.includes(id))).toBe(true);
        for (const each of topics.values()) {
          expect(each.scores.every((score) => score >= 0 && score <= 1)).toBe(true);
          expect(each.scores.length).toBeLessThanOrEqual(5);
          if (each.state === "divided" || each.state === "merged") expect(each.ids).toEqual([]);
        }
      }
    }),
    { numRuns: 1000 },
  );
});

test("replaying the events gives the same state, from the beginning or from anywhere", () => {
  fc.assert(
    fc.property(history, fc.nat(40), (events, at) => {
      const whole = afterEvents(events);
      expect(afterEvents(events)).toEqual(whole);
      expect(afterEvents(events.slice(at), afterEvents(events.slice(0, at)))).toEqual(whole);
      expect(afterEvents(JSON.parse(JSON.stringify(events)) as TopicEvent[])).toEqual(whole);
    }),
    { numRuns: 300 },
  );
});

test("an event of which some cannot happen changes nothing at all", () => {
  const [a, b] = ["a", "b"] as TopicId[] as [TopicId, TopicId];
  const [one, two] = ["1", "2"] as MessageId[] as [MessageId, MessageId];
  const at = epochMs(1);
  const begun = afterEvents([
    { at, is: "split", made: [{ id: a, name: "ferries", ids: [one] }], filled: [] },
  ]);
  const refused: TopicEvent[] = [
    { at, is: "split", made: [{ id: b, name: "again", ids: [one] }], filled: [] },
    { at, is: "split", made: [{ id: b, name: "twice", ids: [two, two] }], filled: [] },
    { at, is: "split", made: [], filled: [{ id: b, ids: [two] }] },
    { at, is: "woken", topics: [a] },
    { at, is: "slept", topics: [a, b] },
    { at, is: "scored", scores: [[a, 1.5]] },
    { at, is: "divided", topic: a, into: [{ id: b, name: "other", ids: [two] }] },
    { at, is: "merged", topics: [a], into: a },
    { at, is: "merged", topics: [a], into: b },
  ];
  for (const event of refused) expect(afterEvent(begun, event)).toBe(begun);
});

test("every state but the last two can be left, every event can happen, and a topic that sleeps can wake", () => {
  for (const state of TOPIC_STATES)
    expect(Object.keys(TOPIC_LIFE[state]).length > 0).toBe(state !== "divided" && state !== "merged");
  for (const happening of TOPIC_HAPPENINGS)
    expect(TOPIC_PLACES.some((place) => placeAfter(place, happening) !== undefined)).toBe(true);
  expect(placeAfter("dormant", "woken")).toBe("active");
  expect(placeAfter("archived", "filled")).toBeUndefined();
});

test("the document shows the table as it is", () => {
  const text = fs.readFileSync(new URL("../../docs/TOPICS.md", import.meta.url), "utf8");
  for (const place of TOPIC_PLACES)
    for (const [happening, next] of Object.entries(TOPIC_LIFE[place]))
      expect(text).toContain(
        `| ${place} | ${happening} | ${next} | ${TOPIC_HAPPENING_MEANINGS[happening as keyof typeof TOPIC_HAPPENING_MEANINGS]} |`,
      );
});
