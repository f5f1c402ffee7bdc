/** Streams of what happens: whoever was cut off goes on where they were. */
import { expect, test } from "vitest";
import type { LogEvent } from "../../src/platform/log.js";
import { RecentEvents } from "../../src/serve/events.js";

function happening(run = "run"): { events: RecentEvents; happen: (...names: string[]) => void } {
  let hear: (event: LogEvent) => void = () => undefined;
  const events = new RecentEvents((hearer) => {
    hear = hearer;
    return () => undefined;
  }, run);
  return { events, happen: (...names) => names.forEach((event) => hear({ level: "info", event })) };
}

const namesOf = (told: readonly { event: LogEvent }[] | undefined): string[] | undefined =>
  told?.map(({ event }) => event.event);

test("what came since the last one is told in order, and nothing twice", () => {
  const { events, happen } = happening();
  const heard: string[] = [];
  const stop = events.hear(({ id, event }) => heard.push(`${id} ${event.event}`));
  happen("a", "b", "c");
  stop();
  happen("d");
  expect(heard).toEqual(["run-1 a", "run-2 b", "run-3 c"]);
  expect(namesOf(events.after("run-2"))).toEqual(["c", "d"]);
  expect(namesOf(events.after("run-0"))).toEqual(["a", "b", "c", "d"]);
  expect(namesOf(events.after("run-4"))).toEqual([]);
});

test("of another run, of what is yet to come and of too long ago nobody can tell", () => {
  const { events, happen } = happening("run");
  happen(...Array.from({ length: 1500 }, (_, at) => `e${at}`));
  for (const id of ["other-3", "run-1501", "run-", "run-x", "", "run--1", "run-499"])
    expect([id, events.after(id)]).toEqual([id, undefined]);
  expect(namesOf(events.after("run-500"))?.length).toBe(1000);
});
