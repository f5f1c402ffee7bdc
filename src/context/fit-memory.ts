/** The section Memory: open foresights, then what recall found for each question that waits, as much of it as is worth its tokens. */
import type { Hit } from "../model/passage.js";
import { openForesights, type Quotable, quotableIn, recordLine, type ShownElsewhere } from "./distilled.js";
import { costOfLines, counted, type Fitted } from "./fit.js";
import type { ContextInputs, QuestionData } from "./inputs.js";
import { chooseLines, type Candidates } from "./memory-choice.js";
import { bodyOf, type Chosen } from "./memory-room.js";
import { oneLine } from "./quote.js";
import type { Steps } from "../model/steps.js";

export interface ShownHit {
  hit: Hit;
  question: number;
  tokens: number;
  /** Its lines as they are printed, but for day and clock. */
  texts: readonly string[];
}

interface FittedMemory extends Fitted {
  questions: QuestionData[];
  /** Best first. */
  hits: ShownHit[];
  leftOut: { hit: Hit; question: number; why: string }[];
}

export function* fitMemory(
  inputs: ContextInputs,
  budgetTokens: number,
  elsewhere: ShownElsewhere,
): Steps<FittedMemory> {
  const { found, viewer, settings, zone } = inputs;
  const above = oneLine(elsewhere.above);
  const foresights = openForesights(inputs)
    .filter(({ text }) => !above.includes(oneLine(text)))
    .map((record) => `Expected: ${recordLine(record, zone)}`);
  const expected = upTo(foresights, budgetTokens);
  const known: FittedMemory["leftOut"] = [];
  yield;
  const asked = candidatesOf(found, quotableIn(viewer, elsewhere), known);
  const limits = {
    budgetTokens: budgetTokens - costOfLines(expected),
    lines: settings.memory_hits,
    events: settings.memory_events,
  };
  const { chosen, leftOut } = yield* chooseLines(asked, limits, zone);
  const cutForesights = foresights.length - expected.length;
  const cutHits = leftOut.filter(({ why }) => why.startsWith("no room")).length;
  return {
    questions: found.map(({ inquiry, hits }, question) => {
      const lines = chosen.filter((line) => line.question === question);
      return {
        text: inquiry.text,
        context: inquiry.context,
        found: hits.length,
        shown: lines.length,
        tokens: Math.ceil(lines.reduce((sum, { tokens }) => sum + tokens, 0)),
      };
    }),
    hits: shownHits(chosen),
    leftOut: [...leftOut, ...known].sort((one, other) => other.hit.score - one.hit.score),
    body: [...expected, ...(chosen.length > 0 ? [bodyOf(chosen)] : [])].join("\n"),
    cuts: [
      ...(cutForesights > 0 ? [`${counted(cutForesights, "foresight")} left out`] : []),
      ...(cutHits > 0 ? [`${counted(cutHits, "hit")} left out`] : []),
    ],
    warnings: [],
  };
}

function candidatesOf(
  found: ContextInputs["found"],
  quotable: (hit: Hit) => Quotable,
  known: FittedMemory["leftOut"],
): Candidates[] {
  const verdicts = new Map<string, Quotable>();
  return found.map(({ inquiry, hits, ownScore }, question) => ({
    inquiry,
    // Shown in the conversation already, it was found all the same.
    ownScore: ownScore ?? Math.max(0, ...hits.map(({ score }) => score)),
    hits: hits.flatMap((hit) => {
      const before = verdicts.get(hit.passage.id);
      const verdict = before ?? quotable(hit);
      verdicts.set(hit.passage.id, verdict);
      if (verdict.is === "known" && before === undefined) known.push({ hit, question, why: verdict.why });
      return verdict.is === "new" ? [{ hit, parts: verdict.parts }] : [];
    }),
  }));
}

/** A summary of which several lines are shown is one hit. */
function shownHits(chosen: readonly Chosen[]): ShownHit[] {
  const byPassage = new Map<string, ShownHit>();
  for (const { hit, question, tokens, text } of chosen) {
    const known = byPassage.get(hit.passage.id) ?? { question, tokens: 0, texts: [] };
    const texts = [...known.texts, text];
    byPassage.set(hit.passage.id, { ...known, hit, tokens: known.tokens + tokens, texts });
  }
  return [...byPassage.values()].sort((one, other) => other.hit.score - one.hit.score);
}

/** From the front, up to the first line that does not fit. */
function upTo(lines: readonly string[], budgetTokens: number): string[] {
  let left = budgetTokens;
  const end = lines.findIndex((line) => (left -= costOfLines([line])) < 0);
  return lines.slice(0, end === -1 ? undefined : end);
}
