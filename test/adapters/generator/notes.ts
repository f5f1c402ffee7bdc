/** What notes are made of. */
import type { Yard } from "./yard.js";

export interface Note {
  name: string;
  /** Front matter with its fences and the empty line after it, or nothing. */
  head: string;
  body: string;
  at: number | undefined;
}

/** Paragraphs, lists, code with fences and rules in it; longer where there is room. */
export function bodyOf(yard: Yard, room: number): string {
  const { prose, random } = yard;
  const parts = [prose.agent(), prose.human()];
  if (random.chance(0.3)) parts.push(`- [ ] ${prose.word()}\n- [x] ${prose.word()}\n  - deeper`);
  if (random.chance(0.2)) parts.push(`\`\`\`yaml\n---\nkey: ${prose.word()}\n---\n# no heading\n\`\`\``);
  if (random.chance(0.2)) parts.push(`---\n\nAfter a rule: ${prose.word()}`);
  if (room > 500) parts.push(prose.essay(room - 400));
  // A note's own line ends are added when it is written.
  return random.shuffled(parts).join("\n\n").replaceAll("\r", "");
}

export function endLines(yard: Yard, text: string): string {
  let ended = yard.random.chance(0.9) ? `${text}\n` : text;
  if (yard.happens("CRLF files", 0.06)) ended = ended.replaceAll("\n", "\r\n");
  return yard.happens("files with a BOM", 0.04) ? `\ufeff${ended}` : ended;
}
