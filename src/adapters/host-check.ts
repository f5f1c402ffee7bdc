/** Whether agents are connected, to which workspace, and what keeps memd from being called. */
import { isMemdError, MemdError } from "../model/errors.js";
import type { Disk } from "../platform/disk.js";
import { join } from "../platform/files.js";
import { FILES } from "../protocol/workspace.js";
import { foundIn } from "./connecting.js";
import type { Found, Host } from "./host.js";
import type { OwnCall } from "./own-calls.js";
import { readSettingsText } from "./settings-file.js";

interface Finding {
  check: string;
  ok: boolean;
  detail: string;
}

export async function checkHost(disk: Disk, host: Host): Promise<Finding> {
  const check = host.name;
  if (!(await isInstalled(disk, host))) return { check, ok: true, detail: "not installed" };
  const found: Found[] = [];
  try {
    for (const file of host.files) found.push(foundIn(file, (await readSettingsText(disk, file.path)) ?? ""));
  } catch (error) {
    if (!isMemdError(error)) throw error;
    return { check, ok: false, detail: error.message };
  }
  const calls = found.flatMap((one) => one.calls);
  if (calls.length === 0) return { check, ok: true, detail: `not connected: memd connect ${host.name}` };
  const troubles = [
    ...(await goneIn(disk, calls)),
    ...missingIn(host, found),
    ...found.flatMap(({ off }) => off),
  ];
  const workspaces = namedIn(calls);
  const to = workspaces.length === 0 ? "connected" : `connected to ${workspaces.join(" and ")}`;
  return { check, ok: troubles.length === 0, detail: [to, ...troubles].join("; ") };
}

/** Its folder is there, or a link to one. */
async function isInstalled(disk: Disk, { folder }: Host): Promise<boolean> {
  const place = await disk.realPath(folder);
  return place !== undefined && (await disk.stat(place))?.kind === "dir";
}

/** Throws `host_missing`. */
export async function mustBeInstalled(disk: Disk, host: Host): Promise<void> {
  if (await isInstalled(disk, host)) return;
  const named = host.variable === undefined ? "" : `, and ${host.variable} names no other`;
  throw new MemdError("host_missing", `There is no folder ${host.folder} of ${host.title}${named}.`);
}

/** Of the calls that stand there, each once. */
export function namedIn(calls: readonly OwnCall[]): string[] {
  return [...new Set(calls.flatMap(({ workspace }) => workspace ?? []))];
}

async function goneIn(disk: Disk, calls: readonly OwnCall[]): Promise<string[]> {
  const troubles: string[] = [];
  const programs = new Set(calls.flatMap((call) => call.programs));
  for (const program of programs)
    if (program.startsWith("/") && (await disk.realPath(program)) === undefined)
      troubles.push(`it calls ${program}, which is gone`);
  for (const workspace of namedIn(calls))
    if ((await disk.stat(join(workspace, FILES.workspace))) === undefined)
      troubles.push(`${workspace} is no workspace any more`);
  return troubles;
}

function missingIn({ name }: Host, found: readonly Found[]): string[] {
  const missing = found.flatMap((one) => one.missing);
  return missing.length === 0
    ? []
    : [`only in part, without ${missing.join(", ")}: memd connect ${name} puts that right`];
}
