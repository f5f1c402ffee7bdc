/** Whatever a host and memd do to history.json, what History may show of the rest is told apart. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { openDesk, said } from "../support/archive-desk.js";
import { unlistedOf, type Standing } from "../../src/archive/list-state.js";
import type { Archive } from "../../src/archive/archive.js";
import { idOfKey, MAIN_SCOPE } from "../../src/model/address.js";

const SETTINGS = {
  history: {
    soft_limit_messages: 4,
    hard_limit_messages: 6,
    keep_newest_messages: 2,
    keep_today_messages: 0,
  },
};

type Step =
  | { does: "say"; count: number }
  | { does: "rewind"; count: number }
  | { does: "cut"; at: number }
  | { does: "begin anew" | "archive" | "import" | "restart" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant("say" as const), count: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant("rewind" as const), count: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant("cut" as const), at: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constantFrom("archive", "import", "restart", "begin anew") }),
  },
);

/** Ids, oldest first. */
function unlistedIn({ history, context: { ledger } }: Archive): string[] {
  const standing = history.messages.flatMap(({ key }): Standing[] => {
    const entry = ledger.get(key);
    return entry === undefined ? [] : [{ entry, callIds: [] }];
  });
  const listed = new Set(history.messages.map(({ key }) => key));
  const entries = ledger.conversation(MAIN_SCOPE, "main");
  const found = unlistedOf({
    entries,
    standing,
    listed,
    hasMet: (key) => ledger.hasMet(key),
    after: undefined,
  });
  return [...found].map(({ key }) => String(idOfKey(key))).reverse();
}

test("all but what the host took out while an older message stayed", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const desk = await openDesk({
        now: "2026-02-20T12:00:00Z",
        settings: SETTINGS,
        files: { "history.json": [] },
      });
      let clock = Date.parse("2026-02-10T00:00:00Z");
      let next = 0;
      const message = (): Record<string, unknown> => {
        clock += 60_000;
        return said(`m${next++}`, new Date(clock).toISOString(), "word");
      };
      const all: string[] = [];
      const tookOut = new Set<string>();
      const rewrite = async (list: Record<string, unknown>[]): Promise<void> => {
        const left = new Set(list.map(({ id }) => id));
        const before = desk.history().map(({ id }) => String(id));
        const oldest = before.findIndex((id) => left.has(id));
        for (const id of oldest < 0 ? [] : before.slice(oldest)) if (!left.has(id)) tookOut.add(id);
        desk.write("history.json", list);
        // The clock stands still, so that the file may look as before.
        await desk.archive.lookAgain();
      };
      for (const one of steps) {
        const list = desk.history();
        switch (one.does) {
          case "say": {
            const fresh = Array.from({ length: one.count }, message);
            all.push(...fresh.map(({ id }) => String(id)));
            await rewrite([...list, ...fresh]);
            break;
          }
          case "rewind":
            // All of it would be another file.
            await rewrite(list.slice(0, Math.max(1, list.length - one.count)));
            break;
          case "cut":
            await rewrite(list.filter((_each, index) => index !== one.at));
            break;
          case "begin anew": {
            const fresh = message();
            all.push(String(fresh["id"]));
            await rewrite([fresh]);
            break;
          }
          case "archive":
            await desk.pass();
            break;
          case "import": {
            const fresh = message();
            all.push(String(fresh["id"]));
            await desk.archive.importMessages([fresh] as never);
            break;
          }
          case "restart":
            await desk.restart();
            break;
          default:
            one satisfies never;
        }
        const listed = new Set(desk.history().map(({ id }) => String(id)));
        expect(unlistedIn(desk.archive)).toEqual(all.filter((id) => !listed.has(id) && !tookOut.has(id)));
      }
    }),
    { numRuns: Number(process.env["MEMD_RUNS"] ?? 60) },
  );
});
