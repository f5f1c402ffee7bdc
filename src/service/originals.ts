/** Documents by the names of the files that they are read from: what was found is named so, and read so. */
import { copyOf, type Original, originalOf } from "../documents/originals.js";
import type { Beside, Listed } from "../model/found.js";
import type { Memd } from "./memd.js";

/** Each as it was, those of such documents with the place in the owner's file. */
export function withOriginals<T extends Listed>(memd: Memd, found: readonly T[]): Promise<(T & Beside)[]> {
  return Promise.all(
    found.map(async (one) => {
      const { kind, path, lines } = one.passage;
      const original = kind === "document" ? await originalAt(memd, path) : undefined;
      if (original === undefined) return one;
      return { ...one, original: `${original.path}:${Math.max(1, lines[0] - original.linesBefore)}` };
    }),
  );
}

/** The same lines in memd's copy of the file; undefined where it has none that says what the file does. */
export async function linesInCopy(
  memd: Memd,
  { path, from, to }: { path: string; from: number; to: number },
): Promise<{ path: string; from: number; to: number } | undefined> {
  const copy = copyOf(path);
  const original = await originalAt(memd, copy);
  if (original?.path !== path) return undefined;
  return { path: copy, from: from + original.linesBefore, to: to + original.linesBefore };
}

async function originalAt({ documents }: Memd, file: string): Promise<Original | undefined> {
  const { catalogue } = documents.store;
  try {
    await catalogue.recheck(file);
  } catch {
    // What keeps its file from being looked at is told by the next look at all; the name of the copy still holds.
    return undefined;
  }
  const held = catalogue.at(file);
  return held && originalOf(held);
}
