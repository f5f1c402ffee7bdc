/** Profiles as people see them: what they say, their revisions, and the way back to one. */
import { OWNER } from "../model/address.js";
import { MemdError } from "../model/errors.js";
import type { Hit } from "../model/passage.js";
import type { ProfileTarget } from "../historian/profile.js";
import { publishOver, readText } from "../protocol/publish.js";
import { at, profilePath } from "../protocol/workspace.js";
import {
  dropOldRevisions,
  keepRevision,
  readableProfile,
  readProfile,
  revisionPath,
  revisionsOf,
} from "./profiles.js";
import type { Supervisor } from "./supervisor.js";

export interface ProfileShown {
  entity: ProfileTarget["entity"];
  id: string;
  /** Relative to the workspace. */
  file: string;
  /** The whole file. */
  text: string;
}

export interface Revisions {
  /** Newest last. */
  revisions: string[];
}

/** All that are known, users first. */
export async function listProfiles(supervisor: Supervisor): Promise<(ProfileTarget & { name?: string })[]> {
  const { press, workspace } = supervisor.archive.context;
  const found: (ProfileTarget & { name?: string })[] = [];
  for (const folder of ["users", "groups"]) {
    const dir = `memory/profiles/${folder}`;
    for (const { kind, name: file } of await press.disk.list(at(workspace, dir))) {
      if (kind !== "file" || !file.endsWith(".md")) continue;
      const text = await readText(press.disk, at(workspace, `${dir}/${file}`)).catch(() => undefined);
      const profile = text === undefined ? undefined : readableProfile(text);
      if (profile === undefined || profilePath(profile.entity, profile.id) !== `${dir}/${file}`) continue;
      const { entity, id, name } = profile;
      found.push({ entity, id, ...(name === undefined ? {} : { name }) });
    }
  }
  return found;
}

export async function showProfile(
  supervisor: Supervisor,
  target: ProfileTarget,
  revision?: string,
): Promise<ProfileShown> {
  const { press, workspace } = supervisor.archive.context;
  if (revision === undefined) {
    const { file, text } = await readProfile(press, workspace, target);
    if (text === undefined) throw noProfile(target);
    return { ...target, file, text };
  }
  const file = revisionPath(target, await revisionNamed(supervisor, target, revision));
  const text = await readText(press.disk, at(workspace, file));
  if (text === undefined) throw noProfile(target);
  return { ...target, file, text };
}

export async function listRevisions(supervisor: Supervisor, target: ProfileTarget): Promise<Revisions> {
  const { press, workspace } = supervisor.archive.context;
  return { revisions: await revisionsOf(press, workspace, target) };
}

/** The revision stands again, and what stood is a revision: a rollback can be rolled back. */
export async function rollbackProfile(
  supervisor: Supervisor,
  target: ProfileTarget,
  revision?: string,
): Promise<ProfileShown> {
  const shown = await supervisor.exclusive(async () => {
    const { press, workspace, clock, settings } = supervisor.archive.context;
    const old = await showProfile(supervisor, target, revision ?? (await newestRevision(supervisor, target)));
    const { file, text } = await readProfile(press, workspace, target);
    if (text === old.text) throw new MemdError("usage", `That is what the profile of ${target.id} says now.`);
    if (text !== undefined) await keepRevision(press, workspace, target, text, clock.now());
    if (!(await publishOver(press, at(workspace, file), old.text, text)))
      throw new MemdError("file_contended", `${file} was changed in this moment.`);
    await dropOldRevisions(press, workspace, target, settings.historian.profile_revisions);
    return { ...target, file, text: old.text };
  });
  await supervisor.settled();
  return shown;
}

/** Best first. */
export async function findProfiles(supervisor: Supervisor, query: string, limit: number): Promise<Hit[]> {
  await supervisor.caughtUp();
  return (await supervisor.search.find(query, OWNER, { kinds: ["profile"], limit })).hits;
}

async function newestRevision(supervisor: Supervisor, target: ProfileTarget): Promise<string> {
  const { revisions } = await listRevisions(supervisor, target);
  const newest = revisions.at(-1);
  if (newest === undefined) throw new MemdError("usage", `The profile of ${target.id} has no older version.`);
  return newest;
}

/** By its whole name, or by a beginning that no other has. */
async function revisionNamed(supervisor: Supervisor, target: ProfileTarget, given: string): Promise<string> {
  const { revisions } = await listRevisions(supervisor, target);
  const found = revisions.filter((name) => name === given || (given !== "" && name.startsWith(given)));
  const exact = found.find((name) => name === given) ?? (found.length === 1 ? found[0] : undefined);
  if (exact !== undefined) return exact;
  const known = revisions.length === 0 ? "There is none." : `There are ${revisions.join(", ")}.`;
  throw new MemdError("usage", `${given} is no version of the profile of ${target.id}. ${known}`);
}

function noProfile({ entity, id }: ProfileTarget): MemdError {
  return new MemdError("usage", `Nothing is known of the ${entity} ${id}: there is no profile.`);
}
