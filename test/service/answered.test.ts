/** What a message that was found answers, told to whoever may read both. */
import { expect, test } from "vitest";
import { OWNER, type ScopeId, type Viewer, viewerAt } from "../../src/model/address.js";
import type { Asked } from "../../src/model/found.js";
import type { Memd } from "../../src/service/memd.js";
import { searchMemories } from "../../src/service/questions.js";
import { said } from "../support/archive-desk.js";
import { openStage } from "../support/stage.js";

let minute = 0;
const at = (): string => `2026-02-19T10:${String(minute++ % 60).padStart(2, "0")}:00Z`;
const turn = (id: string, text: string, more: Record<string, unknown> = {}): Record<string, unknown> =>
  said(id, at(), text, more);
const lin = { user: "lin", speaker: "Lin" };
const wei = { user: "wei", speaker: "Wei" };
const agent = { role: "agent" };
const reader = (user: string, scope = "main"): Viewer =>
  viewerAt({ user, scope: scope as ScopeId, session: "main" });

async function memory(history: readonly object[]): Promise<Memd> {
  const { supervisor } = await openStage({ "history.json": history, "inbox.json": [] });
  await supervisor.start({ watch: false, work: false });
  return supervisor;
}

/** By the id of each message that was found and says it. */
async function answers(memd: Memd, viewer: Viewer = OWNER): Promise<Record<string, Asked | undefined>> {
  const { hits } = await searchMemories(memd, viewer, { query: "kayak", answers: true });
  const said = hits.filter(({ passage }) => passage.text.includes("kayak"));
  return Object.fromEntries(said.map((hit) => [hit.passage.messageIds[0] ?? "", hit.answers]));
}

const answered = async (memd: Memd, viewer?: Viewer): Promise<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(await answers(memd, viewer)).map(([id, asked]) => [
      id,
      asked && `${asked.speaker}: ${asked.text}`,
    ]),
  );

test("an agent answers what a person said right before, with its time and place", async () => {
  const memd = await memory([
    said("q", "2026-02-19T10:00:00Z", "Where is the paddle?\nI looked everywhere.", lin),
    said("a", "2026-02-19T10:01:00Z", "The paddle of the kayak is in the shed.", agent),
    said("b", "2026-02-19T10:02:00Z", "The kayak is, too.", agent),
  ]);
  expect(await answers(memd)).toEqual({
    a: {
      speaker: "Lin",
      at: "2026-02-19T10:00:00.000Z",
      text: "Where is the paddle? I looked everywhere.",
      source: expect.stringMatching(/^journal\/\S+\.jsonl:1$/) as string,
    },
    b: undefined,
  });
});

test("only where that is asked for", async () => {
  const memd = await memory([turn("q", "Where is it?"), turn("a", "The kayak is in the shed.", agent)]);
  const { hits } = await searchMemories(memd, OWNER, { query: "kayak" });
  expect(hits.map((hit) => "answers" in hit)).toEqual([false, false]);
});

test("a person answers somebody else's question, and nothing that is none", async () => {
  const memd = await memory(
    [
      turn("g1", "Who takes the boat out?", lin),
      turn("g2", "I take the kayak on Friday.", wei),
      turn("g3", "The kayak seats two.", lin),
      turn("g4", "Is it dry?", lin),
      turn("g5", "The kayak is dry.", lin),
      turn("g6", "Which one do you mean?", agent),
      turn("g7", "The blue kayak.", wei),
    ].map((message) => ({ ...message, scope: "group:harbor" })),
  );
  const told = {
    g2: "Lin: Who takes the boat out?",
    g3: undefined,
    g5: undefined,
    g7: "agent: Which one do you mean?",
  };
  expect(await answered(memd)).toEqual(told);
  expect(await answered(memd, reader("ana", "group:harbor"))).toEqual(told);
});

test("calls of tools and other conversations may stand between", async () => {
  const call = { name: "look", callId: "c", input: { in: "shed" } };
  const beside = Array.from({ length: 60 }, (_, n) => turn(`x${n}`, "Something else.", { session: "other" }));
  const memd = await memory([
    turn("q", "Where is it?", lin),
    turn("c", "", { ...agent, tool: call }),
    turn("r", "", { role: "tool", tool: { ...call, result: "a boat" } }),
    ...beside,
    turn("a", "The kayak is in the shed.", agent),
  ]);
  expect(await answered(memd)).toEqual({ a: "Lin: Where is it?" });
});

test("a private question is answered by nothing, nor is the turn before it taken for it", async () => {
  const memd = await memory([
    turn("q", "Where is it?", lin),
    turn("p", "What does it cost?", { ...lin, private: true }),
    turn("a", "The kayak costs 900.", agent),
  ]);
  expect(await answered(memd)).toEqual({ a: undefined });
});

test("another user's question is told to nobody who may not read it", async () => {
  const memd = await memory([
    turn("q", "Which one is Wei's?", lin),
    turn("a", "The red kayak is mine.", wei),
  ]);
  expect(await answered(memd)).toEqual({ a: "Lin: Which one is Wei's?" });
  expect(await answered(memd, reader("wei"))).toEqual({ a: undefined });
  expect(await answered(memd, reader("lin"))).toEqual({});
});

test("secrets are no part of it", async () => {
  const memd = await memory([
    turn("q", "Is sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD the key?", lin),
    turn("a", "It is that of the kayak.", agent),
  ]);
  expect((await answered(memd))["a"]).toMatch(/^Lin: Is \[redacted:[^\]]+\] the key\?$/);
});
