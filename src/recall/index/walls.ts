/**
 * The walls between memories: passages that exactly the same people may read
 * stand behind one wall, and every wall has its own statistics.
 *
 * What is behind another wall can therefore change neither which hits somebody
 * gets nor their scores. mayRead is asked once per wall.
 */
import { mayRead, type Belonging, type Viewer } from "../../model/address.js";
import { isGroup, MAIN_SCOPE } from "../../model/message.js";

export type WallId = string & { readonly __of: "wall" };

export interface Wall {
  id: WallId;
  /** What all passages behind it have in common; enough for mayRead. */
  belonging: Belonging;
}

export function wallOf(thing: Belonging): Wall {
  const belonging = sharedBelonging(thing);
  const { level, scope, user, session } = belonging;
  return { id: JSON.stringify([level, scope, user ?? null, session ?? null]) as WallId, belonging };
}

export function wallsOpenTo(viewer: Viewer, walls: readonly Wall[]): Wall[] {
  return walls.filter(({ belonging }) => mayRead(viewer, belonging));
}

/** Only the fields on which reading depends at that level. */
function sharedBelonging({ level, scope, user, session }: Belonging): Belonging {
  const byUser = user === undefined ? {} : { user };
  const bySession = session === undefined ? {} : { session };
  switch (level) {
    case "owner":
      return { level, scope: MAIN_SCOPE };
    case "user":
      // One wall per user: what is of user level is the same in every scope.
      return { level, scope: MAIN_SCOPE, ...byUser };
    case "scope":
      return { level, scope, ...(isGroup(scope) ? {} : byUser) };
    case "session":
      return { level, scope, ...(isGroup(scope) ? {} : byUser), ...bySession };
    default:
      return level satisfies never;
  }
}
