/**
 * `memd connect`: makes memd the memory of an agent that is installed here. First its settings are shown as
 * they would be; then come the workspace, the entries, the past, and a memd that runs. Each step that is done
 * already is passed over, so that a command that was cut off is run again.
 */
import pc from "picocolors";
import { connectHost, foundIn, type Outcomes, plannedConnection } from "../adapters/connecting.js";
import { mustBeInstalled, namedIn } from "../adapters/host-check.js";
import type { Host, HostName } from "../adapters/host.js";
import { hostNamed } from "../adapters/hosts.js";
import { readSettingsText } from "../adapters/settings-file.js";
import { isMemdError } from "../model/errors.js";
import { join } from "../platform/files.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { answers } from "../platform/owner.js";
import { ownProgram } from "../platform/package-root.js";
import { environment, homeDir } from "../platform/process.js";
import { ownerSocket } from "../protocol/owner-note.js";
import type { Workspace } from "../protocol/workspace.js";
import { type CommonOptions, openWorkspace, printJson, printLine, workspaceFolder } from "./context.js";
import type { Done } from "./import-report.js";
import { takenIn, toldAt } from "./import.js";
import { makeWorkspace } from "./make-workspace.js";
import { isAgreed, type SettingsFlags, showDryRun } from "./settings-changes.js";
import { startInBackground } from "./start.js";
import { counted } from "./words.js";

interface ConnectFlags extends SettingsFlags {
  import?: boolean;
  start?: boolean;
}

/** In the home folder, where nobody names one. */
const WORKSPACE = "memd";

export async function connect(name: HostName, flags: ConnectFlags): Promise<void> {
  const host = hostNamed(name, { home: homeDir(), environment: environment() });
  await mustBeInstalled(nodeDisk, host);
  const { folder, why } = await chosenFolder(host, flags);
  const program = ownProgram();
  const changes = await plannedConnection(nodeDisk, host, { program, workspace: folder });
  const quiet = flags.json === true;
  if (!quiet) printLine(`The workspace is ${folder}${why}.`);
  if (flags.dryRun === true) return showDryRun(changes, { agent: name, workspace: folder }, flags);
  if (!(await isAgreed(changes, `Connect ${host.title} so? [y/N] `, flags))) return;
  const options: CommonOptions = { ...flags, workspace: folder };
  const made = await madeIfMissing(folder);
  if (made && !quiet) printLine("Made the workspace.");
  const workspace = await openWorkspace(options);
  const files = await connectHost(ownerless, host, { program, workspace: folder }, workspace);
  if (!quiet) tellWritten(host, files);
  const imported = flags.import === false ? undefined : await pastTaken(host, options);
  if (!quiet && imported !== undefined) printLine(saysOf(imported, host));
  const daemon = flags.start === false ? undefined : await running(workspace);
  if (quiet) return printJson({ agent: name, workspace: folder, made, files, imported, daemon });
  if (daemon !== undefined)
    printLine(daemon.started ? `memd runs now (process ${daemon.pid ?? "?"}).` : "memd runs already.");
  else printLine("Start memd with `memd start --detach`: it keeps the prompt and the archive up to date.");
  for (const remark of host.remarks) printLine(remark);
  if (program.script.includes(NPX_CACHE)) printLine(pc.yellow(NPX_REMARK));
  printLine(pc.dim(`\`memd doctor\` looks whether all is well; \`memd disconnect ${name}\` undoes it.`));
}

const NPX_CACHE = "/_npx/";
const NPX_REMARK =
  "This memd lies where npx keeps what it may clear away: install it (`npm install -g memd`) and connect again.";

/** As it was named; else the one that the agent is connected to. */
async function chosenFolder(host: Host, flags: CommonOptions): Promise<{ folder: string; why: string }> {
  if (flags.workspace !== undefined || environment()["MEMD_WORKSPACE"] !== undefined)
    return { folder: workspaceFolder(flags), why: "" };
  for (const file of host.files) {
    const text = await readSettingsText(nodeDisk, file.path);
    const [folder] = text === undefined ? [] : namedIn(foundIn(file, text).calls);
    if (folder !== undefined) return { folder, why: ", as before" };
  }
  const folder = join(homeDir(), WORKSPACE);
  return { folder, why: ": none was named with --workspace or MEMD_WORKSPACE" };
}

async function madeIfMissing(folder: string): Promise<boolean> {
  try {
    await nodeDisk.makeDir(folder);
    await makeWorkspace(folder, false);
    return true;
  } catch (error) {
    if (isMemdError(error, "workspace_exists")) return false;
    throw error;
  }
}

function tellWritten(host: Host, files: Outcomes): void {
  for (const { path, outcome } of files)
    printLine(outcome === "same" ? pc.dim(`  ${path} has it already`) : `  ${path}`);
  printLine(`${pc.green("Connected")} to ${host.title}.`);
}

type Imported = Done & { conversations: number };

/** Of the folders that are there; an agent that is new has none yet. */
async function pastTaken({ past: places }: Host, options: CommonOptions): Promise<Imported> {
  const standing: string[] = [];
  for (const place of places) if ((await nodeDisk.realPath(place)) !== undefined) standing.push(place);
  const { past, parts } = await toldAt(standing, options);
  if (parts.length === 0 && past.notes.length === 0)
    return { conversations: 0, messages: 0, fresh: 0, documents: 0 };
  return { conversations: parts.length, ...(await takenIn(past, parts, options)) };
}

function saysOf({ conversations, messages, fresh }: Imported, host: Host): string {
  if (conversations === 0) return `${host.title} holds no conversations yet.`;
  const of = `of ${messages} in ${counted(conversations, "conversation")}`;
  return `Imported ${counted(fresh, "new message")} ${of}.`;
}

async function running(workspace: Workspace): Promise<{ started: boolean; pid?: number | undefined }> {
  const socket = await ownerSocket(workspace);
  if (await answers(socket)) return { started: false };
  return { started: true, ...(await startInBackground(workspace, socket)) };
}
