/**
 * What a text is shown without, to people and to models: secrets, `[redacted:kind]`
 * in their place; and what a terminal obeys and no eye sees (controls and escapes,
 * marks that turn the direction of what follows, tag characters).
 *
 * Pure and conservative: a known shape of key, a value that is named a secret,
 * or a long run of characters that only a random generator writes. Prose,
 * Chinese, hashes, ids in links, code names and versions stay as they are. A
 * text that was redacted once does not change again.
 */

/** Without any of these in it a text holds nothing that is looked for; most texts end here. */
const HINT =
  /pass|pwd|secret|token|key|credential|bearer|basic |:\/\/|-----BEGIN|密码|口令|密钥|令牌|[A-Za-z0-9_+/=-]{20,}|\d:[A-Za-z0-9_-]{30,}/i;

const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

/** Keys that announce themselves, from their issuers' documentation. */
const KEY_SHAPES: readonly (readonly [kind: string, shape: RegExp])[] = [
  ["private-key", PRIVATE_KEY],
  ["jwt", /(?<![\w-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g],
  ["aws-key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ["github-token", /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})/g],
  ["gitlab-token", /\bglpat-[A-Za-z0-9_-]{20,}/g],
  ["slack-token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|(?<=hooks\.slack\.com\/services\/)[A-Za-z0-9/]{20,}/g],
  ["api-key", /\b(?:sk|rk)[-_][A-Za-z0-9_-]{20,}/g],
  ["google-key", /\bAIza[A-Za-z0-9_-]{35}|\bya29\.[A-Za-z0-9_-]{20,}/g],
  ["npm-token", /\bnpm_[A-Za-z0-9]{30,}/g],
  ["pypi-token", /\bpypi-[A-Za-z0-9_-]{32,}/g],
  ["huggingface-token", /\bhf_[A-Za-z0-9]{30,}/g],
  ["sendgrid-key", /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g],
  ["telegram-token", /\b\d{8,10}:[A-Za-z0-9_-]{35}\b/g],
];

/** scheme://user:SECRET@host */
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]{0,200}:)([^\s/@]+)(?=@)/gi;
const AUTHORIZATION = /(\b(?:bearer|basic)\s+)([A-Za-z0-9._~+/=-]{12,})/gi;
/** name = SECRET, name: SECRET, ?name=SECRET, 密码是 SECRET; a short word may stand between. */
const NAMED =
  /((?:pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key|auth[_-]?key|密码|口令|密钥|令牌)["'`*]*\s*(?:=>|[=:：]|\bis\b|是|为)\s*["'`*“”]*)([^\s"'`“”，。；,;&)\]}>]+)/gi;

/** As long as a 192-bit key in base64; shorter ones are told by their name only. */
const RANDOM_RUN = /(?<![A-Za-z0-9_+/=-])[A-Za-z0-9_+/-]{32,}={0,2}(?![A-Za-z0-9_+/=-])/g;
const LINK = /\b(?:https?|file|data):\S+|\bsha\d+[-:]\S+|\bssh-[a-z0-9-]+ \S+/gi;

export function redactSecrets(text: string): string {
  if (!HINT.test(text)) return text;
  let clean = text;
  // A digit and a long run of letters: "sk-learn-and-other-libraries" is a name.
  for (const [kind, shape] of KEY_SHAPES) {
    clean = clean.replace(shape, (key) =>
      kind !== "api-key" || (/\d/.test(key) && /[A-Za-z0-9]{12}/.test(key)) ? `[redacted:${kind}]` : key,
    );
  }
  clean = clean.replace(
    URL_PASSWORD,
    (_all, before: string, value: string) => before + (isMark(value) ? value : "[redacted:password]"),
  );
  clean = clean.replace(AUTHORIZATION, (all, before: string, value: string) =>
    isMark(value) || !isMixed(value) ? all : `${before}[redacted:authorization]`,
  );
  clean = clean.replace(NAMED, (all, before: string, value: string) =>
    looksSecret(value, before) ? `${before}[redacted:${kindOf(before)}]` : all,
  );
  return redactRandomRuns(clean);
}

/** The same, with as many lines as the text has: what stands on which line can still be told. */
export function redactOnTheirLines(text: string): string {
  const keyed = text.replace(PRIVATE_KEY, (key) => `[redacted:private-key]${key.replace(/[^\n]+/g, "")}`);
  return redactSecrets(keyed);
}

/** The provider's own key by its value, whatever it looks like. One of a few characters is none. */
export function withoutKey(text: string, key: string | undefined): string {
  return key === undefined || key.length < SHORTEST_KEY ? text : text.replaceAll(key, "[redacted:key]");
}

const SHORTEST_KEY = 6;

function redactRandomRuns(text: string): string {
  const links = [...text.matchAll(LINK)].map(
    (match) => [match.index, match.index + match[0].length] as const,
  );
  return text.replace(RANDOM_RUN, (run, at: number) => {
    const inLink = links.some(([from, to]) => at >= from && at < to);
    return inLink || !isRandom(run) ? run : "[redacted:random]";
  });
}

/** What stands after "password:" is a secret only if nobody would say it: no placeholder, no code, no plain word. */
function looksSecret(value: string, name: string): boolean {
  if (isMark(value) || /^[$<{%*.]|[({]|^(?:process|os|env|self|this)\b|…|\*{3}|\.{3}/.test(value))
    return false;
  if (/[\u4e00-\u9fff]/.test(value)) return false;
  const password = /pass|pwd|密码|口令/i.test(name);
  if (password) return (value.length >= 6 && isMixed(value)) || /^\d{6,}$/.test(value);
  return value.length >= 12 && isMixed(value) && !/^[\d.,]+[a-z%]*$/i.test(value);
}

/** Letters and digits, or letters and marks within: what people choose and generators make. */
function isMixed(value: string): boolean {
  const core = value.replace(/(?<![.!?:])[.!?:]+$/, "");
  return /[A-Za-z]/.test(core) && (/\d/.test(core) || /[@#$%^&*+=~!]/.test(core));
}

/** Digits and both cases, changing all the time, nearly no character twice: not a name, a path or a hash. */
function isRandom(run: string): boolean {
  if (
    run.startsWith("AAAA") ||
    !/[a-z]/.test(run) ||
    !/[A-Z]/.test(run) ||
    (run.match(/\d/g)?.length ?? 0) < 3
  )
    return false;
  const kinds = [...run].map((char) =>
    /\d/.test(char) ? "d" : /[a-z]/.test(char) ? "l" : /[A-Z]/.test(char) ? "u" : "o",
  );
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  return changes / run.length >= 0.4 && entropyBits(run) >= 4;
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

function isMark(value: string): boolean {
  return value.startsWith("[redacted:");
}

function kindOf(name: string): string {
  return /pass|pwd|密码|口令/i.test(name) ? "password" : "secret";
}

/** Tabs, line ends, and joiners of emoji and scripts stay. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]/gu;

export function shown(text: string): string {
  return text.replace(UNSEEN, "");
}

/** The same text in JSON: a reader of it gets all that was there, and a terminal nothing it obeys. */
export function shownInJson(json: string): string {
  return json.replace(UNSEEN, (char) =>
    Array.from(
      { length: char.length },
      (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
