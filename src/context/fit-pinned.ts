/**
 * `memory.md` within its budget: paragraphs go, headings stay. People and tools add below what is
 * there, so under each heading the first paragraph is the oldest and goes first; the heading with most
 * left gives next. A list item is a paragraph of its own, else one long list would go at once. Headings
 * of level 1 and 2 stay whatever happens to their paragraphs; deeper ones go with their last one.
 */
import { fenceAfter } from "../text/sentences.js";
import { estimateTokens } from "../text/tokens.js";
import { costOfLines, counted, NEWLINE_TOKENS, NOTHING, type Fitted } from "./fit.js";

interface Piece {
  text: string;
  /** Whether a blank line stands before it. */
  apart: boolean;
}

interface Block {
  /** None above the first one. */
  heading: readonly Piece[];
  /** The heading is of level 1 or 2. */
  stays: boolean;
  paragraphs: Piece[];
}

/** `shown` gives a piece as it will stand in the prompt (headings lowered); pieces are found in the text as it is. */
export function dropParagraphs(
  text: string,
  budgetTokens: number,
  file: string,
  shown: (piece: string) => string,
): Fitted {
  const body = shown(text);
  if (estimateTokens(body) <= budgetTokens) return { ...NOTHING, body };
  const blocks = blocksOf(text, shown);
  const total = blocks.reduce((sum, block) => sum + block.paragraphs.length, 0);
  const room = budgetTokens - estimateTokens(notice(total, file)) - NEWLINE_TOKENS;

  const gone = blocks.map(() => 0);
  let tokens = blocks.reduce((sum, block) => sum + costOf(piecesOf(block, 0)), 0);
  let dropped = 0;
  for (const { index, block } of oldestFirst(blocks)) {
    if (tokens <= room) break;
    const from = gone[index] ?? 0;
    // What a paragraph costs is all that stands with it and will not stand without it.
    const last = from + 1 === block.paragraphs.length;
    const heading = last && !block.stays ? block.heading : [];
    tokens -= costOf([...block.paragraphs.slice(from, from + 1), ...heading]);
    gone[index] = from + 1;
    dropped += 1;
  }
  const cuts = dropped === 0 ? [] : [`${counted(dropped, "paragraph")} left out`];
  const end = { text: notice(dropped, file), apart: true };
  if (tokens <= room) {
    const left = blocks.flatMap((block, index) => piecesOf(block, gone[index] ?? 0));
    return { body: join([...left, end]), cuts, warnings: [] };
  }
  const headings = blocks.flatMap((block) => piecesOf(block, block.paragraphs.length));
  if (headings.length === 0)
    return { body: "", cuts, warnings: [`No paragraph of ${file} fits into its budget.`] };
  const fitting = piecesWithin(headings, room);
  const missing = headings.length - fitting.length;
  return {
    body: fitting.length === 0 ? "" : join([...fitting, end]),
    cuts: [...cuts, `${counted(missing, "heading")} left out`],
    warnings: [
      `The headings of ${file} alone pass its budget: ${missing} of ${headings.length} are left out of the prompt.`,
    ],
  };
}

function notice(dropped: number, file: string): string {
  return dropped === 0
    ? `(The whole is in ${file}.)`
    : `(Left out: ${counted(dropped, "older paragraph")}. The whole is in ${file}.)`;
}

/** What stands of the block when its first `gone` paragraphs do not. */
function piecesOf(block: Block, gone: number): Piece[] {
  const rest = block.paragraphs.slice(gone);
  const headed = block.stays || rest.length > 0;
  return [...(headed ? block.heading : []), ...rest.filter((paragraph) => paragraph.text !== "")];
}

/** A block for each paragraph, in the order in which they go: those with most below them under their heading first. */
function oldestFirst(blocks: readonly Block[]): { index: number; block: Block }[] {
  return blocks
    .flatMap((block, index) =>
      block.paragraphs.map((_, gone) => ({ index, block, left: block.paragraphs.length - gone })),
    )
    .sort((a, b) => b.left - a.left || a.index - b.index);
}

function blocksOf(text: string, shown: (piece: string) => string): Block[] {
  let block: Block = { heading: [], stays: true, paragraphs: [] };
  const blocks = [block];
  let fence: string | undefined;
  let open: string[] = [];
  let blank = false;
  let apart = false;
  const close = (): void => {
    if (open.length > 0) block.paragraphs.push({ text: shown(open.join("\n")), apart });
    open = [];
  };
  for (const line of text.split("\n")) {
    const inside = fence !== undefined;
    fence = fenceAfter(line, fence);
    const level = inside ? 0 : (/^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line)?.[1]?.length ?? 0);
    if (level > 0) {
      close();
      block = { heading: [{ text: shown(line), apart: true }], stays: level <= 2, paragraphs: [] };
      blocks.push(block);
    } else if (!inside && line.trim() === "") {
      close();
    } else {
      if (!inside && /^(?:[-*+]|\d{1,9}[.)])[ \t]/.test(line)) close();
      if (open.length === 0) apart = blank;
      open.push(line);
    }
    blank = line.trim() === "";
  }
  close();
  // A deep heading without text of its own has nothing to go with: an empty paragraph stands in.
  const empty = { text: "", apart: false };
  return blocks.map((each) =>
    each.stays || each.paragraphs.length > 0 ? each : { ...each, paragraphs: [empty] },
  );
}

function piecesWithin(pieces: readonly Piece[], budgetTokens: number): Piece[] {
  let left = budgetTokens;
  return pieces.filter((piece) => {
    const cost = costOf([piece]);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}

function costOf(pieces: readonly Piece[]): number {
  return costOfLines(pieces.map((piece) => piece.text).filter((text) => text !== ""));
}

function join(pieces: readonly Piece[]): string {
  return pieces
    .map(({ text, apart }, index) => (index === 0 ? text : `${apart ? "\n\n" : "\n"}${text}`))
    .join("");
}
