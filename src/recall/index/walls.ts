/**
 * The walls between memories: passages that exactly the same people may read
 * stand behind one wall, and every wall has its own statistics.
 *
 * What is of session level stands in parts of one wall, a part for each session:
 * somebody with thousands of sessions has not thousands of walls. To an address
 * one part is open, its own session's, and statistics, candidates and neighbours
 * come of that alone.
 *
 * What is behind another wall, or in another part, can therefore change neither
 * which hits somebody gets nor their scores. mayRead is asked once per wall.
 */
import { type Belonging, mayRead, type Viewer } from "../../model/access.js";
import { isGroup, MAIN_SCOPE } from "../../model/address.js";

export type WallId = string & { readonly __of: "wall" };

export interface Wall {
  id: WallId;
  /** What all passages behind it have in common; with the session of a part, enough for mayRead. */
  belonging: Belonging;
}

/** As it is open to somebody: all of it or, with a session, the part of that session. */
export interface OpenWall {
  id: WallId;
  session?: string;
}

export function wallOf(thing: Belonging): Wall {
  const belonging = sharedBelonging(thing);
  const { level, scope, user } = belonging;
  return { id: JSON.stringify([level, scope, user ?? null]) as WallId, belonging };
}

/** The part of its wall that a thing stands in; undefined for what stands in none. */
export function partOf({ level, session }: Belonging): string | undefined {
  return level === "session" ? session : undefined;
}

export function wallsOpenTo<W extends Wall>(viewer: Viewer, walls: readonly W[]): (W & OpenWall)[] {
  return walls.flatMap((wall) => {
    const { belonging } = wall;
    const isPart = belonging.level === "session" && viewer.kind === "address";
    const part = isPart ? { session: viewer.session } : {};
    return mayRead(viewer, { ...belonging, ...part }) ? [{ ...wall, ...part }] : [];
  });
}

/** A wall that is asked twice is asked as it is named first. */
export function eachOnce(walls: readonly OpenWall[]): OpenWall[] {
  const first = new Map<WallId, OpenWall>();
  for (const wall of walls) if (!first.has(wall.id)) first.set(wall.id, wall);
  return [...first.values()];
}

/** Only the fields on which reading depends at that level, without the session. */
function sharedBelonging({ level, scope, user }: Belonging): Belonging {
  const byUser = user === undefined ? {} : { user };
  switch (level) {
    case "owner":
      return { level, scope: MAIN_SCOPE };
    case "user":
      // One wall per user: what is of user level is the same in every scope.
      return { level, scope: MAIN_SCOPE, ...byUser };
    case "scope":
    case "session":
      return { level, scope, ...(isGroup(scope) ? {} : byUser) };
    default:
      return level satisfies never;
  }
}
