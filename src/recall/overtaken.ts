/**
 * Of statements on one matter the later holds: where both answer it ranks before
 * the earlier, and the earlier says that it was overtaken.
 *
 * Pure. Read off the words of what was found, so that it holds for what nobody
 * has made a record of. An agent's proposal, a tool's or a page's text overtakes
 * no human's word, and nobody overtakes another.
 */
import type { Hit, Passage } from "../model/passage.js";
import { saysOtherwise, statementsIn, type Statement } from "../text/statements.js";

/** Of so many of the first. */
const LOOKED_AT = 60;
const STATED: ReadonlySet<Passage["kind"]> = new Set(["message", "event", "fact"]);

/** In the same order otherwise. `terms`: of the question, and of what else may be meant. */
export function latestFirst(inOrder: readonly Hit[], terms: readonly string[]): Hit[] {
  const asked = new Set(terms);
  const looked = inOrder.slice(0, LOOKED_AT);
  const stated = looked.flatMap((hit) => {
    const statements = STATED.has(hit.passage.kind) ? statementsIn(hit.passage.text) : [];
    return statements.length === 0 ? [] : [{ hit, statements }];
  });
  const overtaker = new Map<Hit, Hit>();
  for (const earlier of stated) {
    const later = stated
      .filter(
        (other) => mayOvertake(other.hit.passage, earlier.hit.passage) && differs(other, earlier, asked),
      )
      .reduce<Hit | undefined>(
        (last, { hit }) => (last === undefined || hit.passage.saidAt > last.passage.saidAt ? hit : last),
        undefined,
      );
    if (later !== undefined) overtaker.set(earlier.hit, later);
  }
  if (overtaker.size === 0) return [...inOrder];
  return raised(inOrder, overtaker);
}

interface Stated {
  hit: Hit;
  statements: readonly Statement[];
}

function differs(later: Stated, earlier: Stated, asked: ReadonlySet<string>): boolean {
  return later.statements.some((one) => earlier.statements.some((other) => saysOtherwise(one, other, asked)));
}

/** A person's own later word, or a record of theirs. What agents say in passing settles nothing. */
function mayOvertake(later: Passage, earlier: Passage): boolean {
  const isTheirs =
    later.speaker === earlier.speaker || later.kind !== "message" || earlier.kind !== "message";
  return (
    later.saidAt > earlier.saidAt &&
    later.user === earlier.user &&
    later.trust === "human" &&
    (earlier.trust === "human" ? isTheirs : earlier.kind !== "message")
  );
}

/** What overtakes stands before what it overtakes, as good as that. */
function raised(inOrder: readonly Hit[], overtaker: ReadonlyMap<Hit, Hit>): Hit[] {
  const order: Hit[] = [];
  const placed = new Set<Hit>();
  const place = (hit: Hit, score: number): void => {
    if (placed.has(hit)) return;
    placed.add(hit);
    const later = overtaker.get(hit);
    if (later !== undefined) place(later, Math.max(score, hit.score));
    const raisedTo = Math.max(score, hit.score);
    order.push({
      ...hit,
      ...(raisedTo > hit.score
        ? { score: raisedTo, parts: { ...hit.parts, later: raisedTo - hit.score } }
        : {}),
      ...(later === undefined ? {} : { overtaken: { on: later.passage.day, by: later.passage.id } }),
    });
  };
  for (const hit of inOrder) place(hit, 0);
  return order;
}
