/** `memd disconnect`: takes out of an agent's settings what is memd's. The workspace, with all that it remembers, stays. */
import { disconnectHost, plannedDisconnection } from "../adapters/connecting.js";
import type { HostName } from "../adapters/host.js";
import { hostNamed } from "../adapters/hosts.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { environment, homeDir } from "../platform/process.js";
import { printJson, printLine } from "./context.js";
import { isAgreed, type SettingsFlags, showDryRun } from "./settings-changes.js";

export async function disconnect(name: HostName, flags: SettingsFlags): Promise<void> {
  const host = hostNamed(name, { home: homeDir(), environment: environment() });
  const changes = await plannedDisconnection(nodeDisk, host);
  if (flags.dryRun === true) return showDryRun(changes, { agent: name }, flags);
  if (!(await isAgreed(changes, `Disconnect ${host.title}? [y/N] `, flags))) return;
  const files = await disconnectHost(ownerless, host);
  if (flags.json === true) return printJson({ agent: name, files });
  const changed = files.filter(({ outcome }) => outcome !== "same");
  if (changed.length === 0) return printLine(`memd is not connected to ${host.title}: nothing was changed.`);
  for (const { path, outcome } of changed) printLine(`  ${path}${outcome === "removed" ? ", removed" : ""}`);
  printLine(`Disconnected from ${host.title}. What memd remembers stays in its workspace.`);
}
