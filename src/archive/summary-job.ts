/**
 * What a worker gets for an owed summary, and what its answer becomes.
 *
 * Pure. Outside groups each user's section is made from that user's
 * conversation only. A summary that stands is an input to the new one; one
 * that a person edited is carried on word for word, and what is new comes after.
 */
import { sha256 } from "../platform/files.js";
import { defined, groupBy } from "../model/collections.js";
import { type FiledMessage, utteranceOf } from "../model/message.js";
import { isGroup, LOCAL_USER } from "../model/address.js";
import type { Day, Zone } from "../model/time.js";
import type { JobId } from "../model/work.js";
import type { SummaryJob, SummaryResult, SummarySectionInput } from "../llm/jobs/summary.js";
import {
  printSections,
  printSummary,
  sectionHeading,
  type CoveredDay,
  type SummaryFile,
} from "../protocol/summary.js";
import type { OwedSummary } from "./owed.js";

/** What an owed summary is made of, as read when the job is made. */
export interface SummaryMaterial {
  owed: OwedSummary;
  /** Messages of the owed days that no day summary stands for, private ones left out. */
  messages: FiledMessage[];
  /** Present day summaries that stand for their day (month tier). */
  days: SummaryFile[];
  existing?: SummaryFile;
}

export function summaryJob(material: SummaryMaterial, zone: Zone): SummaryJob {
  const { tier, scope, date } = material.owed;
  const sections = sectionInputs(material, zone);
  return { kind: "summary", id: jobId(material), tier, scope, date, sections };
}

/** The file's new text, or undefined when the answer says nothing: an empty answer is a failure. */
export function settledSummary(material: SummaryMaterial, result: SummaryResult): string | undefined {
  const { owed, existing } = material;
  const answered = result.sections.filter(({ text }) => text.trim() !== "");
  const isAnswered = (user: string | undefined): boolean => answered.some((section) => section.user === user);
  if (!sectionUsers(material).every(isAnswered)) return undefined;
  const { tier, scope, date } = owed;
  const common = { tier, scope, date, by: result.by, covers: mergeCovers(existing?.covers ?? [], owed) };
  if (existing?.edited === true) {
    return printSummary({ ...common, edited: true, body: appendSections(existing.body, answered) });
  }
  const untouched = (existing?.sections ?? []).filter(({ user }) => !isAnswered(user));
  return printSummary({ ...common, edited: false, body: printSections(date, [...untouched, ...answered]) });
}

function sectionInputs(material: SummaryMaterial, zone: Zone): SummarySectionInput[] {
  const { messages, days, existing, owed } = material;
  const byUser = groupBy(messages, (filed) => sectionUser(owed.scope, filed.belongsTo));
  return sectionUsers(material).map((user) => {
    const textsIn = ({ sections }: SummaryFile): string[] =>
      sections.flatMap((section) => (section.user === user ? [section.text] : []));
    return defined({
      user,
      utterances: (byUser.get(user) ?? []).map((filed) => utteranceOf(filed, zone)),
      days: days.flatMap((file) => textsIn(file).map((text) => ({ day: file.date as Day, text }))),
      previous: existing === undefined || existing.edited ? undefined : textsIn(existing)[0],
    });
  });
}

/** Whose sections have something new, in order of appearance. */
function sectionUsers({ messages, days, owed }: SummaryMaterial): (string | undefined)[] {
  const ofDays = days.flatMap(({ sections }) => sections.map(({ user }) => user));
  return [...new Set([...ofDays, ...messages.map(({ belongsTo }) => sectionUser(owed.scope, belongsTo))])];
}

function sectionUser(scope: string, belongsTo: string | undefined): string | undefined {
  return isGroup(scope) ? undefined : (belongsTo ?? LOCAL_USER);
}

/** Same work, same id: tier, place, date, the ids of the days, and what it carries on. */
function jobId({ owed, existing }: SummaryMaterial): JobId {
  const days = owed.days.map(({ day, hash }) => `${day}=${hash}`);
  const work = JSON.stringify([owed.tier, owed.scope, owed.date, days, existing?.body ?? ""]);
  return sha256(work).slice(0, 24) as JobId;
}

function mergeCovers(before: readonly CoveredDay[], owed: OwedSummary): CoveredDay[] {
  const now = owed.days.map(({ day, hash, messages }) => ({ day, hash, messages }));
  const kept = before.filter(({ day }) => !now.some((covered) => covered.day === day));
  return [...kept, ...now].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** New text under the section of its user, after everything that stands there. */
function appendSections(body: string, sections: readonly { user?: string; text: string }[]): string {
  let text = body.endsWith("\n") ? body : `${body}\n`;
  for (const { user, text: added } of sections) {
    const marker = sectionHeading(user).replace(/^.*(<!-- .* -->)$/, "$1");
    const start = text.indexOf(marker);
    const fresh = newLines(text, added);
    if (fresh === "") continue;
    if (start === -1) {
      text += `\n${sectionHeading(user)}\n\n${fresh}\n`;
      continue;
    }
    const next = text.slice(start).search(/\n## /);
    const end = next === -1 ? text.length : start + next + 1;
    text = `${text.slice(0, end).trimEnd()}\n\n${fresh}\n${next === -1 ? "" : "\n"}${text.slice(end)}`;
  }
  return text;
}

function newLines(body: string, added: string): string {
  const standing = new Set(body.split("\n").map((line) => line.trim()));
  return added
    .trim()
    .split("\n")
    .filter((line) => line.trim() === "" || !standing.has(line.trim()))
    .join("\n")
    .trim();
}
