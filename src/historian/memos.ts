/** Memos into `memory/memos.json` of their scope, each once, beside whatever a person wrote there. */
import type { ScopeId } from "../model/address.js";
import type { Memo } from "../model/record.js";
import { setAside } from "../protocol/conflicts.js";
import { withMemo } from "../protocol/memos.js";
import { publishOver, readText, type FileWriter } from "../protocol/publish.js";
import { at, memosPath, type Workspace } from "../protocol/workspace.js";

/** Of a scope; many more than any prompt shows. */
const KEPT_MEMOS = 300;

/** False where the file is not text: it is left alone, and the memos wait. */
export async function foldMemosInto(
  writer: FileWriter,
  workspace: Workspace,
  scope: ScopeId,
  memos: readonly Memo[],
): Promise<boolean> {
  const file = memosPath(scope);
  const path = at(workspace, file);
  for (;;) {
    const base = await readText(writer.disk, path).catch(notText);
    if (base === null) return false;
    let text: string | undefined = base;
    try {
      for (const memo of memos) text = withMemo(text, memo, KEPT_MEMOS) ?? text;
    } catch (error) {
      if (!(error instanceof SyntaxError) || base === undefined) throw error;
      // Somebody's edit that nobody can read: it stays, beside.
      await setAside(writer, workspace, file, base, "unreadable");
      text = memos.reduce<string | undefined>(
        (told, memo) => withMemo(told, memo, KEPT_MEMOS) ?? told,
        undefined,
      );
    }
    if (text === undefined || text === base) return true;
    if (await publishOver(writer, path, text, base)) return true;
  }
}

function notText(error: unknown): null {
  if (!(error instanceof SyntaxError)) throw error;
  return null;
}
