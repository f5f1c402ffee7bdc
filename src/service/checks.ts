/** What could keep memd from working here, looked at one by one. Asks of memd itself nothing: it may be that which does not work. */
import { messageOf } from "../model/errors.js";
import { jobPrompts } from "../llm/jobs/registry.js";
import { chooseProvider, keyVariable } from "../llm/job-line.js";
import type { Locks } from "../platform/lock.js";
import { answers } from "../platform/owner.js";
import { nodeVersion } from "../platform/process.js";
import type { Ripgrep } from "../platform/ripgrep.js";
import { type FileWriter, publish } from "../protocol/publish.js";
import { readListOnce } from "../protocol/read-list.js";
import { readSettings } from "../protocol/settings.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import type { AnswerOf } from "./operations.js";

/** What is looked at it with. */
export interface Machine {
  writer: FileWriter & { locks: Locks };
  /** On which the workspace's memd answers. */
  socket: string;
  ripgrep: Ripgrep;
  workerEntry: string;
  promptFolders: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  systemZone: string;
}

export async function checkWorkspace(machine: Machine, workspace: Workspace): Promise<AnswerOf<"doctor">> {
  const findings: AnswerOf<"doctor">["findings"] = [];
  for (const [check, look] of Object.entries(CHECKS)) {
    try {
      findings.push({ check, ok: true, detail: await look(machine, workspace) });
    } catch (error) {
      findings.push({ check, ok: false, detail: messageOf(error) });
    }
  }
  return { ok: findings.every(({ ok }) => ok), findings };
}

const CHECKS: Readonly<Record<string, (machine: Machine, workspace: Workspace) => Promise<string>>> = {
  node: async () => {
    const [major = 0, minor = 0] = nodeVersion().split(".").map(Number);
    if (major < 20 || (major === 20 && minor < 19))
      throw new Error(`Node ${nodeVersion()}; memd needs 20.19 or newer`);
    return `Node ${nodeVersion()}`;
  },
  settings: async ({ writer: { disk }, systemZone }, workspace) => {
    const settings = await readSettings(disk, workspace);
    return `time zone ${settings.timezone ?? systemZone}`;
  },
  disk: async ({ writer }, workspace) => {
    const probe = at(workspace, `.memd/doctor-${writer.random.name(8)}`);
    await publish(writer, probe, "probe\n");
    await writer.disk.unlink(probe);
    return "can be written, synced and renamed in";
  },
  lock: async ({ writer: { locks } }, workspace) => {
    await locks.withLock(at(workspace, FILES.history), () => Promise.resolve());
    return "history.json can be locked";
  },
  history: (machine, workspace) => lookAtList(machine, workspace, FILES.history),
  inbox: (machine, workspace) => lookAtList(machine, workspace, FILES.inbox),
  socket: async ({ socket }) => ((await answers(socket)) ? `memd runs (${socket})` : `free (${socket})`),
  worker: async ({ writer: { disk }, workerEntry }) => {
    if ((await disk.stat(workerEntry)) === undefined)
      throw new Error("the worker is not built: run `npm run build`");
    return "built";
  },
  prompts: async ({ writer: { disk }, promptFolders }) => {
    await jobPrompts(disk, promptFolders);
    return "every placeholder is known";
  },
  model: async ({ writer: { disk }, environment }, workspace) => {
    const { llm } = await readSettings(disk, workspace);
    if (chooseProvider(llm, environment) === "builtin") return "built-in, no key needed";
    const key = keyVariable(llm);
    if (key !== undefined && (environment[key] ?? "") === "") throw new Error(`${key} is not set`);
    return `${llm.base_url ?? "api.openai.com"}, ${llm.models.summary ?? "no model named for summaries"}`;
  },
  ripgrep: async ({ ripgrep }, workspace) => {
    const found = await ripgrep({ root: workspace.root, places: [FILES.workspace], words: ["format"] });
    if (found.length === 0) throw new Error("does not run here; searches go without it");
    return "runs";
  },
};

async function lookAtList({ writer }: Machine, workspace: Workspace, file: string): Promise<string> {
  const reading = await readListOnce(writer.disk, at(workspace, file));
  if (reading.is === "absent") return "not there yet";
  if (reading.is === "unreadable") throw new Error(`cannot be read: ${reading.reason}`);
  const strange = reading.list.entries.filter(({ message }) => message === undefined).length;
  return `${reading.list.entries.length} messages${strange === 0 ? "" : `, ${strange} entries that are none (they are kept)`}`;
}
