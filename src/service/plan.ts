/** What a pass would do now, with the tokens its model calls would cost. Changes nothing. */
import { groupBy } from "../model/collections.js";
import type { Archive } from "../archive/archive.js";
import { targetKey, tierOf } from "../archive/retries.js";
import { gather } from "../archive/summarise.js";
import type { ArchivePlan } from "./operations/upkeep.js";
import { estimateTokens } from "../text/tokens.js";

type PlannedSummary = ArchivePlan["summaries"][number];

export async function planOf(archive: Archive): Promise<ArchivePlan> {
  const { ledger, zone, clock, settings } = archive.context;
  const today = zone.dayOf(clock.now());
  const summaries = new Map<string, PlannedSummary>();
  for (const owed of archive.owed()) {
    const gathered = await gather(archive.context, owed);
    const { messages = [], days = [] } = gathered?.material ?? {};
    const texts = [...messages.map(({ message }) => message.text), ...days.map(({ body }) => body)];
    const { tier, scope, date } = owed;
    summaries.set(owed.target, { tier, scope, date, messages: messages.length, tokens: sumTokens(texts) });
  }
  const unsettled = ledger.unsettled();
  const days = [...groupBy(unsettled, ({ scope, day }) => `${scope}\u0000${day}`).values()].flatMap(
    (group) => {
      const [first] = group;
      if (first === undefined) return [];
      const { scope, day } = first;
      const tier = tierOf(day, today, settings.archive.recent_days);
      const open = group.filter(({ held }) => held?.message.private !== true);
      if (tier.to !== "verbatim" && open.length > 0) {
        const target = targetKey(scope, tier.date);
        const { messages = 0, tokens = 0 } = summaries.get(target) ?? {};
        const read = sumTokens(open.map(({ held }) => held?.message.text ?? ""));
        const sums = { messages: messages + open.length, tokens: tokens + read };
        summaries.set(target, { tier: tier.to, scope, date: tier.date, ...sums });
      }
      const place = tier.to === "verbatim" ? ("memory" as const) : ("archive" as const);
      return [{ scope, day, messages: group.length, place }];
    },
  );
  const planned = [...summaries.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
  return {
    messages: unsettled.length,
    days,
    summaries: planned,
    tokens: planned.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

function sumTokens(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + estimateTokens(text), 0));
}
