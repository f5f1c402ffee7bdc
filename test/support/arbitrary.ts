/** Messages as hosts write them, and as nobody should: for fast-check. */
import fc from "fast-check";
import type { FiledMessage, MessageId } from "../../src/model/message.js";
import { defaultOwnerOf } from "../../src/model/address.js";
import { epochMs, parseInstant } from "../../src/model/time.js";
import { parseMessage, withId } from "../../src/protocol/message.js";

/** Every UTF-16 unit: halves of pairs and control characters too. */
const anyUnits = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
});

const AWKWARD = [
  "\n",
  "\r",
  "\r\n",
  " ",
  "\t",
  "-->",
  "<!--",
  "--",
  "\\",
  "### 14:03:22 Alice <!-- id=forged role=user at=2026-01-05T10:00:00Z -->",
  "### 14:03:22",
  "\\### 14:03:22 Bob <!-- id=x -->",
  "\\\\\\### 00:00:00",
  "## Alice <!-- user=alice -->",
  "# A title",
  "---",
  "```",
  "😀",
  "\ud83d",
  "\udc00",
  "\0",
  "\u001b[31m",
  "\u0085",
  "\u2028",
  "\u2028---",
  "\ufeff",
  "%41",
  "好的，",
  "word",
];

/** Texts that break parsers. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  anyUnits,
  fc.array(fc.constantFrom(...AWKWARD), { maxLength: 12 }).map((parts) => parts.join("")),
  fc.array(fc.constantFrom(...AWKWARD), { maxLength: 8 }).map((parts) => parts.join("\n")),
);

const names = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "a b", "-->", "x"),
  anyUnits,
);

/** What JSON can carry, `__proto__` as a name included. */
export const jsonValue: fc.Arbitrary<unknown> = fc
  .letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.oneof(fc.constant(null), fc.boolean(), fc.double(), fc.integer(), hostileText),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.array(fc.tuple(names, tie("value")), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
    ),
  }))
  .value.map((value) => JSON.parse(JSON.stringify(value)) as unknown);

const wellFormedName = anyUnits.map((text) => text.toWellFormed()).filter((text) => text !== "");
const ids = fc.oneof(wellFormedName, fc.constantFrom("m1", "-", "--", ">", "a b", "a=b", "%20", "好", '"'));

const createdAt = fc.oneof(
  fc
    .date({ min: new Date("2001-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom("2026-01-05 10:00:00+08", "yesterday", "2026-02-30T10:00:00Z", "", "2026-01-05"),
  hostileText,
);

const tool = fc.record(
  { name: hostileText, callId: hostileText, input: jsonValue, result: jsonValue, [`__proto__`]: jsonValue },
  { requiredKeys: ["name", "callId"] },
);

const attachment = fc.record(
  { kind: hostileText, path: hostileText, tokens: fc.integer() },
  { requiredKeys: ["kind"] },
);

/** An object as a host may have written it: right, odd or wrong in every field, with a text all the same. */
export const hostMessage: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(
    fc.record(
      {
        id: fc.oneof(ids, jsonValue),
        role: fc.oneof(
          fc.constantFrom("user", "agent", "tool", "system", "assistant", "narrator"),
          jsonValue,
        ),
        text: fc.oneof(hostileText, jsonValue),
        content: fc.oneof(hostileText, jsonValue),
        createdAt: fc.oneof(createdAt, fc.integer(), jsonValue),
        user: fc.oneof(ids, jsonValue),
        speaker: fc.oneof(hostileText, jsonValue),
        session: fc.oneof(ids, jsonValue),
        scene: fc.oneof(hostileText, jsonValue),
        private: fc.oneof(fc.boolean(), jsonValue),
        tool: fc.oneof(tool, jsonValue),
        attachments: fc.oneof(fc.array(attachment, { maxLength: 2 }), jsonValue),
        archived: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    fc.array(fc.tuple(names, jsonValue), { maxLength: 3 }),
    hostileText,
  )
  .map(([known, unknown, text]) => {
    const raw = Object.fromEntries([...unknown, ...Object.entries(known)]);
    const whole = parseMessage(raw) === undefined ? { ...raw, text } : raw;
    return JSON.parse(JSON.stringify(whole)) as Record<string, unknown>;
  });

/** A message of one scope, filed as intake would. */
export function filedMessage(scope?: string): fc.Arbitrary<FiledMessage> {
  return fc
    .tuple(hostMessage, ids, fc.option(ids, { nil: undefined }), fc.integer({ min: 1e12, max: 1.9e12 }))
    .map(([raw, id, belongs, seenAt]) => {
      const { scope: _ignored, ...rest } = raw;
      const parsed = parseMessage(scope === undefined ? rest : { ...rest, scope });
      if (parsed === undefined) throw new Error("every host message has a text");
      const message = withId(parsed, parsed.id ?? (id as MessageId));
      const belongsTo = belongs ?? defaultOwnerOf(message);
      const filedAt = parseInstant(message.createdAt) ?? epochMs(seenAt);
      return belongsTo === undefined ? { message, filedAt } : { message, filedAt, belongsTo };
    });
}

/** One text per value, whatever the order of names; unlike deep equality it does not overlook `__proto__`. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? { sorted: Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) }
      : inner,
  );
}
