/** `memd usage`. */
import { zoneOf } from "../model/time.js";
import { readUsage, usageTotals } from "../llm/usage.js";
import { nodeDisk } from "../platform/node-disk.js";
import { readSettings } from "../protocol/settings.js";
import { openWorkspace, tell, type CommonOptions } from "./context.js";
import { table } from "./words.js";

export async function usage(options: CommonOptions): Promise<void> {
  const workspace = await openWorkspace(options);
  const settings = await readSettings(nodeDisk, workspace);
  const zone = zoneOf(settings.timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const totals = usageTotals(await readUsage({ disk: nodeDisk }, workspace), zone);
  const rows = totals.map(({ day, role, model, calls, failures, tokensIn, tokensOut, tokensCached }) =>
    [day, role, model, calls, failures, tokensIn, tokensOut, tokensCached].map(String),
  );
  tell(options, totals, () =>
    rows.length === 0
      ? "No model has been called yet: the built-in provider costs nothing."
      : table(["day", "role", "model", "calls", "failed", "tokens in", "out", "cached"], rows),
  );
}
