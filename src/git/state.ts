/**
 * `.memd/git.json`: where HEAD was when memd looked last, and which of its files are
 * not committed yet. Lost with `.memd/`, HEAD counts from where it is, and what is
 * not committed is with its next change.
 */
import * as z from "zod";
import { ifReadable, publishDerived, readText, type FileWriter } from "../protocol/publish.js";
import { at, FILES, type Workspace } from "../protocol/workspace.js";

const shape = z.object({
  commit: z.string().exactOptional(),
  tree: z.string().exactOptional(),
  pending: z.array(z.string()),
});
export type GitState = z.infer<typeof shape>;

export async function loadGitState({ disk }: FileWriter, workspace: Workspace): Promise<GitState> {
  const text = (await readText(disk, at(workspace, FILES.git)).catch(() => undefined)) ?? "";
  const found = shape.safeParse(ifReadable((): unknown => JSON.parse(text)));
  return found.success ? found.data : { pending: [] };
}

export async function saveGitState(writer: FileWriter, workspace: Workspace, state: GitState): Promise<void> {
  await publishDerived(writer, at(workspace, FILES.git), `${JSON.stringify(state)}\n`);
}

/**
 * `.memd/git-accepted`: the commit of which a person said that memd goes on from it,
 * whatever is gone there.
 */
export async function acceptedCommit(
  { disk }: FileWriter,
  workspace: Workspace,
): Promise<string | undefined> {
  return (await readText(disk, at(workspace, FILES.gitAccepted)).catch(() => undefined))?.trim();
}

export async function acceptCommit(writer: FileWriter, workspace: Workspace, commit: string): Promise<void> {
  await publishDerived(writer, at(workspace, FILES.gitAccepted), `${commit}\n`);
}
