/**
 * Values that stand near a word that names a secret, in whatever construction: "X is
 * the password", "he wants Tallow+Fern21 as passphrase", a column of a table, a key
 * of an issuer that nobody listed. Pure. Here only the value itself can tell, so it
 * has to look as people choose passwords or as generators write keys.
 */
import { isMixed, isPlaceholder, type Named } from "./named.js";

const PASSWORD_NAME =
  /pass(?:word|wd|phrase|code)|(?<![a-z])(?:pwd|pw|pass|psk|login|log ?in|credentials?|wi-?fi)(?![a-z])|密[码碼]|口令|暗[号號]|登[录錄入]|[账帐賬帳][号號户戶]/gi;
const KEY_NAME =
  /(?<![a-z])(?:[a-z_]{0,20}[_-])?(?:api|keys?|token|secret|auth|authorization|credentials?|webhook|signature|dsn|psk|seed)(?![a-z])|(?:[a-z_]{2,20}_)?(?:KEY|TOKEN|SECRET)\b|[钥鑰]|令牌|[凭憑][证證据據]|[密私]钥|授[权權]|接入|[恢回][复復]|助[记記]|[种種]子/gi;

/** So far from the name, before and behind it. */
const BEFORE_CHARS = 48;
const BEHIND_CHARS = 96;
const WORD = /[!-~]{6,400}/g;
const OPENING = new Set("(\"'`*[{<");
const CLOSING = new Set(".,;:?)]}\"'`*>");
/** What else is long and mixed. */
const NO_SECRET =
  /^(?:https?:|file:|www\.|mailto:|~?\/|\.\/|[A-Z]:\\|sha\d|md5|v?[\d.]+$|\d{4}-\d{2}|[\w.+-]+@[\w-]+\.[\w.]+$|0x[0-9a-f]{40}$|cli_|ami-|subnet-|arn:|age1|AAAA|ssh-)|^[\w.-]+\.(?:com|cn|io|org|net|dev|app|internal|local|example|corp)(?:[:/]|$)|^[a-z]+(?:[_./-][a-z0-9]+)+$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+=?$|^[\w-]+=$/i;
const OF_OTHERS =
  /(?:commit|sha\d*|md5|digest|checksum|hash|etag|trace|span|request|order|uuid|version|model|isbn|public ?key|公[钥鑰]|[订訂]单|哈希|校[验驗]和|指[纹紋]|地址|address|tx)[^\n]{0,24}$/i;

export function aroundNames(text: string): Named[] {
  return [...near(text, PASSWORD_NAME, "password", isChosen), ...near(text, KEY_NAME, "secret", isGenerated)];
}

function near(text: string, name: RegExp, kind: Named["kind"], isOne: (value: string) => boolean): Named[] {
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
      found.push(...valuesIn(text, from + at, whole, kind, isOne));
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
  isOne: (value: string) => boolean,
): Named[] {
  const found: Named[] = [];
  let from = 0;
  for (const part of whole.split(/(?<=[=:,;|"'`&<>()])(?=[A-Za-z0-9_])|(?=["'`|<>])/)) {
    const value = bare(part);
    const start = at + from + part.indexOf(value);
    from += part.length;
    if (
      value !== "" &&
      isOne(value) &&
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

/** As people choose a password: letters in both cases or a mark, and a digit. */
function isChosen(value: string): boolean {
  const isOfCases = /[a-z]/.test(value) && /[A-Z]/.test(value);
  const isMarked = /[A-Za-z0-9][-_@#$%^&*+=~!.][A-Za-z0-9]/.test(value);
  return (
    value.length >= 7 &&
    value.length <= 64 &&
    /\d/.test(value) &&
    /[A-Za-z]{3}/.test(value) &&
    (isOfCases || isMarked) &&
    !NO_SECRET.test(value) &&
    !/[({=/\\<>:]|pass(?:word)?/i.test(value)
  );
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
  return isMixed(value) && /\d/.test(value) && changes / value.length >= 0.3 && new Set(value).size >= 10;
}

const COLUMN =
  /^(?:pass(?:word|wd|phrase|code)?|pwd|pw|secret|token|api[ _-]?key|key|pin|code|密[码碼]|口令|密[钥鑰]|令牌|[验驗][证證][码碼])$/i;
const SEPARATORS = ["|", "\t", ",", ";"];
const MOST_ROWS = 40;
const LONGEST_ROW_CHARS = 2000;

const MAY_HEAD =
  /(?:^|[|\t,;\n])[ "'`*]{0,4}(?:pass|pwd|pw|secret|token|api|key|pin|code|密|口令|令牌|[验驗])[^|\t,;\n]{0,12}(?:[|\t,;\n]|$)/i;

/** Cells below a head that names a secret. */
export function inTables(text: string): Named[] {
  if (!MAY_HEAD.test(text)) return [];
  const found: Named[] = [];
  const lines = text.split("\n");
  let at = 0;
  let table: { separator: string; column: number; left: number } | undefined;
  for (const line of lines) {
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
          !/\s/.test(value) &&
          (isMixed(value) || /^\d{4,12}$/.test(value)) &&
          !isPlaceholder(value)
        )
          found.push({ from: start, to: start + value.length, kind: "password" });
      }
    }
    at += line.length + 1;
  }
  return found;
}
