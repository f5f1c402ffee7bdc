/** `memd status`. */
import pc from "picocolors";
import type { EmbeddingStatus } from "../recall/embedder.js";
import type { Status } from "../service/status.js";
import { answers } from "../platform/owner.js";
import { ownerSocket } from "../protocol/owner-note.js";
import { openWorkspace, printJson, printLine, type CommonOptions } from "./context.js";
import { askMemd } from "./memd.js";
import { counted, shortTime } from "./words.js";

export async function status(options: CommonOptions): Promise<void> {
  const workspace = await openWorkspace(options);
  const runs = await answers(await ownerSocket(workspace));
  const found = await askMemd(options, "status", {});
  if (options.json === true) return printJson({ ...found, running: runs });
  for (const [name, value] of rows(found, runs)) printLine(`${pc.dim(name.padEnd(10))} ${value}`);
  if (found.trouble !== undefined) printLine(`\n${pc.red(found.trouble.message)}\n  ${found.trouble.advice}`);
  for (const file of found.conflicts) printLine(`${pc.yellow("conflict".padEnd(10))} conflicts/${file}`);
  for (const { path, reason } of found.index.skipped)
    printLine(`${pc.yellow("left out".padEnd(10))} ${path}: ${reason}`);
}

function vectorsOf({ model, embedded, passages, readsHan, fault }: EmbeddingStatus): string {
  const blind = readsHan === false ? ", which reads no Chinese" : "";
  const told = `${embedded} of ${counted(passages, "passage")} by ${model}${blind}`;
  return fault === undefined ? told : `${told}; ${pc.yellow(`by words alone for now: ${fault}`)}`;
}

function rows(status: Status, runs: boolean): [string, string][] {
  const { owner, history, inbox, archive, index, models } = status;
  const rows: [string, string][] = [
    ["workspace", status.workspace],
    [
      "memd",
      runs ? `${pc.green("running")} since ${shortTime(owner.since)} (process ${owner.pid})` : "not running",
    ],
    [
      "history",
      history.unreadable === undefined
        ? `${counted(history.messages, "message")}, ${history.unarchived} not archived`
        : pc.red(`history.json cannot be read: ${history.unreadable}`),
    ],
    [
      "inbox",
      inbox.unreadable === undefined
        ? `${inbox.waiting} waiting`
        : pc.red(`inbox.json cannot be read: ${inbox.unreadable}`),
    ],
    [
      "archive",
      `${counted(archive.verbatimDays, "day")} word for word, ${counted(archive.summaries, "summary", "summaries")}; last pass ${archive.lastPassAt === undefined ? "never" : shortTime(archive.lastPassAt)}`,
    ],
  ];
  if (archive.nextPassAt !== undefined)
    rows.push(["next pass", `${shortTime(archive.nextPassAt)} at the latest`]);
  if (archive.owed > 0)
    rows.push([
      "owed",
      `${counted(archive.owed, "summary", "summaries")}, ${archive.running} being made, ${archive.backlog} in the backlog`,
    ]);
  if (archive.nextAttempt !== undefined) {
    const { date, scope, attempts, at, reason } = archive.nextAttempt;
    rows.push([
      "next try",
      `${shortTime(at)} for ${date} in ${scope} (${counted(attempts, "attempt")} so far: ${reason})`,
    ]);
  }
  const { pending, processing, failed } = status.queue;
  const told = [`${pending} waiting`, ...(processing > 0 ? [`${processing} being worked`] : [])];
  rows.push(["queue", [...told, ...(failed > 0 ? [pc.yellow(`${failed} failed`)] : [])].join(", ")]);
  rows.push([
    "index",
    `${counted(index.passages, "passage")} in ${counted(index.files, "file")} (${index.engine})`,
  ]);
  if (index.fault !== undefined) rows.push(["", pc.yellow(`not up to date: ${index.fault}`)]);
  if (index.embedding !== undefined) rows.push(["vectors", vectorsOf(index.embedding)]);
  rows.push([
    "models",
    `${models.provider}, ${models.tokensToday}${models.dailyTokens === undefined ? "" : ` of ${models.dailyTokens}`} tokens today`,
  ]);
  return rows;
}
