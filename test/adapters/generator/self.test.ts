import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../support/temp-dir.js";
import { generate, KINDS, type Expected, type Generated } from "./index.js";
import { filesBelow, merged, open } from "./self-files.js";

const SMALL = { seed: 7, sessions: 3 };
/** What the texts that must not count say of themselves. */
const NOT_TALK =
  /never whole|not typed|no one knows|of tomorrow|tomorrow's item|NO_REPLY|HEARTBEAT_OK|system-reminder>\n|Thought: |<command-name>|hidden [a-z]{10}$/;
const SHORT = new Set(["continue", "ok", "继续", "yes", "Done."]);

describe.each(KINDS)("%s", (kind) => {
  test("the same seed gives the same bytes, another seed others", async () => {
    const [one, two, other] = [tempDir(), tempDir(), tempDir()];
    const first = await generate(kind, one, SMALL);
    const second = await generate(kind, two, SMALL);
    await generate(kind, other, { ...SMALL, seed: 8 });
    expect(hashesOf(two)).toEqual(hashesOf(one));
    expect(hashesOf(other)).not.toEqual(hashesOf(one));
    expect(within(two, second)).toEqual(within(one, first));
  });

  test("the files are what they claim to be, and hold every text that counts", async () => {
    const dir = tempDir();
    const generated = await generate(kind, dir, SMALL);
    const files = filesBelow(dir).map((file) => path.join(dir, file));
    const opened = merged(files.map(open));
    expect(opened.unparsable).toBeLessThanOrEqual(damagedLines(generated));
    const everything = opened.strings.join("\0");
    const missing = textsOf(generated).filter((text) =>
      text.split("\n\n").some((paragraph) => !everything.includes(paragraph)),
    );
    expect(missing).toEqual([]);
    for (const file of generated.paths) expect(fs.existsSync(file)).toBe(true);
  });

  test("every text that counts is listed once, and none that does not", async () => {
    const generated = await generate(kind, tempDir(), { seed: 21, sessions: 12 });
    const texts = textsOf(generated);
    expect(texts.length).toBeGreaterThan(12);
    expect(texts.filter((text) => text.trim() !== text || text === "")).toEqual([]);
    expect(texts.filter((text) => NOT_TALK.test(text))).toEqual([]);
    const long = texts.filter((text) => !SHORT.has(text));
    expect(long.length).toBe(new Set(long).size);
  });

  test("times go forward within a conversation", async () => {
    const { messages } = await generate(kind, tempDir(), { seed: 3, sessions: 12 });
    const latest = new Map<string, string>();
    const backwards: Expected[] = [];
    for (const message of messages) {
      if (message.at === undefined) continue;
      if (message.at < (latest.get(message.conversation) ?? "")) backwards.push(message);
      latest.set(message.conversation, message.at);
    }
    expect(backwards).toEqual([]);
  });

  test("counts bytes as they lie on the disk, and comes near the wanted number", async () => {
    const dir = tempDir();
    const { bytes } = await generate(kind, dir, { seed: 5, sessions: 6, bytes: 3_000_000 });
    const sizes = filesBelow(dir).map((file) => fs.statSync(path.join(dir, file)).size);
    expect(bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
    expect(bytes).toBeGreaterThan(1_200_000);
    expect(bytes).toBeLessThan(9_000_000);
  });
});

function textsOf(generated: Generated): string[] {
  return [...generated.messages, ...generated.notes].map(({ text }) => text);
}

function damagedLines(generated: Generated): number {
  const kinds = ["unparsable middle lines", "unparsable middle line", "half last lines", "half last line"];
  return [...kinds, "events that are no JSON"].reduce(
    (sum, name) => sum + (generated.oddities[name] ?? 0),
    0,
  );
}

function hashesOf(dir: string): Record<string, string> {
  const hashed = (file: string): [string, string] => {
    const hash = createHash("sha256").update(fs.readFileSync(path.join(dir, file)));
    return [file, hash.digest("hex")];
  };
  return Object.fromEntries(filesBelow(dir).map(hashed));
}

function within(dir: string, generated: Generated): Generated {
  return { ...generated, paths: generated.paths.map((file) => path.relative(dir, file)) };
}
