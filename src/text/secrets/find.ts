/**
 * The secrets of a text: keys of known shapes, values that are named one, long
 * runs that only a generator writes, and every other place where such a value stands.
 *
 * Pure and conservative: prose, hashes, ids in links, code and names stay. Nothing
 * is kept: what is known is known for the texts that are looked at together.
 */
import { aroundNames, inTables } from "./around.js";
import { ISSUED, ISSUED_SHORT, PRIVATE_KEY, PRIVATE_KEY_BEGINS } from "./issued.js";
import { isMixed, isPlaceholder, namedIn, REDACTED } from "./named.js";
import { phrasesIn, walletLinesIn } from "./phrases.js";

/** In UTF-16 units of the text. */
export interface Secret {
  from: number;
  to: number;
  /** As it is shown: `[redacted:password]`. */
  kind: string;
  value: string;
}

/** Secrets stand near one of these: they name one, or belong to a command or an address that takes one. In lower case. */
const HINT =
  /(?:code|safe|magic) ?word|\b(?:cid|csc|otp|lock|nas|gate|root|safe|cards?|[as]k)\b|\b(?:creds|mm |mm:|p: )|wi-?fi|acc\b|\d words|[密蜜][码碼吗嗎钥鑰保]|zip\b|\.connect|[账帐賬帳][号號户戶]|[备備恢回][用复復]|p[adorsw]{6}|\d:[a-z0-9_-]{30}|\d{6}-\d{6}|:\/\/|authorization code|authenticator|solana|expdp|impdp|sqlldr|adb shell|xdotool|keystroke|2fa|mfa|wallet|钱包|amex|account|answer|unlock|locked|vpn|router|netflix|hulu|disney|spotify|steam|icloud|gmail|encrypt|vault|prompted|get in|keypad|puk|cvv|cvc|voicemail|disarm|screen time|texted|锁|鎖|解压|路由|猫|后台|网盘|连上|用户名|加密|摄像头|activation|basic |bearer|code|combination|combo|community|cookie|credential|key|log|mima|pass|phrase|pin|psw|pw|secret|sid=|sign|snmp|sudo|token|user|储物|保险|登|luks|防|取件|认证|pdf|protect|alarm|panel|garage|on the back|背面|大门|大門|门禁|門禁|door|🔑|oathtool|totp|auth|输|輸|填|敲|ssh|denied|@tcp|getconnection|recovery|visa|卡号|信用卡|授|验|vmess|vless|v2ray|节点|机场|订阅|challenge|openssl|administrator|邀请|question|安全问题|ldap|smbclient|redis-cli|psql|ipmitool|mysql|psk|seed|mnemonic|maiden|_sid| -hp|"-p|口令|短语|短語|钥|鑰|码|碼|凭|憑|令牌|团体名|助记词|助記词|暗号|暗號|暗语|暗語|答案|序列|卡密|identified |net use|plainauth|printf |trojan|jdbc:|sqlplus|sqlcl|保护|保護| -a |securestring| -u| -p/g;
/** Or are one by themselves, of so many letters, digits and marks with a digit among them. */
const RUN_CHARS = 16;
/** Behind these hints a word may be one, or a few digits; behind the others only what is mixed or long. */
const OF_WORDS =
  /pass|p[adorsw]{6}|p[sw]w|pwd|mima|snmp|phrase|words|combo|wi-?fi|登|acc\b|luks|\d words|密|蜜|口令|暗|团体|助|答案|answer|[输輸填敲]|word|question|问题|maiden|psk|mnemonic|seed|identified|securestring|authorization code|wallet|solana|短|授|钱包|maiden/;
const OF_DIGITS =
  /code|pin|码|碼|combination|keypad|puk|cvv|cvc|voicemail|disarm|screen time|texted|锁|鎖|储物|保险|lock|safe|防|取件|alarm|panel|gate|garage|back|card|visa|amex|cid|csc|adb|卡|authenticator|2fa|mfa|otp|背面|大|禁|door|lock/;
const EVIDENCE = {
  digits:
    /\d|[零〇一二三四五六七八九]{3}|(?:zero|one|two|three|four|five|six|seven|eight|nine)[ ,-]{1,2}(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)/i,
  mixed:
    /(?<![!-~])(?:(?=[!-~]{5})(?!\W*[a-z]{0,2}\d{1,4}[a-z]{0,2}\W*(?![!-~]))[!-~]{0,80}?(?:[A-Za-z_]\d|\d[A-Za-z_]|\d{5}|[@#$%^&+=~!][A-Za-z\d]|[a-z]\*[A-Za-z]|[A-Z][a-z]+[.-]\d)|(?:[a-z2-7]{4} ){7}|(?:[A-Z2-7]{4}[ -]){3})|(?<![\w*-])[A-Za-z0-9_+/=-]{20}|\[(?:\d{1,3}, ?){8}/,
};
const LONGEST_EVIDENCE_CHARS = 100;
/** So far from a hint, and to the next blank behind that, its secret begins and ends. */
const BEFORE_CHARS = 260;
const BEHIND_CHARS = 460;
const MOST_BLANKLESS_CHARS = 4000;

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
  return [
    ...(LONG.test(text) ? ISSUED : ISSUED_SHORT).flatMap(([kind, shape, sign]) =>
      sign?.test(text) === false ? [] : matches(text, shape, kind),
    ),
    ...namedIn(text),
    ...aroundNames(text),
    ...phrasesIn(text),
    ...randomRuns(text),
  ].filter(({ from, to }) => !isPlaceholder(text.slice(from, to)));
}

/** The stretches around what hints at a secret, in order and apart. */
function windowsOf(text: string): [from: number, to: number][] {
  const windows: [from: number, to: number][] = [];
  const barren = { digits: 0, mixed: 0 };
  for (const { index, 0: hint } of hintsIn(text)) {
    const last = windows.at(-1);
    const behind = index + hint.length + BEHIND_CHARS;
    if (last !== undefined && behind <= last[1]) continue;
    if (!OF_WORDS.test(hint)) {
      const kind = OF_DIGITS.test(hint) ? "digits" : "mixed";
      const unread = Math.max(index - BEFORE_CHARS, barren[kind] - LONGEST_EVIDENCE_CHARS, 0);
      if (!EVIDENCE[kind].test(text.slice(unread, behind))) {
        barren[kind] = behind;
        continue;
      }
    }
    const from = blankBefore(text, index - BEFORE_CHARS);
    const to = blankBehind(text, behind);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else windows.push([from, to]);
  }
  return windows;
}

function hintsIn(text: string): { index: number; 0: string }[] {
  const lower = text.toLowerCase();
  // A few letters are longer in lower case; such a text is read as it is.
  const words = [...(lower.length === text.length ? lower : text).matchAll(HINT)];
  const runs = runsIn(text);
  return runs.length === 0 ? words : [...words, ...runs].sort((one, other) => one.index - other.index);
}

function runsIn(text: string): { index: number; 0: string }[] {
  const runs: { index: number; 0: string }[] = [];
  let from = 0;
  let hasDigit = false;
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? 0 : text.charCodeAt(at);
    const isDigit = code >= 48 && code <= 57;
    const isOfRun =
      isDigit ||
      ((code | 32) - 97) >>> 0 < 26 ||
      code === 95 ||
      code === 45 ||
      code === 43 ||
      code === 47 ||
      code === 61;
    if (isOfRun) {
      hasDigit ||= isDigit;
      continue;
    }
    if (hasDigit && at - from >= RUN_CHARS) runs.push({ index: from, 0: text.slice(from, at) });
    from = at + 1;
    hasDigit = false;
  }
  return runs;
}

function blankBefore(text: string, at: number): number {
  let from = Math.max(0, at);
  for (let left = MOST_BLANKLESS_CHARS; left > 0 && from > 0 && !isBlank(text, from - 1); left--) from--;
  return from;
}

function blankBehind(text: string, at: number): number {
  let to = Math.min(text.length, at);
  for (let left = MOST_BLANKLESS_CHARS; left > 0 && to < text.length && !isBlank(text, to); left--) to++;
  return to;
}

function isBlank(text: string, at: number): boolean {
  return text.charCodeAt(at) <= 32;
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
