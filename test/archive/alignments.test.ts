/** How often the messages of history.json are told apart in one pass: with thousands of them, each time costs. */
import { expect, test } from "vitest";
import { Ledger } from "../../src/archive/ledger.js";
import type { MessageKey } from "../../src/model/address.js";
import { openDesk, said, type Desk } from "../support/archive-desk.js";

const NOW = "2026-02-20T12:00:00Z";
const OLD = "2026-01-10T10:00:00Z";

/** Counts how often each key is looked for, which every alignment does once for each message. */
class CountingLedger extends Ledger {
  readonly looks = new Map<MessageKey, number>();

  override resolve(key: MessageKey): MessageKey {
    this.looks.set(key, (this.looks.get(key) ?? 0) + 1);
    return super.resolve(key);
  }
}

async function opened(
  entries: readonly object[],
  settings: Record<string, unknown> = {},
): Promise<{ desk: Desk; alignmentsIn: (work: () => Promise<void>) => Promise<number> }> {
  let ledger: CountingLedger | undefined;
  const desk = await openDesk({
    now: NOW,
    settings,
    files: { "history.json": entries },
    ledger: (zone) => (ledger = new CountingLedger(zone)),
  });
  const alignmentsIn = async (work: () => Promise<void>): Promise<number> => {
    ledger?.looks.clear();
    await work();
    return Math.max(0, ...(ledger?.looks.values() ?? []));
  };
  return { desk, alignmentsIn };
}

test("a pass over a changed history aligns it once, whatever it writes into it", async () => {
  const { desk, alignmentsIn } = await opened([said("a", OLD, "old")]);
  const listed = [said("a", OLD, "old"), said("b", NOW, "new"), said("c", "2025-06-01T10:00:00Z", "ancient")];
  desk.write("history.json", listed);
  expect(await alignmentsIn(() => desk.pass())).toBe(1);
  expect(desk.history().map(({ archived }) => archived)).toEqual([true, true, true]);
});

test("a pass that also lets go of messages aligns it once", async () => {
  const settings = { history: { soft_limit_messages: 2, hard_limit_messages: 3, keep_newest_messages: 1 } };
  const { desk, alignmentsIn } = await opened([said("a", OLD, "one")], settings);
  const at = (minute: number): string => `2026-01-10T10:0${minute}:00Z`;
  desk.write(
    "history.json",
    ["a", "b", "c", "d", "e"].map((id, minute) => said(id, at(minute), `text of ${id}`)),
  );
  expect(await alignmentsIn(() => desk.pass())).toBe(1);
  expect(desk.history().length).toBeLessThan(5);
});

test("a pass over an unchanged history does not align it", async () => {
  const { desk, alignmentsIn } = await opened([said("a", OLD, "old"), said("b", NOW, "new")]);
  await desk.pass();
  expect(await alignmentsIn(() => desk.pass())).toBe(0);
});

test("of equal messages without an id the one that stays keeps its id when memd lets go of the other", async () => {
  const settings = { history: { soft_limit_messages: 2, hard_limit_messages: 2, keep_newest_messages: 1 } };
  const same = (text: string): object => ({ role: "user", text, createdAt: OLD });
  const { desk } = await opened([same("好的"), same("好的"), same("later")], settings);
  await desk.pass();
  const ids = desk.history().map(({ id }) => id);
  expect(ids).toHaveLength(2);
  // A host that drops what is not its own writes them without the ids that memd gave.
  desk.write("history.json", [same("好的"), same("later"), same("new")]);
  await desk.archive.look();
  expect(desk.archive.history.messages.slice(0, 2).map(({ filed }) => filed.message.id)).toEqual(ids);
  expect(desk.blocks()).toHaveLength(3);
});
