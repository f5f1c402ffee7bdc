/** Whether both engines, and an index made anew from the files, give the same first ten to every query. */
import { openAsking } from "./asking.js";
import { readSet } from "./set.js";

export async function sameness(folders: readonly string[]): Promise<Record<string, unknown>> {
  const figures: Record<string, unknown> = {};
  for (const folder of folders) {
    const set = await readSet(folder);
    // One workspace: of two the historian may have got further in one.
    const asking = await openAsking(set, "memory");
    const tops: (readonly string[])[][] = [];
    try {
      for (const engine of [undefined, "memory", "sqlite", "sqlite"] as const) {
        if (engine !== undefined) await asking.forget(engine);
        tops.push((await asking.ask()).map(({ top }) => top));
      }
    } finally {
      await asking.close();
    }
    const same = set.queries.filter((_, at) => {
      const answers = tops.map((each) => JSON.stringify(each[at]));
      return new Set(answers).size === 1;
    });
    figures[set.name] = { queries: set.queries.length, same: same.length };
  }
  return figures;
}
