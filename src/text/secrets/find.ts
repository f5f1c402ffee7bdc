/**
 * The secrets of a text: keys of known shapes, values that are named one, long
 * runs that only a generator writes, and every other place where such a value stands.
 *
 * Pure and conservative: prose, hashes, ids in links, code and names stay. Nothing
 * is kept: what is known is known for the texts that are looked at together.
 */
import { accountsIn, cellsOfHtml } from "./accounts.js";
import { aroundNames, inTables } from "./around.js";
import { codesIn } from "./codes.js";
import { digitsIn } from "./digits.js";
import { ISSUED, ISSUED_SHORT, PRIVATE_KEY, PRIVATE_KEY_BEGINS } from "./issued.js";
import { isMixed, isPlaceholder, namedIn, REDACTED } from "./named.js";
import { phrasesIn, walletLinesIn } from "./phrases.js";
import { mistakenFor, spokenIn } from "./spoken.js";
import { windowsOf } from "./windows.js";

/** In UTF-16 units of the text. */
export interface Secret {
  from: number;
  to: number;
  /** As it is shown: `[redacted:password]`. */
  kind: string;
  value: string;
}

/** What nearly all issued keys have. */
const LONG = /[\w+/=.:%-]{16}/;
/** As long as a 192-bit key in base64; shorter ones are told by their name only. */
const RANDOM_RUN = /(?<![A-Za-z0-9_+/-])[A-Za-z0-9_+/-]{32,512}={0,2}(?![A-Za-z0-9_+/=-])/g;
const LINK =
  /\b(?:https?|file|data):\S{1,4000}|\bsha\d+[-:]\S{1,200}|\bssh-[a-z0-9-]{1,20} \S{1,1000}|\bpublic ?key\s?[=:]\s?\S{1,200}/gi;
/** Patterns of the owner, by whose they are: a workspace's root. */
const own = new Map<string, readonly RegExp[]>();

export function addOwnPatterns(owner: string, patterns: readonly string[]): void {
  own.set(
    owner,
    patterns.map((pattern) => new RegExp(pattern, "gu")),
  );
}

export function secretsIn(text: string): Secret[] {
  const keyed = readable(text);
  const keys = keyed.includes(PRIVATE_KEY_BEGINS) ? matches(keyed, PRIVATE_KEY, "private-key") : [];
  const plain = keys.length === 0 ? keyed : keyed.replace(PRIVATE_KEY, (key) => REDACTED.repeat(key.length));
  const found = [
    ...keys,
    ...inTables(plain),
    ...cellsOfHtml(plain),
    ...walletLinesIn(plain),
    ...[...own.values()].flat().flatMap((pattern) => matches(plain, pattern, "secret")),
    ...windowsOf(plain).flatMap(([from, to]) =>
      secretsNear(plain.slice(from, to)).map((each) => ({
        ...each,
        from: from + each.from,
        to: from + each.to,
      })),
    ),
  ];
  return apart(found).map((each) => ({ ...each, value: text.slice(each.from, each.to) }));
}

function secretsNear(text: string): Omit<Secret, "value">[] {
  const named = [...namedIn(text), ...aroundNames(text), ...accountsIn(text)];
  const isLong = LONG.test(text);
  return [
    ...(isLong ? ISSUED : ISSUED_SHORT).flatMap(([kind, shape, sign]) =>
      sign?.test(text) === false ? [] : matches(text, shape, kind),
    ),
    ...named,
    ...mistakenFor(text, named),
    ...spokenIn(text),
    ...digitsIn(text),
    ...codesIn(text),
    ...phrasesIn(text),
    ...(isLong ? randomRuns(text) : []),
  ].filter(({ from, to }) => !isPlaceholder(text.slice(from, to)));
}

/** ｐａｓｓｗｏｒｄ： as password:, and without what was redacted before; unit for unit. */
function readable(text: string): string {
  const unread = text.replace(/\[redacted:[a-z-]{1,40}\]/g, (mark) => REDACTED.repeat(mark.length));
  // A bracket behind a word begins what is said of it.
  return unread
    .replace(/(?<=[!-~])（/g, ",")
    .replace(/[\uff01-\uff5e\u3000]/g, (char) =>
      char === "\u3000" ? " " : String.fromCharCode(char.charCodeAt(0) - 0xfee0),
    );
}

function matches(text: string, shape: RegExp, kind: string): Omit<Secret, "value">[] {
  return [...text.matchAll(shape)].map(({ index, 0: whole, ...groups }) => {
    const group =
      (groups as unknown as Record<number, string | undefined>)[1] ??
      (groups as unknown as Record<number, string | undefined>)[2];
    const from = group === undefined ? index : index + whole.lastIndexOf(group);
    return { from, to: from + (group ?? whole).length, kind };
  });
}

function randomRuns(text: string): Omit<Secret, "value">[] {
  const links = [...text.matchAll(LINK)].map(({ index, 0: link }) => [index, index + link.length] as const);
  let next = 0;
  return [...text.matchAll(RANDOM_RUN)].flatMap(({ index: from, 0: run }) => {
    while (next < links.length && (links[next]?.[1] ?? 0) <= from) next++;
    const inLink = (links[next]?.[0] ?? Infinity) <= from;
    return inLink || !isRandom(run) ? [] : [{ from, to: from + run.length, kind: "random" }];
  });
}

/** In order, the longest first where they meet; none inside another. */
function apart<T extends { from: number; to: number }>(found: readonly T[]): T[] {
  const kept: T[] = [];
  for (const each of [...found].sort((one, other) => one.from - other.from || other.to - one.to)) {
    const last = kept.at(-1);
    if (last === undefined || each.from >= last.to) kept.push(each);
    else if (each.to > last.to) kept.push({ ...each, from: last.to });
  }
  return kept;
}

/** Whether a value is one alone, so that wherever it stands it is that secret: no word, no name, no number. */
export function isDistinctive(value: string): boolean {
  if (value.length >= 4 && isMixed(value)) return true;
  return (
    /^[0-9a-f]{16,}$/i.test(value) ||
    (value.match(/\s/g)?.length ?? 0) >= 2 ||
    /^\p{Script=Han}{6,}$/u.test(value) ||
    value.length >= 20
  );
}

/** Digits and both cases, changing all the time, nearly no character twice: not a name, a path or a hash. */
function isRandom(run: string): boolean {
  if (run.startsWith("AAAA") || !/[a-z]/.test(run) || !/[A-Z]/.test(run) || !/\d/.test(run)) return false;
  const kinds = [...run].map((char) =>
    /\d/.test(char) ? "d" : /[a-z]/.test(char) ? "l" : /[A-Z]/.test(char) ? "u" : "o",
  );
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  const least = (run.match(/\d/g)?.length ?? 0) >= 3 ? 0.4 : 0.55;
  return changes / run.length >= least && entropyBits(run) >= 4;
}

/** Shannon entropy per character. */
function entropyBits(run: string): number {
  const counts = new Map<string, number>();
  for (const char of run) counts.set(char, (counts.get(char) ?? 0) + 1);
  return [...counts.values()].reduce(
    (bits, count) => bits - (count / run.length) * Math.log2(count / run.length),
    0,
  );
}
