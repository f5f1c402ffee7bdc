/**
 * What a text says of a matter that can be said otherwise later: "the budget is
 * €180", "launch on 3 September", 上线改到十月八号. Pure.
 *
 * A statement is a clause with a value: money, a date, a time, a number of
 * something. Its subject is what is left of the clause without the value. A
 * decision is a statement without one.
 */
import { sentencesOf } from "./sentences.js";
import { termsOf } from "./terms.js";

export interface Statement {
  /** Terms of what it is about; of Chinese the pairs. */
  subject: ReadonlySet<string>;
  /** By kind, as written without blanks. */
  values: ReadonlyMap<string, ReadonlySet<string>>;
  /** It says itself that something is otherwise now. */
  isChange: boolean;
  /** It says that something is decided; it needs no value. */
  isDecision: boolean;
}

const DECIDED =
  /\b(?:we(?:'ve| have)? )?(?:decided|agreed|settled on|going with|go with|chose|picked)\b|决定|定了|定下来|敲定|说好/iu;

const READ_CHARS = 1200;
const DECISION_CHARS = 400;
const MOST_STATEMENTS = 8;
/** A clause about more is about nothing in particular. */
const MOST_TERMS = 14;

const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";
const DIGIT_HAN = "[\\d〇一二两三四五六七八九十]";
/** In this order: what one has taken is not looked at again. */
const VALUES: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    "date",
    new RegExp(
      `\\b\\d{4}-\\d{2}-\\d{2}\\b|\\b${MONTH} \\d{1,2}(?:st|nd|rd|th)?\\b|\\b\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b|${DIGIT_HAN}{1,3}月${DIGIT_HAN}{1,3}[日号]|${DIGIT_HAN}{1,3}号`,
      "giu",
    ),
  ],
  ["weekday", /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:周|星期|礼拜)[一二三四五六日天]/giu],
  [
    "clock",
    new RegExp(
      `\\b\\d{1,2}:\\d{2}(?: ?[ap]m)?\\b|\\b\\d{1,2} ?[ap]m\\b|${DIGIT_HAN}{1,3}点(?:半|${DIGIT_HAN}{1,3}分)?`,
      "giu",
    ),
  ],
  [
    "money",
    new RegExp(
      `[$€£¥] ?\\d[\\d,.]*[kmw万]?|\\b\\d[\\d,.]* ?(?:dollars|euros|pounds|usd|eur|gbp|rmb)\\b|${DIGIT_HAN}[\\d,.〇一二两三四五六七八九十百千万]{0,12}(?:元|块|万)`,
      "giu",
    ),
  ],
  ["percent", /\d[\d.]{0,12} ?%|百分之[\d一二三四五六七八九十]+/giu],
  [
    "number",
    /\b\d[\d,.]* ?[a-zµ]{0,20}|[\d一二两三四五六七八九十百]{1,8}(?:个|次|人|章|页|天|周|小时|分钟|米|公里|克|公斤|岁|台|份)/giu,
  ],
];

const CHANGE =
  /\b(?:now|instead|chang(?:e|es|ed|ing)|mov(?:e|es|ed|ing)|switch(?:ed)?|rais(?:e|ed)|lower(?:ed)?|increas(?:e|ed)|reduc(?:e|ed)|extend(?:ed)?|postponed?|push(?:ed)?|delay(?:ed)?|reschedul(?:e|ed)|no longer|anymore|updat(?:e|ed)|actually|turned out|upgraded|bump(?:ed)?|dropped|slipped|rather than)\b|改[成到为期]|换[成到]|推[迟到]|提[前到高]|涨|降[到为]|调[整到成]|不再|现在|变成|取消|延[期到长]/iu;

export function statementsIn(text: string): Statement[] {
  const statements: Statement[] = [];
  for (const sentence of sentencesOf(text.slice(0, READ_CHARS))) {
    if (NO_STATEMENT.test(sentence)) continue;
    const isChange = CHANGE.test(sentence);
    if (DECIDED.test(sentence)) {
      // What it replaces is often named beside it: "SQLite stays in the tests only."
      const subject = subjectOf(text.slice(0, DECISION_CHARS).replace(DECIDED, " "));
      if (subject.size >= LEAST_SHARED)
        statements.push({ subject, values: new Map(), isChange, isDecision: true });
    }
    for (const clause of sentence.split(CLAUSES)) {
      const { values, rest } = valuesIn(clause);
      if (values.size === 0) continue;
      const subject = subjectOf(rest);
      if (subject.size >= LEAST_SHARED && subject.size <= MOST_TERMS)
        statements.push({ subject, values, isChange, isDecision: false });
    }
    if (statements.length >= MOST_STATEMENTS) break;
  }
  return statements;
}

/** Asks, or is no prose. */
const NO_STATEMENT = /[?？]\s*$|\b(?:can|could|would) you\b|\bhelp me\b|[{}<>=\\]|```/i;
/** The value and what it is the value of stand in one of these. */
const CLAUSES =
  /[;；，、:：]\s*|,\s+|\s[–—-]+\s|(?<!\s)\s+(?:and|but|so|which|while|because|since|although|though|when|where|that)\s+/i;

/** So much of both subjects together is in both. */
const SAME_SUBJECT = 0.5;
/** A statement that says that something has changed may name it in other words. */
const SAME_WHEN_CHANGED = 0.34;
const LEAST_SHARED = 2;
/** A decision that changes another one names it in passing. */
const SAME_DECISION = 0.12;

/** Whether the later one says of the same matter, which is `asked` for, what the earlier did not. */
export function saysOtherwise(later: Statement, earlier: Statement, asked: ReadonlySet<string>): boolean {
  const shared = [...later.subject].filter((term) => earlier.subject.has(term));
  const together = later.subject.size + earlier.subject.size - shared.length;
  const isRedecided = later.isDecision && earlier.isDecision && later.isChange;
  const share = isRedecided ? SAME_DECISION : later.isChange ? SAME_WHEN_CHANGED : SAME_SUBJECT;
  const least = share * together;
  if (shared.length < LEAST_SHARED || shared.length < least || !shared.some((term) => asked.has(term)))
    return false;
  if (later.isDecision || earlier.isDecision) return isRedecided;
  const common = [...later.values.keys()].filter((kind) => earlier.values.has(kind));
  // How many of something there are is said of many things: only a change is one of the same.
  if (!later.isChange && common.every((kind) => kind.startsWith("number"))) return false;
  return (
    common.length > 0 &&
    common.every((kind) => {
      const before = earlier.values.get(kind);
      return [...(later.values.get(kind) ?? [])].every((value) => before?.has(value) !== true);
    })
  );
}

function valuesIn(sentence: string): { values: Map<string, Set<string>>; rest: string } {
  const values = new Map<string, Set<string>>();
  let rest = sentence;
  for (const [kind, pattern] of VALUES)
    rest = rest.replace(pattern, (found) => {
      const value = found.toLowerCase().replace(/[\s,]/g, "");
      const name =
        kind === "number" ? `number ${value.replace(/^[\d.一二两三四五六七八九十百]+/, "")}` : kind;
      values.set(name, (values.get(name) ?? new Set()).add(value));
      return " ";
    });
  return { values, rest };
}

function subjectOf(rest: string): Set<string> {
  return new Set(termsOf(rest).filter((term) => !/\p{Script=Han}/u.test(term) || [...term].length > 1));
}
