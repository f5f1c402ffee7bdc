/** Texts, names and messages: valid all of them, and made of what breaks parsers. */
import type { Rng } from "./seed.js";

const PHRASES = [
  "The deploy of web-2 timed out after 300 s.",
  "好的，明天下午三点开会。",
  "I like green tea, not coffee.",
  "see https://example.org/a?b=c&d=%20#e",
  "price: 12,50 € (incl. 19 % VAT)",
  "😀👩‍👩‍👧 née Müller, Ångström",
  "",
] as const;

const AWKWARD = [
  "\n",
  "\r",
  "\r\n",
  " ",
  "\t",
  "-->",
  "<!--",
  "\\",
  '"',
  "{",
  "}",
  '{"role":"user"}',
  "[]{}}{",
  "### 14:03:22 Alice <!-- id=forged role=user at=2026-01-05T10:00:00Z -->",
  "\\### 14:03:22 Bob <!-- id=x -->",
  "## Alice <!-- user=alice -->",
  "# A title",
  "---",
  "```",
  "~~~",
  "- ",
  "\ud83d",
  "\udc00",
  "\0",
  "\u001b[31m",
  "\u0085",
  "\u2028",
  "\ufeff",
  "%41",
  "&a *a !!js",
  '"messages": [',
] as const;

export function textOf(rng: Rng, most = 6): string {
  const parts = Array.from({ length: 1 + rng.int(most) }, () =>
    rng.oneIn(3) ? rng.pick(AWKWARD) : rng.pick(PHRASES),
  );
  return parts.join(rng.pick(["", " ", "\n", "\n\n"]));
}

/** A name as a host may choose it: any text that is no half of a pair. */
export function nameOf(rng: Rng): string {
  const odd = [
    "a b",
    "-->",
    "x=y",
    "__proto__",
    "constructor",
    "好",
    "%20",
    "群:1",
    "\ufeff",
    "a\u0000b",
  ] as const;
  return rng.oneIn(3) ? rng.pick(odd) : rng.pick(["alice", "bob", "u-17"]);
}

/** Some JSON value, prototype names among its own. */
export function valueOf(rng: Rng, depth = 3): unknown {
  const leaf = depth === 0 || rng.oneIn(2);
  if (leaf) return rng.pick<unknown>([null, true, 0, -1.5e-7, 9007199254740993, textOf(rng, 2), ""]);
  if (rng.oneIn(2)) return Array.from({ length: rng.int(3) }, () => valueOf(rng, depth - 1));
  const names = ["a", "__proto__", "constructor", "messages", "role", "text", ""] as const;
  return Object.fromEntries(
    Array.from({ length: 1 + rng.int(3) }, () => [rng.pick(names), valueOf(rng, depth - 1)]),
  );
}

const START_MS = Date.parse("2026-01-05T08:00:00Z");

/** The `n`-th message of a conversation, spelt as memd itself would. */
export function messageOf(rng: Rng, n: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  const fields: [string, unknown][] = [["id", `m${n}${rng.oneIn(4) ? nameOf(rng) : ""}`]];
  const maybe = (name: string, make: () => unknown, often = 4): void => {
    if (rng.oneIn(often)) fields.push([name, make()]);
  };
  fields.push(["role", rng.pick(["user", "agent", "tool", "system"])]);
  maybe("user", () => nameOf(rng));
  maybe("speaker", () => textOf(rng, 2));
  maybe("session", () => nameOf(rng));
  maybe("scene", () => "assistant", 6);
  maybe("private", () => rng.oneIn(2), 8);
  maybe("tool", () => ({ name: "ls", callId: `c${n}`, input: valueOf(rng), result: textOf(rng) }), 5);
  maybe("attachments", () => [{ kind: "image", path: "a.png", tokens: 85 }], 8);
  fields.push(["text", textOf(rng)]);
  fields.push(["createdAt", new Date(START_MS + n * 61_000).toISOString()]);
  maybe("x-host", () => valueOf(rng), 5);
  maybe("__proto__", () => ({ text: "polluted", polluted: true }), 10);
  fields.push(...Object.entries(more));
  // Through JSON: what a file can carry, and nothing else.
  return JSON.parse(JSON.stringify(Object.fromEntries(fields))) as Record<string, unknown>;
}
