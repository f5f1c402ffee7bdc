/**
 * Accounts as people list and pair them: "site ... user ... password" line by line,
 * jo/Kettle!9, "root with kapok7", cells of a table in HTML.
 *
 * Pure. Here nothing names the value itself: its place in the list, or beside a user,
 * does, so it has to look chosen, and something near has to be about logging in.
 */
import { EVERYDAY } from "./told.js";
import { isPlaceholder, type Named } from "./named.js";

/** What such a list is headed by or is about. */
const LISTING =
  /\b(?:pass(?:word|wd|phrase|code)s?|passes|pws?|log-?ins?|log ?ons?|credentials?|creds|accounts|portals?)\b|[账帐賬帳][号號密户戶]|密[码碼]|口令|登[录錄入]/gi;
/** In one sentence only what is said to be passwords. */
const OF_PASSWORDS = /pass|pw|cred|密|口令/i;
const LIST_CHARS = 460;
const MOST_WORDS = 60;
/** Up to the next blank, with a digit or a mark within. */
const RUN = /(?<![!-~])(?=[!-~]{0,64}?(?:\d|[A-Za-z][@#$%^&*+=!][A-Za-z]))[!-~]{5,400}/g;
const LOOSE_ENDS = /^["'“(\[{<*`]{1,4}|["'”,.;:)\]}>*`?]{1,4}$/g;

/** Letters and a digit or a mark: what is chosen; `strict`: not as things are numbered or called in code. */
function isChosenInRow(value: string, strict: boolean): boolean {
  if (value.length < 5 || value.length > 40 || EVERYDAY.test(value) || isPlaceholder(value)) return false;
  if (!/[A-Za-z]{3}|[A-Za-z]\d[A-Za-z]/.test(value) || NO_VALUE.test(value) || NUMBERED.test(value))
    return false;
  const digits = value.match(/\d/g)?.length ?? 0;
  const isMarked = /[A-Za-z\d][!@#$%^&*+=][A-Za-z\d]|[A-Za-z\d]!{1,3}$/.test(value);
  if (digits === 0)
    return /[A-Za-z][@#$%^&*+=!][A-Za-z]/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value);
  if (!strict) return true;
  return (
    isMarked ||
    (/[A-Z]/.test(value) && /[a-z]/.test(value) && digits >= 2) ||
    /^[a-z]{4,}[_.-]?\d{2,}[a-z]*$/i.test(value) ||
    /[a-z]\d[a-z]/i.test(value)
  );
}

/** WOW-17, h-2. */
const NUMBERED = /^[A-Z]+[-_]?\d+$|^[a-z]{1,3}-\d+$/;
const NO_VALUE =
  /@v?\d|^(?:https?:|www\.|\/|\d+(?:px|ms|st|nd|rd|th)|v\d)|[\w.+-]@[\w-]+\.[a-z]{2,}$|\.(?:com|net|org|io|cn|tw|uk|py|js|ts|tsx|json|ya?ml|html?|css|md|txt|pdf|example)\b|[(){}<>\[\]=;]|::|^[a-z_]+\.[a-z_.]+$/i;

export function accountsIn(text: string): Named[] {
  const runs = [...text.matchAll(RUN)];
  if (runs.length === 0) return [];
  const words = wordsOf(text, runs);
  return [...listedIn(text, words), ...rowsOfServices(text, words), ...pairsIn(text, runs)];
}

interface Word {
  from: number;
  value: string;
}

/** All that may be chosen. */
function wordsOf(text: string, runs: readonly RegExpExecArray[]): Word[] {
  return runs.flatMap(({ index, 0: word }) => {
    if (word.length > 64) return [];
    const value = word.replace(LOOSE_ENDS, "");
    const from = index + word.indexOf(value);
    return isChosenInRow(value, false) && !OF_OTHERS.test(text.slice(Math.max(0, from - 30), from))
      ? [{ from, value }]
      : [];
  });
}

/** Two that look chosen under, or over, one heading make a list, and what is a little less so belongs to it. */
function listedIn(text: string, all: readonly Word[]): Named[] {
  if (all.length < 2) return [];
  let [read, first] = [0, 0];
  return [...text.matchAll(LISTING)].flatMap(({ index, 0: heading }) => {
    if (index < read) return [];
    while (first < all.length && (all[first]?.from ?? 0) < index - LIST_CHARS / 2) first++;
    const words = all.slice(first, first + MOST_WORDS).filter(({ from }) => from < index + LIST_CHARS);
    const rows = words.filter((word) => isLastOfRow(text, word));
    const isOfRows = rows.length >= 2 && rows.some(({ value }) => isChosenInRow(value, true));
    const behind = words.filter(({ from }) => from > index);
    const isLine =
      OF_PASSWORDS.test(heading) && behind.filter(({ value }) => isChosenInRow(value, true)).length >= 3;
    if (!isOfRows && !isLine) return [];
    read = index + LIST_CHARS / 2;
    return (isOfRows ? rows : behind).map(asPassword);
  });
}

/** Of a service that everybody has an account with: "FACEBOOK – Nana – 07700 900412 – Whiskers1953!!". */
const SERVICE =
  /\b(?:facebook|instagram|insta|amazon|ebay|paypal|twitter|tiktok|youtube|linkedin|dropbox|outlook|hotmail|yahoo|gmail|icloud|netflix|spotify|steam|e-?mail|nhs|bank|wi-?fi|zoom|teams|moodle)\b|臉書|脸书|微信|淘宝|[邮郵]箱|信箱/i;

function rowsOfServices(text: string, words: readonly Word[]): Named[] {
  return words
    .filter((word) => isLastOfRow(text, word) && isChosenInRow(word.value, true))
    .filter(({ from }) => {
      const line =
        text
          .slice(Math.max(0, from - 110), from)
          .split("\n")
          .at(-1) ?? "";
      return / [–—|·] |\.{4,}|\t|   /.test(line) && SERVICE.test(line);
    })
    .map(asPassword);
}

const OF_OTHERS = /(?:version|commit|model|order|invoice|room|flight|hash|订单|訂單)[^\n]{0,12}$/i;

/** "Ocado ..... rosehip7", "• PACER – brandt – Plead1ngs", "药店：Boots-0909". */
function isLastOfRow(text: string, { from, value }: Word): boolean {
  const to = from + value.length;
  return (
    /^["'`]?\s{0,3}(?:\n|$|[,;。、|])/.test(text.slice(to, to + 8)) &&
    /(?:\.{3} ?|[ \t]{2}|\t| [–—|-]{1,2} |[:|·/,] ?|\p{Script=Han} ?)["'`]?$/u.test(
      text.slice(Math.max(0, from - 12), from),
    )
  );
}

function asPassword({ from, value }: Word): Named {
  return { from, to: from + value.length, kind: "password" };
}

/** A user, and what joins to it what belongs to them. */
const USER =
  /(?<![\w/.@+=-])([A-Za-z][\w.@-]{1,30})( ?[/|] ?|,? (?:with|then|and|plus) |[,、] ?| {2,8}| ?[和跟配再加]{1,2} ?)["'`“]?$/;
const USER_CHARS = 48;
/** Without what joins them. */
const PAIRED = /(?<![!-+.0-:<-~-])[!-+.0-:<-~-]{5,40}/g;
const MAY_BE_CHOSEN = /\d|[A-Za-z][@#$%^&*+=!][A-Za-z]/;
const LOGIN =
  /\blog(?:s|ged|ging)?[ -]?(?:\S{1,10} )?(?:in|on)\b|\blogins?\b|\buser(?:name)?\b|\broot\b|\bsign(?:s|ed)?[ -]?in\b|telnet|\bssh|\bs?ftp\b|uart|console|wi-?fi|internet|network|portal|\baccount|\bcred|\bpass|password|\bnas\b|router|vpn|ssid|[账帐賬帳]|登[录錄入陆]|用[户戶]|使用者|[网網]路|[网網][络絡]|密|[后後][台臺]|[进進]去|系[统統]/i;
const LOGIN_CHARS = 110;
/** Words joined, one of them a number. */
const WORDY = /^(?=[a-z-]{0,60}\d)[a-z]{3,}(?:-[a-z\d]{1,20}){2,6}$/;
/** With a mark within and a digit it needs no word: jo/Kettle!9. */
const MARKED = /^(?=[!-~]{0,40}\d)(?=[!-~]{0,40}[a-z])[A-Za-z\d]{2,20}[!@#$%^&*][A-Za-z\d!@#$%^&*]{2,20}$/;

function pairsIn(text: string, runs: readonly RegExpExecArray[]): Named[] {
  return runs.flatMap((run) =>
    [...run[0].matchAll(PAIRED)].flatMap((part) => pairAt(text, run.index + part.index, part[0])),
  );
}

function pairAt(text: string, start: number, run: string): Named[] {
  if (!MAY_BE_CHOSEN.test(run)) return [];
  const value = run.replace(/^["'`]|[|"'`“”,.;:)\]?]{1,4}$/g, "");
  const from = start + run.indexOf(value);
  const to = from + value.length;
  const before = text.slice(Math.max(0, from - USER_CHARS), from);
  const [, user = "", joint = ""] = USER.exec(before) ?? [];
  if (user === "" || user === value || text.charAt(to) === "/" || EVERYDAY.test(user)) return [];
  const isBeside = joint.includes("/");
  if (joint.startsWith(",") && /^(?:hello|hi|hey|thanks|dear)$/i.test(user)) return [];
  if (!isBeside && !/\d|[a-z][@#$%^&*]/i.test(value)) return [];
  if (NO_VALUE.test(value)) return [];
  if (isBeside && MARKED.test(value)) return [asPassword({ from, value })];
  const around =
    text.slice(Math.max(0, from - USER_CHARS - LOGIN_CHARS), from) + " " + text.slice(to, to + 50);
  return (isChosenInRow(value, true) || WORDY.test(value)) && LOGIN.test(around)
    ? [asPassword({ from, value })]
    : [];
}

const CELL = /<tr\b|<t[hd]\b[^<>]{0,100}>\s{0,9}([^<]{0,200})/gi;
const HEAD =
  /^(?:[\w ]{1,16} )?(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|pin)\s{0,9}$|^(?:\p{Script=Han}{0,4})(?:密[码碼]|口令|密[钥鑰])\s{0,9}$/iu;

/** Cells of a column whose head is a word for one. */
export function cellsOfHtml(text: string): Named[] {
  if (!/<t[hd]\b/i.test(text)) return [];
  const columns = new Set<number>();
  let column = 0;
  return [...text.matchAll(CELL)].flatMap(({ index, 0: cell, 1: content }): Named[] => {
    if (content === undefined) {
      column = 0;
      return [];
    }
    column++;
    if (HEAD.test(content)) {
      columns.add(column);
      return [];
    }
    const value = content.trimEnd();
    const from = index + cell.length - content.length;
    return columns.has(column) &&
      /^\S{4,80}$/.test(value) &&
      !isPlaceholder(value) &&
      /[\d@#$%^&*!]/.test(value)
      ? [{ from, to: from + value.length, kind: "password" }]
      : [];
  });
}
