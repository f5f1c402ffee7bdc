/**
 * A text in sentences, English and Chinese; every line break ends one, and a
 * fenced block of code stays whole. And a text cut short, between characters.
 *
 * Pure. No character other than white space is lost.
 */
import { estimateTokens, tokenPrefixLength } from "./tokens.js";

const FENCE = /^ {0,3}(?:```|~~~)/;
/** After one of these a full stop ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|cf|no|nr|fig|approx|inc|ltd|co|jr|sr|dept|est|[a-z]|[a-z]\.[a-z])\.$/i;
const LONGEST_ABBREVIATION = 12;
/** Ending marks with the brackets and quotes that close after them. */
const END = /[。！？!?…]+["'”’」』）)\]]*|(?<!\.)\.+["'”’)\]]*(?=\s|$)/g;

export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let block: string[] | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (block !== undefined) {
      block.push(line);
      if (!FENCE.test(line)) continue;
      sentences.push(block.join("\n"));
      block = undefined;
    } else if (FENCE.test(line)) {
      block = [line];
    } else {
      for (const sentence of sentencesOfLine(line)) sentences.push(sentence);
    }
  }
  // A fence that was never closed is code to the end.
  if (block !== undefined) sentences.push(block.join("\n"));
  return sentences;
}

export function isCode(sentence: string): boolean {
  return FENCE.test(sentence);
}

function sentencesOfLine(line: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const match of line.matchAll(END)) {
    const to = match.index + match[0].length;
    const upTo = line.slice(from, to);
    if (match[0] === "." && (ABBREVIATION.test(upTo.slice(-LONGEST_ABBREVIATION)) || /^\s*\d+\.$/.test(upTo)))
      continue;
    // "What?! no" and "1.5" go on; a mark inside a word or a link ends nothing.
    if (/^[!?]/.test(match[0]) && /^[A-Za-z0-9=&/_]/.test(line.slice(to))) continue;
    sentences.push(upTo.trim());
    from = to;
  }
  sentences.push(line.slice(from).trim());
  return sentences.filter((sentence) => sentence !== "");
}

/**
 * Cutting text so that what is left is still text: on the border of a
 * character as people see it, with a mark, and with an open code fence closed.
 */
export const TRUNCATED = "[truncated]";

/** A cluster longer than this is nobody's character (stacked accents); it is cut between code points. */
const LONGEST_CLUSTER = 64;

/** Of a partition of blanks; prose has four. */
const MOST_CHARS_PER_TOKEN = 64;

let graphemes: Intl.Segmenter | undefined;

/** At most `maxChars` UTF-16 units of `text`, then the mark; the text itself when it is no longer than that. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = text.slice(0, characterBorder(text, maxChars)).trimEnd();
  const fence = openFence(head);
  if (fence !== undefined) return `${head}\n${fence}\n${TRUNCATED}`;
  return head === "" ? TRUNCATED : `${head} ${TRUNCATED}`;
}

/** The beginning and the end of a text, two to one, `budgetTokens` together, with `note` for what lies between. */
export function cutMiddle(text: string, budgetTokens: number, note: string): string {
  if (tokenPrefixLength(text, budgetTokens) === text.length) return text;
  const headEnd = characterBorder(text, tokenPrefixLength(text, (budgetTokens * 2) / 3));
  const tailStart = nextBorder(text, tailBegin(text, budgetTokens / 3, headEnd));
  const head = text.slice(0, headEnd).trimEnd();
  const gap = `[… ${tailStart - headEnd} characters left out; ${note} …]`;
  const tail = text.slice(tailStart).trimStart();
  // What stood in a code block still does.
  const closed = openFence(head);
  const reopened = openFence(text.slice(0, tailStart));
  return [head, closed ?? "", gap, reopened ?? "", tail].filter((part) => part !== "").join("\n");
}

/** Where an end of at most `budgetTokens` begins, not before `from`. */
function tailBegin(text: string, budgetTokens: number, from: number): number {
  let low = Math.max(from, text.length - Math.ceil(budgetTokens * MOST_CHARS_PER_TOKEN));
  let high = text.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (estimateTokens(text.slice(middle)) <= budgetTokens) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first border between characters at or after `index`. */
function nextBorder(text: string, index: number): number {
  const last = Math.min(text.length, index + LONGEST_CLUSTER);
  for (let at = index; at <= last; at++) if (characterBorder(text, at) === at) return at;
  return codePointBorder(text, last);
}

/** The last border between characters at or before `index`. */
export function characterBorder(text: string, index: number): number {
  if (index <= 0) return 0;
  if (index >= text.length) return text.length;
  const from = codePointBorder(text, Math.max(0, index - LONGEST_CLUSTER));
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const around = graphemes.segment(text.slice(from, index + LONGEST_CLUSTER)).containing(index - from);
  const border = from + (around?.index ?? 0);
  return border === from && from > 0 ? codePointBorder(text, index) : border;
}

/** The marks of a code fence (``` or ~~~) that `text` opens and does not close. */
export function openFence(text: string): string | undefined {
  if (!text.includes("```") && !text.includes("~~~")) return undefined;
  let open: string | undefined;
  for (const line of text.split("\n")) open = fenceAfter(line, open);
  return open;
}

/** The fence that is open after `line`, given the one open before it. */
export function fenceAfter(line: string, open: string | undefined): string | undefined {
  const [, marks = "", rest = ""] = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))([^\n]*)$/.exec(line) ?? [];
  if (marks === "") return open;
  if (open === undefined) return marks.startsWith("`") && rest.includes("`") ? undefined : marks;
  return marks.startsWith(open) && rest.trim() === "" ? undefined : open;
}

function codePointBorder(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const before = text.charCodeAt(index - 1);
  const splitsPair = unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
  return splitsPair ? index - 1 : index;
}
