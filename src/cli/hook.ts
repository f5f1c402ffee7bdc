/**
 * `memd hook AGENT`: what an agent runs when something is typed, when it has answered and when a conversation
 * begins. What was said is kept in one durable file, and what the memory holds for it is printed as that agent
 * reads it.
 *
 * It fails open: whatever happens, the agent goes on within its deadline as if there were no memory.
 */
import { DIALECTS, type HookedAgent } from "../adapters/hooks/dialects.js";
import { eventIn, type HookEvent } from "../adapters/hooks/hook.js";
import { MARK_CHARS, marked } from "../adapters/hooks/marks.js";
import { toldBy } from "../adapters/hooks/tell.js";
import { isKeptOut } from "../adapters/live/kept-out.js";
import { projectOf, scopeOfProject } from "../adapters/project.js";
import { fieldsOf, stringOf } from "../adapters/fields.js";
import { askRunning } from "../library/running.js";
import { LOCAL_USER, MAIN_SCOPE, MAIN_SESSION, type ScopeId } from "../model/address.js";
import { MOST_BRIEFED_CHARS } from "../model/briefing.js";
import { EXIT, isMemdError } from "../model/errors.js";
import { HOUR_MS } from "../model/time.js";
import { systemClock } from "../platform/clock.js";
import { join, realFolder } from "../platform/files.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { answers } from "../platform/owner.js";
import { environment, exitNow, readStandardInput, startDetached, terminal } from "../platform/process.js";
import { ownerSocket } from "../protocol/owner-note.js";
import { nameDrop, writeDrop } from "../protocol/read-list.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";
import { commandClock, type CommonOptions, openWorkspace } from "./context.js";

/** Beside what it takes this program to start. */
const DEADLINE_MS = 600;
/** Set where an agent is not to be remembered. */
const OFF = "MEMD_HOOKS";

export async function hook(agent: HookedAgent, options: CommonOptions): Promise<void> {
  const late = systemClock().after(DEADLINE_MS, () => exitNow(EXIT.done));
  try {
    if (environment()[OFF] !== "off") await hear(agent, options);
  } catch (error) {
    if (options.debug === true) terminal.err(`memd: ${String(error)}\n`);
  } finally {
    late.cancel();
  }
}

async function hear(agent: HookedAgent, options: CommonOptions): Promise<void> {
  const fields = fieldsOf(JSON.parse(new TextDecoder().decode(await readStandardInput())));
  const dialect = DIALECTS[agent];
  const event = eventIn(dialect, fields, environment()["CLAUDE_PROJECT_DIR"]);
  if (event === undefined || event.is === "other") return;
  const workspace = await openWorkspace(options);
  const project = event.folder === undefined ? undefined : await projectOf(nodeDisk, event.folder);
  const of = { places: [project, event.folder], session: event.session };
  if (await isKeptOut(nodeDisk, workspace, of, environment()["HOME"])) return;
  const scope = project === undefined ? MAIN_SCOPE : scopeOfProject(project);
  const now = commandClock().now();
  const told = toldBy(agent, event, scope, now);
  const id = nameDrop(ownerless.random, now, FILES.told);
  // While it is written, what answers it is looked for: it is known by its name. Neither is left waiting by the other.
  const [found, written] = await Promise.allSettled([
    briefed(workspace, event, scope, id),
    told && writeDrop(ownerless, workspace, told, now, FILES.told, id),
  ]);
  if (found.status === "fulfilled" && found.value !== "") {
    const says = dialect.says(stringOf(fields["hook_event_name"]) ?? "", found.value);
    if (says !== undefined) terminal.out(`${says}\n`);
  }
  for (const end of [written, found]) if (end.status === "rejected") throw end.reason;
}

async function briefed(
  workspace: Workspace,
  { is, text, session = MAIN_SESSION }: HookEvent,
  scope: ScopeId,
  id: string,
): Promise<string> {
  const socket = await ownerSocket(workspace);
  if (is === "answered" || (is === "asked" && text === undefined)) {
    if (!(await answers(socket))) await startOnceAnHour(workspace);
    return "";
  }
  const as = { user: LOCAL_USER, scope, session };
  const most = { max_chars: MOST_BRIEFED_CHARS - MARK_CHARS };
  const asked = is === "asked" ? { asked: text, id, ...most } : most;
  try {
    return marked((await askRunning(socket, (memd) => memd.ask("briefing", { as, ...asked }))).text);
  } catch (error) {
    if (!isMemdError(error, "not_running")) throw error;
    await startOnceAnHour(workspace);
    return "";
  }
}

/** Nobody may have asked for it to be stopped in between: a hook runs at every word. */
async function startOnceAnHour(workspace: Workspace): Promise<void> {
  const stamp = at(workspace, FILES.hookStart);
  const stat = await nodeDisk.stat(stamp);
  if (stat !== undefined && systemClock().now() - stat.mtimeMs < HOUR_MS) return;
  // In a new workspace neither folder is there.
  for (const folder of [FILES.logs, FILES.derived]) await nodeDisk.makeDir(at(workspace, folder));
  await nodeDisk.replaceDerived(stamp, new Uint8Array());
  const output = join(await realFolder(nodeDisk, at(workspace, FILES.logs)), "start.txt");
  await startDetached(["start", "--workspace", workspace.root], output);
}
