/**
 * Profiles as files: merged, each by itself, from what was newly observed, with the last few
 * revisions beside.
 *
 * The old file is copied first, then replaced if nobody has changed it
 * meanwhile. Killed between the two, the same copy and the same merge come
 * again; a job that was merged already is not merged twice.
 */
import { jobIdOf, type ModelWorkParts } from "../llm/job-context.js";
import type { ProfileJob, Told } from "../llm/jobs/profile.js";
import { isGroup } from "../model/address.js";
import { defined } from "../model/collections.js";
import { leastTrusted, type MemoryRecord } from "../model/record.js";
import { type EpochMs, isoOf, later, type Zone } from "../model/time.js";
import type { Refused } from "../model/work.js";
import { setAside } from "../protocol/conflicts.js";
import { parseProfile, printProfile, type Profile } from "../protocol/profile.js";
import { type FileWriter, publishNew, publishOver, readText } from "../protocol/publish.js";
import type { QueueJob } from "../protocol/queue-job.js";
import { at, profileHistoryDir, profilePath, type Workspace } from "../protocol/workspace.js";
import type { JobOutput } from "./records.js";
import type { RecordStores } from "./record-store.js";
import { bulletsIn, type Draft, mergedProfile, type ProfileTarget } from "./profile.js";

interface ProfileFile {
  /** Relative to the workspace. */
  file: string;
  /** As it stands; undefined where there is none. */
  text: string | undefined;
  /** Undefined where there is none, or where its head cannot be read. */
  profile: Profile | undefined;
}

export async function readProfile(
  { disk }: Pick<FileWriter, "disk">,
  workspace: Workspace,
  target: ProfileTarget,
): Promise<ProfileFile> {
  const file = profilePath(target.entity, target.id);
  const text = await readText(disk, at(workspace, file));
  return { file, text, profile: text === undefined ? undefined : profileIn(text, target) };
}

/** What a file says it is of counts, not its name alone. */
export function profileIn(text: string, { entity, id }: ProfileTarget): Profile | undefined {
  const profile = readableProfile(text);
  return profile?.entity === entity && profile.id === id ? profile : undefined;
}

/** What a provider is asked; `called` is how they are addressed where the profile does not say. Undefined where there is nothing to ask, or this job has been merged. */
function profileJob(
  { profile }: ProfileFile,
  target: ProfileTarget,
  source: string,
  records: readonly MemoryRecord[],
  known: readonly MemoryRecord[],
  zone: Zone,
  called?: string,
): ProfileJob | undefined {
  if (records.length === 0 || profile?.source === source) return undefined;
  const told = ({ at: when, text }: MemoryRecord): Told => ({ date: zone.dayOf(when), text });
  const events = records.map(told);
  const name = profile?.name ?? called;
  return {
    kind: "profile",
    id: jobIdOf(target, source, events, profile?.body ?? ""),
    ...(target.entity === "user" ? { user: target.id } : {}),
    entity: target.entity,
    target: target.id,
    ...defined({ name, called: called === name ? undefined : called }),
    tags: profile?.tags ?? [],
    bullets: bulletsIn(profile?.body ?? ""),
    events,
    known: known.map((record) => ({
      ...told(record),
      times: record.sources.length,
      ...(record.supersededAt === undefined ? {} : { isOver: true as const }),
    })),
  };
}

/** `same` where nothing changes; `again` where somebody changed it meanwhile. */
async function keepProfile(
  { writer, workspace, clock, settings }: ModelWorkParts,
  { file, text, profile }: ProfileFile,
  target: ProfileTarget,
  draft: Draft,
  source: string,
): Promise<"kept" | "same" | "again"> {
  const now = clock.now();
  const next = mergedProfile(profile, draft, target, source, now);
  if (next === undefined) return "same";
  if (text !== undefined) {
    // A head that nobody can read is somebody's edit: it stays, beside.
    if (profile === undefined) await setAside(writer, workspace, file, text, "unreadable");
    await keepRevision(writer, workspace, target, text, now);
  }
  if (!(await publishOver(writer, at(workspace, file), printProfile(next), text))) return "again";
  await dropOldRevisions(writer, workspace, target, settings.historian.profile_revisions);
  return "kept";
}

/** Names of revisions, newest last. */
export async function revisionsOf(
  { disk }: Pick<FileWriter, "disk">,
  workspace: Workspace,
  { entity, id }: ProfileTarget,
): Promise<string[]> {
  const entries = await disk.list(at(workspace, profileHistoryDir(entity, id)));
  return entries
    .filter(({ kind, name }) => kind === "file" && /^\d{4}.*\.md$/.test(name))
    .map(({ name }) => name.slice(0, -".md".length));
}

export function revisionPath({ entity, id }: ProfileTarget, revision: string): string {
  return `${profileHistoryDir(entity, id)}/${revision}.md`;
}

/** Under the moment it was replaced; one that is there already is not written again. */
export async function keepRevision(
  writer: FileWriter,
  workspace: Workspace,
  target: ProfileTarget,
  text: string,
  now: EpochMs,
): Promise<void> {
  const pathOf = (revision: string): string => at(workspace, revisionPath(target, revision));
  const newest = (await revisionsOf(writer, workspace, target)).at(-1);
  if (newest !== undefined && (await readText(writer.disk, pathOf(newest))) === text) return;
  let moment = now;
  while (!(await publishNew(writer, pathOf(isoOf(moment).replaceAll(/[:.]/g, "-")), text)))
    moment = later(moment, 1);
}

export async function dropOldRevisions(
  writer: FileWriter,
  workspace: Workspace,
  target: ProfileTarget,
  kept: number,
): Promise<void> {
  const all = await revisionsOf(writer, workspace, target);
  const old = kept === 0 ? all : all.slice(0, -kept);
  if (old.length === 0) return;
  await writer.guard();
  for (const revision of old) await writer.disk.unlink(at(workspace, revisionPath(target, revision)));
  await writer.disk.syncDir(at(workspace, profileHistoryDir(target.entity, target.id)));
}

/** Undefined for what is none, or has a head that cannot be read. */
export function readableProfile(text: string): Profile | undefined {
  try {
    return parseProfile(text);
  } catch {
    // A head that is no YAML: told by its copy in conflicts/ when the file is written again.
    return undefined;
  }
}

/** Runs when no tick does, and not at all once memd is being stopped. */
export type Put = (work: () => Promise<void>) => Promise<void>;

/** Of what stands told of a user; the newest count. */
const MOST_KNOWN = 500;
/** An editor that saves all the time is not waited for for ever. */
const MOST_EDITS = 5;

/** `done`: the targets that this turn is merged into; one that fails does not hold up the other. */
export async function mergeProfiles(
  parts: ModelWorkParts,
  stores: RecordStores,
  put: Put,
  id: string,
  output: JobOutput,
): Promise<{ done: string[]; refused?: Refused }> {
  const done = [...(output.job.done ?? [])];
  let refused: Refused | undefined;
  for (const target of profileTargets(output.job)) {
    const key = `${target.entity}:${target.id}`;
    if (done.includes(key)) continue;
    const failed = await mergeProfile(parts, stores, put, id, output, target);
    if (failed === undefined) done.push(key);
    refused ??= failed;
  }
  return { done, ...defined({ refused }) };
}

/** The sender and, in a group, the group. */
export function profileTargets({ user, scope }: Pick<QueueJob, "user" | "scope">): ProfileTarget[] {
  return [
    ...(user === undefined ? [] : [{ entity: "user" as const, id: user }]),
    ...(isGroup(scope) ? [{ entity: "group" as const, id: scope.slice("group:".length) }] : []),
  ];
}

/** Why it could not be; where a person edits it meanwhile, it is read again. */
async function mergeProfile(
  parts: ModelWorkParts,
  stores: RecordStores,
  put: Put,
  id: string,
  { records, profileFrom: all = records, called: name }: JobOutput,
  target: ProfileTarget,
): Promise<Refused | undefined> {
  const { writer, workspace, zone, pool, onUsage, log } = parts;
  const told = all.filter(tellsOfSomebody);
  if (told.length === 0) return undefined;
  let known: MemoryRecord[] = [];
  if (target.entity === "user")
    await put(async () => void (known = (await stores.toldOf(target.id)).filter(tellsOfSomebody)));
  known = known.sort((one, other) => one.at - other.at).slice(-MOST_KNOWN);
  for (let tries = 1; tries <= MOST_EDITS; tries++) {
    const present = await readProfile(writer, workspace, target);
    const called = target.entity === "user" ? name : undefined;
    const work = profileJob(present, target, id, told, known, zone, called);
    if (work === undefined) return undefined;
    const outcome = await pool.run(work);
    onUsage(outcome.usage);
    if (outcome.to !== "done") return outcome;
    const ends = { how: "same" as Awaited<ReturnType<typeof keepProfile>> };
    await put(async () => {
      // Without a model all that stands told of them has its part in it.
      const from = outcome.result.by === "builtin" ? [...told, ...known] : told;
      const trust = leastTrusted(from.map((record) => record.trust));
      ends.how = await keepProfile(parts, present, target, { ...outcome.result, trust }, id);
    });
    if (ends.how === "kept")
      log.write({ level: "info", event: "profile_merged", job: id, of: `${target.entity} ${target.id}` });
    if (ends.how !== "again") return undefined;
  }
  return { to: "failed", reason: "the profile was changed again and again meanwhile" };
}

/** What does not stand alone is of nobody knows whom; of the two sides of one observation, one. */
function tellsOfSomebody({ kind, level, isAbsolute, perspective }: MemoryRecord): boolean {
  return isAbsolute && perspective !== "sender" && (kind === "event" || level === "user");
}
