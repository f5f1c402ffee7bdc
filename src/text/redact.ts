/**
 * What a text is shown without, to people and to models: secrets, `[redacted:kind]`
 * in their place and at every other place where a value stands that is one alone; and
 * what a terminal obeys and no eye sees (controls and escapes, marks that turn the
 * direction of what follows, tag characters).
 *
 * Pure; a text that was redacted once does not change again.
 */
import { Recent } from "./recent.js";
import { addOwnPatterns, isDistinctive, type Secret, secretsIn } from "./secrets/find.js";

export type { Secret };

/** What a text is shown as, and which of its secrets are hidden wherever else they stand. */
export interface Redacted {
  clean: string;
  secrets: readonly Secret[];
}

/** `beside`: secrets of texts that are told together with this one. */
export function redactSecrets(text: string, beside: readonly Secret[] = []): string {
  return withoutValues(lately.of(text, (anew) => redactedAnew(anew)).clean, beside);
}

/** Texts that are told together: what is a secret in one is none to be read in another. */
export function redactTogether(texts: readonly string[]): string[] {
  const each = texts.map((text) => redacted(text));
  const secrets = each.flatMap((one) => one.secrets);
  return each.map(({ clean }) => withoutValues(clean, secrets));
}

/** A secret that somebody said is hidden where others repeat it, so many messages before and behind. */
export const BESIDE_MESSAGES = 4;

/** Of the messages that are told together with one of a conversation, itself among them. */
export function secretsBeside<T>(
  conversation: readonly T[],
  index: number,
  secretsOf: (message: T) => readonly Secret[],
): readonly Secret[] {
  return besideOf(conversation, index).flatMap(secretsOf);
}

export function besideOf<T>(conversation: readonly T[], index: number): T[] {
  return conversation.slice(Math.max(0, index - BESIDE_MESSAGES), index + BESIDE_MESSAGES + 1);
}

/** The same, with as many lines as the text has: what stands on which line can still be told. */
export function redactedOnItsLines(text: string): Redacted {
  return redactedAnew(text, (value) => value.replace(/[^\n]+/g, ""));
}

/** The secrets themselves, as they stand. */
export function valuesIn(text: string): string[] {
  return secretsIn(text).map(({ value }) => value);
}

/** What stood beside a secret may look like one once that is gone. */
const MOST_PASSES = 8;

/** The same words are shown by prompt after prompt, and in each beside others. */
const lately = new Recent<Redacted>(1_000_000, 100);
/** Who wants to know more of a long text than how it is shown keeps what it gets. */
const LONG_CHARS = 4000;

export function redacted(text: string): Redacted {
  return text.length > LONG_CHARS ? redactedAnew(text) : lately.of(text, (anew) => redactedAnew(anew));
}

/** From now on this process takes for a secret what one of these matches, whichever workspace it stands in. */
export function useOwnPatterns(owner: string, patterns: readonly string[]): void {
  addOwnPatterns(owner, patterns);
  lately.clear();
}

/** `rest`: what is left of a value behind its mark. */
function redactedAnew(text: string, rest: (value: string) => string = () => ""): Redacted {
  let clean = text;
  /** By its value: one that stands in a text a million times is one. */
  const known = new Map<string, Secret>();
  for (let passes = 0; passes < MOST_PASSES; passes++) {
    const found = secretsIn(clean);
    if (found.length === 0) break;
    const alone = new Map<string, Secret>();
    for (const secret of found) if (isDistinctive(secret.value)) alone.set(secret.value, secret);
    for (const [value, secret] of alone) if (!known.has(value)) known.set(value, secret);
    clean = withoutValues(replaced(clean, found, rest), [...alone.values()]);
  }
  return { clean, secrets: [...known.values()] };
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

/** Every place of these values, in one pass, however many there are. */
export function withoutValues(text: string, secrets: readonly Secret[]): string {
  if (secrets.length === 0) return text;
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
