/** The prompt of a conversation as much of it as there is room for. Pure. */
import { LIVE_SECTIONS, SECTION_TITLES } from "../../context/render.js";
import { estimateTokens, tokenPrefixLength } from "../../text/tokens.js";

/** What an agent that asks has before its eyes goes first, what it could not know last. */
const GO_FIRST: readonly string[] = [
  LIVE_SECTIONS.history,
  LIVE_SECTIONS.input,
  "Daily log",
  "Awareness",
  "Memos",
  LIVE_SECTIONS.topics,
  "Soul",
];

/** A line that begins in the first column is memd's own: nothing that was stored begins a section. */
export function promptWithin(markdown: string, room: number): string {
  let sections = markdown.split(/^(?=## )/m);
  const left: string[] = [];
  for (const title of GO_FIRST) {
    if (estimateTokens(sections.join("")) <= room) break;
    const staying = sections.filter((section) => titleOf(section) !== title);
    if (staying.length < sections.length) left.push(title);
    sections = staying;
  }
  const text = sections.join("").trimEnd();
  const length = tokenPrefixLength(text, room);
  const cut = length < text.length ? `${text.slice(0, length)}\n\n[truncated]` : text;
  return left.length === 0 ? cut : `${cut}\n\nLeft out for want of room: ${left.join(", ")}.`;
}

function titleOf(section: string): string | undefined {
  const title = /^## (.+)$/m.exec(section.split("\n", 1)[0] ?? "")?.[1]?.trim();
  return title !== undefined && SECTION_TITLES.has(title) ? title : undefined;
}
