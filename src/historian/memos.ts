/** Memos into `memory/memos.json` of their scope, each once, beside whatever a person wrote there. */
import type { ScopeId } from "../model/address.js";
import type { Memo } from "../model/record.js";
import { setAside } from "../protocol/conflicts.js";
import { withMemo } from "../protocol/memos.js";
import type { FileWriter } from "../protocol/publish.js";
import { rewriteText } from "../protocol/rewrite.js";
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
  let isText = true;
  await rewriteText(writer, at(workspace, file), async (base, bytes) => {
    isText = bytes === undefined || base !== undefined;
    if (!isText) return undefined;
    try {
      return withMemos(base, memos);
    } catch (error) {
      if (!(error instanceof SyntaxError) || base === undefined) throw error;
      // Somebody's edit that nobody can read: it stays, beside.
      await setAside(writer, workspace, file, base, "unreadable");
      return withMemos(undefined, memos);
    }
  });
  return isText;
}

function withMemos(base: string | undefined, memos: readonly Memo[]): string | undefined {
  return memos.reduce((text, memo) => withMemo(text, memo, KEPT_MEMOS) ?? text, base);
}
