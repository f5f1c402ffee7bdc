/** memd.toml: settings, or one sentence with a line that exists. */
import { isMemdError } from "../../../src/model/errors.js";
import { settingsSchema } from "../../../src/model/settings.js";
import { readSettings } from "../../../src/protocol/settings.js";
import { diskWith, put } from "./disk.js";
import { mustBe, type Case, type Kind, type Outcome } from "./kind.js";
import type { Rng } from "./seed.js";

export const SETTINGS: readonly Kind[] = [{ name: "memd.toml", share: 7, make: settingsCase }];

const TABLES = [
  'timezone = "Asia/Shanghai"\n',
  "[archive]\ntrigger_messages = 100 # as the seed says\nbackoff_minutes = [10, 30,\n  120]\n",
  '[llm]\nbase_url = "http://127.0.0.1:11434/v1"\nmodels = { summary = "qwen3:8b", strong = \'x\' }\n',
  '[llm]\napi_key_env = """\nOPENAI_KEY"""\n',
  "[history]\nhard_limit_mb = 1.5e1\nsoft_limit_messages = 0x10\n",
  "[context]\nmemory_hits = 5\n\n[recall]\nmin_score = 0.25\n",
  "[[worker]]\nkeep_seconds = 2026-01-05T10:00:00Z\n",
  '[retention]\nrecent_days = 30\n"odd key" = true\n',
] as const;

function settingsCase(rng: Rng): Case {
  const text = Array.from({ length: 1 + rng.int(4) }, () => rng.pick(TABLES)).join("\n");
  return {
    whole: Buffer.from(text),
    try: async (input): Promise<Outcome> => {
      const disk = await diskWith("/w");
      await put(disk, "/w/memd.toml", input);
      try {
        const settings = await readSettings(disk, { root: "/w" });
        const again = settingsSchema.safeParse(settings);
        mustBe("changed", again.success, "settings that were read are no settings");
        return "parsed";
      } catch (error) {
        if (!isMemdError(error, "settings_invalid")) throw error;
        const line = Number(/line (\d+)/.exec(error.message)?.[1] ?? 1);
        const lines = new TextDecoder().decode(input).split("\n").length;
        mustBe("changed", line >= 1 && line <= lines + 1, `line ${line} of ${lines}: ${error.message}`);
        return "refused";
      }
    },
  };
}
