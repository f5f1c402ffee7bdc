import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Viewer, viewerAt } from "../../src/model/address.js";
import type { FiledMessage, Message, MessageId } from "../../src/model/message.js";
import { epochMs, zoneOf, type Day } from "../../src/model/time.js";
import { nodeDisk } from "../../src/platform/node-disk.js";
import { systemRipgrep } from "../../src/platform/ripgrep.js";
import { newPreamble, printBlock, printVerbatim } from "../../src/protocol/verbatim.js";
import { wordsToLookFor } from "../../src/recall/fallback.js";
import { memoryEngine } from "../../src/recall/index/memory.js";
import { recall, type RecallOptions } from "../../src/recall/recall.js";
import { newReconcileState, reconcile } from "../../src/recall/reconcile.js";
import type { Hit } from "../../src/model/passage.js";
import { NOON, scope } from "./passage-samples.js";

const zone = zoneOf("UTC");
const DAY = "2025-03-04" as Day;
const LOCAL = viewerAt({ user: "local", scope: scope("main"), session: "main" });

let root: string;
beforeEach(async () => {
  root = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "memd-fallback-")));
});
afterEach(() => fs.rm(root, { recursive: true, force: true }));

function filed(id: string, text: string, more: Partial<Message> = {}, belongsTo = "local"): FiledMessage {
  const createdAt = `${DAY}T10:00:00Z`;
  const message: Message = { id: id as MessageId, role: "user", text, createdAt, ...more };
  return { message, filedAt: epochMs(Date.parse(createdAt)), belongsTo };
}

async function ask(
  messages: readonly FiledMessage[],
  query: string,
  viewer: Viewer = LOCAL,
  options: RecallOptions = {},
): Promise<Hit[]> {
  const blocks = messages.map((message) => ({ raw: printBlock(message, zone) }));
  const text = printVerbatim({ day: DAY, scope: scope("main"), preamble: newPreamble(DAY), blocks });
  await fs.mkdir(path.join(root, "memory"), { recursive: true });
  await fs.writeFile(path.join(root, "memory/2025-03-04-a.md"), text);
  await fs.writeFile(path.join(root, "memory/foreign.md"), "the photosynthesis of strangers\n");
  const engine = memoryEngine();
  const parts = { disk: nodeDisk, workspace: { root }, engine, zone, pace: () => undefined };
  await reconcile(parts, [], newReconcileState());
  const files = { ripgrep: systemRipgrep(), workspace: { root } };
  const settings = { min_score: 0.2, limit: 10 };
  return (await recall({ engine, zone, now: () => NOON, settings, files }, query, viewer, options)).hits;
}

test("a part of a word that the index does not know is found in the files, at .1, with its lines", async () => {
  const [hit, ...rest] = await ask([filed("a", "hello"), filed("b", "about photosynthesis")], "synthesis");
  expect(rest).toEqual([]);
  expect(hit).toMatchObject({
    score: 0.1,
    passage: { text: "about photosynthesis", path: "memory/2025-03-04-a.md" },
  });
});

test("a phrase of nothing but function words is found as it stands", async () => {
  expect(
    (await ask([filed("a", "他问：你们是谁的？"), filed("b", "猫")], "你们是谁")).map(
      ({ passage }) => passage.text,
    ),
  ).toHaveLength(1);
  expect(await ask([filed("a", "to be or not to be")], "To be, or not to be")).toEqual([]);
  expect(await ask([filed("a", "to be or not to be")], "to be or not to be")).toHaveLength(1);
});

test("private messages, other users' messages and headings stay unseen", async () => {
  const messages = [
    filed("a", "photosynthesis in private", { private: true }),
    filed("b", "photosynthesis of ana", { user: "ana" }, "ana"),
    filed("photosynthesis-id", "nothing about it"),
  ];
  expect(await ask(messages, "synthesis")).toEqual([]);
  expect(
    await ask(messages, "synthesis", viewerAt({ user: "ana", scope: scope("main"), session: "s" })),
  ).toHaveLength(1);
});

test("filters hold here as well", async () => {
  const messages = [filed("a", "photosynthesis", { session: "s1" })];
  expect(await ask(messages, "synthesis", LOCAL, { session: "s2" })).toEqual([]);
  expect(await ask(messages, "synthesis", LOCAL, { to: { day: "2025-01-01" as Day } })).toEqual([]);
  expect(await ask(messages, "synthesis", LOCAL, { scope: "work" })).toEqual([]);
  expect(await ask(messages, "synthesis", LOCAL, { minScore: 0.2 })).toEqual([]);
});

test("one word of small talk is not looked for", () => {
  expect(wordsToLookFor("ok")).toEqual([]);
  expect(wordsToLookFor("  ")).toEqual([]);
  expect(wordsToLookFor("電腦")).toEqual(["電腦", "电脑"]);
});
