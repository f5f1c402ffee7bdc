/** What the owner keeps out of memd: folders with all below them, and conversations by their id. Pure. */
import { isAbsolute } from "../../platform/files.js";

/** `home`: what a leading `~` stands for. */
export function isExcluded(
  exclude: readonly string[],
  { project, session }: { project?: string | undefined; session?: string | undefined },
  home = "",
): boolean {
  return exclude.some((one) => {
    const folder = one.replace(/^~(?=\/|$)/, home).replace(/(?<=.)\/$/, "");
    if (!isAbsolute(folder)) return one === session;
    return project !== undefined && (project === folder || project.startsWith(`${folder}/`));
  });
}
