/**
 * Summaries without a model: deterministic and extractive.
 *
 * Pure but for loading the date reader. The same input gives the same bytes; a
 * summary fed back as `previous` stays as it is.
 */
import type { Tier } from "../../model/work.js";
import { loadAbsoluteDates, type AbsoluteDates } from "../../text/absolute-dates.js";
import { redactSecrets } from "../../text/redact.js";
import { bulletTarget, sizeOf } from "../bullet-target.js";
import type { SummaryJob, SummarySectionInput } from "../jobs/summary.js";
import { clean } from "../notes.js";
import { candidatesOf, type Candidate } from "./candidates.js";
import { bulletsIn, carryOn } from "./carry-on.js";
import type { Bullet } from "./headings.js";
import { pick } from "./pick.js";

const TEXT_LIMIT_CHARS = 280;
/** A summary that has grown to its full size still takes in this share of what is new. */
const LEAST_NEW_SHARE = 1 / 3;

export async function builtinSummary(
  job: SummaryJob,
): Promise<{ sections: { user?: string; text: string }[] }> {
  const dates = await loadAbsoluteDates();
  const sections = job.sections.map((section) => ({
    ...(section.user === undefined ? {} : { user: section.user }),
    text: writeSection(section, sizeOf(job.tier), dates),
  }));
  return { sections };
}

function writeSection(section: SummarySectionInput, tier: Tier, dates: AbsoluteDates): string {
  const picked = pick(candidatesOf(section, tier), tier);
  const bullets = picked.map((candidate) => bulletOf(candidate, dates));
  const previous = section.previous ?? "";
  const room = bulletTarget(tier, Number.POSITIVE_INFINITY) - bulletsIn(previous);
  const most = Math.max(room, Math.ceil(bullets.length * LEAST_NEW_SHARE));
  const names = new Set(picked.flatMap(({ name }) => name.toLowerCase().split(/\s+/)));
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
