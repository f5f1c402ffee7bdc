/** The models that recall may ask, as the settings name them. */
import { jobIdOf } from "../llm/job-id.js";
import type { Pool } from "../llm/pool.js";
import { chooseProvider } from "../llm/worker-environment.js";
import type { Settings } from "../model/settings.js";
import type { UsageRecord } from "../model/work.js";
import type { RecallModels } from "./models.js";

interface RecallModelParts {
  pool: Pool;
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  onUsage: (usage: readonly UsageRecord[]) => void;
}

export function recallModels({
  pool,
  settings,
  environment,
  onUsage,
}: RecallModelParts): Pick<RecallModels, "rewrite" | "rerank"> {
  const model = settings.llm.models.rerank;
  return {
    ...(chooseProvider(settings.llm, environment) !== "builtin" && {
      rewrite: async (query, found) => {
        const id = jobIdOf("rewrite", query, found);
        const outcome = await pool.run({ kind: "rewrite", id, query, found: [...found] });
        onUsage(outcome.usage);
        return outcome.to === "done" ? outcome.result.queries : undefined;
      },
    }),
    ...(model !== undefined && {
      rerank: async (query, texts) => {
        const id = jobIdOf("rerank", query, texts);
        const outcome = await pool.run({ kind: "rerank", id, model, query, texts: [...texts] });
        onUsage(outcome.usage);
        return outcome.to === "done" ? outcome.result.scores : undefined;
      },
    }),
  };
}
