/**
 * A profile without a model: of all that stands told of somebody the few statements that say most about who
 * they are, most weighty first. Weighty is what is consequential, what was said often, and what much else
 * that they said is about; of one thing one statement, the newest. Otherwise it abstains. Pure.
 */
import { tally } from "../../model/collections.js";
import { termsOf } from "../../text/terms.js";
import type { ProfileJob, Told } from "../jobs/profile.js";
import { isHan } from "./cues.js";
import { householdIn, toldTogether } from "./household.js";
import { traitOf } from "./traits.js";

/** One statement about them. */
interface Candidate {
  bullet: string;
  /** Two of one key cannot stand beside each other. */
  key: string;
  /** What it is about. */
  terms: ReadonlySet<string>;
  weight: number;
  date: string;
  /** Of whom they live with, where it tells that. */
  members: NonNullable<ReturnType<typeof householdIn>>;
}

const MOST_LINES = 8;
const LONGEST_CHARS = 160;
/** What stands in the profile and came from no statement was written by somebody who knows better. */
const WRITTEN_WEIGHT = 6;
/** Of a statement whose words are told already so much is left out of its weight. */
const TOLD_ALREADY_WEIGHT = 3;
/** From here on it says again what was chosen. */
const SAYS_AGAIN = 0.75;
const LOVED_WEIGHT = 3;
/** "trans" is told by "transgender". */
const ABBREVIATED_CHARS = 4;
const THEME_WEIGHT = 0.5;

export function builtinProfile(job: ProfileJob): Pick<ProfileJob, "name" | "tags" | "bullets"> {
  const { name, bullets, known, events } = job;
  const of = { ...(name === undefined ? {} : { name }), tags: [] };
  // Nothing new was told of who they are.
  if (!events.some((event) => candidateOf(event, job) !== undefined)) return { ...of, bullets: [] };
  // Whom they live with is told anew from what stands told of it.
  const isHome = ({ members }: Candidate): boolean => known.length > 0 && members.length > 0;
  const present = bullets.map(standing).filter((one) => !isHome(one));
  const byKey = new Map(present.map((candidate) => [candidate.key, candidate]));
  const isKnown = new Set(known.map(({ text }) => text));
  const told = [...known, ...events.filter(({ text }) => !isKnown.has(text))];
  for (const statement of told.toSorted((one, other) => one.date.localeCompare(other.date))) {
    const candidate = candidateOf(statement, job);
    if (candidate === undefined) continue;
    byKey.delete(candidate.key);
    if (statement.isOver !== true) byKey.set(candidate.key, candidate);
  }
  return { ...of, bullets: mostTelling(withHousehold([...byKey.values()])) };
}

/** Whom they live with is one line. */
function withHousehold(candidates: readonly Candidate[]): Candidate[] {
  const homes = candidates
    .filter(({ members }) => members.length > 0)
    .toSorted((one, other) => one.date.localeCompare(other.date));
  const newest = homes.at(-1);
  if (newest === undefined) return [...candidates];
  const what = toldTogether(homes.flatMap(({ members }) => members));
  const home: Candidate = {
    ...newest,
    bullet: dated(what, newest.date),
    key: keyOf(what),
    terms: new Set(homes.flatMap(({ terms }) => [...terms])),
    weight: Math.max(...homes.map(({ weight }) => weight)),
  };
  return [...candidates.filter(({ members }) => members.length === 0), home];
}

/** Most weighty first; what says again what was chosen comes last, or not at all. */
function mostTelling(candidates: readonly Candidate[]): string[] {
  const themes = tally(candidates.flatMap(({ terms }) => [...terms]));
  const left = new Map(candidates.map((one) => [one, one.weight + THEME_WEIGHT * themeOf(one, themes)]));
  const chosen: string[] = [];
  const told = new Set<string>();
  while (chosen.length < MOST_LINES) {
    const worth = (one: Candidate): number => (left.get(one) ?? 0) - TOLD_ALREADY_WEIGHT * shareOf(one, told);
    const [best] = [...left.keys()].sort((one, other) => worth(other) - worth(one));
    if (best === undefined) break;
    left.delete(best);
    if (shareOf(best, told) >= SAYS_AGAIN) continue;
    chosen.push(best.bullet);
    for (const term of best.terms) told.add(term);
  }
  return chosen;
}

/** How much else is about the same. */
function themeOf({ terms }: Candidate, themes: ReadonlyMap<string, number>): number {
  const counts = [...terms].map((term) => Math.log2(themes.get(term) ?? 1));
  return counts
    .sort((one, other) => other - one)
    .slice(0, 2)
    .reduce((sum, count) => sum + count, 0);
}

/** 0–1; what is about nothing is told by nothing. */
function shareOf({ terms }: Candidate, told: ReadonlySet<string>): number {
  const isTold = (term: string): boolean =>
    told.has(term) || (term.length >= ABBREVIATED_CHARS && [...told].some((one) => one.startsWith(term)));
  return terms.size === 0 ? 0 : [...terms].filter(isTold).length / terms.size;
}

function candidateOf({ date, text, times = 1 }: Told, job: ProfileJob): Candidate | undefined {
  const said = ofEntity(text, job);
  if (said === undefined || said.bullet.length > LONGEST_CHARS) return undefined;
  const trait =
    said.isLoved === true ? { weight: LOVED_WEIGHT, about: said.what } : traitOf(said.what, said.isTheirs);
  if (trait === undefined) return undefined;
  const plain = said.bullet.replace(/[.。;；]\s*$/u, "");
  return {
    bullet: dated(plain, date),
    key: ("only" in trait ? trait.only : undefined) ?? keyOf(plain),
    terms: new Set(termsOf(trait.about)),
    // What happened on a day tells less of somebody than what is so.
    weight: trait.weight + Math.log2(times) / 2 - (isDated(plain) ? 0.4 : 0),
    date,
    members: householdIn(said.what) ?? [],
  };
}

/** As it stands in the profile. */
function standing(bullet: string): Candidate {
  const trait = traitOf(bullet.replace(/^Their /, ""), bullet.startsWith("Their "));
  const plain = bullet.replace(DATE, "");
  const isOwn = plain !== bullet || isDated(bullet);
  return {
    bullet,
    key: trait?.only ?? keyOf(plain),
    terms: new Set(termsOf(trait?.about ?? plain)),
    weight: isOwn ? (trait?.weight ?? LOVED_WEIGHT) : WRITTEN_WEIGHT,
    date: DATE.exec(bullet)?.[0].replace(/[^\d-]/g, "") ?? "",
    members: isOwn ? (householdIn(plain.charAt(0).toLowerCase() + plain.slice(1)) ?? []) : [],
  };
}

/** With the day on which it was said, where it names none. */
function dated(plain: string, date: string): string {
  const day = isDated(plain) ? "" : isHan(plain) ? `（${date}）` : ` (${date})`;
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}${day}`;
}

function isDated(text: string): boolean {
  return /\d{4}-\d{2}/.test(text);
}

interface OfEntity {
  /** Behind their name. */
  what: string;
  /** It stands behind "NAME's". */
  isTheirs: boolean;
  /** It begins with what they love. */
  isLoved?: boolean;
  bullet: string;
}

/** What a text says of them; undefined where it is about somebody else. */
function ofEntity(text: string, { entity, target, name, called }: ProfileJob): OfEntity | undefined {
  if (entity !== "user") return undefined;
  const line = text.replace(/^\d{4}-\d{2}-\d{2} /, "");
  const subjects = [
    ...[name, called].flatMap((one) => (one === undefined ? [] : [`${one}(${target})`, one])),
    target,
    ...(target === "local" ? ["The user", "the user", "User", "用户"] : []),
  ];
  const subject = subjects.find(
    (one) => line.startsWith(one) && !/^[\p{L}\p{N}]/u.test(isHan(one) ? "" : line.slice(one.length)),
  );
  if (subject === undefined) return lovedBy(line, subjects);
  const behind = line.slice(subject.length).replace(/^[(（][^)）]*[)）]/u, "");
  // A date between the two is when, not what.
  const rest = behind
    .replace(/^[\s:：]+/u, "")
    .replace(/^\d{4}-\d{2}-\d{2}\s*/u, "")
    // Whose profile it is need not be said by an id.
    .replaceAll(`(${target})`, "")
    .trim();
  const theirs = /^(?:['’]s |的)(.*)$/u.exec(rest)?.[1];
  if (theirs !== undefined)
    return { what: theirs, isTheirs: true, bullet: isHan(theirs) ? theirs : `Their ${theirs}` };
  if (/^['’]/.test(rest)) return undefined;
  return { what: rest, isTheirs: false, bullet: rest.startsWith("and ") ? `They ${rest}` : rest };
}

/** "Pottery is a huge part of Lin Yue's life." */
function lovedBy(line: string, subjects: readonly string[]): OfEntity | undefined {
  const subject = subjects.find((one) => line.includes(` ${one}'s `));
  if (subject === undefined) return undefined;
  const [what = "", ...behind] = line.split(` ${subject}'s `);
  const isLoved =
    /^(?:all-time )?(?:favou?rites?|passion|hobby|calling|specialty|happy place|first love|dream|escape|therapy|life)\b/i;
  if (!isLoved.test(behind[0] ?? "") || /\b(?:if|nobody|maybe|perhaps|thinks?|believes?)\b/i.test(what))
    return undefined;
  if (behind.length !== 1 || !/ (?:is|are)(?: a \w+ part of)?$/.test(what)) return undefined;
  const about = what.replace(/ (?:is|are)\b.*$/, "");
  return { what: about, isTheirs: false, isLoved: true, bullet: `${what} their ${behind[0]}` };
}

const DATE = /(?<!\s)\s*[(（]\d{4}(?:-\d{2}){0,2}[)）]$/u;

function keyOf(bullet: string): string {
  return bullet
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
