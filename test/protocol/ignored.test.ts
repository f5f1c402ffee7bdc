import { describe, expect, test } from "vitest";
import { withIgnored } from "../../src/protocol/ignored.js";

const WANTED = "# memd's own\n/.memd/\n/logs/\n.*.tmp\n";

describe("a .gitignore", () => {
  test("that is not there is made", () => {
    expect(withIgnored(undefined, WANTED)).toBe(WANTED);
  });

  test("that has other lines keeps them, with their ends, and has what is missing after them", () => {
    expect(withIgnored("node_modules\r\n# mine\r\n\r\n*.log", WANTED)).toBe(
      "node_modules\r\n# mine\r\n\r\n*.log\r\n\r\n# memd's own\r\n/.memd/\r\n/logs/\r\n.*.tmp\r\n",
    );
    expect(withIgnored("", WANTED)).toBe(WANTED);
  });

  test("that says it in other words, or says no, is left as it is", () => {
    expect(withIgnored(".memd\n!/logs/\n.*.tmp\n", WANTED)).toBeUndefined();
    expect(withIgnored("logs\n", WANTED)).toBe("logs\n\n# memd's own\n/.memd/\n.*.tmp\n");
  });

  test("that memd has added to is not added to again", () => {
    expect(withIgnored(withIgnored("a\n", WANTED), WANTED)).toBeUndefined();
  });
});
