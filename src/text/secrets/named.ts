/**
 * Values that are secrets because somebody says so: `password = X`, "the password
 * for staging is X", 密码改成了 X, `curl -u a:X`.
 *
 * Pure. A word that names a secret is looked for; from where it ends at most some
 * hundred characters are read. What stands there must look like a value: nobody's
 * placeholder, no code that reads it, no word that goes on with the sentence.
 */
import { EVERYDAY, MADE, TOLD } from "./told.js";

export interface Named {
  /** In UTF-16 units of the text. */
  from: number;
  to: number;
  kind: "password" | "secret" | "code" | "authorization";
}

type Kind = Named["kind"];

/** What names a secret, on text in half width. */
const NAMES: readonly (readonly [Kind, RegExp])[] = [
  [
    "password",
    /pass(?:word|wd|phrase|code)s?|pass word|\bp[adorsw]{6,8}\b|wpa\d?[ -]?(?:key|密[钥鑰])|enrol\w{0,4} key|选课密[钥鑰]|secret phrase|暗[语語]|requirepass|masterauth|key content|关键内容|(?:code|safe|magic|(?:secret )?family) ?word\b|(?<![a-z])(?:pwd|psw|(?:(?:db|my|ftp|smtp|mail|user|admin|root|redis|ldap|sql|pg|svc|bind|proxy|ssh|wlan|api|http|imap|sftp|web)[_-]?)?pass(?:wd)?|pw|passkey|psk|mima|wi-?fi (?:key|code)|pin|combo)(?![a-z])|(?:community|combination)\b|[密蜜][码碼吗嗎]|口令|pin ?[码碼]|通行[码碼]|团体名|團體名|暗[号號]|通[关關]密?[语語]|密[语語]|[账帳帐賬]密|密(?=[:：] ?[!-~])/gi,
  ],
  [
    "secret",
    /secret|token|credentials?|(?<![a-z])(?:(?:api|access|private|master|js|auth|app|license|encryption|signing|account|setup|server|user|send|service|shared|storage|deploy|admin|root|rest|session|hash|merchant|check|trade)[ ._-]?)?key(?![a-z])|(?<![a-z])(?:hash|aes|enc|crypt\w{0,4})[ ._-]?iv(?![a-z])|(?<![a-z])(?:[as]k|ds|auth|security ?js ?code)(?![a-z])|authorization|PHPSESSID|JSESSIONID|SESSDATA|bili_jct|BDUSS|(?<![a-z])(?:li_at|z_c0)(?![a-z])|connect\.sid|session_?id|[密私公]?[钥鑰]匙?|金[钥鑰]|令牌|[权權]杖|[凭憑][证據据證]|授[权權][码碼]/gi,
  ],
  [
    "code",
    /(?:verification|security|log-?in|sign-in|auth(?:entication)?|one-time|2fa|otp|access|door|gate|garage|alarm|disarm|entry|keypad|key pad|server room|lock|locker|lockbox|safe|building|lobby|lift|elevator|voicemail|extraction|share|unlock|pick-?up|collection|redeem|gift|activation|licen[cs]e|redemption|invit(?:e|ation)|participant|setup|pairing|department|purchase|extraction|delivery|enrol\w*) (?:code|pin|key|otp)s?|验[证證][码碼]|驗證碼|校[验驗]码|提取[码碼]|访问码|[动動][态態][码碼]|[门門]禁[码碼]|[开開][门門锁鎖][码碼]|[激兑邀][活换请][码碼]|注册码|序列号|卡密|取件[码碼]|[配進进][对對入][码碼]|安全[码碼]|answer|答案/gi,
  ],
];

/** Between a name and its value. */
const REST_OF_NAME = /[\w.-]{0,32}/y;
/** Behind this nothing but a value can follow. */
const TIGHT =
  /["'`*_\])】}]{0,4}[ \t]{0,24}(?:\([^()\n]{0,30}\)[ \t]{0,2})?(?:=>|:=|->|→|[!=]==?|[=:])[ \t]{0,4}\n?|[ \t]{0,2}(?:如下|is as follows|是这个|are)?[:：][ \t]{0,2}\n?/y;
/** "for the wiki admin: X". */
const FAR =
  /(?:[ \t]+[\w'’./@()-]{1,24}){1,8}[ \t]?[:=][ \t]*\n?|(?=[^\n:=]{0,12}\p{Script=Han})[^\n，。,;!?:=@/]{1,12}[:=][ \t]*\n?/uy;
const SAID =
  /(?:,? (?:it['’]?s|that['’]?s|which is)|['’]s) (?:actually |just |still |now )?|(?:,?[ \t]+(?!is\b|are\b|was\b)[\w'’./@()-]{1,24}){0,8},?[ \t]+(?:is|was|are|will be|would be|should (?:be|read)|reads|to|set to|changed to|now|shi)[ \t]+(?:now |still |just |simply |actually |called )?(?:[:=][ \t]*)?\n?|[ \t]?[^\n，。,.;!?:=]{0,14}?(?:[是为爲叫成]了?|改[为爲]了?|[换換]成了?|[设設](?:成|[为爲])了?|重置[为爲]|就是|[写寫]的|[配][的成]|填的?|[用输輸]入?的?|写成)[ \t]{0,2}(?:[:=][ \t]*)?/y;
const SPACE = /[ \t]?,[ \t]?(?=["'`“「])|[ \t]{0,3}(?:→[ \t]*)?/y;
const NEXT_LINE = /[ \t]*\n{1,2}[ \t]*/y;
/** define("DB_PASSWORD", "X"). */
const NEXT_ARGUMENT = /["'`][ \t]*,[ \t]*(?=["'`])/y;

const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "‘": "’",
  "「": "」",
  "『": "』",
  "«": "»",
};
const MOST_QUOTED = 200;
const RUN = /[!-~]{1,400}/y;
const HAN_RUN = /[\p{Script=Han}\d]{2,24}/uy;
/** Where a run that was written together with something else ends. */
const RUN_ENDS = /["'`][,;)\]}:]|&(?=[\w.-]{1,40}=)|[<>|]|\\[nr"]|["'`]$|\($|;(?=\S)|,(?=["'\w-]{1,40}[=:])/;
const CODE_ENDS = /[^A-Za-z0-9*#-]/;
const TRAILING = new Set(".,;:?)]}\"'`*_");
const CLAUSE_ENDS =
  /[ \t]*(?:$|[\n&,;.!?)\]}"'|，。；！？（）」、—–吗嗎吧对對没沒呢]|- )|[ \t]+(?:\(|#|\/\/|--?[A-Za-z])/y;

/** Stands for each unit of what was redacted before: nothing is read out of that, or over it. */
export const REDACTED = "\u0000";

/** All that are named in a text in half width, in order; they may meet. */
export function namedIn(text: string): Named[] {
  const found: Named[] = [];
  for (const [kind, name] of NAMES)
    for (const { index, 0: word } of text.matchAll(name)) {
      if (kind === "code" && /answer|答案/i.test(word) && !isSecurityQuestion(text, index)) continue;
      const isFlag = /--[\w-]{0,16}$/.test(text.slice(Math.max(0, index - 20), index));
      const value = valueBehind(text, index + word.length, kind, isFlag);
      if (value !== undefined) found.push({ ...value, kind });
    }
  return [...found, ...toldIn(text)].sort((one, other) => one.from - other.from);
}

function isSecurityQuestion(text: string, at: number): boolean {
  return /security[ _]?(?:question|answer)|secret question|密保|account recovery|(?:bank|it|they) asks?|忘[记記]密|first (?:pet|school|car)|maiden/i.test(
    text.slice(Math.max(0, at - 100), at),
  );
}

type Span = Pick<Named, "from" | "to">;

function valueBehind(text: string, at: number, kind: Kind, isFlag: boolean): Span | undefined {
  const isHan = /\p{Script=Han}$/u.test(text.slice(at - 1, at));
  const named = isHan ? at : at + (matchAt(REST_OF_NAME, text, at)?.length ?? 0);
  for (const [start, connector, how] of [
    [named, TIGHT, "tight"],
    [at, TIGHT, "tight"],
    [named, SAID, "said"],
    [at, SAID, "said"],
    [named, SPACE, "beside"],
    [named, FAR, "far"],
    [named, NEXT_LINE, "beside"],
    [named, NEXT_ARGUMENT, "beside"],
  ] as const) {
    const between = matchAt(connector, text, start);
    if (between === undefined || (between === "" && !isHan)) continue;
    const value = valueAt(
      text,
      start + between.length,
      kind,
      (how === "beside" && isFlag) || (how === "said" && /[:=]\s*$/.test(between)) ? "tight" : how,
    );
    if (value !== undefined) return value;
  }
  return undefined;
}

/** How a value stands to its name: behind a sign, in a sentence, without a word, or behind more words and a sign. */
type How = "tight" | "said" | "beside" | "far";

function valueAt(text: string, at: number, kind: Kind, how: How): Span | undefined {
  const closing = QUOTES[text.charAt(at)];
  const isOfHan = HAN_BEFORE.test(text.slice(Math.max(0, at - 4), at));
  if (closing !== undefined) {
    const end = text.slice(at + 1, at + 1 + MOST_QUOTED).indexOf(closing);
    const quoted = text.slice(at + 1, at + 1 + end);
    if (end > 0 && !quoted.includes("\n"))
      return isQuotedSecret(quoted, kind, isOfHan && how === "beside" ? "said" : how)
        ? { from: at + 1, to: at + 1 + end }
        : undefined;
  }
  const from = at + (matchAt(/[*_`"'“「]{0,3}/y, text, at)?.length ?? 0);
  const whole = matchAt(RUN, text, from);
  if (whole === undefined) return hanValue(text, from, kind, how);
  const ends = kind === "code" ? CODE_ENDS : RUN_ENDS;
  const run = whole.slice(0, ends.exec(whole)?.index ?? whole.length);
  const value = trimmed(run);
  const to = from + value.length;
  // Written together with what is redacted already.
  if (value === "" || isPlaceholder(value) || text.charAt(from + run.length) === REDACTED) return undefined;
  const isEnd = matchAt(CLAUSE_ENDS, text, to) !== undefined;
  return isValue(value, kind, how, isEnd, isOfHan) ? { from, to } : undefined;
}

const HAN_BEFORE = /\p{Script=Han}\s{0,3}$/u;

function trimmed(run: string): string {
  let end = run.length;
  while (TRAILING.has(run.charAt(end - 1))) end--;
  return run.slice(0, end);
}

function isValue(value: string, kind: Kind, how: How, isEnd: boolean, isInHan: boolean): boolean {
  if (kind === "code")
    return (
      (how !== "beside" ||
        SERIAL.test(value) ||
        /^\d[\d-]{2,}\d$/.test(value) ||
        ((isInHan || (isEnd && value.length <= 8)) && isMixed(value) && !EVERYDAY.test(value))) &&
      /^[*#]?[A-Za-z0-9-]{4,40}[*#]?$/.test(value) &&
      (value.length <= 12 || SERIAL.test(value)) &&
      (/\d/.test(value) || (how === "tight" && isEnd && value.length >= 6))
    );
  if (kind === "secret" && /^[a-z]{2,}(?:-[a-z]{2,}){4,}$/.test(value)) return how !== "far";
  if (kind === "secret")
    return isKey(value) || ((how === "tight" || how === "said") && isGiven(value, isEnd));
  if (/^[*#]?\d[\d-]{3,}[*#]?$/.test(value))
    return (
      how === "tight" ||
      how === "said" ||
      /^\d{1,2}(?:-\d{1,2}){2,}$/.test(value) ||
      (isEnd && (isInHan || (value.length >= 6 && how === "far")))
    );
  if (/^v?\d+(?:\.\d+)+$/.test(value)) return false;
  if (isMixed(value) && value.length >= 5 && (how === "tight" || how === "said" || MADE.test(value)))
    return !CODE.test(value);
  if (how !== "far" && (isEnd || isInHan) && value.length === 4 && isMixed(value) && !EVERYDAY.test(value))
    return /\d/.test(value);
  if (how === "said" && isEnd && /^[a-z]{4,}_[a-z]{2,}$/.test(value)) return !OF_PROGRAMS.test(value);
  if (COMMON_VALUES.test(value) || IDENTIFIER.test(value) || !isEnd) return false;
  if (how === "tight") return value.length >= 4;
  if (how === "far" && /^[a-z]{3,}(?:-[a-z]{3,}){2,}$/.test(value)) return true;
  return (
    how !== "far" &&
    /^[a-z][\w-]{7,}$/i.test(value) &&
    (isInHan || how === "said") &&
    (!GOES_ON.test(value) || value.includes("-"))
  );
}

/** As licences are numbered. */
const SERIAL = /^(?=.*[A-Z])[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7}$/i;

/** password_hash, newPassword, form.email. */
const IDENTIFIER =
  /[Pp]ass(?:word)?|[Pp]wd|[Hh]ash|[Tt]oken|[Ss]ecret|^[a-z]+(?:_[a-z]+)+$|^[a-z]+(?:[A-Z][a-z]+)+$|^[a-z]+(?:\.[a-z]+)+$/;

const OF_PROGRAMS = /pass|pwd|user|token|secret|hash|key|env|config|admin|name|file|var|null|require/;

/** debug=True, @app.route("/2"), f(x1). */
const CODE = /^[a-z][\w.-]{0,30}[=<>(](?!=*$)|^@/i;

/** As adjectives and participles end: "the password is outdated". */
const GOES_ON = /(?:ed|ing|ive|ent|ant|able|ible|ect|ary|ous|al|ly|ic|ful|less)$/i;

/** Where somebody says that it is one. */
function isGiven(value: string, isEnd: boolean): boolean {
  return (
    (isEnd && value.length >= 8 && isMixed(value) && !CODE.test(value)) ||
    (/^[A-Za-z0-9]{20,}$/.test(value) && /[a-z][A-Z]{2}|[A-Z]{2}[a-z]/.test(value))
  );
}

/** Of keys and tokens: long and mixed, in hex, or a UUID. */
function isKey(value: string): boolean {
  if (/^\d[\d.,]*[a-z%]*$/i.test(value) || CODE.test(value)) return false;
  return (
    (value.length >= 12 && isMixed(value) && !/^[a-z]+(?:[_-][a-z]+)*$/i.test(value)) ||
    /^[0-9a-f]{16,}$/i.test(value)
  );
}

function isQuotedSecret(value: string, kind: Kind, how: How): boolean {
  const isCode =
    CODE.test(value) && !MESS.test(value) && (how !== "tight" || kind !== "password" || /[({]/.test(value));
  if (isPlaceholder(value) || value.trim() === "" || isCode) return false;
  if (kind === "code") return /^[\w-]{4,}$/.test(value);
  if (kind === "secret") return isKey(value) || (value.length >= 8 && isMixed(value));
  if (how === "beside" || how === "far")
    return value.length >= 5 && ((isMixed(value) && /\d/.test(value)) || value.split(/[\s-]/).length >= 4);
  return value.length >= 3 && !COMMON_VALUES.test(value) && !IDENTIFIER.test(value);
}

/** 密码是：外婆桥头卖豆花; "the password is 外婆桥头卖豆花 in Chinese characters". */
function hanValue(text: string, at: number, kind: Kind, how: How): Span | undefined {
  if (kind !== "password" || how === "beside" || how === "far") return undefined;
  const run = matchAt(HAN_RUN, text, at);
  if (run === undefined || [...run].length < 4 || HAN_TALK.test(run)) return undefined;
  const isSaidInEnglish = /\bis $/.test(text.slice(at - 3, at));
  if (how === "said" && !isSaidInEnglish && !/[成爲为]了?$/.test(text.slice(at - 2, at))) return undefined;
  const isEnd = isSaidInEnglish || matchAt(CLAUSE_ENDS, text, at + run.length) !== undefined;
  return isEnd ? { from: at, to: at + run.length } : undefined;
}

const HAN_TALK =
  /什么|多少|怎么|哪|谁|吗|呢|我|你|他|忘|不|没|已|请|至少|必须|长度|错误|正确|管理|学|安全|输入|设置|修改|更|的$|[向左右]|附件|略|不能|可以|一样/;

/** Words after "password:" that are none. */
const COMMON_VALUES =
  /^(?:none|null|nil|undefined|true|false|yes|no|required|optional|string|text|password|passwd|secret|token|hidden|unknown|empty|blank|n\/a|tbd|todo|default|same|below|above|here|there|this|that|it|the|an?|your|my|our|is|are|was|not|and|or|must|should|wrong|incorrect|invalid|expired|changed|reset|forgotten|missing|see|ask|stored|saved|encrypted|hashed|auth(?:entication)?|login|length|policy|manager|change|changeme|example|test|admin)$/i;

/** No call and no template has such a run of marks. */
const MESS = /^(?=[^"'`,;\s]{24,400}$)(?=[^\d]{0,60}\d)[^@$%^&*!]{0,100}(?:[@$%^&*!][^@$%^&*!]{0,60}){3}/;

export function isPlaceholder(value: string): boolean {
  if (MESS.test(value)) return false;
  return (
    value.startsWith("[") ||
    /(\S)\1{7}|^![a-z-]+$/i.test(value) ||
    /^(?:\$\{|\$\(|\{\{?|<|%[({A-Z]|\*{3}|x{3,}$|\.{3}|…|#\{)/i.test(value) ||
    /^\$[A-Z][A-Z0-9_]*$|^\$\d$|^%\w%?$/.test(value) ||
    /^(?:process|os|env|self|this|config|settings|args|params|request|req|ctx|vault|secrets?|var|local|data|module|app)(?:\.|\[)|\([^()]{0,200}\)|\w[({][\w., "'$]{0,200}$(?<![({][A-Za-z]{1,12})|\{[^{}]{0,200}\}$|^(?:getenv|input|prompt|read|fetch|get)\b/i.test(
      value,
    ) ||
    /^(?:your|my|the|some|insert|enter|put|new|old)[-_ ](?!(?:\S+[ -]){3})|^change[-_]?me\b|[-_](?:here|placeholder|goes|replace)\b/i.test(
      value,
    ) ||
    /^(?:https?:\/\/|~?\/|\.{1,2}\/|[A-Za-z]:\\)/.test(value) ||
    /^[\w.-]+\.(?:txt|json|ya?ml|toml|env|md|pem|key|crt|py|js|ts|go|java|sh|cfg|ini|conf)$/i.test(value)
  );
}

/** Letters and digits, or letters and marks within: what people choose and generators make. */
export function isMixed(value: string): boolean {
  return /[A-Za-z]/.test(value) && (/\d/.test(value) || /[@#$%^&*+=~!]./.test(value));
}

function toldIn(text: string): Named[] {
  return TOLD.filter(({ sign }) => sign.test(text))
    .flatMap(({ shapes }) => shapes)
    .flatMap((shape) =>
      [...text.matchAll(shape)].flatMap(({ index, 0: whole }): Named[] => {
        const value = trimmed(whole);
        const isCut = text.charAt(index + whole.length) === REDACTED;
        if (value === "" || isCut || EVERYDAY.test(value) || isPlaceholder(value)) return [];
        const kind = /bearer|basic/.test(shape.source) ? "authorization" : "password";
        return [{ from: index, to: index + value.length, kind }];
      }),
    );
}

export function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
