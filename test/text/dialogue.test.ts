import { describe, expect, test } from "vitest";
import { breadthOf, isDialogue, questionsIn, turnsIn } from "../../src/text/asking.js";

describe("a dialogue that is handed over", () => {
  const tagged =
    "<Ida>: Where is the mast? <Olaf>: In the shed. Who asks? <Ida>: Me. When can I fetch it, and with whom?";
  const headed = "Ida: Where is the mast?\nOlaf: In the shed.\nBehind the boat.\nIda: When can I fetch it?";
  const stamped = "[09:14] 小林：桅杆在哪里？\n[09:15] 老王：在棚子里。\n[09:16] 小林：什么时候能拿？";

  test.each([
    ["tags", tagged, 3],
    ["names at the start of lines", headed, 3],
    ["times before the names", stamped, 3],
    ["quotes", '"I sold the boat." "Why did you do that?"', 2],
    ["what is asked about it", `${headed}\n\nWhat should I answer?`, 4],
  ])("is known by its %s", (_by, text, turns) => {
    expect(turnsIn(text)).toHaveLength(turns);
  });

  test.each([tagged, headed, stamped])("is one matter, whatever is asked in it: %s", (text) => {
    expect(questionsIn(text)).toEqual([{ text, beside: "" }]);
    expect(breadthOf(text)).toBe("open");
  });

  test("loses no word of it", () => {
    for (const text of [tagged, headed, stamped])
      expect(turnsIn(text).join(" ").replace(/\s+/g, " ")).toBe(text.replace(/\s+/g, " "));
  });

  test.each([
    "Budget: 900\nPlace: Oslo\nDay: Friday\nWho pays?",
    "Question: Where is the mast?\nQuestion: Who has the keys?\nQuestion: When do we sail?",
    "Where is <b>: it?",
    "The boats: where are they? Who has the keys: Ida or Olaf?",
    "See https://example.org\nand http://example.net\nand https://example.com",
    "",
  ])("is not a text with colons in it: %s", (text) => {
    expect(isDialogue(text)).toBe(false);
  });
});
