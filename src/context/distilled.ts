/**
 * What was distilled, as texts of fixed sections: profiles, memos, and the log
 * of the last two days. Pure; whatever the viewer may not read is left out here.
 */
import { defined } from "../model/defined.js";
import { type Address, isGroup } from "../model/address.js";
import { type Belonging, mayRead, viewerAt } from "../model/access.js";
import type { MessageId } from "../model/message.js";
import type { Memo, MemoryRecord } from "../model/record.js";
import { addDays, type Zone } from "../model/time.js";
import type { ContextInputs, ShownBeside } from "./inputs.js";
import { stampOf } from "./parts.js";
import { meantIn, saidIn } from "./said.js";
import { oneLine, shortLine } from "./quote.js";

/** A heading for each, with the bullets under it that nothing above says. */
export function profilesOf({ profiles = [] }: ContextInputs, { above }: ShownBeside): string | undefined {
  const isMeant = meantIn(above);
  const texts = profiles
    .map(({ body, ...of }) => ({ ...of, body: withoutSaid(body, isMeant).trim() }))
    .filter(({ body }) => body !== "")
    .map(({ entity, id, name, body }) => `## ${shortLine(name ?? id)} (${entity})\n\n${body}`);
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

function withoutSaid(body: string, isSaid: (text: string) => boolean): string {
  return body
    .split("\n")
    .filter((line) => !/^\s*[-*+]\s/.test(line) || !isSaid(line))
    .join("\n");
}

/** What the agent did, a line each, oldest first. */
export function memoLog({ viewer, memos = [], zone, settings }: ContextInputs): string | undefined {
  const lines = memos
    .filter((memo) => isOfPlace(viewer, memo))
    .slice(-settings.memos)
    .map(({ at, text }) => `- ${stampOf(at, zone)} ${oneLine(text)}`);
  return lines.length === 0 ? undefined : lines.join("\n");
}

/**
 * Facts and events of today and yesterday, oldest first, but for those that
 * stand above as bullets or below in the words that they were made of.
 */
export function dailyLog(inputs: ContextInputs, { above, wholeIds }: ShownBeside): string | undefined {
  const { zone, now } = inputs;
  const today = zone.dayOf(now);
  const yesterday = addDays(today, -1);
  const isSaid = saidIn(above);
  const lines = standing(inputs)
    .filter(({ kind }) => kind === "fact" || kind === "event")
    .filter(({ at }) => [yesterday, today].includes(zone.dayOf(at)))
    .filter(({ text, sources }) => !isSaid(text) && !areAllIn(wholeIds, sources))
    .sort((one, other) => one.at - other.at)
    .map((record) => `- ${recordLine(record, zone)}`);
  return lines.length === 0 ? undefined : [...new Set(lines)].join("\n");
}

/** False where there are none. */
export function areAllIn(shown: ReadonlySet<MessageId>, sources: readonly MessageId[]): boolean {
  return sources.length > 0 && sources.every((id) => shown.has(id));
}

/** Foresights that hold now, the one that ends first first. */
export function openForesights(inputs: ContextInputs): MemoryRecord[] {
  const { now } = inputs;
  return standing(inputs)
    .filter(({ kind }) => kind === "foresight")
    .filter(({ validFrom, validTo }) => (validFrom ?? now) <= now && now <= (validTo ?? now))
    .sort((one, other) => (one.validTo ?? Infinity) - (other.validTo ?? Infinity) || one.at - other.at);
}

/** `2026-01-28 14:03 Lin Yue (u-1) chose staging.`, as a quotation where it is a tool's or a document's. */
export function recordLine({ at, allDay, text, trust }: MemoryRecord, zone: Zone): string {
  const said = oneLine(text);
  const isQuoted = trust === "tool" || trust === "document";
  return `${allDay === true ? zone.dayOf(at) : stampOf(at, zone)} ${isQuoted ? `quoted from a ${trust}: “${said}”` : said}`;
}

/** What may stand in the viewer's prompt: in a group nothing of user level but the profile, which others may see. */
export function mayBeShown(viewer: Address, thing: Belonging & { kind: string }): boolean {
  if (isGroup(viewer.scope) && thing.level === "user" && thing.kind !== "profile") return false;
  return mayRead(viewerAt(viewer), thing);
}

/** What the viewer may read and nothing has superseded; of the two sides of one observation, one. */
function standing({ viewer, records = [] }: ContextInputs): MemoryRecord[] {
  const readable = records.filter((record) => mayBeShown(viewer, record));
  const superseded = new Set(readable.map(({ supersedes }) => supersedes));
  const seen = new Set<string>();
  return readable.filter(({ id, kind, at, text, supersededAt }) => {
    const key = `${kind} ${at} ${oneLine(text)}`;
    const isNew = supersededAt === undefined && !superseded.has(id) && !seen.has(key);
    if (isNew) seen.add(key);
    return isNew;
  });
}

/** A memo is of its scope: outside groups of the same user. */
function isOfPlace(viewer: Address, { user, scope }: Memo): boolean {
  return mayRead(viewerAt(viewer), { level: "scope", scope, ...defined({ user }) });
}
