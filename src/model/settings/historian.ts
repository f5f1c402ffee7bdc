/** How what was said becomes records and profiles. */
import * as z from "zod";
import { count, countOrNone, positive, section } from "./fields.js";

export const cognitive = section({
  enabled: z.boolean().default(true).describe("`false`: memos go on, what was observed waits in the queue"),
});

export const historian = section({
  gate: z
    .enum(["strict", "warn", "off"])
    .default("strict")
    .describe(
      "what does not stand alone is sent back and at last marked (`strict`), told and kept as if it did (`warn`), or not looked at (`off`)",
    ),
  rewrite_retries: countOrNone
    .default(2)
    .describe("how often an observation that does not stand alone is sent back"),
  recent_messages: countOrNone.default(12).describe("messages before the observed one that a model is shown"),
  recent_message_chars: count.default(240).describe("of each of these messages a model is shown so much"),
  source_chars: count.default(800).describe("of the observed message a model is shown so much"),
  extract: z
    .boolean()
    .default(true)
    .describe(
      "whether exchanges and documents are looked at for what nobody observed; `false`: only what agents observe is kept",
    ),
  round_idle_seconds: positive
    .default(60)
    .describe("an exchange is over when the next one has begun, or nothing has come for so long"),
  stretch_rounds: count.default(8).describe("an episode is told of so many exchanges"),
  stretch_tokens: count.default(4096).describe("an episode is told once exchanges have so much text"),
  stretch_idle_hours: positive
    .default(6)
    .describe("an episode is told of what there is, when nothing has come for so long"),
  message_chars: count.default(4000).describe("of each message of an exchange so much is looked at"),
  foresight_days: count.default(90).describe("what is expected and has no date is expected for so long"),
  document_window_chars: count
    .min(100)
    .default(8000)
    .describe("a document is read in windows of so many characters"),
  profile_revisions: count.default(5).describe("how many older versions of a profile are kept"),
  job_retries: countOrNone
    .default(3)
    .describe(
      "how often a job that failed is tried again, after half a minute, two and ten, before it is set aside",
    ),
  poll_seconds: positive.default(1).describe("how often, at most, it is looked whether a job is due again"),
  failed_days: count.default(30).describe("how long a failed job is kept"),
  failed_files: count.default(500).describe("how many failed jobs are kept at most"),
});
