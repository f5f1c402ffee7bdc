/** `memd service`: memd as a service of this user's, which starts with the login and again after a crash. */
import { EXIT, MemdError } from "../model/errors.js";
import { join } from "../platform/files.js";
import { nodeDisk, ownerless } from "../platform/node-disk.js";
import { answers } from "../platform/owner.js";
import { packageRoot } from "../platform/package-root.js";
import { environment, platform, setExitCode, userId } from "../platform/process.js";
import { NODE, nodeSpawn } from "../platform/spawn.js";
import { ownerSocket } from "../protocol/owner-note.js";
import { publish, readText } from "../protocol/publish.js";
import { commandClock, type CommonOptions, openWorkspace, tell } from "./context.js";
import { type Argv, isOwnService, servicePlan, type ServicePlan } from "./service-units.js";

type ServiceFlags = CommonOptions & { port?: number; dryRun?: boolean };

export async function installService(flags: ServiceFlags): Promise<void> {
  const { plan, standing, isRunning } = await placeOf(flags);
  const [before, steps] = standing === undefined ? [[], plan.install] : [plan.clear, plan.replace];
  if (flags.dryRun === true)
    return tell(
      flags,
      { ...toldOf(plan), text: plan.text, commands: [...before, ...steps].map(line) },
      () => [`Would write ${plan.file}:`, "", plan.text, `and run: ${linesOf([...before, ...steps])}`],
    );
  if (standing === undefined && isRunning)
    throw new MemdError("busy", "memd runs here already, and not as a service.");
  await publish(ownerless, plan.file, plan.text);
  await runAll(before);
  const { notRun, why } = await runAll(steps);
  tell(flags, { ...toldOf(plan), started: notRun.length === 0, notRun: notRun.map(line) }, () => [
    `Wrote ${plan.file}`,
    ...(notRun.length === 0
      ? [`memd runs as ${plan.name}, and again after each login. \`memd service remove\` takes it away.`]
      : [`It is not started: ${why}`, `Run: ${linesOf(notRun)}`]),
    "A key that models need is not in a service's environment unless you put it there: ~/.config/environment.d/ for systemd, `launchctl setenv` on macOS.",
  ]);
  if (why !== ABSENT && notRun.length > 0) setExitCode(EXIT.failed);
}

export async function removeService(flags: ServiceFlags): Promise<void> {
  const { plan, standing } = await placeOf(flags);
  const steps = [...plan.remove, ...plan.removed];
  if (standing === undefined)
    return tell(flags, { ...toldOf(plan), removed: false }, () => `There is no ${plan.file}.`);
  if (flags.dryRun === true)
    return tell(flags, { ...toldOf(plan), removed: false, commands: steps.map(line) }, () => [
      `Would run: ${linesOf(plan.remove)}`,
      `and remove ${plan.file}`,
    ]);
  const stopped = await runAll(plan.remove);
  await nodeDisk.unlink(plan.file);
  const forgotten = await runAll(plan.removed);
  const notRun = [...stopped.notRun, ...forgotten.notRun];
  tell(flags, { ...toldOf(plan), removed: true, notRun: notRun.map(line) }, () => [
    `Removed ${plan.file}`,
    ...(notRun.length === 0 ? [] : [`Where it still runs: ${linesOf(notRun)}`]),
  ]);
}

export async function serviceStatus(flags: ServiceFlags): Promise<void> {
  const { plan, standing, isRunning } = await placeOf(flags);
  const { notRun } = standing === undefined ? { notRun: [plan.isActive] } : await runAll([plan.isActive]);
  const told = { ...toldOf(plan), installed: standing !== undefined, active: notRun.length === 0 };
  tell(flags, { ...told, running: isRunning }, () => [
    told.installed ? `${plan.name}: ${told.active ? "active" : "installed, not active"}` : "Not installed.",
    ...(told.installed ? [plan.file] : []),
    isRunning ? "memd runs in this workspace." : "memd does not run in this workspace.",
  ]);
}

interface ServicePlace {
  plan: ServicePlan;
  /** What stands there already, of memd's own. */
  standing: string | undefined;
  /** Whether memd runs in the workspace, however it was started. */
  isRunning: boolean;
}

async function placeOf({ port, ...options }: ServiceFlags): Promise<ServicePlace> {
  const workspace = await openWorkspace(options);
  const { HOME: home = "", XDG_CONFIG_HOME: configHome } = environment();
  if (/[\u0000-\u001f\u007f]/.test(workspace.root))
    throw new MemdError("usage", "A folder with control characters in its name cannot be a service's.");
  const plan = servicePlan(platform(), {
    node: NODE,
    program: join(packageRoot(), "bin", "memd.js"),
    root: workspace.root,
    port,
    home,
    configHome: configHome === "" ? undefined : configHome,
    uid: userId(),
  });
  if (plan === undefined || home === "")
    throw new MemdError("usage", "There is neither systemd nor launchd here: use `memd start --detach`.");
  const standing = await readText(nodeDisk, plan.file);
  if (standing !== undefined && !isOwnService(standing))
    throw new MemdError("usage", `${plan.file} was not made by memd, and stays as it is.`);
  return { plan, standing, isRunning: await answers(await ownerSocket(workspace)) };
}

function toldOf({ name, file }: ServicePlan): { name: string; file: string } {
  return { name, file };
}

const ABSENT = "there is no such program here";

/** One after another; what follows on one that failed is not run. `why`: of the first such. */
async function runAll(commands: readonly Argv[]): Promise<{ notRun: readonly Argv[]; why: string }> {
  for (const [at, argv] of commands.entries()) {
    const why = await faultOf(argv);
    if (why !== undefined) return { notRun: commands.slice(at), why };
  }
  return { notRun: [], why: "" };
}

const PATIENCE_MS = 30_000;

/** Undefined where it went well. */
async function faultOf(argv: Argv): Promise<string | undefined> {
  const request = { argv, environment: environment(), outputLimitBytes: 1_000_000, graceMs: 1000 };
  const child = nodeSpawn({ ...request, onLine: () => undefined });
  const late = commandClock().after(PATIENCE_MS, () => void child.killGroup());
  const { code, fault } = await child.ended;
  late.cancel();
  if (fault !== undefined) return ABSENT;
  if (code === 0) return undefined;
  const [first = ""] = child.stderrTail().trim().split("\n");
  return first === "" ? `${argv[0]} failed` : first;
}

function linesOf(commands: readonly Argv[]): string {
  return commands.map(line).join(" && ");
}

function line(argv: Argv): string {
  return argv
    .map((word) => (/^[\w./@:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}
