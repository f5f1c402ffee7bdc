/**
 * `bench evidence --data DIR`: how much of what answers stands in the prompt,
 * over the whole path: the question in `inbox.json`, the answer read from
 * `prompt.md`, without the section Input. `--explain N` prints the prompts of the
 * worst N, `--budgets 512,3072` takes others, `--keep DIR` keeps the workspaces; `--by hook` judges what
 * `memd hook` prints instead.
 */
import { prepareSet, type Answered, type PreparedSet } from "./asked.js";
import { sectionOf, shownIn, type Shown } from "./judge.js";
import { readEvidenceSet, type EvidenceQuery } from "./set.js";

const BUDGETS = [512, 1024, 2048, 4096] as const;
/** The default of `[context.tokens] memory`. */
const DEFAULT_TOKENS = 3072;
/** Of these the later statement must be there, behind the earlier. */
const CHANGED = new Set(["knowledge_update", "contradiction_resolution"]);
/** Of these a line of what was distilled counts too. */
const WIDE = new Set(["summarization", "event_ordering"]);

interface Judged {
  query: EvidenceQuery;
  answered: Answered;
  /** Share of the gold messages that stand there. */
  share: number;
  /** The same, what a line tells counted too. */
  told: number;
  laterLast: boolean;
}

export async function benchEvidence(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const folder = options.get("data");
  if (folder === undefined) throw new Error("name a folder of queries.jsonl with --data DIR");
  const set = await readEvidenceSet(folder);
  const wanted = options.get("type");
  const queries = set.queries
    .filter(({ type }) => wanted === undefined || type === wanted)
    .slice(0, Number(options.get("queries") ?? Infinity));
  const budgets = options.get("budgets")?.split(",").map(Number) ?? BUDGETS;
  const prepared = await prepareSet(set, { keep: options.get("keep"), byHook: options.get("by") === "hook" });
  try {
    const judged: Judged[] = [];
    for (const query of queries) judged.push(await judge(prepared, query, DEFAULT_TOKENS));
    const atBudget: Record<string, number> = {};
    for (const tokens of budgets) {
      const shares: number[] = [];
      for (const query of queries.filter(({ gold }) => gold.length > 0))
        shares.push((await judge(prepared, query, tokens)).share);
      atBudget[`evidence@${tokens}`] = mean(shares);
    }
    if (options.has("explain")) explain(judged, prepared, Number(options.get("explain")) || 10);
    return { ...figuresOf(judged), ...atBudget };
  } finally {
    await prepared.close();
  }
}

async function judge(prepared: PreparedSet, query: EvidenceQuery, tokens: number): Promise<Judged> {
  const answered = await prepared.ask(query, tokens);
  const shown = shownIn(answered.markdown);
  const gold = goldTexts(prepared, query);
  const places = gold.map((texts) => placeOfFirst(shown, texts));
  const stands = places.map((place) => place !== -1);
  const share = shareOf(stands, query);
  const told = shareOf(
    gold.map((texts, at) => stands[at] === true || texts.some((text) => shown.isToldIn(text))),
    query,
  );
  const last = places.at(-1) ?? -1;
  return { query, answered, share, told, laterLast: last !== -1 && places.every((place) => place <= last) };
}

/** Where the first of these that is there begins; −1 where none is. */
function placeOfFirst(shown: Shown, texts: readonly string[]): number {
  return texts.map((text) => shown.placeOf(text)).find((place) => place !== -1) ?? -1;
}

function shareOf(stands: readonly boolean[], { any }: EvidenceQuery): number {
  if (any === true) return stands.includes(true) ? 1 : 0;
  return stands.filter(Boolean).length / Math.max(1, stands.length);
}

/** In the order in which they were said, each followed by those that would do in its place. */
function goldTexts({ messages }: PreparedSet, { conversation, gold, same }: EvidenceQuery): string[][] {
  const own = messages
    .filter((message) => message.conversation === conversation)
    .sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt));
  return own
    .filter(({ id }) => gold.includes(id))
    .map(({ id, text }) => [
      text,
      ...own.filter((other) => same[id]?.includes(other.id) === true).map((other) => other.text),
    ]);
}

function figuresOf(judged: readonly Judged[]): Record<string, unknown> {
  const asking = judged.filter(({ query }) => query.gold.length > 0);
  const of = (some: readonly Judged[], value: (one: Judged) => number): number => mean(some.map(value));
  const types = [...new Set(asking.flatMap(({ query }) => query.type ?? []))].sort();
  const times = judged.map(({ answered }) => answered.ms).sort((one, other) => one - other);
  const changed = asking.filter(({ query }) => CHANGED.has(query.type ?? ""));
  const wide = asking.filter(({ query }) => WIDE.has(query.type ?? ""));
  const [idle, needy] = [false, true].map((asks) => judged.filter(({ query }) => query.asks === asks));
  const withHits = ({ answered }: Judged): number => Number(answered.data.hits.length > 0);
  return {
    queries: judged.length,
    ...(asking.length > 0 && {
      evidence: of(asking, ({ share }) => share),
      all: of(asking, ({ share }) => Number(share === 1)),
    }),
    memory_tokens: Math.round(of(judged, ({ answered }) => memoryTokensOf(answered))),
    prompt_tokens: Math.round(of(judged, ({ answered }) => promptTokensOf(answered))),
    ...(types.length > 0 && {
      per_type: Object.fromEntries(
        types.map((type) => {
          const some = asking.filter(({ query }) => query.type === type);
          return [
            type,
            {
              queries: some.length,
              evidence: of(some, ({ share }) => share),
              all: of(some, ({ share }) => Number(share === 1)),
              memory_tokens: Math.round(of(some, ({ answered }) => memoryTokensOf(answered))),
            },
          ];
        }),
      ),
    }),
    ...(changed.length > 0 && { later_after_earlier: of(changed, ({ laterLast }) => Number(laterLast)) }),
    ...(wide.length > 0 && { wide_told: of(wide, ({ told }) => told) }),
    ...((idle?.length ?? 0) > 0 && { hits_for_nothing: of(idle ?? [], withHits) }),
    ...((needy?.length ?? 0) > 0 && { hits_for_asking: of(needy ?? [], withHits) }),
    p95_ms: round(times[Math.min(times.length - 1, Math.floor(times.length * 0.95))] ?? 0),
  };
}

function memoryTokensOf({ data }: Answered): number {
  return data.sections.find(({ name }) => name === "memory")?.tokens ?? 0;
}

function promptTokensOf({ data }: Answered): number {
  return data.sections.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** To standard error, so that figures stay one object. */
function explain(judged: readonly Judged[], prepared: PreparedSet, most: number): void {
  const worst = judged
    .filter(({ query }) => query.gold.length > 0)
    .sort((one, other) => one.share - other.share)
    .slice(0, most);
  for (const { query, share, answered } of worst) {
    const shown = shownIn(answered.markdown);
    const gold = goldTexts(prepared, query).map(
      (texts) => `${placeOfFirst(shown, texts) === -1 ? "missing" : "there  "} ${texts[0]?.slice(0, 300)}`,
    );
    const told = [
      `===== ${query.id} (${query.type ?? ""}) ${share.toFixed(2)}: ${query.text}`,
      ...gold,
      sectionOf(answered.markdown, "Memory"),
    ];
    process.stderr.write(`${told.join("\n")}\n`);
  }
}

function mean(values: readonly number[]): number {
  return round(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length));
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
