/** Cuts what is to be summarised into windows that fit a model's context. Pure. */
import { estimateTokens } from "../text/tokens.js";

/** Pieces in order, packed as full as they fit; a piece that is too long alone is cut near its middle until it fits. */
export function windowsOf(pieces: readonly string[], budgetTokens: number): string[] {
  const windows: string[] = [];
  let open: string[] = [];
  let openTokens = 0;
  for (const piece of pieces.flatMap((whole) => fitting(whole, budgetTokens))) {
    const tokens = estimateTokens(piece) + 1;
    if (open.length > 0 && openTokens + tokens > budgetTokens) {
      windows.push(open.join("\n"));
      open = [];
      openTokens = 0;
    }
    open.push(piece);
    openTokens += tokens;
  }
  if (open.length > 0) windows.push(open.join("\n"));
  return windows;
}

const MIN_CUT_CHARS = 64;

function fitting(text: string, budgetTokens: number): string[] {
  if (text.length < MIN_CUT_CHARS || estimateTokens(text) <= budgetTokens) return [text];
  const at = cutPoint(text);
  return [
    ...fitting(text.slice(0, at).trimEnd(), budgetTokens),
    ...fitting(text.slice(at).trimStart(), budgetTokens),
  ];
}

/** The end of a line, else of a sentence, else of a word, in the middle half; else the middle, between two characters. */
function cutPoint(text: string): number {
  const from = Math.floor(text.length / 4);
  const middleHalf = text.slice(from, from * 3);
  for (const end of [/\n(?=[^\n]*$)/, /[.!?。！？](?=[^.!?。！？]*$)/, /\s(?=\S*$)/]) {
    const found = end.exec(middleHalf);
    if (found !== null) return from + found.index + 1;
  }
  const middle = Math.floor(text.length / 2);
  return /[\uDC00-\uDFFF]/.test(text.charAt(middle)) ? middle + 1 : middle;
}
