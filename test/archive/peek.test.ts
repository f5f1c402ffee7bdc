import fc from "fast-check";
import { expect, test } from "vitest";
import { openDesk, said } from "../support/archive-desk.js";

const NOW = "2026-02-20T12:00:00Z";

const told = fc.record({
  id: fc.constantFrom("a", "b", "c", "d"),
  role: fc.constantFrom("user", "agent", "tool"),
  text: fc.constantFrom("yes", "no", "好的"),
  createdAt: fc.constantFrom(
    "",
    "2026-02-20T11:59:00Z",
    "2026-02-20T11:58:00Z",
    "2030-01-01T00:00:00Z",
    "soon",
  ),
  scope: fc.constantFrom(undefined, "group:team", "work"),
  session: fc.constantFrom(undefined, "one"),
  user: fc.constantFrom(undefined, "u-1"),
  private: fc.constantFrom(undefined, true),
});

test("what is seen ahead is what is taken in", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(told, { maxLength: 6 }), { minLength: 1, maxLength: 4 }),
      async (saves) => {
        const desk = await openDesk({ now: NOW, files: { "history.json": [said("a", NOW, "yes")] } });
        for (const save of saves) {
          desk.write("inbox.json", save);
          const before = desk.disk.files();
          const ahead = await desk.archive.peek();
          expect(desk.disk.files()).toEqual(before);
          await desk.archive.look();
          const taken = desk.archive.inbox.messages.map(({ filed }) => filed);
          if (ahead !== undefined) expect(ahead).toEqual(taken);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("nothing is seen ahead where nothing changed, where the history did too, or where ids have to be given", async () => {
  const desk = await openDesk({ now: NOW, files: { "history.json": [], "inbox.json": [] } });
  expect(await desk.archive.peek()).toBeUndefined();
  desk.write("inbox.json", [said("a", NOW, "hello")]);
  expect(await desk.archive.peek()).toHaveLength(1);
  desk.write("history.json", [said("b", NOW, "before that")]);
  expect(await desk.archive.peek()).toBeUndefined();
  await desk.archive.look();
  desk.write("inbox.json", [{ role: "user", text: "nameless", createdAt: NOW }]);
  expect(await desk.archive.peek()).toBeUndefined();
  desk.write("inbox.json", '[{"role": "us');
  expect(await desk.archive.peek()).toBeUndefined();
});
