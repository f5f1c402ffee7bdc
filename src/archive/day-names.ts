/**
 * What the file of a day is called: by the words that tell most of it, none of
 * which a secret is made of; nameless where several people share it.
 */
import { addAll } from "../model/collections.js";
import type { Pace } from "../model/work.js";
import type { FiledMessage } from "../model/message.js";
import type { ScopeId } from "../model/address.js";
import type { Day } from "../model/time.js";
import { pacer } from "../platform/clock.js";
import { dirname } from "../platform/files.js";
import { ifReadable } from "../protocol/publish.js";
import { openVerbatim } from "../protocol/verbatim.js";
import { at } from "../protocol/workspace.js";
import { own } from "../text/fold.js";
import { asciiOf, keywordsOf, slugOf } from "../text/keywords.js";
import { valuesIn } from "../text/redact.js";
import type { ArchiveContext } from "./context.js";
import { freeName, isShared } from "./day-file.js";

/** Keywords of a slug come from this much of the day's text. */
const SLUG_FROM_CHARS = 20_000;
const OF_ONE_CHARS = 2000;
const SLUG_WORDS = 4;
/** So many of a day's words tell what its name may come from. */
const WORDS_OF_DAY = 300;
/** A shorter one begins many words. */
const BEGINNING_CHARS = 6;

export function slugOfDay(filed: readonly FiledMessage[]): Promise<string> {
  const text = isShared(filed) ? "" : toldIn(filed);
  return slugOf(keywordsOf(text, SLUG_WORDS), filed[0]?.message.id ?? "");
}

/** `2026-01-28` and what is said behind it, without the number that tells files of one name apart. */
export function partsOfName(path: string): { day: Day; slug: string } | undefined {
  const [, day, slug] = /(\d{4}-\d{2}-\d{2})-([^/]+?)(?:-\d+)?\.md$/.exec(path) ?? [];
  return day === undefined || slug === undefined ? undefined : { day: day as Day, slug };
}

/** One that is free in the folder of `path`. */
export async function nameBeside(
  { writer, workspace }: ArchiveContext,
  path: string,
  slug: string,
): Promise<string> {
  const dir = dirname(path);
  const taken = new Set((await writer.disk.list(at(workspace, dir))).map(({ name }) => `${dir}/${name}`));
  taken.delete(path);
  const day = partsOfName(path)?.day;
  return day === undefined ? path : freeName(dir, day, slug, taken);
}

export async function renameDay(
  { writer, workspace, catalogue }: ArchiveContext,
  from: string,
  to: string,
  file: { scope: ScopeId; place: "recent" | "archive" },
): Promise<void> {
  await writer.guard();
  await writer.disk.rename(at(workspace, from), at(workspace, to));
  await writer.disk.syncDir(at(workspace, dirname(from)));
  await catalogue.recheck(from, file.scope, file.place);
  await catalogue.recheck(to, file.scope, file.place);
}

/** What its name may come from. */
function opening({ message, ...filed }: FiledMessage): FiledMessage {
  return own({ ...filed, message: { ...message, text: message.text.slice(0, SLUG_FROM_CHARS) } });
}

/** As a file's name would write them. */
export async function wordsOf(filed: readonly FiledMessage[]): Promise<Set<string>> {
  const words = new Set<string>();
  for (const keyword of keywordsOf(filed.map(({ message }) => message.text).join("\n"), WORDS_OF_DAY))
    for (const word of (await slugOf([keyword], "")).split("-")) words.add(word);
  return words;
}

/** Days that were named while a secret of theirs was not yet known for one get another name. */
export async function renameTellingDays(context: ArchiveContext): Promise<void> {
  const { catalogue, writer, workspace, clock, log } = context;
  const pace = pacer(clock);
  for (const { path, scope, place } of catalogue.verbatimDays()) {
    const bytes = (await writer.disk.read(at(workspace, path))) ?? new Uint8Array();
    const filed: FiledMessage[] = [];
    for (const glimpse of ifReadable(() => openVerbatim(bytes))?.glimpses ?? []) {
      filed.push(opening(glimpse));
      await pace();
    }
    if (!(await tellsSecret(path, filed, pace))) continue;
    const to = await nameBeside(context, path, await slugOfDay(filed));
    if (to === path) continue;
    await renameDay(context, path, to, { scope, place });
    // Not what it was called: the log would say it again.
    log.write({ level: "info", event: "file_renamed", file: to, reason: "its name told a secret" });
  }
}

/** Whether a word of the name stands in secrets only. */
async function tellsSecret(path: string, filed: readonly FiledMessage[], pace: Pace): Promise<boolean> {
  const named = partsOfName(path)?.slug.split("-") ?? [];
  const values: string[] = [];
  for (const { message } of filed) {
    addAll(values, valuesIn(message.text.slice(0, SLUG_FROM_CHARS)));
    await pace();
  }
  if (named.length === 0 || values.length === 0) return false;
  const secret = new Set<string>();
  for (const value of values) {
    for (const word of asciiOf(value).split("-")) secret.add(word);
    for (const word of (await slugOf([value], "")).split("-")) secret.add(word);
  }
  const stays = await wordsOf(filed);
  const isSecrets = (word: string): boolean =>
    secret.has(word) ||
    // A name has room for the beginning of a long one.
    (word.length >= BEGINNING_CHARS && [...secret].some((one) => one.startsWith(word)));
  return named.some((word) => !stays.has(word) && isSecrets(word));
}

function toldIn(filed: readonly FiledMessage[]): string {
  let text = "";
  for (const { message } of filed) {
    if (text.length > SLUG_FROM_CHARS) break;
    if (message.private !== true && message.role !== "tool")
      text += `${message.text.slice(0, OF_ONE_CHARS)}\n`;
  }
  return text;
}
