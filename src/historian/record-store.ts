/**
 * Where records are kept, and how new ones meet those that stand: what repeats
 * one is that one once more, what contradicts one is linked with it.
 */
import { groupBy } from "../model/group.js";
import { isGroup } from "../model/address.js";
import type { MemoryRecord } from "../model/record.js";
import { monthOf } from "../model/time.js";
import type { Verdict } from "../model/finding.js";
import type { CompareJob } from "../llm/jobs/compare.js";
import { pairKey, pairsToAsk, settled, type Pair, type Verdicts } from "./compare.js";
import { driftOf, hasDrifted } from "./drift.js";
import { pointersIn } from "./gate.js";
import { jobIdOf } from "../llm/job-id.js";
import type { ModelWorkParts } from "../llm/job-context.js";
import { placeOfRecord } from "../protocol/record-files.js";
import { RecordStore } from "./record-file.js";
import { refusalOf, type Refused } from "./refusal.js";

export class RecordStores {
  readonly #stores = new Map<string, RecordStore>();

  constructor(readonly parts: ModelWorkParts) {}

  /** Older records that these may repeat or contradict. */
  async pairs(records: readonly MemoryRecord[]): Promise<Pair[]> {
    const pairs: Pair[] = [];
    for (const [store, fresh] of await this.#loaded(records))
      pairs.push(...pairsToAsk(fresh, store.known, this.parts.zone));
    return pairs;
  }

  /** How many lines that took; what stands already takes none. */
  async keep(records: readonly MemoryRecord[], verdicts: Verdicts = new Map()): Promise<number> {
    const { zone, clock } = this.parts;
    let written = 0;
    const wanted = records.filter(({ id }) => !this.parts.forgotten.hasRecord(id));
    for (const [store, fresh] of await this.#loaded(wanted)) {
      const lines = settled(fresh, store.known, zone, verdicts);
      written += await store.add(lines, monthOf(zone.dayOf(clock.now())));
    }
    return written;
  }

  async #loaded(records: readonly MemoryRecord[]): Promise<[RecordStore, MemoryRecord[]][]> {
    const { writer, workspace } = this.parts;
    const loaded: [RecordStore, MemoryRecord[]][] = [];
    for (const [key, fresh] of groupBy(records, (record) => JSON.stringify(placeOfRecord(record)))) {
      const [first] = fresh;
      if (first === undefined) continue;
      const store = this.#stores.get(key) ?? new RecordStore(writer, workspace, placeOfRecord(first));
      this.#stores.set(key, store);
      await store.load();
      loaded.push([store, fresh]);
    }
    return loaded;
  }
}

/** What a provider says of them; a text that it makes of two must name what they name, and stand alone. */
export async function compared(
  { pool, zone, onUsage }: ModelWorkParts,
  job: string,
  pairs: readonly Pair[],
): Promise<{ to: "done"; verdicts: Verdicts } | Refused> {
  const [first] = pairs;
  if (first === undefined) return { to: "done", verdicts: new Map() };
  const dated = ({ at, text }: MemoryRecord): { date: string; text: string } => ({
    date: zone.dayOf(at),
    text,
  });
  const { user, scope } = first.newer;
  const work: CompareJob = {
    kind: "compare",
    id: jobIdOf(
      job,
      pairs.map(({ older, newer }) => pairKey(older, newer)),
    ),
    ...(user === undefined || isGroup(scope) ? {} : { user }),
    pairs: pairs.map(({ older, newer }) => ({ older: dated(older), newer: dated(newer) })),
  };
  const outcome = await pool.run(work);
  onUsage(outcome.usage);
  if (outcome.to === "unavailable") return refusalOf(outcome);
  // Without an answer they stand beside each other.
  const answers = outcome.to === "done" ? outcome.result.verdicts : [];
  return {
    to: "done",
    verdicts: new Map(
      pairs.flatMap(({ older, newer }, index): [string, Verdict][] => {
        const verdict = answers[index];
        return verdict === undefined ? [] : [[pairKey(older, newer), believable(verdict, older, newer)]];
      }),
    ),
  };
}

function believable({ is, text }: Verdict, older: MemoryRecord, newer: MemoryRecord): Verdict {
  if (text === undefined) return { is };
  const both = `${older.text}\n${newer.text}`;
  return hasDrifted(driftOf(both, text, [both])) || pointersIn(text).length > 0 ? { is } : { is, text };
}
