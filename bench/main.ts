/**
 * `npm run bench -- <name> [--json]`: one figure-giving run each. Figures are for
 * comparing within a run; machines are noisy, so medians and ratios count.
 */
import { benchAgents } from "./agents/agents.js";
import { benchArchive } from "./archive.js";
import { nodeMs } from "./bare.js";
import { benchData } from "./data.js";
import { benchDecade } from "./decade.js";
import { benchDocument } from "./document.js";
import { benchEngines } from "./search/engines.js";
import { benchEnqueue } from "./enqueue.js";
import { benchEvidence } from "./evidence/evidence.js";
import { benchFleet } from "./fleet.js";
import { benchHooks } from "./hooks/hooks.js";
import { benchExport } from "./export.js";
import { benchHostile } from "./hostile.js";
import { benchImport } from "./import.js";
import { benchMcp } from "./mcp/mcp.js";
import { benchOwed } from "./owed.js";
import { benchRecords } from "./records.js";
import { benchRelative } from "./relative.js";
import { benchPage } from "./page.js";
import { benchRest } from "./rest.js";
import { benchScroll } from "./scroll.js";
import { benchPaths } from "./paths/paths.js";
import { benchPipeline } from "./pipeline.js";
import { benchPrompt } from "./prompt.js";
import { benchRecall } from "./recall/recall.js";
import { benchScale } from "./search/scale.js";
import { benchSearch } from "./search/search.js";
import { benchSecrets } from "./secrets.js";
import { benchSources } from "./sources.js";
import { benchTimings } from "./timings/timings.js";
import { benchTokens } from "./tokens.js";
import { benchTopics } from "./topics.js";
import { benchWalls } from "./walls/walls.js";
import { benchWindow } from "./window.js";

type Bench = (options: ReadonlyMap<string, string>) => Promise<Record<string, unknown>>;

const BENCHES: Readonly<Record<string, Bench>> = {
  agents: benchAgents,
  archive: benchArchive,
  data: benchData,
  decade: benchDecade,
  document: benchDocument,
  engines: benchEngines,
  enqueue: benchEnqueue,
  evidence: benchEvidence,
  fleet: benchFleet,
  hooks: benchHooks,
  export: benchExport,
  hostile: benchHostile,
  import: benchImport,
  mcp: benchMcp,
  owed: benchOwed,
  records: benchRecords,
  relative: benchRelative,
  page: benchPage,
  rest: benchRest,
  scroll: benchScroll,
  paths: benchPaths,
  pipeline: benchPipeline,
  prompt: benchPrompt,
  recall: benchRecall,
  scale: benchScale,
  search: benchSearch,
  secrets: benchSecrets,
  sources: benchSources,
  timings: benchTimings,
  tokens: benchTokens,
  topics: benchTopics,
  walls: benchWalls,
  window: benchWindow,
};

const [name = "", ...rest] = process.argv.slice(2);
const options = new Map<string, string>();
for (let at = 0; at < rest.length; at++) {
  const flag = rest[at] ?? "";
  if (!flag.startsWith("--")) continue;
  const next = rest[at + 1];
  if (next === undefined || next.startsWith("--")) options.set(flag.slice(2), "true");
  else options.set(flag.slice(2), rest[++at] ?? "");
}
const bench = BENCHES[name];
if (bench === undefined) {
  process.stderr.write(`bench: name one of ${Object.keys(BENCHES).join(", ")}\n`);
  process.exitCode = 2;
} else {
  const figures = { node_ms: nodeMs(), ...(await bench(options)) };
  if (options.has("json")) process.stdout.write(`${JSON.stringify({ bench: name, ...figures })}\n`);
  else
    for (const [figure, value] of Object.entries(figures))
      process.stdout.write(`${figure.padEnd(24)} ${JSON.stringify(value)}\n`);
}
