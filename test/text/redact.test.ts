import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactSecrets } from "../../src/text/redact.js";
import { useOwnPatterns } from "../../src/text/redact.js";

test.each([
  ["OPENAI_API_KEY=sk-proj-abcdEFGH1234567890abcdEFGH", "OPENAI_API_KEY=[redacted:api-key]"],
  ["AKIAIOSFODNN7EXAMPLE is mine", "[redacted:aws-key] is mine"],
  ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[redacted:github-token]"],
  ["my password is hunter2!", "my password is [redacted:password]"],
  ["wifi 密码是 88420011", "wifi 密码是 [redacted:password]"],
  ["密码：Abc12345。", "密码：[redacted:password]。"],
  ["api_key: 'abcd1234efgh5678'", "api_key: '[redacted:secret]'"],
  ["postgres://bob:s3cret@db:5432/x", "postgres://bob:[redacted:password]@db:5432/x"],
  ["https://x.com/?token=abc123def456ghi7&x=1", "https://x.com/?token=[redacted:secret]&x=1"],
  ["Authorization: Bearer abcdef1234567890XYZ", "Authorization: Bearer [redacted:authorization]"],
  ["-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY----- x", "[redacted:private-key] x"],
  ["aZ3kQ9xV7bN2mL5pR8tW1yU4iO6sD0fG", "[redacted:random]"],
  ["cvv 100", "cvv [redacted:password]"],
  ["密码 0 0 0", "密码 [redacted:code]"],
])("%s", (text, clean) => {
  expect(redactSecrets(text)).toBe(clean);
});

test.each([
  "commit 3f2a9c1b7d8e4f6a0b1c2d3e4f5a6b7c8d9e0f1a fixes it",
  "request 123e4567-e89b-12d3-a456-426614174000",
  "https://docs.google.com/document/d/1A2bC3dE4fG5hI6jK7lM8nO9pQ0rS1tU2vW3xY4z/edit",
  "sha512-Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyMTIzNA==",
  "/home/alice/Projects2024/MyApp/src/components/HeaderV2.tsx",
  "useGetV2AccountsListQueryWithParams2AndOptions",
  "sk-learn-is-a-library-with-a-long-name",
  "The password: required field. The secret is out; the key: always be kind.",
  "tokens: 4096, max_tokens=2048, token = getToken(), password = <your-password>, api_key=${API_KEY}",
  "密码是什么？我忘了密码：怎么办",
  "api_key = process.env.OPENAI_KEY",
  "password 0 v1.2.3 a",
  "password isaa 0 password",
  "cvva 100 0",
  "acvc 100 a",
])("stays: %s", (text) => {
  expect(redactSecrets(text)).toBe(text);
});

describe("ordinary words, in English and Chinese, are never touched", () => {
  const joints = ["v1.2.3", "https://example.com/a/b?c=d", ",", "。", "\n"];

  test("whatever they are", () => {
    const word = fc.oneof(
      fc.stringMatching(/^[a-z]{1,14}$/),
      fc
        .stringMatching(/^[\u4e00-\u9fff]{1,8}$/)
        .filter((han) => !/[密码口令钥答案暗号团体凭证助记]/.test(han)),
      fc.integer().map(String),
      fc.constantFrom(...joints),
    );
    const isOfName =
      /pass|pw|psw|pin|key|token|secret|code|answer|auth|sk|ak|mima|combo|log|sign|user|account/;
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (words) => {
        const text = words.join(" ");
        fc.pre(!isOfName.test(text));
        expect(redactSecrets(text)).toBe(text);
      }),
    );
  });

  test("beside a word that names a secret neither, where they are short", () => {
    const word = fc.oneof(
      // Which name the number of a card.
      fc.stringMatching(/^[a-z]{1,7}$/).filter((letters) => !/^cv[vc]$/.test(letters)),
      fc.stringMatching(/^[\u4e00-\u9fff]{1,3}$/),
      fc.integer({ min: 0, max: 999 }).map(String),
      fc.constantFrom("password", "key", "token", "secret", "密码", ...joints),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (words) => {
        const text = words.join(" ");
        fc.pre(!/(?:是|为|爲|to|is|was|are|now) \d|\d{3} \d{3}|\d\d \d\d \d\d|\b\d \d \d\b/.test(text));
        expect(redactSecrets(text)).toBe(text);
      }),
    );
  });
});

test("a text that was redacted once does not change again", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "password: hunter22",
      "token=abc123def456ghi7",
      "sk-abcdEFGH1234567890abcd",
      "bearer ",
      "https://a:b1@c",
      "密码是",
      "88420011",
      "=",
      " ",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const once = redactSecrets(pieces.join(""));
      expect(redactSecrets(once)).toBe(once);
    }),
  );
});

test("a long text of one kind of character takes no time to speak of", () => {
  for (const text of [
    "a".repeat(200_000),
    "1:".repeat(100_000),
    "-----BEGIN ".repeat(20_000),
    "密码是".repeat(50_000),
    "://a:".repeat(40_000),
    "sk-a-".repeat(40_000),
    "eyJaaaaaaaaa.".repeat(20_000),
  ]) {
    redactSecrets(text);
  }
});

test("what the owner calls a secret is one, as long as they do", () => {
  const text = "badge ACME-12AB34CD56EF was lost";
  expect(redactSecrets(text)).toBe(text);
  useOwnPatterns("somebody", ["ACME-[A-Z0-9]{12}"]);
  expect(redactSecrets(text)).toBe("badge [redacted:secret] was lost");
  useOwnPatterns("somebody", []);
  expect(redactSecrets(text)).toBe(text);
});

test("a text of more secrets than a call can be given arguments", () => {
  expect(redactSecrets("password=!".repeat(300_000))).not.toContain("!");
});
