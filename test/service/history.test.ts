/** What was said in one conversation, page by page, to whoever may read it. */
import { expect, test } from "vitest";
import { OWNER, type ScopeId, type Viewer, viewerAt } from "../../src/model/address.js";
import { listMessages } from "../../src/service/history.js";
import type { Memd } from "../../src/service/memd.js";
import type { ParsedOf } from "../../src/service/operations.js";
import { said } from "../support/archive-desk.js";
import { openStage } from "../support/stage.js";

const at = (user: string, scope = "main", session = "main"): Viewer =>
  viewerAt({ user, scope: scope as ScopeId, session });

async function memory(history: unknown[], more: Record<string, unknown> = {}): Promise<Memd> {
  const { supervisor: memd } = await openStage({ "history.json": history, ...more });
  await memd.start({ watch: false, work: false });
  return memd;
}

const texts = async (memd: Memd, viewer: Viewer, asked: ParsedOf<"history"> = {}): Promise<string[]> =>
  (await listMessages(memd, viewer, asked)).messages.map(({ text }) => text);

const time = (minute: number): string => `2026-02-19T10:${String(minute).padStart(2, "0")}:00Z`;

test("comes newest last, a page at a time, to the first message", async () => {
  const memd = await memory([1, 2, 3, 4, 5].map((n) => said(`m-${n}`, time(n), `line ${n}`)));
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const asked = { limit: 2, ...(cursor === undefined ? {} : { cursor }) };
    const page = await listMessages(memd, at("local"), asked);
    pages.push(page.messages.map(({ text }) => text));
    cursor = page.next;
  } while (cursor !== undefined);
  expect(pages).toEqual([["line 4", "line 5"], ["line 2", "line 3"], ["line 1"]]);
  await expect(listMessages(memd, OWNER, { cursor: "m-9" })).rejects.toMatchObject({ code: "usage" });
});

test("is read by its own user and by the owner, in a group by all; another's is empty", async () => {
  const memd = await memory([
    { ...said("a", time(1), "of Lin"), user: "lin" },
    { ...said("b", time(2), "to Lin"), role: "agent" },
    { ...said("c", time(3), "of Wei"), user: "wei" },
    { ...said("d", time(4), "of Lin, elsewhere"), user: "lin", session: "s-2" },
    { ...said("e", time(5), "in the harbor"), user: "wei", scope: "group:harbor" },
  ]);
  expect(await texts(memd, at("lin"))).toEqual(["of Lin", "to Lin"]);
  expect(await texts(memd, at("lin"), { session: "s-2" })).toEqual(["of Lin, elsewhere"]);
  expect(await texts(memd, at("wei"))).toEqual(["of Wei"]);
  expect(await texts(memd, at("wei"), { session: "s-2" })).toEqual([]);
  expect(await texts(memd, at("lin", "group:harbor"))).toEqual(["in the harbor"]);
  expect(await texts(memd, at("lin"), { scope: "group:harbor" })).toEqual([]);
  expect(await texts(memd, OWNER)).toEqual(["of Lin", "to Lin", "of Wei"]);
});

test("shows what left history.json as its day has it, and neither what is private nor a secret", async () => {
  const lines = [said("m-1", time(1), "the ferry is late"), said("m-2", time(2), "it has come")];
  const hidden = { ...said("m-3", time(3), "between us"), private: true };
  const secret = said("m-4", time(4), "the key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD");
  const { supervisor: memd, write } = await openStage({ "history.json": [...lines, hidden, secret] });
  await memd.start({ watch: false, work: false });
  await memd.archiveNow();
  write("history.json", []);
  await memd.settled();
  const shown = await texts(memd, at("local"));
  expect(shown.slice(0, 2)).toEqual(["the ferry is late", "it has come"]);
  expect(shown).toHaveLength(3);
  expect(shown[2]).not.toContain("abcdefghijklmnopqrstuvwxyz");
});
