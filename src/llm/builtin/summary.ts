/**
 * Summaries without a model: deterministic and extractive.
 *
 * Pure but for loading the date reader. The same input gives the same bytes; a
 * summary fed back as `previous` stays as it is, and is carried on under its headings.
 */
import { defined } from "../../model/collections.js";
import type { Tier } from "../../model/work.js";
import { type AbsoluteDates, loadAbsoluteDates } from "../../text/dates/absolute.js";
import { redactSecrets } from "../../text/redact.js";
import { bulletTarget, sizeOf, type SummaryJob, type SummarySectionInput } from "../jobs/summary.js";
import { clean, defuse, type Notes, printNotes } from "../notes.js";
import { underHeadings } from "./headings.js";
import { type Candidate, candidatesOf, fingerprintOf, isNearCopy, pick } from "./pick.js";

const TEXT_LIMIT_CHARS = 280;
/** A summary that has grown to its full size still takes in this share of what is new. */
const LEAST_NEW_SHARE = 1 / 3;

export async function builtinSummary(
  job: SummaryJob,
): Promise<{ sections: { user?: string; text: string }[] }> {
  const dates = await loadAbsoluteDates();
  const tier = sizeOf(job.tier);
  const read = job.sections.map((section) => ({ section, candidates: candidatesOf(section, tier) }));
  const speakers = read.flatMap(({ candidates }) => candidates.map(({ name }) => name));
  const names = new Set(speakers.flatMap((name) => name.toLowerCase().split(/\s+/)));
  const sections = read.map(({ section, candidates }) => ({
    ...(section.user === undefined ? {} : { user: section.user }),
    text: writeSection(section, candidates, names, tier, dates),
  }));
  return { sections };
}

function writeSection(
  section: SummarySectionInput,
  candidates: readonly Candidate[],
  names: ReadonlySet<string>,
  tier: Tier,
  dates: AbsoluteDates,
): string {
  const picked = pick(candidates, tier);
  const bullets = picked.map((candidate) => bulletOf(candidate, dates));
  const previous = section.previous ?? "";
  const room = bulletTarget(tier, Number.POSITIVE_INFINITY) - bulletsIn(previous);
  const most = Math.max(room, Math.ceil(bullets.length * LEAST_NEW_SHARE));
  return carryOn(previous, bullets, names, most);
}

function bulletOf(candidate: Candidate, dates: AbsoluteDates): Bullet {
  const { stamp, name, keys, day } = candidate;
  const text = dates(short(clean(redactSecrets(candidate.text))), day);
  return { line: `${stamp} ${name === "" ? "" : `${clean(name)}: `}${text}`, text, keys };
}

/** Cut at the end of a word, and visibly. */
function short(text: string): string {
  if (text.length <= TEXT_LIMIT_CHARS) return text;
  const head = text.slice(0, TEXT_LIMIT_CHARS).replace(/[\uD800-\uDBFF]$/, "");
  const space = head.lastIndexOf(" ");
  return `${(space > TEXT_LIMIT_CHARS * 0.8 ? head.slice(0, space) : head).trimEnd()}…`;
}

interface Block {
  heading?: string;
  lines: string[];
}

const HEADING = /^### (.+)$/;
/** "14:03 Alice: …" or "2026-01-03 Alice: …": when and who, in front of what. */
const STAMP = /^(?:\d{2}:\d{2}|\d{4}-\d{2}-\d{2})\s+/;

/**
 * New bullets into a summary that exists: every line of it stays, byte for byte and in its
 * place; only what it does not say yet is added. The same again gives the same text again.
 */
function carryOn(
  previous: string,
  bullets: readonly Bullet[],
  names: ReadonlySet<string>,
  mostLines: number,
): string {
  const standing = defuse(previous);
  const fresh = newOnes(standing, bullets).slice(0, mostLines);
  if (fresh.length === 0) return standing;
  if (standing === "") return printNotes(sorted(fresh, names));

  const blocks = blocksOf(standing);
  const homeless: Bullet[] = [];
  for (const bullet of fresh) {
    const home = blocks.find(
      ({ heading }) => heading !== undefined && bullet.keys.has(heading.toLowerCase()),
    );
    if (home === undefined) homeless.push(bullet);
    else append(home, bullet.line);
  }
  for (const { heading, bullets: lines } of sorted(homeless, names)) {
    const same = blocks.find((block) => block.heading === heading);
    const home: Block = same ?? { ...defined({ heading }), lines: ["", `### ${heading}`, ""] };
    if (same === undefined) blocks.push(home);
    for (const line of lines) append(home, line);
  }
  return defuse(blocks.flatMap(({ lines }) => lines).join("\n"));
}

/** How many bullets a text has. */
function bulletsIn(text: string): number {
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

interface Bullet {
  /** As printed, with its stamp and name. */
  line: string;
  /** What was said, for comparing. */
  text: string;
  keys: ReadonlySet<string>;
}

/** Fewer bullets are read at a glance. */
const LEAST_FOR_HEADINGS = 7;

/** Headings by what most of them are about; what shares no word with the rest comes last. */
function sorted(bullets: readonly Bullet[], names: ReadonlySet<string>): Notes {
  if (bullets.length === 0) return [];
  const printed = (of: readonly Bullet[]): string[] => of.map(({ line }) => line);
  if (bullets.length < LEAST_FOR_HEADINGS) return [{ bullets: printed(bullets) }];
  const { groups, rest } = underHeadings(bullets, names);
  if (groups.length === 0) return [{ bullets: printed(bullets) }];
  const last = rest.length === 0 ? [] : [{ heading: otherHeading(bullets), lines: rest }];
  return [...groups, ...last].map(({ heading, lines }) => ({ heading, bullets: printed(lines) }));
}

function otherHeading(bullets: readonly Pick<Bullet, "text">[]): string {
  const text = bullets.map((bullet) => bullet.text).join("");
  return (text.match(/\p{Script=Han}/gu)?.length ?? 0) * 4 > text.length ? "其他" : "Also";
}
