/** What a viewer may read of the files of the memory, off the index. */
import { mayRead, type Viewer } from "../model/address.js";
import type { Passage } from "../model/passage.js";
import type { Engine } from "./index/engine.js";
import { type OpenPartition, partitionsOpenTo } from "./index/partitions.js";

/** Which stretch of a file is asked for: of its lines the first so many passages. */
export interface Lines {
  from: number;
  to: number;
  most: number;
}

/** In the order of the file. */
export async function openPassages(
  engine: Engine,
  viewer: Viewer,
  path: string,
  { most, ...lines }: Lines,
): Promise<Passage[]> {
  const open = partitionsOpenTo(viewer, await engine.partitions());
  const at = (partitions: readonly OpenPartition[], first: number): Promise<readonly Passage[]> =>
    engine.passagesAt(path, { ...lines, most: first, partitions: partitions.map(({ id }) => id) });
  const whole = await at(
    open.filter(({ session }) => session === undefined),
    most,
  );
  // Beside those of other sessions: how many of them stand in front is not known.
  const parts = await at(
    open.filter(({ session }) => session !== undefined),
    Number.MAX_SAFE_INTEGER,
  );
  return [...whole, ...parts]
    .filter((passage) => mayRead(viewer, passage))
    .sort((one, other) => one.lines[0] - other.lines[0])
    .slice(0, most);
}

/** The files that hold something for the viewer, those aside that hold nothing but what is of a session. */
export async function openPaths(engine: Engine, viewer: Viewer): Promise<string[]> {
  const open = partitionsOpenTo(viewer, await engine.partitions());
  return [...(await engine.pathsIn(open.flatMap(({ id, session }) => (session === undefined ? [id] : []))))];
}
