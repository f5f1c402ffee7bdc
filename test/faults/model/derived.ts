/** The files that can be made again: written here as the supervisor writes them. */
import { PromptWriter } from "../../../src/supervisor/prompt-writer.js";
import { Search } from "../../../src/supervisor/search.js";
import { saveState } from "../../../src/supervisor/state-file.js";
import { UsageLog } from "../../../src/supervisor/usage-log.js";
import { systemRipgrep } from "../../../src/platform/ripgrep.js";
import { indexInMemory } from "../../../src/recall/index/open.js";
import type { Life, World } from "./life.js";

export async function writeDerived(life: Life, { settings }: World): Promise<void> {
  const { archive, clock } = life;
  const { press, workspace, zone, log } = archive.context;
  const { disk } = press;
  const search = new Search({
    disk,
    clock,
    workspace,
    zone,
    settings,
    ripgrep: systemRipgrep(),
    openIndex: indexInMemory,
    log,
  });
  await search.refresh(archive);
  await new PromptWriter({ press, workspace, clock, zone, settings, search }).refresh(
    archive.history,
    archive.inbox,
  );
  await saveState(press, workspace, { lastPassAt: clock.now() });
  const usage = new UsageLog(press, workspace, zone, clock, undefined);
  await usage.load();
  const record = { at: "2026-03-20T12:00:00.000Z", role: "summary", feature: "summary", model: "test" };
  await usage.add([{ ...record, tokensIn: 1, tokensOut: 1, ms: 1, outcome: "done" } as never]);
  await search.close();
}
