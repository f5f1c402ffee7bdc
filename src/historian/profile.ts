/**
 * A profile and what is new: which bullets stand from now on.
 *
 * Pure. Lasting traits, few of them: a profile that grows with every turn is a
 * log, and nobody reads it. What a person wrote stays as they wrote it.
 */
import { leastTrusted, type Trust } from "../model/record.js";
import type { EpochMs } from "../model/time.js";
import { contentHash } from "../platform/files.js";
import type { Profile } from "../protocol/profile.js";
import { foldText } from "../text/fold.js";

/** What a provider makes of a profile and the newest events; without bullets, nothing new. */
export interface Draft {
  by: string;
  name?: string;
  tags: readonly string[];
  /** Most weighty first. */
  bullets: readonly string[];
  /** Of what it is made from. */
  trust: Trust;
}

export interface ProfileTarget {
  entity: Profile["entity"];
  id: string;
}

export const MOST_BULLETS = 8;
const MOST_TAGS = 10;
const LONGEST_BULLET_CHARS = 240;
/** How many that a person took out are remembered. */
const MOST_TAKEN_OUT = 40;

/** Undefined where nothing changes. `source` is the job that it comes from. */
export function mergedProfile(
  before: Profile | undefined,
  draft: Draft,
  target: ProfileTarget,
  source: string,
  now: EpochMs,
): Omit<Profile, "edited"> | undefined {
  const wanted = distinct(draft.bullets.map(oneBullet).filter((bullet) => bullet !== ""));
  if (wanted.length === 0) return undefined;
  const { body, written } = merged(before, wanted);
  // A name that was settled is kept: what somebody is called changes by hand.
  const name = before?.name ?? draft.name?.trim().slice(0, 80);
  const known = before?.edited === true ? before.tags : [];
  const told = draft.tags.length > 0 ? draft.tags : (before?.tags ?? []);
  const tags = distinct([...known, ...told]).slice(0, MOST_TAGS);
  const states = JSON.stringify([body.trim(), name, tags]);
  if (before && JSON.stringify([before.body.trim(), before.name, before.tags]) === states) return undefined;
  return {
    ...target,
    ...(name === undefined || name === "" ? {} : { name }),
    tags,
    updatedAt: now,
    by: draft.by,
    source,
    trust: leastTrusted([draft.trust, ...(before?.trust === undefined ? [] : [before.trust])]),
    body,
    written,
    extra: before?.extra ?? {},
  };
}

/**
 * What of a profile is a person's: the bullets that memd wrote are gone, and those
 * that a person took out stay out. Undefined where nothing of it is.
 */
export function withoutWritten(profile: Profile): Omit<Profile, "edited"> | undefined {
  const { body, written, edited, name, tags, source: _source, by: _by, ...rest } = profile;
  const marks = new Set(written);
  const lines = body.split("\n");
  const isWritten = (line: string): boolean => bulletsIn(line).some((bullet) => marks.has(markOf(bullet)));
  const standing = new Set(bulletsIn(body).map(markOf));
  const left = lines.filter((line) => !isWritten(line)).join("\n");
  const isTheirs = left.trim() !== "" || edited || Object.keys(rest.extra).length > 0;
  if (!isTheirs) return undefined;
  return {
    ...rest,
    // What they are called was told in some turn: the next one tells it again.
    ...(name === undefined || !edited ? {} : { name }),
    tags: edited ? tags : [],
    body: left,
    written: written.filter((mark) => !standing.has(mark)),
  };
}

export function bulletsIn(body: string): string[] {
  return body.split("\n").flatMap((line) => /^\s*[-*+]\s+(\S.*)$/.exec(line)?.[1]?.trim() ?? []);
}

/**
 * Of memd's bullets those that are still wanted and the new ones, most weighty
 * first, as many as there is room for. Every other line is a person's and stays
 * where it is; what a person took out does not come back.
 */
function merged(
  before: Pick<Profile, "body" | "written" | "edited"> | undefined,
  wanted: readonly string[],
): Pick<Profile, "body" | "written"> {
  const marks = new Set(before?.written);
  const lines = (before?.body ?? "\n").trimEnd().split("\n");
  const standing = new Set(lines.flatMap(bulletsIn).map(markOf));
  const takenOut = [...marks].filter((mark) => !standing.has(mark));
  const isOwn = (line: string): boolean => bulletsIn(line).some((bullet) => marks.has(markOf(bullet)));
  const theirs = new Set(
    lines
      .filter((line) => !isOwn(line))
      .flatMap(bulletsIn)
      .map(markOf),
  );
  const room = Math.max(0, MOST_BULLETS - theirs.size);
  const own = wanted
    .filter((bullet) => !theirs.has(markOf(bullet)) && !takenOut.includes(markOf(bullet)))
    .slice(0, room);
  const isTheirs = (line: string): boolean => line.trim() !== "" && !isOwn(line);
  const body = before?.edited === true || lines.some(isTheirs) ? inPlace(lines, isOwn, own) : listOf(own);
  return {
    body: `${body.join("\n").replace(/^(?=- )/, "\n")}\n`,
    written: [...new Set([...own.map(markOf), ...takenOut.slice(-MOST_TAKEN_OUT)])],
  };
}

/** A person has looked at it: what stands and is still wanted stays where it is, what is new comes below. */
function inPlace(
  lines: readonly string[],
  isOwn: (line: string) => boolean,
  own: readonly string[],
): string[] {
  const wanted = new Map(own.map((bullet) => [markOf(bullet), bullet]));
  const kept = lines.filter(
    (line) => !isOwn(line) || bulletsIn(line).some((one) => wanted.delete(markOf(one))),
  );
  return [...kept, ...listOf([...wanted.values()])];
}

function listOf(bullets: readonly string[]): string[] {
  return bullets.map((bullet) => `- ${bullet}`);
}

function markOf(bullet: string): string {
  return contentHash(keyOf(bullet)).slice(0, 8);
}

/** One line of text, which cannot break the file around it. */
function oneBullet(text: string): string {
  const line = text
    .replaceAll("<!--", "<! --")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?:(?:#{1,6}|[-*+])\s+)+/, "");
  if (line.length <= LONGEST_BULLET_CHARS) return line;
  return `${line.slice(0, LONGEST_BULLET_CHARS - 1).toWellFormed()}…`;
}

/** Each once. */
function distinct(texts: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const text of texts) {
    const key = keyOf(text);
    if (key !== "" && !byKey.has(key)) byKey.set(key, text);
  }
  return [...byKey.values()];
}

function keyOf(text: string): string {
  return foldText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
