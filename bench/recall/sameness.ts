/** Whether both engines, and an index made anew from the files, give the same first ten to every query. */
import { openAsking } from "./asking.js";
import { readSet } from "./set.js";

export async function sameness(folders: readonly string[]): Promise<Record<string, unknown>> {
  const figures: Record<string, unknown> = {};
  for (const folder of folders) {
    const set = await readSet(folder);
    const tops: Record<string, (readonly string[])[]> = {};
    for (const engine of ["memory", "sqlite"] as const) {
      const asking = await openAsking(set, engine);
      const ask = async (): Promise<(readonly string[])[]> => (await asking.ask()).map(({ top }) => top);
      try {
        tops[engine] = await ask();
        await asking.forget();
        tops[`${engine} anew`] = await ask();
      } finally {
        await asking.close();
      }
    }
    const same = set.queries.filter((_, at) => {
      const answers = Object.values(tops).map((each) => JSON.stringify(each[at]));
      return new Set(answers).size === 1;
    });
    figures[set.name] = { queries: set.queries.length, same: same.length };
  }
  return figures;
}
