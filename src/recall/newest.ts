/**
 * What was distilled, without a question: records and profiles that the viewer may read, the newest
 * first, a page at a time, off the index. As in a search, mayRead opens the partitions, and is asked
 * once more for all that comes back.
 */
import { mayRead, type Viewer } from "../model/address.js";
import { defined } from "../model/collections.js";
import { MemdError } from "../model/errors.js";
import type { Listed } from "../model/found.js";
import type { Passage, PassageKind } from "../model/passage.js";
import { RECORD_KINDS } from "../model/record.js";
import { epochMs, type EpochMs, orderedPeriod, type Period, type Zone } from "../model/time.js";
import type { Engine } from "./index/engine.js";
import { partitionsOpenTo } from "./index/partitions.js";
import { filterOf, isInScope } from "./recall.js";
import { eachOnce, withStanding } from "./standing.js";

export const DISTILLED_KINDS = [...RECORD_KINDS, "profile"] as const satisfies readonly PassageKind[];
export type DistilledKind = (typeof DISTILLED_KINDS)[number];

export interface NewestOptions extends Period {
  kinds?: readonly DistilledKind[];
  /** This scope and its documents only. */
  scope?: string;
  user?: string;
  limit: number;
  /** `next` of the page before. */
  cursor?: string;
}

export interface Newest {
  /** Newest first; of one moment in the order of their names. */
  listed: Listed[];
  /** Where the next page begins; absent after the last. */
  next?: string;
  /** Sentences for whoever asked. */
  warnings: string[];
}

const ASKED_PER_SHOWN = 3;

/** Throws `usage` for a cursor that is none. */
export async function newest(
  { engine, zone, now }: { engine: Engine; zone: Zone; now: () => EpochMs },
  viewer: Viewer,
  options: NewestOptions,
): Promise<Newest> {
  const { kinds = DISTILLED_KINDS, user, scope, limit, cursor } = options;
  const after = cursor === undefined ? undefined : placeIn(cursor);
  const { period, warnings } = orderedPeriod(options, zone);
  const filter = filterOf(defined({ kinds, user }), period);
  const partitions = partitionsOpenTo(viewer, await engine.partitions()).filter(
    ({ belonging }) => belonging.level === "user" || isInScope(belonging, scope),
  );
  const query = defined({ partitions, filter, until: after && epochMs(after[0]) });
  let rest: Listed[] = [];
  // Some of them are shown already, are the other side of one, or are of another scope.
  for (let most = ASKED_PER_SHOWN * limit + 1; ; most *= ASKED_PER_SHOWN) {
    const passages = await engine.newest({ ...query, most });
    const open = passages.filter((passage) => mayRead(viewer, passage) && isInScope(passage, scope));
    // Of one record in two files the later file comes first: its name is the first one's with more in front of the dot.
    const inOrder = open
      .map((passage): Listed => ({ passage }))
      .sort((a, b) => order(placeOf(a.passage), placeOf(b.passage)));
    rest = eachOnce(inOrder).filter(({ passage }) => !after || order(after, placeOf(passage)) < 0);
    const isAll = passages.filter(({ saidAt }) => after === undefined || saidAt < after[0]).length < most;
    if (rest.length > limit || isAll) break;
  }
  const page = rest.slice(0, limit);
  const last = page.at(-1)?.passage;
  const next = last && `${last.saidAt}~${encodeURIComponent(last.id.toWellFormed())}`;
  return defined({
    listed: page.map((one) => withStanding(one, { at: now() }, zone)),
    next: rest.length === page.length ? undefined : next,
    warnings,
  });
}

/** Where something stands in the list: what comes or goes before it moves nothing that is still to be shown. */
type Place = readonly [saidAt: number, id: string];

function placeOf({ saidAt, id }: Passage): Place {
  return [saidAt, id];
}

function order([atA, idA]: Place, [atB, idB]: Place): number {
  return atB - atA || (idA === idB ? 0 : idA < idB ? -1 : 1);
}

function placeIn(cursor: string): Place {
  const { at, name } = /^(?<at>-?\d{1,16})~(?<name>.+)$/.exec(cursor)?.groups ?? {};
  try {
    if (at !== undefined && name !== undefined) return [Number(at), decodeURIComponent(name)];
  } catch {
    // Not percent-encoded: no cursor of ours.
  }
  throw new MemdError("usage", `${cursor} is no cursor: give back the one that came with the page before.`);
}
