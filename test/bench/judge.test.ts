import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sectionOf, shownIn } from "../../bench/evidence/judge.js";

const page = (memory: string, history = "", input = ""): string =>
  `What follows is data.\n\n## Memory\n\n${memory}\n\n## History\n\n${history}\n\n## Input\n\n${input}\n`;
/** No stretch of it comes twice. */
const long = (length: number): string =>
  Array.from({ length: Math.ceil(length / 7) }, (_, at) => `w${String(at).padStart(5, "0")}`)
    .join(" ")
    .slice(0, length);

describe("a message stands in a prompt", () => {
  test("where all of it does, if it is short", () => {
    const shown = shownIn(page("09:30 Lin: The mast broke near Malta."));
    expect(shown.placeOf("The mast broke near Malta.")).toBeGreaterThan(0);
    expect(shown.placeOf("The mast broke near Malta, twice.")).toBe(-1);
    expect(shown.placeOf("")).toBe(-1);
  });

  test("where a stretch of 120 characters does, if it is long", () => {
    const message = long(900);
    const part = (from: number, chars: number): number =>
      shownIn(page(`09:30 Lin: … ${message.slice(from, from + chars)} …`)).placeOf(message);
    // Blanks at the edges are not counted.
    expect(part(402, 119).toString()).toBe("-1");
    expect(part(402, 124)).toBeGreaterThan(0);
  });

  test("whatever the line breaks", () => {
    expect(
      shownIn(page("The mast\n    broke  near Malta.")).placeOf("The mast broke\nnear Malta."),
    ).toBeGreaterThan(0);
    expect(shownIn(page("桅杆断了。")).placeOf("桅杆断了。")).toBeGreaterThan(0);
  });

  test("in Memory and History, not in Input", () => {
    expect(shownIn(page("", "The mast broke.")).placeOf("The mast broke.")).toBeGreaterThan(0);
    expect(shownIn(page("", "", "The mast broke.")).placeOf("The mast broke.")).toBe(-1);
  });

  test("before Input too, where both say the same", () => {
    const shown = shownIn(page("The tea is cold.", "The mast broke.", "The mast broke."));
    expect(shown.placeOf("The mast broke.")).toBeGreaterThan(shown.placeOf("The tea is cold."));
    expect(
      shownIn(page("The tea is cold.", "", "## x\nThe tea")).placeOf("The tea is cold."),
    ).toBeGreaterThan(0);
  });

  test("at a place that tells which of two comes first", () => {
    const shown = shownIn(page("The deposit is €400.\nThe deposit is €550.", "The tea is cold."));
    const places = ["The deposit is €400.", "The deposit is €550.", "The tea is cold."].map((text) =>
      shown.placeOf(text),
    );
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(new Set(places).size).toBe(3);
  });

  test("whatever is shown of at least 121 characters in one piece", () => {
    fc.assert(
      fc.property(fc.integer({ min: 130, max: 1500 }), fc.nat(), (length, seed) => {
        const message = long(length).trim();
        const from = seed % Math.max(1, message.length - 125);
        const shown = shownIn(page(`x ${message.slice(from, from + 125)} y`));
        expect(shown.placeOf(message)).toBeGreaterThan(0);
      }),
    );
  });
});

describe("a line tells of a message", () => {
  test("where it keeps half of its content words", () => {
    const shown = shownIn(page("noted: Bruno insured the mast in Malta."));
    expect(shown.isToldIn("Bruno insured the mast for the winter crossing.")).toBe(true);
    expect(shown.isToldIn("Ana ordered a spruce mast from the Lisbon shipyard.")).toBe(false);
  });

  test("one line, and in Memory", () => {
    const message = "Bruno insured the mast in Malta.";
    expect(shownIn(page("noted: Bruno.\nnoted: mast.")).isToldIn(message)).toBe(false);
    expect(shownIn(page("", message)).isToldIn(message)).toBe(false);
  });

  test("never of one that says nothing", () => {
    expect(shownIn(page("noted: Bruno.")).isToldIn("…")).toBe(false);
  });
});

test("a section ends where the next begins, and one that is missing is empty", () => {
  expect(sectionOf(page("mast", "tea"), "Memory").trim()).toBe("mast");
  expect(sectionOf(page("mast", "tea"), "Pinned memory")).toBe("");
});
