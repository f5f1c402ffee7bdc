/** What a turn decides, what words tell, and how an answer becomes an event. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FiledMessage, MessageId, Role } from "../../src/model/message.js";
import { DEFAULT_SETTINGS } from "../../src/model/settings.js";
import { epochMs } from "../../src/model/time.js";
import type { Topic, TopicId, TopicState } from "../../src/model/topic.js";
import { isReminder, minimumFor } from "../../src/topics/activation.js";
import type { Topics } from "../../src/topics/events.js";
import { isOf, type Relevance, relevanceIn, type Sought, wordIndexOf } from "../../src/topics/relevance.js";
import { divisionOf, splitOf } from "../../src/topics/splitting.js";
import { shownOf, turnOf, wokenFor } from "../../src/topics/turns.js";

const AT = epochMs(1_000_000);
const BOUNDS = { least: 3, target: 10, most: 20 };
const id = (name: string): TopicId => name as TopicId;

function filed(name: string, text: string, role: Role = "user"): FiledMessage {
  return { message: { id: name as MessageId, role, text, createdAt: "" }, filedAt: AT };
}

function topicOf(name: string, state: TopicState, scores: number[] = []): Topic {
  return { id: id(name), name, state, since: AT, filledAt: AT, scores, ids: [], begins: [] };
}

function topicsOf(...topics: Topic[]): Topics {
  return new Map(topics.map((topic) => [topic.id, topic]));
}

function scores(given: Record<string, number>): Map<TopicId, Relevance> {
  return new Map(Object.entries(given).map(([name, score]) => [id(name), { score, refs: [] }]));
}

describe("relevance by words", () => {
  const relevanceOf = (query: string, topics: readonly Sought[], before?: string): Map<TopicId, Relevance> =>
    relevanceIn(wordIndexOf(topics), query, before);
  const ferry = [filed("1", "The ferry to Naxos leaves at nine."), filed("2", "It has a cabin.", "agent")];
  const tea = [filed("3", "The oolong is from Wuyi."), filed("4", "Steep it twice.", "agent")];
  const chinese = [filed("5", "渡船九点从码头出发"), filed("6", "船票要三十块", "agent")];
  const all = [
    { id: id("ferry"), about: "Ferry", messages: ferry },
    { id: id("tea"), about: "Tea", messages: tea },
    { id: id("boat"), about: "渡船", messages: chinese },
  ];

  test.each([
    ["When does the ferry to Naxos leave?", "ferry", "1"],
    ["the oolong of Wuyi", "tea", "3"],
    ["渡船几点从码头走？", "boat", "5"],
  ])("finds who knows of %s, and where", (query, name, message) => {
    const told = relevanceOf(query, all);
    const best = [...told].sort((one, other) => other[1].score - one[1].score)[0];
    expect(best?.[0]).toBe(name);
    expect(best?.[1].refs[0]).toBe(message);
    expect(best?.[1].score).toBeGreaterThan(0.5);
  });

  test("a question of which nothing is known finds nobody, and none is no mistake", () => {
    expect([...relevanceOf("zeppelin violin", all).values()].every(({ score }) => score === 0)).toBe(true);
    expect([...relevanceOf("", all).values()].every(({ score }) => score === 0)).toBe(true);
    expect(relevanceOf("ferry", []).size).toBe(0);
    // The words that nobody said weigh too.
    const half =
      relevanceOf("the ferry, a violin and a zeppelin in the marathon", all).get(id("ferry"))?.score ?? 0;
    expect(half).toBeLessThan(relevanceOf("the ferry", all).get(id("ferry"))?.score ?? 0);
  });

  test("what was said before tells what a short question is about, and never drowns it", () => {
    const bestOf = (query: string, before: string): string | undefined =>
      [...relevanceOf(query, all, before)].sort((one, other) => other[1].score - one[1].score)[0]?.[0];
    const long = "The ferry to Naxos leaves at nine. It has a cabin. ".repeat(3);
    expect(bestOf("And then?", long)).toBe("ferry");
    expect(bestOf("The oolong?", long)).toBe("tea");
    expect(bestOf("船票呢", long)).toBe("boat");
  });

  test("words that are names of things in JavaScript are only words", () => {
    const topics = [
      { id: id("code"), about: "", messages: [filed("7", "the constructor and __proto__")] },
      ...all,
    ];
    for (const word of ["constructor", "__proto__"]) {
      const told = relevanceOf(word, topics);
      expect([...told].filter(([, { score }]) => score > 0).map(([topic]) => topic)).toEqual(["code"]);
    }
  });

  test("an index is good until a message, a name or a topic changes", () => {
    const words = wordIndexOf(all);
    expect(
      isOf(
        words,
        all.map((topic) => ({ ...topic, messages: [...topic.messages] })),
      ),
    ).toBe(true);
    const [first, ...others] = all;
    if (first === undefined) throw new Error("no topic");
    expect(isOf(words, others)).toBe(false);
    expect(isOf(words, [{ ...first, about: "Boats" }, ...others])).toBe(false);
    expect(isOf(words, [{ ...first, messages: first.messages.slice(1) }, ...others])).toBe(false);
    expect(
      isOf(words, [{ ...first, messages: first.messages.map((each) => ({ ...each })) }, ...others]),
    ).toBe(false);
  });

  test("whatever is asked, scores are shares and references are messages of the topic", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.array(fc.lorem({ maxCount: 3 }), { maxLength: 4 }), { maxLength: 4 }),
        (query, texts) => {
          const sought = texts.map((of, at) => ({
            id: id(`t${at}`),
            about: "",
            messages: of.map((text, index) => filed(`${at}-${index}`, text)),
          }));
          for (const [topic, { score, refs }] of relevanceOf(query, sought)) {
            const own = new Set(
              sought.find((each) => each.id === topic)?.messages.map(({ message }) => message.id),
            );
            if (!(score >= 0 && score <= 1) || !refs.every((ref) => own.has(ref))) return false;
          }
          return true;
        },
      ),
    );
  });
});

describe("a turn", () => {
  test("counts a topic of which nothing is told as it was, wakes who has to do with it and lets the others sleep", () => {
    const before = topicsOf(
      topicOf("late", "active", [0.9, 0.9]),
      topicOf("tea", "dormant", [0.9, 0.9, 0.9, 0.9, 0.9]),
      ...["a", "b", "c", "d"].map((name) => topicOf(name, "active", [0, 0, 0, 0, 0])),
    );
    const { events, topics } = turnOf(before, scores({ tea: 0.95, a: 0, b: 0, c: 0, d: 0 }), BOUNDS, AT);
    expect(events.map(({ is }) => is)).toEqual(["scored", "slept", "woken"]);
    expect(topics.get(id("late"))?.scores[0]).toBe(0.9);
    expect(topics.get(id("tea"))?.state).toBe("active");
    expect([...topics.values()].filter(({ state }) => state === "active").length).toBeGreaterThanOrEqual(
      BOUNDS.least,
    );
  });

  test("shows only active topics that reach the minimum, the most relevant first", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom<TopicState>("active", "dormant", "archived"),
            fc.double({ min: 0, max: 1, noNaN: true }),
          ),
          { maxLength: 30 },
        ),
        fc.boolean(),
        (given, isSearch) => {
          const topics = topicsOf(...given.map(([state], at) => topicOf(`t${at}`, state)));
          const relevance = scores(Object.fromEntries(given.map(([, score], at) => [`t${at}`, score])));
          const active = given.filter(([state]) => state === "active").length;
          const shown = shownOf(topics, relevance, isSearch);
          const told = shown.map((each) => relevance.get(each)?.score ?? -1);
          const least = isSearch ? minimumFor(active) / 2 : minimumFor(active);
          return (
            shown.every((each) => topics.get(each)?.state === "active") &&
            told.every((score) => score >= least) &&
            told.every((score, at) => at === 0 || score <= (told[at - 1] ?? 1))
          );
        },
      ),
    );
  });

  test("who is asked for wakes from sleep and archive, as far as there is room and only near the best", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom<TopicState>("active", "dormant", "archived", "merged"),
            fc.double({ min: 0, max: 1, noNaN: true }),
          ),
          { maxLength: 40 },
        ),
        (given) => {
          const topics = topicsOf(...given.map(([state], at) => topicOf(`t${at}`, state)));
          const relevance = scores(Object.fromEntries(given.map(([, score], at) => [`t${at}`, score])));
          const woken = wokenFor(topics, relevance, BOUNDS);
          const active = given.filter(([state]) => state === "active").length;
          expect(active + woken.length).toBeLessThanOrEqual(Math.max(active, BOUNDS.most));
          for (const each of woken) expect(["dormant", "archived"]).toContain(topics.get(each)?.state);
        },
      ),
    );
    const some = topicsOf(topicOf("best", "archived"), topicOf("near", "dormant"), topicOf("far", "dormant"));
    expect(wokenFor(some, scores({ best: 0.9, near: 0.6, far: 0.3 }), BOUNDS)).toEqual(["best", "near"]);
  });
});

describe("an answer becomes an event", () => {
  const role = fc.constantFrom<Role>("user", "agent", "tool");
  const stretches = fc.array(fc.array(fc.integer({ min: -2, max: 14 }), { maxLength: 6 }), { maxLength: 3 });
  const group = fc.record({
    topic: fc.option(fc.constantFrom("known", "other", "strange"), { nil: undefined }),
    name: fc.constantFrom("", "Ferry"),
    stretches,
  });
  let next = 0;
  const newId = (): TopicId => id(`new${next++}`);
  const groupsOf = (groups: { topic: string | undefined; name: string; stretches: number[][] }[]) =>
    groups.map(({ topic, ...more }) => (topic === undefined ? more : { ...more, topic: id(topic) }));

  test("each message comes to one topic at most, no stranger gets any, and a question stays with its answers", () => {
    fc.assert(
      fc.property(fc.array(role, { maxLength: 12 }), fc.array(group, { maxLength: 4 }), (roles, groups) => {
        const messages = roles.map((each, at) => filed(`m${at}`, "text", each));
        const { made, filled } = splitOf(
          messages,
          groupsOf(groups),
          (topic) => topic !== "strange",
          newId,
          () => "Named",
        );
        const all = [...made, ...filled];
        const ids = all.flatMap((each) => each.ids);
        expect(new Set(ids).size).toBe(ids.length);
        expect(filled.every((each) => each.id === "known" || each.id === "other")).toBe(true);
        expect(new Set(filled.map((each) => each.id)).size).toBe(filled.length);
        expect(made.every(({ name }) => name !== "")).toBe(true);
        const holder = new Map(all.flatMap((each) => each.ids.map((message) => [message, each.id])));
        for (const [at, { message }] of messages.entries())
          if (message.role !== "user" && at > 0)
            expect(holder.get(message.id)).toBe(
              holder.get(messages[at - 1]?.message.id ?? ("" as MessageId)),
            );
        for (const { ids: held, begins = [] } of all)
          expect(begins.every((begin) => held.includes(begin))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("a division leaves no message behind, and never is one part alone", () => {
    fc.assert(
      fc.property(
        fc.array(role, { minLength: 2, maxLength: 15 }),
        fc.array(group, { maxLength: 6 }),
        (roles, groups) => {
          const messages = roles.map((each, at) => filed(`m${at}`, "text", each));
          const parts = divisionOf(messages, groupsOf(groups), newId, () => "Named");
          const ids = parts.flatMap((part) => part.ids);
          expect([...ids].sort()).toEqual(messages.map(({ message }) => message.id).sort());
          expect(parts.length).toBeGreaterThan(1);
          expect(parts.length).toBeLessThanOrEqual(4);
          expect(parts.every(({ name }) => name !== "")).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

test.each([
  ["As I said, the ferry leaves at nine.", true],
  ["I've told you twice!", true],
  ["I’ve told you twice!", true],
  ["Don't you remember?", true],
  ["你忘了吗？", true],
  ["我們上次聊的那個", false],
  ["上次说的茶", true],
  ["The ferry leaves at nine.", false],
  ["Asisaid I toldyou", false],
  ["", false],
])("%s is a sign of forgetting: %s", (text, expected) => {
  expect(isReminder(text, DEFAULT_SETTINGS.topics.forgetting_signs)).toBe(expected);
});
