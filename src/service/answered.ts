/**
 * Whom a message answers: an agent what a person said right before, anybody else the question that was asked right
 * before. Read off the index on the viewer's behalf, so that what they may not read is answered by nothing.
 */
import { nameOf } from "../context/quote.js";
import { isQuestion } from "../llm/builtin/cues.js";
import type { Viewer } from "../model/address.js";
import type { Asked, Beside, Listed } from "../model/found.js";
import type { Passage } from "../model/passage.js";
import { isoOf } from "../model/time.js";
import { cutToColumns } from "../text/columns.js";
import { onOneLine } from "./excerpt.js";
import type { Memd } from "./memd.js";

/** Each as it was, with what it answers where it answers something. */
export function withAnswers<T extends Listed>(
  memd: Memd,
  viewer: Viewer,
  found: readonly T[],
): Promise<(T & Beside)[]> {
  return Promise.all(
    found.map(async (one) => {
      const before = await turnBefore(memd, viewer, one.passage);
      return before !== undefined && isAnswer(one.passage, before) ? { ...one, answers: asked(before) } : one;
    }),
  );
}

/** Lines in front of a message, in steps: mostly it is next to what it answers, but calls of tools and other talk may stand between. */
const LOOKED_AT_LINES = [24, 240, 2400];
const MOST_PASSAGES = 1000;

/** Turns are numbered by session; calls of tools have the number of the turn that they were made for. */
async function turnBefore(
  memd: Memd,
  viewer: Viewer,
  { path, kind, trust, session, sequence, lines }: Passage,
): Promise<Passage | undefined> {
  if (kind !== "message" || trust === "tool" || sequence === undefined) return undefined;
  let to = lines[0] - 1;
  for (const count of LOOKED_AT_LINES) {
    if (to < 1) return undefined;
    const from = Math.max(1, to - count + 1);
    const listed = await memd.search.read(path, viewer, { from, to, most: MOST_PASSAGES });
    const turns = listed
      .map(({ passage }) => passage)
      .filter(
        (one) => one.session === session && one.trust !== "tool" && (one.sequence ?? sequence) < sequence,
      );
    if (turns.length > 0) return turns.find((one) => one.sequence === sequence - 1);
    to = from - 1;
  }
  return undefined;
}

function isAnswer(later: Passage, earlier: Passage): boolean {
  if (later.role === "agent") return earlier.role === "user";
  if (later.role !== "user" || !isQuestion(earlier.text)) return false;
  return earlier.role === "agent" || (earlier.role === "user" && nameOf(earlier) !== nameOf(later));
}

const SHOWN_COLUMNS = 240;

function asked(passage: Passage): Asked {
  const { path, lines, text, saidAt } = passage;
  return {
    speaker: nameOf(passage),
    at: isoOf(saidAt),
    text: cutToColumns(onOneLine(text), SHOWN_COLUMNS),
    source: `${path}:${lines[0]}`,
  };
}
