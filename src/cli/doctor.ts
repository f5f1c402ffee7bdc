/**
 * `memd doctor`: what could keep memd from working here, one line each; and `memd config check`. Looked at
 * from here, whether memd runs or cannot.
 */
import pc from "picocolors";
import { checkHost } from "../adapters/host-check.js";
import { hostsIn } from "../adapters/hosts.js";
import { EXIT } from "../model/errors.js";
import { fileLocks } from "../platform/lock.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { promptsFolder, workerEntry } from "../platform/package-root.js";
import { environment, homeDir, setExitCode } from "../platform/process.js";
import { systemRipgrep } from "../platform/ripgrep.js";
import { ownerSocket } from "../protocol/owner-note.js";
import { reachingHash } from "../daemon/settings-below.js";
import { saveTrusted } from "../protocol/trust.js";
import { readSettings } from "../protocol/settings.js";
import { at, FILES } from "../protocol/workspace.js";
import { checkWorkspace } from "../service/checks.js";
import { openWorkspace, tell, type CommonOptions } from "./context.js";

export async function doctor(options: CommonOptions): Promise<void> {
  const workspace = await openWorkspace(options);
  const machine = {
    writer: { ...ownerless, locks: fileLocks },
    socket: await ownerSocket(workspace),
    ripgrep: systemRipgrep(),
    workerEntry: workerEntry(),
    promptFolders: [at(workspace, "prompts"), promptsFolder()],
    environment: environment(),
    systemZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const own = await checkWorkspace(machine, workspace);
  const findings = [...own.findings];
  for (const host of hostsIn({ home: homeDir(), environment: environment() }))
    findings.push(await checkHost(nodeDisk, host));
  const found = { ok: findings.every(({ ok }) => ok), findings };
  tell(options, found, () =>
    findings.map(
      ({ check, ok, detail }) => `${ok ? pc.green("ok  ") : pc.red("FAIL")}  ${check.padEnd(12)} ${detail}`,
    ),
  );
  if (!found.ok) setExitCode(EXIT.failed);
}

/** Of a workspace that a memd below a root serves: it is what stands there now that is trusted. */
export async function trustConfig(options: CommonOptions & { withdraw?: boolean }): Promise<void> {
  const workspace = await openWorkspace(options);
  const hash = options.withdraw === true ? undefined : reachingHash(await readSettings(nodeDisk, workspace));
  await saveTrusted(workspace.root, hash);
  const says =
    hash === undefined
      ? "Its settings that reach out of it count no more below a root."
      : "Its settings count below a root too, as long as those that reach out of it stay as they are.";
  tell(options, { trusted: hash !== undefined }, () => [
    says,
    "A memd that serves it has them when it opens the workspace next.",
  ]);
}

export async function checkConfig(options: CommonOptions): Promise<void> {
  const workspace = await openWorkspace(options);
  const settings = await readSettings(nodeDisk, workspace);
  const there = (await nodeDisk.stat(at(workspace, FILES.settings))) !== undefined;
  tell(options, settings, () =>
    there ? "memd.toml is valid." : "There is no memd.toml: every setting has its default.",
  );
}
