/**
 * New bullets into a summary that exists: every line of it stays, byte for
 * byte and in its place; only what it does not say yet is added.
 *
 * Pure. Adding what is there already gives the same text again.
 */
import { clean, defuse, printNotes } from "../notes.js";
import { underHeadings, type Bullet } from "./headings.js";
import { fingerprintOf, isNearCopy } from "./near-copies.js";

interface Block {
  heading?: string;
  lines: string[];
}

const HEADING = /^### (.+)$/;
/** "14:03 Alice: …" or "2026-01-03 Alice: …": when and who, in front of what. */
const STAMP = /^(?:\d{2}:\d{2}|\d{4}-\d{2}-\d{2})\s+/;

export function carryOn(
  previous: string,
  bullets: readonly Bullet[],
  names: ReadonlySet<string>,
  mostLines: number,
): string {
  const standing = defuse(previous);
  const fresh = newOnes(standing, bullets).slice(0, mostLines);
  if (fresh.length === 0) return standing;
  if (standing === "") return printNotes(underHeadings(fresh, names));

  const blocks = blocksOf(standing);
  const homeless: Bullet[] = [];
  for (const bullet of fresh) {
    const home = blocks.find(
      ({ heading }) => heading !== undefined && bullet.keys.has(heading.toLowerCase()),
    );
    if (home === undefined) homeless.push(bullet);
    else append(home, bullet.line);
  }
  for (const { heading, bullets: lines } of underHeadings(homeless, names)) {
    const same =
      blocks.find((block) => block.heading === heading) ??
      (heading === undefined ? blocks.at(-1) : undefined);
    const home: Block = same ?? {
      ...(heading === undefined ? {} : { heading }),
      lines: ["", `### ${heading}`, ""],
    };
    if (same === undefined) blocks.push(home);
    for (const line of lines) append(home, line);
  }
  return defuse(blocks.flatMap(({ lines }) => lines).join("\n"));
}

/** How many bullets a text has. */
export function bulletsIn(text: string): number {
  return text.split("\n").filter((line) => /^\s*[-*+] /.test(line)).length;
}

function newOnes(standing: string, bullets: readonly Bullet[]): Bullet[] {
  const lines = standing
    .split("\n")
    .map(clean)
    .filter((line) => line !== "");
  const known = new Set(lines);
  const fingerprints = lines.map((line) =>
    fingerprintOf(line.replace(STAMP, "").replace(/^[^:：]{1,40}[:：] /, "")),
  );
  return bullets.filter(({ line, text }) => {
    const fingerprint = fingerprintOf(text);
    return !known.has(clean(line)) && !fingerprints.some((other) => isNearCopy(other, fingerprint));
  });
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [{ lines: [] }];
  for (const line of text.split("\n")) {
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) blocks.push({ heading, lines: [] });
    blocks.at(-1)?.lines.push(line);
  }
  return blocks;
}

/** Behind the block's last line that says something, before the blank ones. */
function append(block: Block, bullet: string): void {
  const last = block.lines.findLastIndex((line) => line.trim() !== "");
  const bare = last < 0 || HEADING.test(block.lines[last] ?? "");
  const follows = /^\s*[-*+] /.test(block.lines[last] ?? "");
  block.lines.splice(last + 1, 0, ...(bare || follows ? [] : [""]), `- ${bullet}`);
  if (bare && last >= 0) block.lines.splice(last + 1, 0, "");
}
