import { expect, test } from "vitest";
import type { Passage } from "../../src/model/passage.js";
import { eachOnce } from "../../src/recall/standing.js";
import { said, scope } from "./passage-samples.js";

const side = (id: string, perspective?: string, more: Partial<Passage> = {}): { passage: Passage } => ({
  passage: said(`text of ${id}`, {
    id,
    kind: "event",
    ...(perspective === undefined ? {} : { perspective }),
    ...more,
  }),
});
const ids = (of: { passage: Passage }[]): string[] => of.map(({ passage }) => passage.id.split("#")[1] ?? "");

test("of two sides of one observation the first stays, whatever the other says and wherever it stands", () => {
  const order = [
    side("j_1_sender", "sender"),
    side("j_2_group", "group"),
    side("j_1_group", "group", { path: "memory/records/2025-07.jsonl" }),
    side("j_2_sender", "sender"),
  ];
  expect(ids(eachOnce(order))).toEqual(["j_1_sender", "j_2_group"]);
});

test("what has no side, another place or another kind is something of its own", () => {
  const order = [
    side("j_1_group", "group"),
    side("j_1_sender"),
    side("j_1_sender", "sender", { scope: scope("group:band") }),
    side("j_1_sender", "sender", { kind: "fact" }),
    side("by-hand-1", "sender"),
    side("by-hand-2", "group"),
    side("j_1_group", undefined, { kind: "message" }),
    side("j_1_group", undefined, { kind: "message", path: "memory/2025-06-16-day.md" }),
  ];
  expect(eachOnce(order)).toEqual(order);
});

test("a record in two files is one record", () => {
  const order = [side("r-1", undefined, { path: "memory/records/2025-07-2.jsonl" }), side("r-1")];
  expect(eachOnce(order)).toEqual(order.slice(0, 1));
});
