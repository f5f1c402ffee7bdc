/**
 * Profiles that were told from what is forgotten: what memd wrote there goes,
 * with every older version, and a job tells them again from the records that
 * remain. What a person wrote stays.
 */
import { MAIN_SCOPE, MAIN_SESSION } from "../model/address.js";
import { isoOf } from "../model/time.js";
import { withoutWritten, type ProfileTarget } from "../historian/profile.js";
import { sha256 } from "../platform/files.js";
import type { Forgetting } from "../protocol/forgotten.js";
import { printProfile } from "../protocol/profile.js";
import { REMOVED, rewriteText } from "../protocol/publish.js";
import type { ProfileAgainJob } from "../protocol/queue-job.js";
import { writeJobOnce } from "../protocol/queue.js";
import { at, profileHistoryDir, profilePath } from "../protocol/workspace.js";
import { profileIn, profileTargets, revisionsOf } from "../historian/profile-files.js";
import { type Files, removeTree } from "./other-files.js";

/** By the name that a forgetting has for it. */
function profileKey({ entity, id }: ProfileTarget): string {
  return `${entity}:${id}`;
}

/** Of those people and groups, whose profile there is. */
export async function profilesOf(
  { writer, workspace }: Files,
  of: readonly { user?: string | undefined; scope: string }[],
): Promise<string[]> {
  const keys = new Map<string, ProfileTarget>();
  for (const { user, scope } of of)
    for (const target of profileTargets({ user, scope })) keys.set(profileKey(target), target);
  const found: string[] = [];
  for (const [key, target] of keys) {
    const stat = await writer.disk.stat(at(workspace, profilePath(target.entity, target.id)));
    if (stat !== undefined || (await revisionsOf(writer, workspace, target)).length > 0) found.push(key);
  }
  return found.sort();
}

export async function clearProfiles(files: Files, forgetting: Forgetting): Promise<void> {
  for (const key of forgetting.profiles) {
    const [entity, ...rest] = key.split(":");
    if (entity !== "user" && entity !== "group") continue;
    await clearProfile(files, { entity, id: rest.join(":") }, forgetting);
  }
}

/** First the job: killed after it, the profile is cleared and the same job stands. */
async function clearProfile(
  files: Files,
  target: ProfileTarget,
  { id, at: moment }: Forgetting,
): Promise<void> {
  const { writer, workspace } = files;
  const job: ProfileAgainJob = {
    version: 1,
    kind: "profile",
    createdAt: isoOf(moment),
    ...(target.entity === "user" ? { user: target.id } : {}),
    scope: target.entity === "user" ? MAIN_SCOPE : `group:${target.id}`,
    session: MAIN_SESSION,
  };
  await writeJobOnce(writer, workspace, job, moment, sha256(`${id} ${profileKey(target)}`).slice(0, 8));
  await removeTree(files, profileHistoryDir(target.entity, target.id));
  await rewriteText(writer, at(workspace, profilePath(target.entity, target.id)), (text, bytes) => {
    if (bytes === undefined) return undefined;
    const profile = text === undefined ? undefined : profileIn(text, target);
    const left = profile && withoutWritten(profile);
    return left === undefined ? REMOVED : printProfile(left);
  });
}
