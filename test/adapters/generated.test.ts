/** Stores of other agents as they are, with their oddities: what was said in them comes out, once, in order, with its time. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { groupBy } from "../../src/model/collections.js";
import { generate, KINDS } from "./generator/index.js";
import { pastIn, type Said, saidIn } from "./told.js";

const home = fs.mkdtempSync(path.join(os.tmpdir(), "memd-generated-"));
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

const SESSIONS = 12;

function byConversation(said: readonly Said[]): Record<string, [role: string, text: string, at: unknown][]> {
  return Object.fromEntries(
    [...groupBy(said, ({ conversation }) => conversation)].map(([id, of]) => [
      id,
      of.map(({ role, text, at }) => [role, text, at === undefined ? undefined : Date.parse(at)]),
    ]),
  );
}

test.each(
  KINDS.filter((kind) => kind !== "memd").flatMap((kind) => [1, 2].map((seed) => [kind, seed] as const)),
)("%s, seed %i: all that was said, and nothing else", async (kind, seed) => {
  const { paths, messages, notes } = await generate(kind, path.join(home, `${kind}-${seed}`), {
    seed,
    sessions: SESSIONS,
  });
  const past = await pastIn(paths);
  const told = byConversation(saidIn(past));
  const wanted = byConversation(messages);
  // Where the source has no time, that of the message before stands.
  for (const [id, of] of Object.entries(wanted))
    for (const [index, message] of of.entries()) message[2] ??= told[id]?.[index]?.[2];
  expect(told).toEqual(wanted);
  const texts = past.notes.map(({ text }) => text).join("\n\n");
  expect(notes.filter(({ text }) => !texts.includes(text))).toEqual([]);
  expect(past.notes.length > 0).toBe(notes.length > 0);
});
