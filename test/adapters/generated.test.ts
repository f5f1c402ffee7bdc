/** Stores of other agents as they are, with their oddities: what was said in them comes out, once and in order. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { groupBy } from "../../src/model/collections.js";
import { generate, type Kind } from "./generator/index.js";
import { toldIn } from "./told.js";

const home = fs.mkdtempSync(path.join(os.tmpdir(), "memd-generated-"));
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

const SESSIONS = 12;

async function both(
  kind: Kind,
  seed: number,
): Promise<{ wanted: Map<string, string[]>; told: Map<string, string[]> }> {
  const { paths, messages } = await generate(kind, path.join(home, `${kind}-${seed}`), {
    seed,
    sessions: SESSIONS,
  });
  const { conversations } = toldIn(paths);
  const lines = (of: readonly { role: string; text: string }[]): string[] =>
    of.flatMap(({ role, text }) => (text === "" ? [] : [`${role === "user" ? "user" : "agent"}: ${text}`]));
  return {
    wanted: new Map(
      [...groupBy(messages, ({ conversation }) => conversation)].map(([id, of]) => [id, lines(of)]),
    ),
    told: new Map(conversations.map(({ id, messages: of }) => [id, lines(of)])),
  };
}

test.each(["pi", "gemini", "opencode", "cursor", "letta"] as const)(
  "%s: all that was said, and nothing else",
  async (kind) => {
    for (const seed of [1, 2]) {
      const { wanted, told } = await both(kind, seed);
      expect(Object.fromEntries(told)).toEqual(Object.fromEntries(wanted));
    }
  },
);

// Their folders hold other files too, which are told apart by where they lie.
test.each(["claude-code", "codex", "openclaw"] as const)("%s: all that was said, in order", async (kind) => {
  for (const seed of [1, 2]) {
    const { wanted, told } = await both(kind, seed);
    const all = new Set([...told.values()].flat());
    expect([...wanted.values()].flat().filter((line) => !all.has(line))).toEqual([]);
  }
});
