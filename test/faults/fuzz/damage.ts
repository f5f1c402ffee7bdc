/**
 * Damage: what bad disks, torn writes, careless editors and strangers do to
 * bytes. Of the same randomness comes the same damage.
 */
import type { Rng } from "./seed.js";

/** Tokens that mean something to one of the grammars. */
const TOKENS: readonly [Uint8Array, ...Uint8Array[]] = [
  ...[
    ..."{}[]\"'\\:,\n\r\t #-=<>`&*!|%@?~",
    "\r\n",
    "\n\n",
    "\ufeff",
    "\u2028",
    "\u0085",
    "\0",
    "\0\0\0\0\0\0\0\0",
    '"":',
    '"text":"twice",',
    '"id":"twice",',
    '"messages":[',
    '"messages":[],',
    '{"messages":',
    '"__proto__":{"polluted":1,"text":"x"},',
    '"constructor":{"prototype":{"polluted":1}},',
    '"toString":1,',
    '{"role":"user","text":"new"},',
    "\\u0000",
    "\\ud800",
    "\\",
    "1e999",
    "-0",
    "123456789012345678901234567890",
    "null",
    "true",
    "nan",
    "-->",
    "<!--",
    " -->\n",
    "### 14:03:22 X <!-- id=new role=user at=2026-01-05T10:00:00Z -->\n",
    "\n### 14:03:22 X <!-- role=user -->\n",
    "\n## x <!-- user=bob -->\n",
    "\n## Everyone <!-- everyone -->\n",
    "\n# T\n",
    "\n---\n",
    "---\n",
    "...\n",
    "\n```\n",
    "\n~~~\n",
    "a: &a 1\n",
    "b: *a\n",
    "<<: *a\n",
    "? x\n",
    "- ",
    "!!js/function ",
    "!!binary ",
    "__proto__: {a: 1}\n",
    "__proto__.a = 1\n",
    "[a.b]\n",
    "[[a]]\n",
    '"""',
    "'''",
    "x=",
    "%u0000",
    "%",
    "id=",
    "<think>",
    "</think>",
    "**a**\n",
    "明天",
    "password: hunter2hunter2 ",
  ].map((token) => Buffer.from(token)),
  // No UTF-8: a lone continuation, half a character, an overlong slash, an encoded surrogate, no byte of any.
  ...[[0x80], [0xe5, 0xa5], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xff], [0xf0, 0x9f]].map((bytes) =>
    Buffer.from(bytes),
  ),
] as unknown as [Uint8Array, ...Uint8Array[]];

export function damaged(whole: Uint8Array, rng: Rng): Uint8Array {
  let bytes: Uint8Array = whole;
  for (let left = strokes(rng); left > 0; left--) bytes = stroke(bytes, rng);
  return bytes;
}

/** Mostly little; sometimes a bad disk's worth. */
function strokes(rng: Rng): number {
  const severity = rng.int(10);
  if (severity < 7) return 1 + rng.int(3);
  return severity < 9 ? 4 + rng.int(6) : 10 + rng.int(50);
}

function stroke(bytes: Uint8Array, rng: Rng): Uint8Array {
  const [from, to] = span(bytes.length, rng);
  switch (rng.int(24)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return replaced(bytes, from, from + 1, Uint8Array.of((bytes[from] ?? 0) ^ (1 << rng.int(8))));
    case 4:
    case 5:
      return replaced(bytes, from, from + 1, Uint8Array.of(rng.int(256)));
    case 6:
    case 7:
      return replaced(bytes, from, to, NOTHING);
    case 8:
      return replaced(bytes, to, to, bytes.subarray(from, to));
    case 9:
      return swapped(bytes, rng);
    case 10:
    case 11:
    case 12:
    case 13:
    case 14:
      return replaced(bytes, from, from, rng.pick(TOKENS));
    case 15:
      return replaced(bytes, from, to, rng.pick(TOKENS));
    case 16:
      return bytes.subarray(0, from);
    case 17:
      return bytes.subarray(from);
    case 18:
      return replaced(bytes, from, to, new Uint8Array(to - from));
    case 19:
      return lines(bytes, rng);
    case 20:
      return rng.oneIn(2) ? everywhere(bytes, "\n", "\r\n") : everywhere(bytes, "\r\n", "\n");
    case 21:
      return replaced(bytes, 0, 0, BYTE_ORDER_MARK);
    case 22:
      return rng.oneIn(4)
        ? replaced(bytes, from, from, repeated(rng))
        : replaced(bytes, from, from, rng.pick(TOKENS));
    default:
      return numbers(bytes, rng);
  }
}

const NOTHING = new Uint8Array();
const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

/** Two places, mostly near one another. */
function span(length: number, rng: Rng): [from: number, to: number] {
  const from = rng.int(length + 1);
  const width = rng.oneIn(8) ? rng.int(length + 1) : rng.int(40);
  return [from, Math.min(length, from + width)];
}

function replaced(bytes: Uint8Array, from: number, to: number, by: Uint8Array): Uint8Array {
  return Buffer.concat([bytes.subarray(0, from), by, bytes.subarray(to)]);
}

function swapped(bytes: Uint8Array, rng: Rng): Uint8Array {
  const [a, b] = span(bytes.length, rng);
  const [c, d] = span(bytes.length, rng);
  if (b > c) return bytes;
  const parts = [bytes.subarray(0, a), bytes.subarray(c, d), bytes.subarray(b, c), bytes.subarray(a, b)];
  return Buffer.concat([...parts, bytes.subarray(d)]);
}

/** A line twice, away, or in another's place. */
function lines(bytes: Uint8Array, rng: Rng): Uint8Array {
  const all = Buffer.from(bytes).toString("latin1").split("\n");
  const from = rng.int(all.length);
  const [line = ""] = all.splice(from, rng.oneIn(3) ? 0 : 1);
  if (!rng.oneIn(3)) all.splice(rng.int(all.length + 1), 0, line);
  return Buffer.from(all.join("\n"), "latin1");
}

function everywhere(bytes: Uint8Array, what: string, by: string): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll(what, by), "latin1");
}

/** One token many times: deep nesting, long lines, long runs. Rarely more than some KB. */
function repeated(rng: Rng): Uint8Array {
  const opening = [
    "[",
    "{",
    '{"a":',
    "- ",
    "? ",
    "[[",
    "\\",
    "#",
    "`",
    " ",
    "\n",
    "a",
    "=",
    "*",
    "<!-- ",
    "(",
    "好",
    "\t",
  ];
  const unit = rng.oneIn(2) ? Buffer.from(opening[rng.int(opening.length)] ?? "[") : rng.pick(TOKENS);
  const size = rng.oneIn(100) ? 60_000 : rng.oneIn(8) ? 8_000 : 500;
  return Buffer.alloc(size - (size % unit.length), unit);
}

/** A number becomes one that no counter has. */
function numbers(bytes: Uint8Array, rng: Rng): Uint8Array {
  const text = Buffer.from(bytes).toString("latin1");
  const found = [...text.matchAll(/\d+/g)];
  const match = found[rng.int(found.length)];
  if (match === undefined) return bytes;
  const odd = [
    "1e999",
    "-1",
    "0",
    "99999999999999999999999",
    "1e308",
    "0x10",
    "1.5",
    "9007199254740993",
  ] as const;
  return replaced(bytes, match.index, match.index + match[0].length, Buffer.from(rng.pick(odd)));
}
