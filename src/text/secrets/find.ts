/**
 * The secrets of a text: keys of known shapes, values that are named one, long
 * runs that only a generator writes, and every other place where such a value stands.
 *
 * Pure and conservative: prose, hashes, ids in links, code and names stay. Nothing
 * is kept: what is known is known for the texts that are looked at together.
 */
import { aroundNames } from "./around.js";
import { ISSUED } from "./issued.js";
import { isMixed, isPlaceholder, namedIn, REDACTED } from "./named.js";

/** In UTF-16 units of the text. */
export interface Secret {
  from: number;
  to: number;
  /** As it is shown: `[redacted:password]`. */
  kind: string;
  value: string;
}

/** Without any of these in it a text holds nothing that is looked for; most texts end here. */
const HINT =
  /pass|p[adorsw]{7}|pwd|psw|pw|pin|secret|token|key|credential|bearer|basic |code|cookie|sid=|community|combination|phrase|answer|log|sign|:\/\/|-----BEGIN|WIFI:|密[码碼钥鑰保]|口令|[钥鑰]|令牌|[码碼]|[凭憑]|团体名|助[记記]词|暗[号號]|答案|\bsk\b|\bak\b|[A-Za-z0-9_+/=-]{16,}|\d:[A-Za-z0-9_-]{30,}|\d{6}-\d{6}|(?:[a-z2-7]{4} ){3}| -[up]|登|[账帐賬帳][号號户戶]|[备備恢回][用复復]|account|user|sudo|combo|mima|(?:[a-z]{3,8} ){11}/i;

/** As long as a 192-bit key in base64; shorter ones are told by their name only. */
const RANDOM_RUN = /(?<![A-Za-z0-9_+/=-])[A-Za-z0-9_+/-]{32,512}={0,2}(?![A-Za-z0-9_+/=-])/g;
const LINK =
  /\b(?:https?|file|data):\S{1,4000}|\bsha\d+[-:]\S{1,200}|\bssh-[a-z0-9-]{1,20} \S{1,1000}|\bpublic ?key\s?[=:]\s?\S{1,200}/gi;
const SEED =
  /(?:seed|recovery|mnemonic|backup|secret) (?:phrase|words?)[^\n:]{0,40}?(?:is|are|[:=])\s*["'“「]?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})|助[记記][词詞][^\n:a-z]{0,20}[:是为]?\s*["'“「]?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/gi;
/** Words of a wallet alone on their line. */
const SEED_LINE =
  /(?<=^|\n)(?!(?:[a-z]+ ){0,23}(?:the|and|you|for|not|with|was|are|this|that)\b)[a-z]{3,8}(?: [a-z]{3,8}){11}(?:(?: [a-z]{3,8}){3}){0,4}(?=\n|$)/g;
const HEX_KEY = /\b(?:0x)?[0-9a-f]{64}\b(?<=(?:private key|wallet|私[钥鑰]|钱包)[^\n]{64,126})/gi;

export function secretsIn(text: string): Secret[] {
  const plain = readable(text);
  if (!HINT.test(plain)) return [];
  const found: Omit<Secret, "value">[] = [
    ...ISSUED.flatMap(([kind, shape]) => matches(plain, shape, kind)),
    ...namedIn(plain),
    ...aroundNames(plain),
    ...[SEED, SEED_LINE, HEX_KEY].flatMap((shape) => matches(plain, shape, "wallet-key")),
    ...randomRuns(plain),
  ];
  return apart(found.filter(({ from, to }) => !isPlaceholder(plain.slice(from, to)))).map((each) => ({
    ...each,
    value: text.slice(each.from, each.to),
  }));
}

/** ｐａｓｓｗｏｒｄ： as password:, and without what was redacted before; unit for unit. */
function readable(text: string): string {
  const unread = text.replace(/\[redacted:[a-z-]{1,40}\]/g, (mark) => REDACTED.repeat(mark.length));
  return unread.replace(/[\uff01-\uff5e\u3000]/g, (char) =>
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
