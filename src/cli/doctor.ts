/** `memd doctor`: what could keep memd from working here, one line each; and `memd config check`. */
import pc from "picocolors";
import { EXIT, messageOf } from "../model/errors.js";
import { jobPrompts } from "../llm/jobs/registry.js";
import { chooseProvider, keyVariable } from "../llm/job-line.js";
import { fileLocks } from "../platform/lock.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { answers } from "../platform/owner.js";
import { ownerSocket } from "../protocol/owner-note.js";
import { promptsFolder, workerEntry } from "../platform/package-root.js";
import { environment, nodeVersion, setExitCode } from "../platform/process.js";
import { systemRandom } from "../platform/clock.js";
import { systemRipgrep } from "../platform/ripgrep.js";
import { publish } from "../protocol/publish.js";
import { readListOnce } from "../protocol/read-list.js";
import { readSettings } from "../protocol/settings.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { openWorkspace, tell, type CommonOptions } from "./context.js";

export async function doctor(options: CommonOptions): Promise<void> {
  const workspace = await openWorkspace(options);
  const findings: { check: string; ok: boolean; detail: string }[] = [];
  for (const [check, look] of Object.entries(CHECKS)) {
    try {
      findings.push({ check, ok: true, detail: await look(workspace) });
    } catch (error) {
      findings.push({ check, ok: false, detail: messageOf(error) });
    }
  }
  const well = findings.every(({ ok }) => ok);
  tell(options, { ok: well, findings }, () =>
    findings.map(
      ({ check, ok, detail }) => `${ok ? pc.green("ok  ") : pc.red("FAIL")}  ${check.padEnd(12)} ${detail}`,
    ),
  );
  if (!well) setExitCode(EXIT.failed);
}

export async function checkConfig(options: CommonOptions): Promise<void> {
  const workspace = await openWorkspace(options);
  const settings = await readSettings(nodeDisk, workspace);
  const there = (await nodeDisk.stat(at(workspace, FILES.settings))) !== undefined;
  tell(options, settings, () =>
    there ? "memd.toml is valid." : "There is no memd.toml: every setting has its default.",
  );
}

const CHECKS: Readonly<Record<string, (workspace: Workspace) => Promise<string>>> = {
  node: async () => {
    const [major = 0, minor = 0] = nodeVersion().split(".").map(Number);
    if (major < 20 || (major === 20 && minor < 19))
      throw new Error(`Node ${nodeVersion()}; memd needs 20.19 or newer`);
    return `Node ${nodeVersion()}`;
  },
  settings: async (workspace) => {
    const settings = await readSettings(nodeDisk, workspace);
    return `time zone ${settings.timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone}`;
  },
  disk: async (workspace) => {
    const probe = at(workspace, `.memd/doctor-${systemRandom.name(8)}`);
    await publish(ownerless, probe, "probe\n");
    await nodeDisk.unlink(probe);
    return "can be written, synced and renamed in";
  },
  lock: async (workspace) => {
    await fileLocks.withLock(at(workspace, FILES.history), () => Promise.resolve());
    return "history.json can be locked";
  },
  history: (workspace) => lookAtList(workspace, FILES.history),
  inbox: (workspace) => lookAtList(workspace, FILES.inbox),
  socket: async (workspace) => {
    const socket = await ownerSocket(workspace);
    return (await answers(socket)) ? `memd runs (${socket})` : `free (${socket})`;
  },
  worker: async () => {
    if ((await nodeDisk.stat(workerEntry())) === undefined)
      throw new Error("the worker is not built: run `npm run build`");
    return "built";
  },
  prompts: async (workspace) => {
    await jobPrompts(nodeDisk, [at(workspace, "prompts"), promptsFolder()]);
    return "every placeholder is known";
  },
  model: async (workspace) => {
    const { llm } = await readSettings(nodeDisk, workspace);
    if (chooseProvider(llm, environment()) === "builtin") return "built-in, no key needed";
    const key = keyVariable(llm);
    if (key !== undefined && (environment()[key] ?? "") === "") throw new Error(`${key} is not set`);
    return `${llm.base_url ?? "api.openai.com"}, ${llm.models.summary ?? "no model named for summaries"}`;
  },
  ripgrep: async (workspace) => {
    const found = await systemRipgrep()({
      root: workspace.root,
      places: [FILES.workspace],
      words: ["format"],
    });
    if (found.length === 0) throw new Error("does not run here; searches go without it");
    return "runs";
  },
};

async function lookAtList(workspace: Workspace, file: string): Promise<string> {
  const reading = await readListOnce(nodeDisk, at(workspace, file));
  if (reading.is === "absent") return "not there yet";
  if (reading.is === "unreadable") throw new Error(`cannot be read: ${reading.reason}`);
  const strange = reading.list.entries.filter(({ message }) => message === undefined).length;
  return `${reading.list.entries.length} messages${strange === 0 ? "" : `, ${strange} entries that are none (they are kept)`}`;
}
