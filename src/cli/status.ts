/** `memd status`. */
import pc from "picocolors";
import type { EmbeddingStatus } from "../recall/embedder.js";
import type { Status } from "../service/status.js";
import { answers } from "../platform/owner.js";
import { ownerSocket } from "../protocol/owner-note.js";
import { openWorkspace, tell, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";
import { counted, shortTime } from "./words.js";

export async function status(options: CommonOptions): Promise<void> {
  const workspace = await openWorkspace(options);
  const running = await answers(await ownerSocket(workspace));
  const found = await askMemd(options, "status", {});
  const { trouble, conflicts, index } = found;
  tell(options, { ...found, running }, () => [
    ...Object.entries(rows(found, running)).flatMap(([name, value]) =>
      value === undefined ? [] : [`${pc.dim(name.padEnd(10))} ${value}`],
    ),
    ...(trouble === undefined ? [] : [`\n${pc.red(trouble.message)}\n  ${trouble.advice}`]),
    ...conflicts.map((file) => `${pc.yellow("conflict".padEnd(10))} conflicts/${file}`),
    ...index.skipped.map(({ path, reason }) => `${pc.yellow("left out".padEnd(10))} ${path}: ${reason}`),
  ]);
}

/** By their names, in their order; what there is nothing to say of is undefined. */
function rows(status: Status, running: boolean): Record<string, string | undefined> {
  const { owner, history, inbox, archive, index, models, queue } = status;
  const { lastPassAt, nextPassAt, nextAttempt, owed } = archive;
  const since = `${pc.green("running")} since ${shortTime(owner.since)} (process ${owner.pid})`;
  const failed = queue.failed > 0 ? [pc.yellow(`${queue.failed} failed`)] : [];
  const worked = queue.processing > 0 ? [`${queue.processing} being worked`] : [];
  const cap = models.dailyTokens === undefined ? "" : ` of ${models.dailyTokens}`;
  return {
    workspace: status.workspace,
    memd: running ? since : "not running",
    history:
      history.unreadable === undefined
        ? `${counted(history.messages, "message")}, ${history.unarchived} not archived`
        : pc.red(`history.json cannot be read: ${history.unreadable}`),
    inbox:
      inbox.unreadable === undefined
        ? `${inbox.waiting} waiting`
        : pc.red(`inbox.json cannot be read: ${inbox.unreadable}`),
    archive: `${counted(archive.verbatimDays, "day")} word for word, ${counted(archive.summaries, "summary", "summaries")}; last pass ${lastPassAt === undefined ? "never" : shortTime(lastPassAt)}`,
    "next pass": nextPassAt && `${shortTime(nextPassAt)} at the latest`,
    owed:
      owed > 0
        ? `${counted(owed, "summary", "summaries")}, ${archive.running} being made, ${archive.backlog} in the backlog`
        : undefined,
    "next try":
      nextAttempt &&
      `${shortTime(nextAttempt.at)} for ${nextAttempt.date} in ${nextAttempt.scope} (${counted(nextAttempt.attempts, "attempt")} so far: ${nextAttempt.reason})`,
    queue: [`${queue.pending} waiting`, ...worked, ...failed].join(", "),
    imported: status.imported && importedIn(status.imported),
    index: `${counted(index.passages, "passage")} in ${counted(index.files, "file")} (${index.engine})`,
    "": index.fault === undefined ? undefined : pc.yellow(`not up to date: ${index.fault}`),
    vectors: index.embedding && vectorsOf(index.embedding),
    settings: settingsOf(status.settings),
    git: status.git && gitOf(status.git),
    topics: status.topics && topicsIn(status.topics),
    models: `${models.provider}, ${models.tokensToday}${cap} tokens today${models.failing === undefined ? "" : `; ${pc.yellow(`not answering: ${models.failing}`)}`}`,
  };
}

function settingsOf({ restartNeeded, untrusted, fault }: Status["settings"]): string | undefined {
  if (fault !== undefined) return pc.yellow(`not taken: ${fault}`);
  if (untrusted !== undefined)
    return pc.yellow(`not trusted, so not in use: ${untrusted.join(", ")} (\`memd config trust\`)`);
  return restartNeeded.length === 0 ? undefined : pc.yellow(`restart needed: ${restartNeeded.join(", ")}`);
}

function topicsIn({ active, dormant, archived, unsplit, failing }: NonNullable<Status["topics"]>): string {
  const told = `${active} active, ${dormant} asleep, ${archived} archived; ${counted(unsplit, "message")} in none`;
  return failing === undefined ? told : `${told}; ${pc.yellow(`by words alone: ${failing}`)}`;
}

function gitOf({ branch = "no branch", commit, pending, held }: NonNullable<Status["git"]>): string {
  const where = commit === undefined ? branch : `${branch} at ${commit}`;
  const waits = pending === 0 ? "" : `, ${counted(pending, "file")} to commit`;
  return held === undefined ? `${where}${waits}` : `${where}${waits}; ${pc.yellow(held)}`;
}

/** How far the historian is with what was imported. */
function importedIn({ exchanges, left, oldestAt }: NonNullable<Status["imported"]>): string | undefined {
  if (left === 0) return undefined;
  const from = oldestAt === undefined ? "" : `, those of ${oldestAt.slice(0, 10)} next`;
  return `${exchanges - left} of ${counted(exchanges, "exchange")} looked at${from}`;
}

export function vectorsOf({ model, waits = "", ...status }: EmbeddingStatus): string {
  if (model === undefined) return `none; ${pc.yellow(waits)}`;
  const { embedded, passages, readsHan, fault, paused } = status;
  const blind = readsHan === false ? ", which reads no Chinese" : "";
  const told = `${embedded} of ${counted(passages, "passage")} by ${model}${blind}`;
  if (fault !== undefined) return `${told}; ${pc.yellow(`by words alone for now: ${fault}`)}`;
  return paused === undefined ? told : `${told}; the rest waits: ${paused}`;
}
