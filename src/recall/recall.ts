/**
 * The one way to find something again: for the prompt, the command line, HTTP
 * and MCP.
 *
 * Reads the index and, when that knows nothing, the files. Who may read is
 * decided by mayRead alone: it opens the partitions, and is asked once more for
 * every passage that comes back.
 */
import { addAll } from "../model/collections.js";
import { type Belonging, mayRead, type Viewer } from "../model/address.js";
import type { MessageId } from "../model/message.js";
import type { Hit, Passage, PassageKind, RecallMode } from "../model/passage.js";
import { type Bound, type Day, type EpochMs, orderedPeriod, type Period, type Zone } from "../model/time.js";
import { inSteps } from "../model/steps.js";
import type { Pace } from "../model/work.js";
import { MOST_QUERY_CHARS } from "../text/asking.js";
import { termsOf } from "../text/terms.js";
import type { AskedDates } from "../text/dates/hints.js";
import { NO_WORDS, type Words } from "../text/everyday-words.js";
import { bestWithoutCopies, type Decay, ranked, withDecay } from "./rank.js";
import { hitsInFiles, type FileSearch } from "./fallback.js";
import { currentFirst, eachOnce, hasCome, isOver, latestFirst } from "./standing.js";
import { withoutHiddenDays } from "./hidden-days.js";
import { passes } from "./index/candidates.js";
import type { Answer, Engine, PassageFilter } from "./index/engine.js";
import { partitionsOpenTo, type OpenPartition } from "./index/partitions.js";
import { type Correction, withNearest } from "./nearest-words.js";
import { firstOf, pastIn, toldThen, within } from "./past-time.js";
import { inOtherLanguage, markerOf, type Question, questionOf } from "./question.js";
import { findAgain, reranked, type RecallModels } from "./models.js";
import { ledIn } from "./index/answer.js";
import { DEFAULT_SETTINGS, type Settings } from "../model/settings.js";
import { ACROSS, FALLBACK_SCORE, WEIGHTS, type Weights } from "./weights.js";

export interface RecallParts {
  engine: Engine;
  zone: Zone;
  now: () => EpochMs;
  /** `[recall]` of memd.toml. */
  settings: Pick<Settings["recall"], "min_score" | "limit"> & Partial<Settings["recall"]>;
  /** Reads the dates a question speaks of; without it a question has none. */
  dateHints?: (query: string, today: Day) => Promise<AskedDates>;
  /** What else stands for the words of a question. */
  words?: () => Words;
  /** Instead of the table's; for measuring. */
  weights?: Weights;
  /** What models add, where the owner named some. */
  models?: RecallModels;
  /** Where others may have their turn: hits may be long texts. */
  pace?: Pace;
  /** For words that the index does not know; without it they are not looked for in the files. */
  files?: FileSearch;
}

export interface RecallOptions extends Period {
  limit?: number;
  /** Instead of the setting. One above .1 also rules out weak matches. */
  minScore?: number;
  kinds?: readonly PassageKind[];
  /** Only what had been said by then. */
  asOf?: Bound;
  /** This scope and its documents only. */
  scope?: string;
  user?: string;
  session?: string;
  mode?: RecallMode;
  /** False leaves the order as it is where a rerank model is named. */
  rerank?: boolean;
  /** What the question's vector is made of, where the query is only its words. */
  meant?: string;
  /** What else may be meant, the newest last; it counts less than the query. */
  context?: readonly string[];
  /** In other words of its own language too: finds what a hundred hits have room for, and blurs the first ten. */
  paraphrased?: boolean;
  /** Messages that are no answer: what waits is not found by itself. */
  except?: ReadonlySet<MessageId>;
  /** As long as the settings say for a search, unless it is for a prompt. */
  halfLifeDays?: number;
}

export interface Recalled {
  /** Best first. */
  hits: Hit[];
  /** Sentences for whoever asked. */
  warnings: string[];
}

/**
 * What the viewer may read that answers the query. A question that shares a
 * content word with a passage never comes back empty: where nothing reaches
 * the floor, the best of the rest follows at .1 at most, then lines of the files.
 */
export async function recall(
  parts: RecallParts,
  text: string,
  viewer: Viewer,
  options: RecallOptions = {},
): Promise<Recalled> {
  const { zone, pace = () => undefined } = parts;
  const { period, warnings } = orderedPeriod(options, zone);
  const query = headOf(text);
  if (query !== text) warnings.push("Only the first 4,000 characters of the query were looked for.");
  const filter = filterOf(options, period);
  // Behind the partition of a user stands what is of them from every scope.
  const partitions = partitionsOpenTo(viewer, await parts.engine.partitions()).filter(
    (partition) => partition.belonging.level === "user" || isInScope(partition.belonging, options.scope),
  );
  const limit = options.limit ?? parts.settings.limit;
  const by = options.asOf ?? { at: parts.now() };
  const wasKnown = (passage: Passage): boolean =>
    (passage.knownAt === undefined || hasCome(passage.knownAt, by, zone)) &&
    (options.asOf === undefined || isOver(passage, options.asOf, zone));
  const floor = options.minScore ?? parts.settings.min_score;
  const isExcepted = ({ messageIds }: Passage): boolean =>
    messageIds.length > 0 && messageIds.every((id) => options.except?.has(id) === true);

  const settings = { ...DEFAULT_SETTINGS.recall, ...parts.settings };
  const { rerank, rerank_multiple: multiple, half_life_search_days: usual } = settings;
  const isReranked = (options.rerank ?? rerank) && parts.models?.rerank !== undefined;
  const spare = isReranked ? limit * (multiple - 1) : Math.min(limit, MOST_SPARE);
  const most = Math.max(LEAST_ASKED, limit + spare);
  const mode = options.mode ?? parts.settings.mode ?? "hybrid";
  const aging = { ...settings, halfLifeDays: options.halfLifeDays ?? usual };
  const find = async (text: string): Promise<Hit[]> => {
    const meant = text === query ? (options.meant ?? text) : text;
    const { paraphrased = false } = options;
    const context = options.context?.map(headOf) ?? [];
    const isOpen = (passage: Passage): boolean =>
      mayRead(viewer, passage) && isInScope(passage, options.scope);
    const asked = {
      query: text,
      meant,
      context,
      paraphrased,
      partitions,
      filter,
      most,
      mode,
      warnings,
      isOpen,
    };
    const found = await indexHits(parts, asked, aging);
    const readable = found.filter(({ passage }) => isOpen(passage));
    const known = readable.filter(({ passage }) => wasKnown(passage) && !isExcepted(passage));
    const inOrder = eachOnce(ranked(await withoutHiddenDays(known, parts.engine, wasKnown)));
    return currentFirst(inOrder, by, zone);
  };
  const order = mode === "agentic" ? await findAgain(parts.models, query, find, warnings) : await find(query);
  const good = await inSteps(
    latestFirst(
      order.filter((hit) => hit.score >= floor),
      [query, ...(options.context ?? [])].flatMap(termsOf),
    ),
    pace,
  );
  if (good.length > 0) {
    const best = await inSteps(bestWithoutCopies(good, isReranked ? limit * multiple : limit), pace);
    const shown = isReranked ? await reranked(parts.models, query, best, warnings) : best;
    return { hits: shown.slice(0, limit), warnings };
  }

  if ((options.minScore ?? 0) > FALLBACK_SCORE) return { hits: [], warnings };
  if (order.length > 0)
    return { hits: (await inSteps(bestWithoutCopies(order, limit), pace)).map(asWeak), warnings };
  const mayShow = (passage: Passage): boolean =>
    mayRead(viewer, passage) &&
    passes(passage, filter) &&
    wasKnown(passage) &&
    !isExcepted(passage) &&
    isInScope(passage, options.scope);
  const found = parts.files === undefined ? [] : await hitsInFiles(parts.files, parts.engine, query, mayShow);
  const visible = currentFirst(eachOnce(await withoutHiddenDays(found, parts.engine, wasKnown)), by, zone);
  return { hits: await inSteps(bestWithoutCopies(visible, limit), pace), warnings };
}

function headOf(query: string): string {
  return query.slice(0, MOST_QUERY_CHARS).toWellFormed();
}

export function filterOf({ kinds, user, session, asOf }: RecallOptions, period: Period): PassageFilter {
  return {
    ...(kinds === undefined ? {} : { kinds }),
    ...(user === undefined ? {} : { user }),
    ...(session === undefined ? {} : { session }),
    ...(asOf === undefined ? {} : { asOf }),
    ...period,
  };
}

/** A scope's documents are asked with it. */
export function isInScope(thing: Pick<Belonging, "scope">, scope: string | undefined): boolean {
  return scope === undefined || thing.scope === scope || thing.scope === `${scope}:docs`;
}

interface IndexQuestion {
  query: string;
  meant: string;
  context: readonly string[];
  paraphrased: boolean;
  partitions: readonly OpenPartition[];
  filter: PassageFilter;
  most: number;
  mode: RecallMode;
  warnings: string[];
  /** What the viewer may read; the index opens a little more than that. */
  isOpen: (passage: Passage) => boolean;
}

/** More than will be shown: copies and hidden days go, what is newer moves up, and a model may put more in order. */
const MOST_SPARE = 50;
const LEAST_ASKED = 20;

async function indexHits(
  { engine, now, zone, dateHints, words, weights, models, settings }: RecallParts,
  { query, meant, context, paraphrased, partitions, filter, most, mode, warnings, isOpen }: IndexQuestion,
  aging: Decay,
): Promise<Hit[]> {
  const at = now();
  const { hints, rest } = (await dateHints?.(query, zone.dayOf(at))) ?? { hints: [], rest: query };
  const inOtherWords = words?.() ?? NO_WORDS;
  const question = questionOf(rest, hints, {
    context,
    paraphrased,
    words: inOtherWords,
    ...(weights && { weights }),
  });
  if (partitions.length === 0) return [];
  const { vector, reason } = mode === "keyword" ? {} : ((await models?.vectorOf(meant)) ?? {});
  if (reason !== undefined) warnings.push(`Found by words alone: ${reason}.`);
  else if (mode === "vector" && vector === undefined)
    warnings.push("Found by words: no embedding model reads this (llm.models.embedding).");
  const then = within(filter, pastIn(hints));
  if (then !== undefined && !question.hasMatter) return toldThen(engine, { partitions, filter: then, most });
  if (question.terms.length === 0 && vector === undefined) return [];
  const asked = { partitions, filter, most, ...(weights && { weights }) };
  const search = (question: Question): Promise<Answer> =>
    engine.search({
      ...asked,
      question,
      ...(vector && { vector, ranking: mode === "vector" ? "vector" : (settings.fusion ?? "score") }),
    });
  const terms = question.terms.map(({ term }) => term);
  // Asked before anything is looked for: what is meant in place of what nobody says is looked for at once.
  const frequencies = await engine.frequencies(partitions, terms);
  const isToldInOther = question.terms.some(
    ({ standsFor }, at) => standsFor !== undefined && (frequencies[at] ?? 0) > 0,
  );
  const other = isToldInOther && mode !== "vector" ? inOtherLanguage(question) : undefined;
  const near = await withNearest({
    question,
    frequencies,
    vocabulary: {
      frequencies: (terms) => engine.frequencies(partitions, terms),
      beginning: (letters) => engine.beginning(partitions, letters),
    },
    words: inOtherWords,
    shares: (weights ?? WEIGHTS).question,
  });
  const asMeant = near?.question ?? question;
  const [{ hits }, across, inTime] = await Promise.all([
    search(asMeant),
    other && engine.search({ ...asked, question: other }),
    // Each of them is of the time: that one is tells nothing about its words.
    then && engine.search({ ...asked, filter: then, question: { ...asMeant, dates: [] } }),
  ]);
  for (const correction of near?.corrections ?? [])
    addAll(
      warnings,
      saidInstead(
        correction,
        hits.filter(({ passage }) => isOpen(passage)),
      ),
    );
  const aged = (some: readonly Hit[]): Hit[] => some.map((hit) => withDecay(hit, at, aging));
  const good = across?.hits.filter(({ score }) => score >= ACROSS.floor).slice(0, ACROSS.most) ?? [];
  const all = ledIn(aged(hits), aged(good), ACROSS.every, paraphrased ? 0 : ACROSS.searchShare);
  return inTime === undefined ? all : firstOf(all, aged(inTime.hits));
}

/** Of what was found: what is known only of words that were not is nobody's answer. */
function saidInstead({ asked, taken }: Correction, hits: readonly Hit[]): string[] {
  const mark = markerOf(taken);
  for (const { passage } of hits) {
    const [first] = mark(passage.text);
    if (first !== undefined)
      return [`Did you mean "${passage.text.slice(...first)}"? Nothing says "${asked}".`];
  }
  return [];
}

function asWeak(hit: Hit): Hit {
  return { ...hit, score: Math.min(hit.score, FALLBACK_SCORE) };
}
