/**
 * The partitions between memories: passages that exactly the same people may read stand in one,
 * with its own statistics; mayRead is asked once for each. What is of session level stands in parts
 * of one partition, a part for each session, so that thousands of sessions are no more partitions.
 * To an address its own session's part alone is open. So what is in another partition or part can
 * change neither which hits somebody gets nor their scores.
 */
import { type Belonging, isGroup, MAIN_SCOPE, mayRead, type Viewer } from "../../model/address.js";

export type PartitionId = string & { readonly __of: "partition" };

export interface Partition {
  id: PartitionId;
  /** What all its passages have in common; with the session of a part, enough for mayRead. */
  belonging: Belonging;
}

/** As it is open to somebody: all of it or, with a session, the part of that session. */
export interface OpenPartition {
  id: PartitionId;
  session?: string;
}

export function partitionOf(thing: Belonging): Partition {
  const belonging = sharedBelonging(thing);
  const { level, scope, user } = belonging;
  return { id: JSON.stringify([level, scope, user ?? null]) as PartitionId, belonging };
}

/** The part of its partition that a thing stands in; undefined for what stands in none. */
export function partOf({ level, session }: Belonging): string | undefined {
  return level === "session" ? session : undefined;
}

export function partitionsOpenTo<W extends Partition>(
  viewer: Viewer,
  partitions: readonly W[],
): (W & OpenPartition)[] {
  return partitions.flatMap((partition) => {
    const { belonging } = partition;
    const isPart = belonging.level === "session" && viewer.kind === "address";
    const part = isPart ? { session: viewer.session } : {};
    return mayRead(viewer, { ...belonging, ...part }) ? [{ ...partition, ...part }] : [];
  });
}

/** A partition that is asked twice is asked as it is named first. */
export function eachOnce(partitions: readonly OpenPartition[]): OpenPartition[] {
  const first = new Map<PartitionId, OpenPartition>();
  for (const partition of partitions) if (!first.has(partition.id)) first.set(partition.id, partition);
  return [...first.values()];
}

/** Only the fields on which reading depends at that level, without the session. */
function sharedBelonging({ level, scope, user }: Belonging): Belonging {
  const byUser = user === undefined ? {} : { user };
  switch (level) {
    case "owner":
      return { level, scope: MAIN_SCOPE };
    case "user":
      // One partition per user: what is of user level is the same in every scope.
      return { level, scope: MAIN_SCOPE, ...byUser };
    case "scope":
    case "session":
      return { level, scope, ...(isGroup(scope) ? {} : byUser) };
    default:
      return level satisfies never;
  }
}
