/**
 * What must be true of a workspace: at any moment of a fault, and when it is over.
 *
 * Reads the files alone, as a stranger would. Each answer is a broken promise in
 * words; none means that all is well.
 */
import fs from "node:fs";
import path from "node:path";
import { parseSummary } from "../../../src/protocol/summary.js";
import { parseVerbatim } from "../../../src/protocol/verbatim.js";

/** By text: how many blocks it must have. Who was refused may have none, and may have one. */
export type Expected = ReadonlyMap<string, { least: number; most: number }>;

export interface Verdict {
  broken: string[];
  lost: number;
  doubled: number;
}

/** Nothing that was acknowledged is nowhere; every file of memd's can be read. `torn`: what the host left half-written. */
export function whileItLasts(root: string, expected: Expected, torn: readonly string[]): Verdict {
  const files = filesOf(root);
  const broken: string[] = [];
  const everything = [...files.values()].join("\n");
  const nowhere = [...expected].filter(([text, { least }]) => least > 0 && !everything.includes(text));
  for (const [text] of nowhere) broken.push(`"${text}" is nowhere`);
  for (const [file, text] of files) {
    const why = torn.includes(file) ? undefined : unreadable(file, text);
    if (why !== undefined) broken.push(`${file}: ${why}`);
  }
  return { broken, lost: nowhere.length, doubled: 0 };
}

/** Every message has its one block, the lists say so, and nothing waits any more. */
export function whenAllIsDone(root: string, expected: Expected, delivered: readonly string[]): Verdict {
  const { broken, lost } = whileItLasts(root, expected, []);
  const files = filesOf(root);
  const verdict: Verdict = { broken, lost, doubled: 0 };
  const blocks = new Map<string, number>();
  for (const [file, text] of files) {
    if (!isVerbatim(file)) continue;
    for (const { filed } of blocksOf(text))
      blocks.set(filed.message.text, (blocks.get(filed.message.text) ?? 0) + 1);
  }
  for (const [text, { least, most }] of expected) {
    const count = blocks.get(text) ?? 0;
    if (count >= least && count <= most) continue;
    if (count < least) verdict.lost++;
    else verdict.doubled++;
    broken.push(`"${text}" has ${count} blocks, not ${least}`);
  }
  for (const entry of listed(files, "history.json")) {
    if (entry["archived"] !== true) broken.push(`history.json leaves "${String(entry["text"])}" unarchived`);
  }
  const inbox = listed(files, "inbox.json").map(({ text }) => text);
  for (const text of delivered) {
    const times = inbox.filter((other) => other === text).length;
    if (times !== 1) broken.push(`inbox.json has "${text}" ${times} times`);
  }
  const waiting = [...files.keys()].filter((file) => /^inbox\.d\/(?!broken|\.)/.test(file));
  if (waiting.length > 0) broken.push(`drops still wait: ${waiting.join(" ")}`);
  return verdict;
}

/** Lines of the journal that were lost and never written again; when they were written may differ. */
export function missingLines(root: string, lost: readonly string[]): string[] {
  const timeless = (line: string): string => line.replace(/"(?:seenAt|filedAt)":"[^"]*",?/g, "");
  const journal = [...filesOf(root)].filter(([file]) => file.startsWith("journal/"));
  const standing = new Set(journal.flatMap(([, text]) => text.split("\n").map(timeless)));
  return lost.filter((line) => !standing.has(timeless(line)));
}

/** As if an hour had passed: an unfinished drop of a moment ago may be another writer's. */
export function age(root: string): void {
  for (const file of leftovers(root)) fs.utimesSync(path.join(root, file), 0, 0);
}

/** Temporary files and notes that only a process at work may have. */
export function leftovers(root: string): string[] {
  const names = [...filesOf(root).keys()];
  return names.filter(
    (file) =>
      file.endsWith(".tmp") || file === ".memd/lock" || /(?:\.md|\.json)\.\d+$/.test(path.basename(file)),
  );
}

function filesOf(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) found.set(path.relative(root, file), fs.readFileSync(file, "utf8"));
  }
  return found;
}

function listed(files: ReadonlyMap<string, string>, name: string): Record<string, unknown>[] {
  const data = JSON.parse(files.get(name) ?? "[]") as { messages?: unknown };
  return (data.messages ?? data) as Record<string, unknown>[];
}

function isVerbatim(file: string): boolean {
  return file.startsWith("memory/") && file.endsWith(".md") && !isTemp(file) && !isSummary(file);
}

function isSummary(file: string): boolean {
  return /^memory\/(?:scopes\/[^/]+\/)?summary\//.test(file);
}

function isTemp(file: string): boolean {
  return path.basename(file).startsWith(".");
}

function blocksOf(text: string) {
  try {
    return parseVerbatim(text)?.blocks ?? [];
  } catch {
    // It is told of as a file that cannot be read.
    return [];
  }
}

/** Why a file that memd publishes whole is not whole. */
function unreadable(file: string, text: string): string | undefined {
  try {
    if (isTemp(file) || file.startsWith("inbox.d/") || file.startsWith("conflicts/")) return undefined;
    if (isVerbatim(file))
      return parseVerbatim(text)?.edited === false ? undefined : "is not what was written";
    if (file.startsWith("memory/"))
      return parseSummary(text)?.edited === false ? undefined : "is not what was written";
    if (file.endsWith(".json")) JSON.parse(text);
    return undefined;
  } catch (error) {
    return String(error);
  }
}
