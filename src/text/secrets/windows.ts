/** Where in a text secrets may stand: around what hints at one. Pure. */

/**
 * Secrets stand near one of these, in lower case: words that name one, what is opened
 * with one, who asks for it, and commands and addresses that take one. Plain ones stand
 * together and in order, so that they are looked for all at once.
 */
const PLAIN = String.raw` -a | -hp| -p| -u|"-p|2fa|://|@tcp|\.connect|_sid|account|activation|adb shell|administrator|alarm|aesutil|amazon|amex|answer|auth|basic |bduss|bearer|bili_jct|cash machine|challenge|cipher|code|combination|combo|community|cookie|copier|coupon|credential|cvc|cvv|denied|disarm|disney|door|dropbox|ebay|efuse|encrypt|every site|expdp|facebook|fernet|garage|get in|homekit|htpasswd|getconnection|gift|gmail|hmac|hotmail|hulu|icloud|identified |impdp|instagram|internet|ipmitool|jdbc:|jwt|key|ldap|linkedin|lockbox|locked|locks|log|luks|maiden|memorable|mfa|mima|mnemonic|mysql|net use|netflix|oathtool|on the back|openssl|outlook|override|panel|pass|paypal|pdf|phrase|pin|plainauth|portal|printf |prompted|protect|psk|psql|psw|puk|pw|question|quiz|recovery|redeem|redis-cli|router|schtasks|screen time|secret|securestring|seed|sessdata|sign|smbclient|snmp|solana|spotify|sqlcl|sqlldr|sqlplus|ssh|steam|sudo|telnet|texted|tiktok|token|totp|trojan|twitter|uart|unlock|user|v2ray|vault|visa|vless|vmess|voicemail|voucher|vpn|wallet|xdotool|yahoo|youtube`;
const WHOLE = String.raw`(?:aes|cid|csc|exam|serial|otp|lock|nas|gate|root|safe|cards?|[as]k)\b|(?:creds|mm |mm:|p: )|ds\b`;
/** Digits as they are told to open something. */
const TOLD = String.raw`\d(?:[ -]\d){3}|\d\d?(?:(?:-\d\d?){2}|(?: \d\d){2}|(?:, \d\d){2})\b|[lr]\d\d?[ ,-]{1,2}[lr]\d|[a-z]-\d-[a-z\d]-|\d{3}[ -]\d{3}\b|\d{3,8}(?:#|\b(?<=\b(?:press|enter|punch|put|in|with|takes?|then|number|is|it's|dial|typed?|says|back)[ :,]{1,2}["'“]?\d{3,8}))`;
const OTHERS = String.raw`\b(?:gl[a-z]{2,4}|sk|pk|rk|gh[a-z]|npm|hf|pat)[-_][a-z0-9]{12}|:\d{4,5}:[\w*-]{1,40}:[\w-]{1,40}:|pdo\(|li_at=|authorization code|authenticator|(?:code|safe|magic) ?word|wi-?fi|acc\b|\d words|zip\b|p[adorsw]{6}|\d:[a-z0-9_-]{30}|\d{6}-\d{6}|sid=|licen[cs]e|serial ?(?:n|k|c|=|:)|\/ ?[a-z]{2,20}[!@#$%&*]\w`;
const HINT = new RegExp(`${OTHERS}|\\b(?:${WHOLE}|${TOLD})|${PLAIN}`, "g");
/** Only where there is a character of that script. */
const HAN_HINT =
  /🔑|[密蜜][码碼吗嗎钥鑰保]|[账帐賬帳][号號户戶]|[备備恢回][用复復]|钱包|锁|鎖|解压|路由|猫|后台|网盘|连上|用户名|加密|摄像头|储物|保险|登|防|取件|认证|背面|大门|大門|门禁|門禁|输|輸|填|敲|卡号|信用卡|授|验|节点|机场|订阅|邀请|安全问题|口令|短语|短語|钥|鑰|码|碼|凭|憑|令牌|团体名|助记词|助記词|暗号|暗號|暗语|暗語|答案|序列|卡密|保护|保護|[权權]杖|[助註注][记記]|錢包|[帳账帐賬] [a-z]|密 [!-~]|通[关關]|密[语語]|主持人|序[号號]|[註注][记記]|置物|寄物|[帳账][戶号]|[号號][码碼]|[组組]合|影印|[复複]印|提款|取款|[优優]惠|折扣|[礼禮][品物]|[点點]卡|[点點][数數]卡|存取|恢[复復]|工程|[维維][护護]|[网網][络絡路]|臉書|脸书|微信|淘宝|\d{3,8}(?![\d.])(?<=[按打输輸入用是碼码] ?\d{3,8})/g;
const HAN = /[\p{Script=Han}🔑]/u;
/** Or are one by themselves, of so many letters, digits and marks with a digit among them. */
const RUN_CHARS = 16;
/** Behind these hints a word may be one, or a few digits; behind the others only what is mixed or long. */
const OF_WORDS =
  /pass|p[adorsw]{6}|p[sw]?w|mima|snmp|phrase|words|combo|wi-?fi|登|acc\b|luks|\d words|密|蜜|口令|暗|团体|助|答案|answer|[输輸填敲]|word|question|问题|maiden|psk|mnemonic|seed|identified|securestring|authorization code|wallet|solana|短|授|钱包|maiden|通[关關]|[註注][记記]|memorable|^\W?.{0,3}\d/;
const OF_DIGITS =
  /code|pin|码|碼|combination|keypad|puk|cvv|cvc|voicemail|disarm|screen time|texted|锁|鎖|储物|保险|lock|safe|防|取件|alarm|panel|gate|garage|back|card|visa|amex|cid|csc|adb|卡|authenticator|2fa|mfa|otp|背面|大|禁|door|[组組]合|影印|印|款|[权權]|置物|寄|override|copier|cash/;
const EVIDENCE = {
  digits:
    /\d|[零〇一二三四五六七八九]{3}|(?:zero|one|two|three|four|five|six|seven|eight|nine)[ ,-]{1,2}(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)/i,
  mixed:
    /(?<![!-~])(?:(?=[!-~]{5})(?!\W*[a-z]{0,2}\d{1,4}[a-z]{0,2}\W*(?![!-~]))[!-~]{0,80}?(?:[A-Za-z_]\d|\d[A-Za-z_]|\d{5}|[@#$%^&+=~!][A-Za-z\d]|[a-z]\*[A-Za-z]|[A-Z][a-z]+[.-]\d|[A-Z]-\d|\d-[A-Z])|(?:[a-z2-7]{4} ){7}|(?:[\da-f]{2} ){8}|(?:[A-Z2-7]{4}[ -]){3})|(?<![\w*-])[A-Za-z0-9_+/=-]{20}|\[(?:\d{1,3}, ?){8}/,
};
const LONGEST_EVIDENCE_CHARS = 100;
/** So far from a hint, and to the next blank behind that, its secret begins and ends. */
const BEFORE_CHARS = 260;
const BEHIND_CHARS = 460;
const MOST_BLANKLESS_CHARS = 4000;

/** The stretches around what hints at a secret, in order and apart. */
export function windowsOf(text: string): [from: number, to: number][] {
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

interface Hint {
  index: number;
  0: string;
}

/** In order; one after the other, since megabytes may hold a million. */
function* hintsIn(text: string): Generator<Hint> {
  const lower = text.toLowerCase();
  // A few letters are longer in lower case; such a text is read as it is.
  const read = lower.length === text.length ? lower : text;
  const words = read.matchAll(HINT);
  const ofHan = HAN.test(read) ? read.matchAll(HAN_HINT) : [];
  yield* inOrder([words, ofHan, runsIn(text)]);
}

/** Of several that are in order each, all of them in order. */
function* inOrder(lists: readonly Iterable<Hint>[]): Generator<Hint> {
  const open = lists.map((list) => list[Symbol.iterator]());
  const heads = open.map((list) => list.next());
  for (;;) {
    let first: number | undefined;
    for (const [at, head] of heads.entries()) {
      if (head.done === true) continue;
      const known = first === undefined ? undefined : heads[first];
      if (known?.done !== false || head.value.index < known.value.index) first = at;
    }
    const next = first === undefined ? undefined : heads[first];
    if (first === undefined || next?.done !== false) return;
    yield next.value;
    heads[first] = open[first]?.next() ?? { done: true, value: undefined };
  }
}

function* runsIn(text: string): Generator<Hint> {
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
    if (hasDigit && at - from >= RUN_CHARS) yield { index: from, 0: text.slice(from, at) };
    from = at + 1;
    hasDigit = false;
  }
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
