/**
 * Profiles as people see them: what they say, their revisions, and the way back
 * to one. Whoever may not read a profile is told what they are told of one that
 * is not there.
 */
import { type Belonging, MAIN_SCOPE, mayRead, OWNER, type ScopeId, type Viewer } from "../model/address.js";
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import { isoOf } from "../model/time.js";
import type { ProfileTarget } from "../historian/profile.js";
import { publishOver, readText } from "../protocol/publish.js";
import { at, profilePath } from "../protocol/workspace.js";
import { redactSecrets } from "../text/redact.js";
import {
  dropOldRevisions,
  keepRevision,
  readableProfile,
  readProfile,
  revisionPath,
  revisionsOf,
} from "../historian/profile-files.js";
import type { AnswerOf, ParsedOf } from "./operations.js";
import type { Memd } from "./memd.js";

type KnownProfile = AnswerOf<"listProfiles">["profiles"][number];
type ProfileShown = AnswerOf<"getProfile">;

/** A user's is of user level, a group's of its scope: the same partitions as in a search. */
function profileBelonging({ entity, id }: ProfileTarget): Belonging {
  return entity === "user"
    ? { level: "user", scope: MAIN_SCOPE, user: id }
    : { level: "scope", scope: `group:${id}` as ScopeId };
}

/** All that the viewer may read, users first. */
export async function listProfiles(memd: Memd, viewer: Viewer): Promise<KnownProfile[]> {
  const { writer, workspace } = memd.archive.context;
  const found: KnownProfile[] = [];
  for (const folder of ["users", "groups"]) {
    const dir = `memory/profiles/${folder}`;
    for (const { kind, name: file } of await writer.disk.list(at(workspace, dir))) {
      if (kind !== "file" || !file.endsWith(".md")) continue;
      const text = await readText(writer.disk, at(workspace, `${dir}/${file}`)).catch(() => undefined);
      const profile = text === undefined ? undefined : readableProfile(text);
      if (profile === undefined || profilePath(profile.entity, profile.id) !== `${dir}/${file}`) continue;
      if (!mayRead(viewer, profileBelonging(profile))) continue;
      const { entity, id, name } = profile;
      found.push(defined({ entity, id, name }));
    }
  }
  return found;
}

export async function showProfile(
  memd: Memd,
  viewer: Viewer,
  target: ProfileTarget,
  revision?: string,
): Promise<ProfileShown> {
  const { writer, workspace } = memd.archive.context;
  if (!mayRead(viewer, profileBelonging(target))) throw noProfile(target);
  const file =
    revision === undefined
      ? profilePath(target.entity, target.id)
      : revisionPath(target, await revisionNamed(memd, target, revision));
  const text = await readText(writer.disk, at(workspace, file));
  if (text === undefined) throw noProfile(target);
  return shownTo(viewer, target, file, text);
}

/** What a file says it is of counts, not its name alone: what is of nobody knows whom is the owner's to see. */
function shownTo(viewer: Viewer, target: ProfileTarget, file: string, whole: string): ProfileShown {
  const text = viewer.kind === "owner" ? whole : redactSecrets(whole);
  const { entity, id, name, tags, updatedAt, body } = readableProfile(text) ?? {};
  if (entity === target.entity && id === target.id && body !== undefined) {
    const at = updatedAt === undefined ? undefined : isoOf(updatedAt);
    return defined({ ...target, file, text, name, tags: tags ?? [], updatedAt: at, body });
  }
  if (viewer.kind !== "owner") throw noProfile(target);
  return { ...target, file, text };
}

export async function listRevisions(
  memd: Memd,
  viewer: Viewer,
  target: ProfileTarget,
): Promise<AnswerOf<"listRevisions">> {
  if (!mayRead(viewer, profileBelonging(target))) return { revisions: [] };
  const { writer, workspace } = memd.archive.context;
  return { revisions: await revisionsOf(writer, workspace, target) };
}

/** From that revision, the newest when none is named, to what stands now: lines, without those that change with every version. */
export async function diffProfile(
  memd: Memd,
  viewer: Viewer,
  target: ProfileTarget,
  revision?: string,
): Promise<AnswerOf<"diffProfile">> {
  const from = revision ?? (await listRevisions(memd, viewer, target)).revisions.at(-1);
  const now = linesOf((await showProfile(memd, viewer, target)).text);
  const then = from === undefined ? [] : linesOf((await showProfile(memd, viewer, target, from)).text);
  const gone = then.filter((line) => !now.includes(line));
  const come = now.filter((line) => !then.includes(line));
  return defined({ from, gone, come });
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^(?:updated_at|source_event_id|hash|by): /.test(line));
}

/** The owner's alone. The revision stands again, and what stood is a revision: a rollback can be rolled back. */
export async function rollbackProfile(
  memd: Memd,
  target: ProfileTarget,
  revision?: string,
): Promise<ProfileShown> {
  const shown = await memd.exclusive(async () => {
    const { writer, workspace } = memd.archive.context;
    const old = await showProfile(memd, OWNER, target, revision ?? (await newestRevision(memd, target)));
    const { file, text } = await readProfile(writer, workspace, target);
    if (text === old.text) throw new MemdError("usage", `That is what the profile of ${target.id} says now.`);
    return replaced(memd, target, { file, text }, old.text);
  });
  await memd.settled();
  return shown;
}

/**
 * The owner's alone, and as if they edited the file: the head stays. Throws `profile_unknown`;
 * `entry_changed` where the body is not what was `shown`; `value_invalid` where the head cannot be read.
 */
export async function updateProfile(
  memd: Memd,
  { body, shown, ...target }: ParsedOf<"updateProfile">,
): Promise<ProfileShown> {
  const updated = await memd.exclusive(async () => {
    const { writer, workspace } = memd.archive.context;
    const { file, text, profile } = await readProfile(writer, workspace, target);
    if (text === undefined) throw noProfile(target);
    if (profile === undefined || !text.endsWith(profile.body))
      throw new MemdError("value_invalid", `The head of ${file} cannot be read: edit the file by hand.`);
    if (shown !== undefined && shown.trim() !== profile.body.trim())
      throw new MemdError("entry_changed", `The profile of ${target.id} says something else by now.`);
    const head = text.slice(0, text.length - profile.body.length);
    return replaced(memd, target, { file, text }, `${head}${body.trim()}\n`);
  });
  await memd.settled();
  return updated;
}

/** What stood is a revision. Throws `file_contended` where somebody writes it in this moment. */
async function replaced(
  memd: Memd,
  target: ProfileTarget,
  { file, text }: Pick<Awaited<ReturnType<typeof readProfile>>, "file" | "text">,
  next: string,
): Promise<ProfileShown> {
  const { writer, workspace, clock, settings } = memd.archive.context;
  if (text !== undefined) await keepRevision(writer, workspace, target, text, clock.now());
  if (!(await publishOver(writer, at(workspace, file), next, text)))
    throw new MemdError("file_contended", `${file} was changed in this moment.`);
  await dropOldRevisions(writer, workspace, target, settings.historian.profile_revisions);
  return shownTo(OWNER, target, file, next);
}

async function newestRevision(memd: Memd, target: ProfileTarget): Promise<string> {
  const newest = (await listRevisions(memd, OWNER, target)).revisions.at(-1);
  if (newest === undefined) throw new MemdError("usage", `The profile of ${target.id} has no older version.`);
  return newest;
}

/** By its whole name, or by a beginning that no other has. */
async function revisionNamed(memd: Memd, target: ProfileTarget, given: string): Promise<string> {
  const { revisions } = await listRevisions(memd, OWNER, target);
  const found = revisions.filter((name) => name === given || (given !== "" && name.startsWith(given)));
  const exact = found.find((name) => name === given) ?? (found.length === 1 ? found[0] : undefined);
  if (exact !== undefined) return exact;
  const known = revisions.length === 0 ? "There is none." : `There are ${revisions.join(", ")}.`;
  throw new MemdError("usage", `${given} is no version of the profile of ${target.id}. ${known}`);
}

function noProfile({ entity, id }: ProfileTarget): MemdError {
  return new MemdError("profile_unknown", `Nothing is known of the ${entity} ${id}: there is no profile.`);
}
