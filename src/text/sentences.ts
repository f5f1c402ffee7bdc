/**
 * A text in sentences, English and Chinese; every line break ends one, and a
 * fenced block of code stays whole.
 *
 * Pure. No character other than white space is lost.
 */
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
      sentences.push(...sentencesOfLine(line));
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
