/**
 * Which settings count in a workspace below a root. What a workspace holds may have come from anywhere: an import,
 * a clone, an agent that writes there. Settings that run something, send something, read the environment or leave
 * the workspace are those of the root, unless the owner has trusted the workspace's as they stand.
 */
import { type Settings, settingsSchema } from "../model/settings.js";
import type { Disk } from "../platform/disk.js";
import { sha256 } from "../platform/files.js";
import { environment } from "../platform/process.js";
import { readSettings } from "../protocol/settings.js";
import { readTrusted } from "../protocol/trust.js";
import type { Workspace } from "../protocol/workspace.js";

/** `secrets`: its patterns are those of a whole process; `worker`: so is what its workers take. */
const REACHING = ["llm", "git", "files", "secrets", "worker"] as const satisfies readonly (keyof Settings)[];
type Reaching = Pick<Settings, (typeof REACHING)[number]>;

export interface SettingsBelow {
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  /** Tables of the workspace's own that do not count. */
  ignored: string[];
}

/** Throws `settings_invalid`. */
export async function settingsBelow(
  disk: Disk,
  workspace: Workspace,
  outer: Settings,
): Promise<SettingsBelow> {
  const own = await readSettings(disk, workspace);
  if ((await readTrusted(workspace.root)) === reachingHash(own))
    return { settings: own, environment: environment(), ignored: [] };
  const plain = settingsSchema.parse({});
  const ignored = REACHING.filter(
    (table) => !isSame(own[table], plain[table]) && !isSame(own[table], outer[table]),
  );
  const settings = { ...own, ...reachingOf(outer) };
  // Without a home no agent's transcripts are followed, which stand outside.
  return { settings, environment: { ...environment(), HOME: undefined }, ignored };
}

/** Of what is trusted when a workspace is. */
export function reachingHash(settings: Settings): string {
  return sha256(JSON.stringify(reachingOf(settings)));
}

function reachingOf({ llm, git, files, secrets, worker }: Settings): Reaching {
  return { llm, git, files, secrets, worker };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
