/** What is kept of a workspace, where, and how long; and what is kept from being shown. */
import * as z from "zod";
import { count, countOrNone, positive, section } from "./fields.js";

export const timezone = z
  .string()
  .refine(isTimeZone, 'is not an IANA time zone such as "Asia/Shanghai"')
  .optional()
  .describe("IANA name; the system's when not set");

export const documents = z
  .array(z.string().refine(isGlobInside, 'is no path inside the workspace, such as "notes/**/*.md"'))
  .default([])
  .describe('files of the workspace, as globs, that are documents: `["notes/**/*.md"]`');

export const files = section({
  linked: z
    .array(z.string().refine(isFolderInside, 'is no folder inside the workspace, such as "memory/archive"'))
    .default([])
    .describe("folders of the workspace in whose place a link is followed"),
});

export const archive = section({
  trigger_messages: count.default(100).describe("archive when more than this many messages wait"),
  interval_hours: positive.default(6).describe("archive at the latest so long after the last pass"),
  recent_days: countOrNone
    .default(5)
    .describe("days of at most this age stay in `memory/` itself and get no summary"),
  backoff_minutes: z
    .array(positive)
    .min(1)
    .default([10, 30, 120, 360, 720])
    .describe("waits before a failed summary is tried again"),
  backlog_hours: positive.default(24).describe("wait between tries once `backoff_minutes` are used up"),
});

export const history = section({
  soft_limit_messages: count
    .default(200)
    .describe(
      "beyond this the oldest messages that stand in the days leave `history.json`, and what is not archived is archived at once",
    ),
  hard_limit_messages: count
    .default(300)
    .describe("beyond this newer messages leave `history.json` too; what is not archived never does"),
  hard_limit_mb: positive.default(10).describe("the hard limit by the size of `history.json`"),
  keep_newest_messages: countOrNone
    .default(50)
    .describe(
      "so many of the newest messages stay in `history.json`, whatever their number; for their size they may leave, down to five",
    ),
  keep_today_messages: countOrNone
    .default(100)
    .describe("so many of today's messages stay in `history.json` likewise"),
});

export const retention = section({
  recent_days: count.optional().describe("`memd prune` removes days in `memory/` that are older"),
  summary_days: count.optional().describe("`memd prune` removes summaries that are older"),
  archive_days: count.optional().describe("`memd prune` removes days in `memory/archive/` that are older"),
});

export const secrets = section({
  patterns: z
    .array(
      z
        .string()
        .min(4)
        .max(300)
        .refine(
          isSwiftPattern,
          'is no regular expression that is quick on every text, such as "ACME-[A-Z0-9]{12}": it begins with what is not repeated, repeats without end (*, +) one thing at most, and no group',
        ),
    )
    .max(50)
    .default([])
    .describe(
      'regular expressions of what is a secret here besides what everybody knows for one, such as `"ACME-[A-Z0-9]{12}"`; what matches is shown, searched and sent to models as `[redacted:secret]`. At most 50, each quick on every text: the first thing is not repeated, one at most repeats without end, and no group does',
    ),
});

export const git = section({
  commit: z
    .boolean()
    .default(false)
    .describe(
      "memd commits what it writes; see [OPERATIONS.md](OPERATIONS.md#under-git). `memd init --git` sets it",
    ),
  parent: z
    .boolean()
    .default(false)
    .describe("the same in the repository of a folder above, where the workspace has none of its own"),
});

export const agents = section({
  exclude: z
    .array(z.string().min(1))
    .default([])
    .describe(
      "folders (with all below them; `~` is yours) and ids of conversations that no hook and no transcript tells memd of",
    ),
});

function isGlobInside(glob: string): boolean {
  const isPath = glob.trim() !== "" && glob.length <= 500 && !/^[/~\\]|^[A-Za-z]:|^!/.test(glob);
  return isPath && !glob.split("/").includes("..");
}

/** It runs over every text that comes in: whatever that is, it may not take longer than the text is long. */
function isSwiftPattern(source: string): boolean {
  const bare = source.replace(/\\[^]/g, "x").replace(/\[[^\]]{0,300}\]/g, "x");
  const endless = bare.match(/[*+]|\{\d+,\}/g) ?? [];
  if (endless.length > 1 || /\)[*+{]|\(\?<?[=!]/.test(bare) || /^\(?(?:\?:)?[^(|][*+?{]/.test(bare))
    return false;
  try {
    return !new RegExp(source, "u").test("");
  } catch {
    // The engine says that it is none only by throwing.
    return false;
  }
}

function isFolderInside(dir: string): boolean {
  return isGlobInside(dir) && !/[*?[\]{}]/.test(dir);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    // Intl says "no such zone" only by throwing.
    return false;
  }
}
