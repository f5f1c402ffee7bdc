/** What is looked at when something does not go as it should: this machine, the settings, the log, what models cost. */
import * as z from "zod";
import { type Settings, settingsSchema } from "../../model/settings.js";
import { limit, madeAs, period } from "./fields.js";
import { owner } from "./operation.js";

export const doctor = owner({
  call: "POST /doctor",
  command: "doctor",
  summary: "what could keep memd from working here, a finding for each check, and whether all is well",
  input: z.strictObject({}),
  output: z.object({
    ok: z.boolean(),
    findings: z.array(z.object({ check: z.string(), ok: z.boolean(), detail: z.string() })),
  }),
});

export const settings = owner({
  call: "GET /settings",
  command: "config check",
  summary: "what `memd.toml` says now, with the default of what it leaves out",
  input: z.strictObject({}),
  errors: ["settings_invalid"],
  output: madeAs<Settings>(settingsSchema),
});

export const logs = owner({
  call: "GET /logs",
  command: "logs",
  summary: "the newest lines of `logs/memd.jsonl`, oldest first; 50 unless `limit` says otherwise",
  input: z.strictObject({ limit }),
  example: { limit: 20 },
  output: z.object({ lines: z.array(z.record(z.string(), z.unknown())) }),
});

export const usage = owner({
  call: "GET /usage",
  command: "usage",
  summary:
    "what models cost, a total for each local day, role and model, and the tokens that are left under the day's cap, where there is one",
  input: z.strictObject(period),
  example: { time_from: "2026-01-01" },
  output: z.object({
    totals: z.array(
      z.object({
        day: z.string(),
        role: z.string(),
        model: z.string(),
        calls: z.number(),
        /** Calls without a usable answer. */
        failures: z.number(),
        tokensIn: z.number(),
        tokensOut: z.number(),
        tokensCached: z.number(),
        ms: z.number(),
      }),
    ),
    leftTokens: z.number().exactOptional(),
  }),
});

export const addUsage = owner({
  call: "POST /usage",
  summary:
    "model calls that were made on memd's behalf, as lines of `logs/usage.jsonl`, count like its own: how many were kept",
  input: z.strictObject({ calls: z.array(z.unknown()).max(1000) }),
  example: { calls: [] },
  output: z.object({ kept: z.number() }),
});
