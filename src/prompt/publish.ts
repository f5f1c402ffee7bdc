/** `prompt.md` and `prompt.json` of a conversation, as readers of the files come to see them. */
import type { Prompt } from "../context/inputs.js";
import { placeDerived, settleDerived, type FileWriter } from "../protocol/publish.js";
import { at, type Workspace } from "../protocol/workspace.js";

/** `isTaken`: whether what waits is in the journal, before which no prompt says that it covers it. */
export type IsTaken = Promise<boolean>;
export const TAKEN: IsTaken = Promise.resolve(true);

/** False where only `prompt.md` stands, and nothing says what it covers. */
export async function publishPrompt(
  writer: FileWriter,
  workspace: Workspace,
  folder: string,
  prompt: Prompt,
  isTaken: IsTaken,
): Promise<boolean> {
  const markdown = at(workspace, `${folder}/prompt.md`);
  const data = at(workspace, `${folder}/prompt.json`);
  await placeDerived(writer, markdown, prompt.markdown);
  if (!(await isTaken)) return false;
  // Last: who waits for prompt.json to name an id finds prompt.md in place, and may let go of the message.
  await placeDerived(writer, data, `${JSON.stringify(prompt.data, null, 2)}\n`);
  await settleDerived(writer, [markdown, data]);
  return true;
}
