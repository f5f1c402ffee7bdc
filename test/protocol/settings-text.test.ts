import { expect, test } from "vitest";
import { parseSettings } from "../../src/protocol/settings.js";
import { withCommits } from "../../src/protocol/settings-text.js";

test.each([
  ["", "[git]\ncommit = true\n"],
  ['# mine\ntimezone = "UTC"', '# mine\ntimezone = "UTC"\n\n[git]\ncommit = true\n'],
  ["[git] # ours\nparent = true\n\n[topics]\nenabled = true\n", undefined],
  ["[git]\n  commit = false # not yet\n[topics]\nenabled = true\n", undefined],
])("commits are switched on in %j, and all else stays", (text, expected) => {
  const next = withCommits(text, false) ?? "";
  if (expected !== undefined) expect(next).toBe(expected);
  const [before, after] = [parseSettings(text), parseSettings(next)];
  expect(after).toEqual({ ...before, git: { ...before.git, commit: true } });
  expect(withCommits(next, true)).toBeUndefined();
});
