/**
 * A profile and what is new: which bullets stand from now on.
 *
 * Pure. Lasting traits, few of them: a profile that grows with every turn is a
 * log, and nobody reads it. What a person wrote stays as they wrote it.
 */
import type { EpochMs } from "../model/time.js";
import type { Profile } from "../protocol/profile.js";
import { foldText } from "../text/fold.js";

/** What a provider makes of a profile and the newest events; without bullets, nothing new. */
export interface Draft {
  by: string;
  name?: string;
  tags: readonly string[];
  bullets: readonly string[];
}

export interface ProfileTarget {
  entity: Profile["entity"];
  id: string;
}

export const MOST_BULLETS = 8;
const MOST_TAGS = 10;
const LONGEST_BULLET_CHARS = 240;

/** Undefined where nothing changes. `source` is the job that it comes from. */
export function mergedProfile(
  before: Profile | undefined,
  draft: Draft,
  target: ProfileTarget,
  source: string,
  now: EpochMs,
): Omit<Profile, "edited"> | undefined {
  const bullets = distinct(draft.bullets.map(oneBullet).filter((bullet) => bullet !== ""));
  if (bullets.length === 0) return undefined;
  const body =
    before?.edited === true ? withMore(before.body, bullets) : printed(bullets.slice(-MOST_BULLETS));
  // A name that was settled is kept: what somebody is called changes by hand.
  const name = before?.name ?? draft.name?.trim().slice(0, 80);
  const known = before?.edited === true ? before.tags : [];
  const tags = distinct([...known, ...(draft.tags.length > 0 ? draft.tags : (before?.tags ?? []))]).slice(
    0,
    MOST_TAGS,
  );
  const isSame =
    before !== undefined &&
    before.body.trim() === body.trim() &&
    before.name === name &&
    JSON.stringify(before.tags) === JSON.stringify(tags);
  if (isSame) return undefined;
  return {
    ...target,
    ...(name === undefined || name === "" ? {} : { name }),
    tags,
    updatedAt: now,
    by: draft.by,
    source,
    body,
    extra: before?.extra ?? {},
  };
}

export function bulletsIn(body: string): string[] {
  return body.split("\n").flatMap((line) => /^\s*[-*+]\s+(.+)$/.exec(line)?.[1]?.trim() ?? []);
}

/** Nothing of a person's goes; what is new stands below, as long as there is room. */
function withMore(body: string, bullets: readonly string[]): string {
  const standing = new Set(bulletsIn(body).map(keyOf));
  const room = Math.max(1, MOST_BULLETS - standing.size);
  const fresh = bullets.filter((bullet) => !standing.has(keyOf(bullet))).slice(-room);
  return fresh.length === 0
    ? body
    : `${body.trimEnd()}\n${fresh.map((bullet) => `- ${bullet}`).join("\n")}\n`;
}

function printed(bullets: readonly string[]): string {
  return `\n${bullets.map((bullet) => `- ${bullet}`).join("\n")}\n`;
}

/** One line of text, which cannot break the file around it. */
function oneBullet(text: string): string {
  const line = text
    .replaceAll("<!--", "<! --")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?:(?:#{1,6}|[-*+])\s+)+/, "");
  return line.length <= LONGEST_BULLET_CHARS
    ? line
    : `${line.slice(0, LONGEST_BULLET_CHARS - 1).toWellFormed()}…`;
}

/** Each once, the last one counts. */
function distinct(texts: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const text of texts) {
    const key = keyOf(text);
    if (key === "") continue;
    byKey.delete(key);
    byKey.set(key, text);
  }
  return [...byKey.values()];
}

function keyOf(text: string): string {
  return foldText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
