/** What a turn told of people and groups, merged into their profiles, each target by itself. */
import { isGroup } from "../model/address.js";
import type { MemoryRecord } from "../model/record.js";
import type { ProfileTarget } from "./profile.js";
import type { QueueJob } from "../protocol/queue-job.js";
import type { ModelWorkParts } from "../llm/job-context.js";
import type { JobOutput } from "./job-output.js";
import { keepProfile, profileJob, readProfile } from "./profile-files.js";
import { refusalOf, type Refused } from "./refusal.js";

/** Runs when no tick does, and not at all once memd is being stopped. */
export type Put = (work: () => Promise<void>) => Promise<void>;

/** An editor that saves all the time is not waited for for ever. */
const MOST_EDITS = 5;

/** `done`: the targets that this turn is merged into; one that fails does not hold up the other. */
export async function mergeProfiles(
  parts: ModelWorkParts,
  put: Put,
  id: string,
  output: JobOutput,
): Promise<{ done: string[]; refused?: Refused }> {
  const done = [...(output.job.done ?? [])];
  let refused: Refused | undefined;
  for (const target of profileTargets(output.job)) {
    const key = `${target.entity}:${target.id}`;
    if (done.includes(key)) continue;
    const failed = await mergeProfile(parts, put, id, output, target);
    if (failed === undefined) done.push(key);
    else refused ??= failed;
  }
  return refused === undefined ? { done } : { done, refused };
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
  { writer, workspace, zone, pool, clock, settings, onUsage, log }: ModelWorkParts,
  put: Put,
  id: string,
  { records, profileFrom: all = records, called: name }: JobOutput,
  target: ProfileTarget,
): Promise<Refused | undefined> {
  const told = all.filter(tellsOfSomebody);
  for (let tries = 1; tries <= MOST_EDITS; tries++) {
    const present = await readProfile(writer, workspace, target);
    const called = target.entity === "user" ? name : undefined;
    const work = profileJob(present, target, id, told, zone, called);
    if (work === undefined) return undefined;
    const outcome = await pool.run(work);
    onUsage(outcome.usage);
    if (outcome.to !== "done") return refusalOf(outcome);
    const ends = { how: "same" as Awaited<ReturnType<typeof keepProfile>> };
    const { profile_revisions: revisions } = settings.historian;
    await put(async () => {
      ends.how = await keepProfile(
        writer,
        workspace,
        present,
        target,
        outcome.result,
        id,
        clock.now(),
        revisions,
      );
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
