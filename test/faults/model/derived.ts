/** The files that can be made again: written here as the supervisor writes them. */
import { Compactor } from "../../../src/context/compactor.js";
import { LastSaid } from "../../../src/prompt/last-said.js";
import { PromptSources } from "../../../src/prompt/sources.js";
import { PromptWriter } from "../../../src/prompt/writer.js";
import { RecallService } from "../../../src/recall/service.js";
import { saveState } from "../../../src/archive/passes.js";
import { UsageLog } from "../../../src/llm/usage.js";
import type { Settings } from "../../../src/model/settings.js";
import type { Pool } from "../../../src/llm/pool.js";
import { systemRipgrep } from "../../../src/platform/ripgrep.js";
import { indexInMemory } from "../../../src/recall/index/open.js";
import type { Life, World } from "./life.js";
import { tickOf } from "../../../src/platform/background.js";
import { loopByHand } from "../../support/loop-by-hand.js";

export async function writeDerived(life: Life, { settings }: World): Promise<void> {
  const { archive, clock } = life;
  const { writer, workspace, zone, log } = archive.context;
  const { disk } = writer;
  // First, since it is small: the states of a prompt are many, and the slice looks at so many of a story.
  await saveState(writer, workspace, { lastPassAt: clock.now() });
  const search = new RecallService({
    disk,
    clock,
    workspace,
    zone,
    settings,
    ripgrep: systemRipgrep(),
    openIndex: indexInMemory,
    log,
  });
  await search.refresh(archive.context.ledger.unfiled());
  const sources = new PromptSources({ disk, clock, workspace, settings });
  const lastSaid = new LastSaid({ archive, closedAt: (viewer) => sources.closedAt(viewer) });
  const prompts = new PromptWriter({ writer, workspace, clock, zone, settings, search, sources, lastSaid });
  await prompts.refresh({
    history: archive.history.messages.map(({ filed }) => filed),
    inbox: archive.inbox.messages.map(({ filed }) => filed),
  });
  await foldWindow(life, settings);
  const usage = new UsageLog(writer, workspace, zone, clock, undefined);
  await usage.load();
  const record = { at: "2026-03-20T12:00:00.000Z", role: "summary", feature: "summary", model: "test" };
  await usage.add([{ ...record, tokensIn: 1, tokensOut: 1, ms: 1, outcome: "done" } as never]);
  await search.close();
}

/** A window so small that all but one message leave it. */
async function foldWindow({ archive }: Life, settings: Settings): Promise<void> {
  const { writer, workspace, clock, zone, log } = archive.context;
  const context = {
    ...settings.context,
    profile: "full" as const,
    compact_at_tokens: 1,
    compact_to_tokens: 1,
  };
  const parts = { writer, workspace, clock, zone, log, settings: { ...settings, context }, pool: saying };
  const compactor = new Compactor(
    { ...parts, forgotten: archive.context.ledger.forgotten, onUsage: () => undefined },
    loopByHand(),
  );
  await compactor.poll(tickOf(archive));
  await compactor.over();
}

/** Models that answer at once. */
const saying: Pool = {
  run: (job) => {
    const result =
      job.kind === "summary"
        ? { kind: "summary", id: job.id, by: "test", sections: [{ text: "- what was said" }] }
        : { kind: "observations", id: job.id, by: "test", observations: [] };
    return Promise.resolve({ to: "done", usage: [], result } as never);
  },
  close: () => Promise.resolve(),
  counts: () => ({ processes: 0, running: 0, queued: 0, done: 0, unavailable: 0, failed: 0 }),
  failing: () => undefined,
};
