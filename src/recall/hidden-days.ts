/** Days that a summary of their month stands for are not shown beside it. */
import type { Hit, Passage } from "../model/passage.js";
import type { Engine } from "./index/engine.js";
import { isHiddenBy, monthPathOf } from "./standing.js";

/** A month summary that may be shown stands for the days whose present hash it lists. */
export async function withoutHiddenDays(
  hits: Hit[],
  engine: Pick<Engine, "passagesAt">,
  wasKnown: (month: Passage) => boolean,
): Promise<Hit[]> {
  const days = hits.filter(({ passage }) => passage.kind === "day_summary");
  const monthPaths = [...new Set(days.map(({ passage }) => monthPathOf(passage)))];
  if (monthPaths.length === 0) return hits;
  const months = (await Promise.all(monthPaths.map((path) => engine.passagesAt(path))))
    .flat()
    .filter(wasKnown);
  return hits.filter(({ passage }) => !isHiddenBy(passage, months));
}
