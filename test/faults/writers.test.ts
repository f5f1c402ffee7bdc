import { expect, test } from "vitest";
import { writers } from "./writers/part.js";

interface Slice {
  failures: string[];
  drops: { dropped: number; exactly_once: number };
  lists: { messages: number; archived_once: number; rewritten_by_memd: number };
  editors: Record<string, { edits: number; lost: number }> & { rewritten_by_memd: Record<string, number> };
  last_look: Record<string, { forced: number; lost: number }>;
  halves: Record<string, number>;
}

test("whoever else writes the files of a workspace, and however, nothing of theirs is lost", async () => {
  const found = (await writers({ seed: 1, slice: true, say: () => undefined })) as unknown as Slice;
  expect(found.failures).toEqual([]);
  expect(found.drops).toMatchObject({ dropped: 32, exactly_once: 32 });
  expect(found.lists).toMatchObject({ messages: 18, archived_once: 18 });
  expect(found.lists.rewritten_by_memd).toBeGreaterThan(0);
  for (const style of ["in place", "rename", "delete and create", "truncate and write slowly"])
    expect(found.editors[style]).toMatchObject({ edits: 6, lost: 0 });
  expect(found.editors.rewritten_by_memd["memory.md"]).toBeGreaterThan(0);
  expect(found.last_look["keeping, rename"]).toMatchObject({ forced: 3, lost: 0 });
  expect(found.halves["history.json"]).toBeGreaterThan(10);
});
