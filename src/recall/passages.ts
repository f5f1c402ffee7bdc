/**
 * Files as passages: one per section of memory.md and of a summary; a long one in pieces.
 *
 * Pure. Secrets are out of every text before anything is indexed.
 */
import { MAIN_SCOPE } from "../model/address.js";
import type { Passage } from "../model/passage.js";
import { addDays, isDay, type Day, type EpochMs, type Zone, noonOf } from "../model/time.js";
import type { MemorySection } from "../protocol/memory-md.js";
import type { SummaryFile } from "../protocol/summary.js";
import { redactTogether } from "../text/redact.js";
import { characterBorder } from "../text/sentences.js";

/** Goes into what passages a file gives: bump it and every file is read again. */
export const PASSAGES_VERSION = 8;

/** `modifiedAt` of the file: nobody wrote down when a section was added. */
export function passagesOfMemory(
  path: string,
  sections: readonly MemorySection[],
  modifiedAt: EpochMs,
  zone: Zone,
): Passage[] {
  const texts = redactTogether(
    sections.map(({ heading, text }) => (heading === "" ? text : `${heading}\n${text}`)),
  );
  return sections.flatMap(({ lines }, index): Passage[] =>
    inPieces({
      id: `${path}#${index + 1}`,
      kind: "memory",
      level: "owner",
      scope: MAIN_SCOPE,
      path,
      lines,
      text: texts[index] ?? "",
      saidAt: modifiedAt,
      day: zone.dayOf(modifiedAt),
      messageIds: [],
      trust: "human",
    }),
  );
}

/** Outside groups a section without a user is nobody's but the owner's. */
export function passagesOfSummary(path: string, file: SummaryFile): Passage[] {
  const covers = file.covers.map(({ day, hash }) => ({ day, hash }));
  return file.sections.flatMap(({ user, text, lines }, index): Passage[] =>
    inPieces({
      id: `${path}#${index + 1}`,
      kind: file.tier === "day" ? "day_summary" : "month_summary",
      level: "scope",
      scope: file.scope,
      ...(user === undefined ? {} : { user }),
      path,
      lines,
      text,
      saidAt: noonOf(lastCovered(file)),
      day: file.date,
      messageIds: [],
      trust: "agent",
      covers,
    }),
  );
}

/** A longer text is found by the part of it that answers. */
const PIECE_CHARS = 16_000;

export function inPieces(whole: Passage): Passage[] {
  const { id, text } = whole;
  if (text.length <= PIECE_CHARS) return [whole];
  const pieces: Passage[] = [];
  for (let from = 0; from < text.length;) {
    const end = Math.min(text.length, from + PIECE_CHARS);
    const blank = end === text.length ? -1 : text.slice(end - PIECE_CHARS / 4, end).search(/\s\S*$/);
    const to = blank < 0 ? characterBorder(text, end) : end - PIECE_CHARS / 4 + blank;
    const number = pieces.length + 1;
    pieces.push({ ...whole, id: number === 1 ? id : `${id}~part${number}`, text: text.slice(from, to) });
    from = to;
  }
  return pieces.filter((piece) => /\S/.test(piece.text));
}

function lastCovered({ date, covers }: SummaryFile): Day {
  if (isDay(date)) return date;
  const last = covers
    .map(({ day }) => day)
    .sort()
    .at(-1);
  return last ?? addDays(`${date}-01` as Day, 27);
}
