/**
 * Secrets out of a text: `[redacted:kind]` in their place, and at every other
 * place where a value stands that is one alone. Pure; a text that was redacted
 * once does not change again.
 */
import { isDistinctive, type Secret, secretsIn } from "./secrets/find.js";

/** `beside`: values of texts that are told together with this one. */
export function redactSecrets(text: string, beside: readonly Secret[] = []): string {
  return untilStable(text, (left) => withoutSecrets(left, beside, () => ""));
}

/** The same, with as many lines as the text has: what stands on which line can still be told. */
export function redactOnTheirLines(text: string): string {
  return untilStable(text, (left) => withoutSecrets(left, [], (value) => value.replace(/[^\n]+/g, "")));
}

/** What stood beside a secret may look like one once that is gone. */
const MOST_PASSES = 8;

function untilStable(text: string, pass: (text: string) => string): string {
  let clean = text;
  for (let passes = 0; passes < MOST_PASSES; passes++) {
    const next = pass(clean);
    if (next === clean) break;
    clean = next;
  }
  return clean;
}

function withoutSecrets(text: string, beside: readonly Secret[], rest: (value: string) => string): string {
  const secrets = secretsIn(text);
  const distinctive = [...secrets, ...beside].filter(({ value }) => isDistinctive(value));
  const clean = replaced(text, secrets, rest);
  return distinctive.length === 0 ? clean : withoutValues(clean, distinctive);
}

/** The provider's own key by its value, whatever it looks like. One of a few characters is none. */
export function withoutKey(text: string, key: string | undefined): string {
  return key === undefined || key.length < SHORTEST_KEY ? text : text.replaceAll(key, "[redacted:key]");
}

const SHORTEST_KEY = 6;

function replaced(text: string, secrets: readonly Secret[], rest: (value: string) => string): string {
  let clean = "";
  let at = 0;
  for (const { from, to, kind, value } of secrets) {
    clean += `${text.slice(at, from)}[redacted:${kind}]${rest(value)}`;
    at = to;
  }
  return clean + text.slice(at);
}

/** So long a beginning of a value is looked for first. */
const HEAD = 4;

/** In one pass, however many values there are. */
function withoutValues(text: string, secrets: readonly Secret[]): string {
  const byHead = new Map<string, Map<string, string>>();
  for (const { value, kind } of secrets) {
    const head = value.slice(0, HEAD);
    const values = byHead.get(head) ?? new Map<string, string>();
    byHead.set(head, values.set(value, kind));
  }
  let clean = "";
  let done = 0;
  for (let at = 0; at < text.length; at++) {
    const values = byHead.get(text.slice(at, at + HEAD));
    if (values === undefined) continue;
    for (const [value, kind] of values) {
      if (!text.startsWith(value, at) || isPartOfWord(text, at, at + value.length, value)) continue;
      clean += `${text.slice(done, at)}[redacted:${kind}]`;
      done = at + value.length;
      at = done - 1;
      break;
    }
  }
  return clean + text.slice(done);
}

/** "pass1" stands in "pass12", which is another value. */
function isPartOfWord(text: string, from: number, to: number, value: string): boolean {
  const continues = (one: string, other: string): boolean =>
    /[A-Za-z0-9]/.test(one) && /[A-Za-z0-9]/.test(other);
  return (
    continues(text.charAt(from - 1), value.charAt(0)) ||
    continues(text.charAt(to), value.charAt(value.length - 1))
  );
}
