/**
 * Values that stand near a word that names a secret, in whatever construction: "X is
 * the password", "he wants Tallow+Fern21 as passphrase", a column of a table, a key
 * of an issuer that nobody listed. Pure. Here only the value itself can tell, so it
 * has to look as people choose passwords or as generators write keys.
 */
import { addAll } from "../../model/collections.js";
import { EVERYDAY } from "./told.js";
import { isMixed, isPlaceholder, type Named } from "./named.js";

const PASSWORD_NAME =
  /pass(?:word|wd|phrase|code)|passwrod|\bp[adorsw]{6,8}\b|(?<![a-z])(?:pwd|pw|pass|psk|creds?|shared secret|login|log ?in|credentials?|wi-?fi|mima|auth code|enrol\w{0,4} key|logins|passwords)(?![a-z])|通[关關]密?[语語]|[账帳帐賬]密|[转轉]移[授權权]{0,2}[码碼]|[密蜜][码碼麻吗嗎]|密保|口令|暗[号號]|登[录錄入]|[账帐賬帳][号號户戶]/gi;
/** What is opened with one, or entered by one. */
const DOOR =
  /(?<![a-z])(?:logg?(?:ed|ing)? (?:in|on)|sign(?:ed|ing)? ?(?:in|on)|logs? in|unlock(?:s|ed|ing)?|lock(?:ed|s)|encrypt(?:s|ed)?|decrypt|vpn|nas|router|sudo|netflix|hulu|disney\+?|spotify|steam|icloud|apple id|gmail|acc|keepass|account recovery|security answer|luks|bitlocker|vault|online banking|memorable word|prompted|password-protected|get in(?:to)?|log into|sign into)(?![a-z])|[解开開][锁鎖]|解[压壓]|路由器|光?猫|后台|後台|网盘|網盤|[连連]上|用[户戶]名|加密|认证|認證|上[号號]|登不?[上进進]|摄像头|ssh|paramiko|permission denied|access denied|🔑/gi;
const DIGITS_NAME =
  /pass(?:word|code|wd)|(?<![a-z])(?:pin|puk|cvv|cvc|keypad|key pad|passcode|voicemail|disarm|alarm panel|padlock|lockbox|combination|screen time|digits on the back|texted me|(?:un)?lock codes?|room safe|otp|2fa|mfa|totp|authenticator|(?:access|gate|door|safe|verification|confirmation|security|log-?in|sign-in|auth\w{0,10}|one-time|whatsapp|telegram|sms|text|delivery|pick-?up|department|participant|meeting|g) ?-?codes?)(?![a-z])|密[码碼]|[验驗][证證][码碼]|提取[码碼]|[锁鎖]屏|撤防|取件|[储儲]物[柜櫃]|保[险險][柜櫃箱]|[门門]禁|背面[那的]?[三3]位|安全[码碼]|[动動][态態][码碼口]/gi;
const KEY_NAME =
  /(?<![a-z])(?:api|keys?|token|secret|auth|authorization|credentials?|webhook|cookies?|signature|dsn|psk|seed|[as]k|ds)(?![a-z])|[权權]杖|(?:key|token|secret)\b|[钥鑰]|令牌|[凭憑][证證据據]|[密私]钥|授[权權]|接入|[恢回][复復]|助[记記]|[种種]子/gi;

/** So far from the name, before and behind it. */
const BEFORE_CHARS = 100;
const BEHIND_CHARS = 96;
const WORD = /[!-~]{6,400}/g;
const OPENING = new Set("(\"'`*[{<");
const CLOSING = new Set(".,;:?)]}\"'`*>");
/** Names of things in code and on disks: users_2024, web-01. */
const IDENTIFIER = /^[a-z]+(?:[_./-][a-z0-9]+)+$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+=?$/;
/** What else is long and mixed. */
const NO_SECRET =
  /^(?:https?:|file:|www\.|mailto:|~?\/|\.\/|[A-Z]:\\|sha\d|md5|v?[\d.]+$|\d{4}-\d{2}|[\w.+-]+@[\w-]+\.[\w.]+$|0x[0-9a-f]{40}$|cli_|ami-|subnet-|arn:|age1|AAAA|ssh-)|^[\w.-]+\.(?:com|cn|io|org|net|dev|app|internal|local|example|corp)(?:[:/]|$)|^[a-z]+(?:[_./-][a-z]+)+$|^[\w-]+=$/i;
const OF_OTHERS =
  /(?:commit|sha\d*|md5|digest|checksum|hash|etag|trace|span|request|order|uuid|version|model|isbn|public ?key|公[钥鑰]|[订訂]单|哈希|校[验驗]和|指[纹紋]|地址|address|tx)[^\n]{0,24}$/i;

export function aroundNames(text: string): Named[] {
  return [
    ...near(text, PASSWORD_NAME, "password", isChosen),
    ...near(text, DOOR, "password", isChosenForDoor),
    ...near(text, KEY_NAME, "secret", isGenerated),
    ...digitsNear(text),
    ...listedIn(text),
    ...cardsIn(text),
    ...bytesIn(text),
  ];
}

function near(
  text: string,
  name: RegExp,
  kind: Named["kind"],
  isOne: (value: string, isQuoted: boolean) => boolean,
): Named[] {
  const found: Named[] = [];
  let read = 0;
  for (const { index, 0: word } of text.matchAll(name)) {
    const from = Math.max(read, index - BEFORE_CHARS);
    const to = Math.min(text.length, index + word.length + BEHIND_CHARS);
    if (to <= read) continue;
    // A word that begins within the reach is read to its end.
    const reach = text.slice(from, to + 400);
    for (const { index: at, 0: whole } of reach.matchAll(WORD)) {
      if (from + at >= to) break;
      addAll(found, valuesIn(text, from + at, whole, kind, isOne));
      read = from + at + whole.length;
    }
    read = Math.max(read, to);
  }
  return found;
}

function valuesIn(
  text: string,
  at: number,
  whole: string,
  kind: Named["kind"],
  isOne: (value: string, isQuoted: boolean) => boolean,
): Named[] {
  const found: Named[] = [];
  let from = 0;
  for (const part of whole.split(/(?<=[=:,;|"'`&<>()])(?=[A-Za-z0-9_])|(?=["'`|<>])/)) {
    const value = bare(part);
    const start = at + from + part.indexOf(value);
    from += part.length;
    if (
      value !== "" &&
      isOne(value, /["'`*“‘「]$/.test(text.slice(start - 1, start))) &&
      !isPlaceholder(value) &&
      !OF_OTHERS.test(text.slice(Math.max(0, start - 40), start))
    )
      found.push({ from: start, to: start + value.length, kind });
  }
  return found;
}

function bare(word: string): string {
  let [from, to] = [0, word.length];
  while (OPENING.has(word.charAt(from))) from++;
  while (to > from && CLOSING.has(word.charAt(to - 1))) to--;
  return word.slice(from, to);
}

/** As people choose a password: letters, and digits or marks among or behind them. */
function isChosen(value: string, isQuoted: boolean): boolean {
  if (value.length < 6 || value.length > 64) return false;
  if (SPELLED.test(value)) return true;
  if (NO_SECRET.test(value) || IDENTIFIER.test(value) || EVERYDAY.test(value) || OF_CODE.test(value))
    return false;
  const digits = value.match(/\d/g)?.length ?? 0;
  if (!/[A-Za-z]{3}/.test(value) && (digits < 4 || !/[A-Za-z]{2}/.test(value))) return false;
  const isOfCases = /[a-z]/.test(value) && /[A-Z]/.test(value);
  if (digits === 0) return isOfCases && /[a-z][$@#^&][A-Za-z]|[A-Za-z]![A-Za-z]/.test(value);
  const isMarked = /[A-Za-z0-9][-_@#$%^&*+=~!.][A-Za-z0-9]|[a-z\d][!@#$%^&*]+$/i.test(value);
  return (
    isOfCases ||
    isMarked ||
    isQuoted ||
    /\d{2}/.test(value) ||
    (value.length >= 8 && /[a-z]\d[a-z]/.test(value))
  );
}

/** m-o-o-s-e-9-1-4 */
const SPELLED = /^[A-Za-z0-9](?:[-.][A-Za-z0-9]){4,}$/;
const OF_CODE = /[({=/\\<>:]|pass(?:word)?/i;

function isChosenForDoor(value: string, isQuoted: boolean): boolean {
  return isChosen(value, isQuoted) && !/^[a-z_][\w.-]*@(?=.*[a-z])[\w.-]+$|^[A-Z]+-?\d+$|^v?\d/.test(value);
}

/** Four to eight digits and no year, by themselves: 0829, 582 931, 1-9-8-4-5. */
const DIGITS =
  /(?<![\w./$€£¥+#%-]|\d[ :-])(?!(?:19|20)\d\d(?!\d))(?:\d{4,8}|\d{3}[ -]\d{3}|\d(?:-\d){3,7}|\d\d(?: \d\d){2})(?![\w%:/°€$]|[.-]?\d|,\d{3}|\s?(?:[KMG]B|ms|px|tokens?|words?|chars?|bytes?|characters|points|people|times|hours|days|years|miles|元|块|个|次|位|字|年|月|天|人|米|分钟|小时|美元|秒|条|万|港币))/gi;
const DIGITS_CHARS = 90;

function digitsNear(text: string): Named[] {
  if (text.search(DIGITS) < 0) return [];
  return [...text.matchAll(DIGITS_NAME)].flatMap(({ index, 0: word }) => {
    const from = Math.max(0, index - DIGITS_CHARS / 3);
    return [...text.slice(from, index + word.length + DIGITS_CHARS).matchAll(DIGITS)].map(
      ({ index: at, 0: digits }): Named => ({ from: from + at, to: from + at + digits.length, kind: "code" }),
    );
  });
}

/** As a generator writes a key: long, letters and digits mixed all over. */
function isGenerated(value: string): boolean {
  if (value.length < 20 || NO_SECRET.test(value) || /[({\\<>]|\.\.|\/\//.test(value)) return false;
  if (/^[0-9a-f]{32,}$/i.test(value) || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value))
    return true;
  const kinds = [...value].map((char) =>
    /\d/.test(char) ? "d" : /[a-z]/.test(char) ? "l" : /[A-Z]/.test(char) ? "u" : "o",
  );
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  if (/^[a-z0-9]{28,}$/i.test(value) && (value.match(/\d/g)?.length ?? 0) >= 3 && new Set(value).size >= 16)
    return true;
  return isMixed(value) && /\d/.test(value) && changes / value.length >= 0.3 && new Set(value).size >= 10;
}

const COLUMN =
  /^(?:[a-z._-]{0,16}[ _]?(?:pass(?:word|wd|phrase|code)|pwd|pin)|pass|pw|secret|token|api[ _-]?key|key|(?:(?:door|access|gate|entry|alarm|security|unlock|lock|safe|room|gift|voucher|card|login|staff|user|dept|department|technician|menu) )?code|serial|[一-龥]{0,4}(?:密[码碼钥鑰]|口令|令牌|[验驗][证證][码碼]|[门門]禁?[码碼]|序[号號]|卡密|存取[码碼]))$/i;
/** Between a head and what is below. */
const RULE = /^[ \t]*(?:[-=+|:│┼─] ?){3,400}$/;
const SEPARATORS = ["|", "\t", ",", ";"];
const MOST_ROWS = 40;
const LONGEST_ROW_CHARS = 2000;

const MAY_HEAD =
  /(?:^|[|\t,;\n])[ "'`*]{0,4}(?:[a-z._-]{0,16}[ _-])?(?:pass|pwd|pw|secret|token|api|key|pin|code|serial|密|口令|令牌|[验驗]|[门門]|序|存取)[^|\t,;\n]{0,12}(?:[|\t,;\n]|$)|[|\t][^|\t\n]{0,18}(?:pass|pwd|pin|code|密|序|[门門]|存取)|(?:^|\n)[^|\t,\n]{0,18}(?:pass|pwd|pin|code|密|序|[门門]|存取)[^|\t\n]{0,6}[|\t]/i;

/** Cells below a head that names a secret. */
export function inTables(text: string): Named[] {
  if (!MAY_HEAD.test(text)) return [];
  const found: Named[] = [];
  const lines = text.split("\n");
  let at = 0;
  let table: { separator: string; column: number; left: number } | undefined;
  for (const line of lines) {
    if (table !== undefined && RULE.test(line)) {
      at += line.length + 1;
      continue;
    }
    const separator =
      line.length > LONGEST_ROW_CHARS ? undefined : SEPARATORS.find((each) => line.includes(each));
    const cells = separator === undefined ? [] : line.split(separator);
    const column = cells.findIndex((cell) => COLUMN.test(bare(cell.trim())));
    if (separator !== undefined && column >= 0) table = { separator, column, left: MOST_ROWS };
    else if (line.length > LONGEST_ROW_CHARS) table = undefined;
    else if (table !== undefined) {
      const row = line.split(table.separator);
      const cell = row[table.column];
      if (cell === undefined || row.length < 2 || table.left-- === 0) table = undefined;
      else {
        const value = bare(cell.trim());
        const start =
          at +
          row.slice(0, table.column).join(table.separator).length +
          (table.column > 0 ? 1 : 0) +
          cell.indexOf(value);
        if (
          value.length >= 4 &&
          ((!/\s/.test(value) && (isMixed(value) || /^\d{4,12}$/.test(value))) ||
            /^\d{1,4}(?:[ -]\d{1,4}){2,7}$/.test(value)) &&
          !isPlaceholder(value)
        )
          found.push({ from: start, to: start + value.length, kind: "password" });
      }
    }
    at += line.length + 1;
  }
  return found;
}

/** Several at once, behind their name. */
const LISTS =
  /(?:recovery|backup|rescue|scratch|one-time|emergency|single-use|fallback|\btan)[ _-](?:codes?|keys?|list)|(?:[恢回][复復]|[备備][用份]|救援|[应應]急|一次性)(?:代|验证|驗證)?[码碼]/gi;
const LISTED =
  /(?<![\w-])(?=[0-9a-z]{0,5}\d|[0-9a-z]{4,6}-[0-9a-z]{0,5}\d)[0-9a-z]{4,6}(?:-[0-9a-z]{4,6}){1,3}(?![\w-])|(?<![\d-])(?:\d{4,5}[ -]\d{4,5}|\d{6,10})(?![\d-])|(?<=\n[ \t\d.)*•[\]-]{0,8})(?:[a-z\d]{4,6}(?:-[a-z\d]{4,6}){1,3}|(?=[a-z]{0,20}\d)(?=\d{0,20}[a-z])[a-z\d]{8,24})(?=\s*(?:\n|$))/gi;
const LIST_CHARS = 400;

function listedIn(text: string): Named[] {
  return [...text.matchAll(LISTS)].flatMap(({ index }) =>
    [...text.slice(index, index + LIST_CHARS).matchAll(LISTED)].map(({ index: at, 0: code }): Named => ({
      from: index + at,
      to: index + at + code.length,
      kind: "code",
    })),
  );
}

const CARD =
  /(?<![\d.-])(?:[3-6]\d{3}([ -]?)\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|3[47]\d\d([ -])\d{6}\2\d{5})(?![\d-])/g;
const OF_CARDS = /card|visa|amex|credit|debit|cvv|cvc|\bexp|卡|有效期/i;

/** Until when it is good, behind its number. */
const EXPIRES =
  /(?<=\bexp\w{0,7}\.?|有效期|到期|[:"：,，]\s?|valid thru)["':： ]{0,4}((?:0[1-9]|1[0-2]) ?\/ ?(?:20)?\d\d)(?!\d|\/)/gi;

function cardsIn(text: string): Named[] {
  return [...text.matchAll(CARD)]
    .map(({ index, 0: card }): Named => ({ from: index, to: index + card.length, kind: "code" }))
    .filter(({ from, to }) => OF_CARDS.test(text.slice(Math.max(0, from - 90), to + 60)))
    .flatMap((card) => [card, ...expiryBehind(text, card.to)]);
}

function expiryBehind(text: string, at: number): Named[] {
  return [...text.slice(at, at + 60).matchAll(EXPIRES)].map(({ index, 0: whole, 1: date = "" }): Named => {
    const to = at + index + whole.length;
    return { from: to - date.length, to, kind: "code" };
  });
}

/** A key as its bytes are printed: 82 21 16 da. */
const BYTES = /\b[\da-f]{2}([ :])[\da-f]{2}(?:\1[\da-f]{2}){14,62}(?![ :]?[\da-f])/gi;
const OF_BYTES = /key|aes|secret|efuse|[钥鑰]|密/i;
const NO_KEY = /finger ?print|public|digest|checksum|hash|sha|[指][纹紋]|公[钥鑰]/i;

function bytesIn(text: string): Named[] {
  return [...text.matchAll(BYTES)]
    .map(({ index, 0: bytes }): Named => ({ from: index, to: index + bytes.length, kind: "secret" }))
    .filter(({ from, to }) => {
      const around = text.slice(Math.max(0, from - 120), from) + text.slice(to, to + 60);
      return OF_BYTES.test(around) && !NO_KEY.test(around);
    });
}
