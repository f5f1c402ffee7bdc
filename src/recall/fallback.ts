/**
 * The last resort: the query's words looked up in the files themselves, for what the index cannot
 * match (parts of words, identifiers, bare phrases). A line counts only as part of a passage whose
 * own text holds a word: headings, private blocks and foreign files stay unseen.
 */
import type { Hit, Passage } from "../model/passage.js";
import { FILES, type Workspace } from "../protocol/workspace.js";
import type { Ripgrep } from "../platform/ripgrep.js";
import { foldText } from "../text/fold.js";
import { keywordsOf } from "../text/keywords.js";
import type { Engine } from "./index/engine.js";
import { FALLBACK_SCORE } from "./weights.js";

export interface FileSearch {
  ripgrep: Ripgrep;
  workspace: Workspace;
}

/** Where passages come from. */
const PLACES = [FILES.memory, FILES.records, FILES.journal] as const;
const MOST_WORDS = 8;
const MOST_PHRASE_CHARS = 80;
/** Longer ones are no phrase, however many blanks are around it. */
const MOST_QUERY_CHARS = 400;
/** Shorter parts of words are everywhere. */
const SHORTEST_LATIN = 3;

/** Passages with most of the words first, then the newest. */
export async function hitsInFiles(
  { ripgrep, workspace }: FileSearch,
  engine: Engine,
  query: string,
  mayShow: (passage: Passage) => boolean,
): Promise<Hit[]> {
  const words = wordsToLookFor(query);
  if (words.length === 0) return [];
  const lines = await ripgrep({ root: workspace.root, places: PLACES, words });
  const byPath = new Map<string, Set<number>>();
  for (const { path, line } of lines) byPath.set(path, (byPath.get(path) ?? new Set()).add(line));

  const found: { passage: Passage; words: number }[] = [];
  for (const [path, matching] of byPath) {
    for (const passage of await engine.passagesAt(path, { lines: [...matching], words })) {
      if (!mayShow(passage)) continue;
      const text = passage.text.toLowerCase();
      found.push({ passage, words: words.filter((word) => text.includes(word)).length });
    }
  }
  found.sort(
    (a, b) =>
      b.words - a.words || b.passage.saidAt - a.passage.saidAt || (a.passage.id < b.passage.id ? -1 : 1),
  );
  return found.map(({ passage, words: held }) => ({
    passage,
    score: FALLBACK_SCORE,
    parts: { ripgrep: FALLBACK_SCORE, words: held },
  }));
}

/** The query's telling words, as written and simplified; where it has none, the whole of a short phrase. */
export function wordsToLookFor(query: string): string[] {
  const telling = keywordsOf(query, MOST_WORDS).filter(
    (word) => isHan(word) || word.length >= SHORTEST_LATIN,
  );
  const words = telling.length > 0 ? telling : [phraseOf(query)];
  const spelled = words.flatMap((word) => [word.toLowerCase(), foldText(word).toLowerCase()]);
  return [...new Set(spelled)].filter((word) => word !== "");
}

/** Two words or two Han characters at least: a single "ok" is in every conversation. */
function phraseOf(query: string): string {
  if (query.length > MOST_QUERY_CHARS) return "";
  const phrase = query.replace(/^[\s\p{P}]+|(?<![\s\p{P}])[\s\p{P}]+$/gu, "").replace(/\s+/g, " ");
  if (phrase.length > MOST_PHRASE_CHARS) return "";
  return isHan(phrase) ? (phrase.length >= 2 ? phrase : "") : phrase.includes(" ") ? phrase : "";
}

function isHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}
