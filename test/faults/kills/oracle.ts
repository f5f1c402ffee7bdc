/**
 * Reads a workspace as it stands on the disk and says which promise is broken.
 *
 * Messages are found by their marks in the raw bytes, so that no reader of
 * memd's has a part in it; only whether a file is whole is asked of its grammar.
 */
import fs from "node:fs";
import path from "node:path";
import { daysBetween, monthOf, type Day } from "../../../src/model/time.js";
import { parseSummary, type SummaryFile } from "../../../src/protocol/summary.js";
import { coverHash, parseVerbatim, type VerbatimFile } from "../../../src/protocol/verbatim.js";
import type { Host } from "./host.js";

const RECENT_DAYS = 5;
const MARK = /\[m(\d+)\]/g;
const TEMP = /^\..+\.tmp$|^(?:prompt\.md|prompt\.json|state\.json)\.\d{1,10}$/;

export interface Findings {
  lost: number[];
  /** Twice where once is promised: which message and where. */
  doubled: { mark: number; where: string }[];
  /** Files that are neither the old nor the new one. */
  torn: string[];
}

interface VerbatimText {
  file: string;
  text: string;
  parsed?: VerbatimFile;
}

/** What must hold at every moment, right after a kill too. Marks that are found count as written from now on. */
export function look(host: Host): Findings {
  const { root } = host;
  const verbatim = verbatimOf(root);
  const lists = ["history.json", "inbox.json"].map((file) => ({ file, text: textOf(root, file) }));
  const journal = journalOf(root);
  const everywhere = countMarks(
    [...lists.map(({ text }) => text), journal, ...verbatim.map(({ text }) => text)]
      .concat(
        filesUnder(root, "inbox.d")
          .filter(isDrop)
          .map((file) => textOf(root, file)),
      )
      .concat(
        ["queue", "conflicts"].flatMap((dir) => filesUnder(root, dir)).map((file) => textOf(root, file)),
      )
      .join("\n"),
  );
  for (const mark of host.open) if (everywhere.has(mark)) host.acknowledge(mark);
  const lost = [...host.required].filter((mark) => !everywhere.has(mark));
  // Each is told once.
  for (const mark of lost) host.required.delete(mark);
  const once = host.isJournalledOnce ? [...lists, { file: "journal", text: journal }] : lists;
  const doubled = once.flatMap(({ file, text }) =>
    [...countMarks(text)].filter(([, n]) => n > 1).map(([mark]) => ({ mark, where: file })),
  );
  doubled.push(...doubledBlocks(verbatim));
  const torn = [
    // A list that stood never goes away, not for a moment.
    ...lists
      .filter(({ file, text }) => (text !== "" || host.wrote(file)) && !isJson(text))
      .map(({ file }) => file),
    ...verbatim.filter(({ parsed }) => parsed === undefined || parsed.edited).map(({ file }) => file),
    ...summariesOf(root)
      .filter(({ summary }) => summary === undefined || summary.edited)
      .map(({ file }) => file),
  ];
  return { lost, doubled, torn };
}

/** What must hold besides once a run has come to its end: in words, each broken promise. */
export function lookAtRest(host: Host, today: Day): string[] {
  const { root } = host;
  const verbatim = verbatimOf(root);
  const blocks = blocksOf(root);
  const journal = countMarks(journalOf(root));
  const wrong = [...host.required].filter((mark) => blocks.get(mark) !== 1);
  const unlisted = [...host.required].filter((mark) => !journal.has(mark));
  const summaries = summariesOf(root).flatMap(({ summary }) => summary ?? []);
  const uncovered = verbatim.filter(
    ({ parsed }) => parsed !== undefined && !isCovered(parsed, summaries, today),
  );
  const temps = filesUnder(root, "").filter((file) => TEMP.test(path.basename(file)));
  const locks = foldersUnder(root).filter((name) => name.endsWith(".lock"));
  return [
    ...lookAtTopics(root),
    ...wrong.map((mark) => `message ${mark} stands in ${blocks.get(mark) ?? 0} verbatim blocks`),
    ...unlisted.map((mark) => `message ${mark} has no whole line in the journal`),
    ...uncovered.map(({ file }) => `${file} is old and no summary covers it`),
    ...temps.map((file) => `${file} was left over`),
    ...locks.map((name) => `the lock ${name} was left over`),
    ...(fs.existsSync(path.join(root, ".memd/lock")) ? ["the note of a held lock was left over"] : []),
  ];
}

/** Where topics are kept, each message of the conversation is in one of them, or in none yet. */
function lookAtTopics(root: string): string[] {
  const files = filesUnder(root, "memory").filter(
    (file) =>
      /^memory\/(?:.*\/)?topics\//.test(file) && file.endsWith(".jsonl") && !file.endsWith("/events.jsonl"),
  );
  if (files.length === 0) return [];
  const places = new Map<number, string[]>();
  for (const file of files)
    for (const mark of countMarks(textOf(root, file)).keys())
      places.set(mark, [...(places.get(mark) ?? []), file]);
  const listed = countMarks(textOf(root, "history.json"));
  return [
    ...[...places].flatMap(([mark, of]) =>
      of.length > 1 ? [`message ${mark} stands in ${of.join(" and ")}`] : [],
    ),
    ...[...listed.keys()].flatMap((mark) =>
      places.has(mark) ? [] : [`message ${mark} stands in no file of topics`],
    ),
  ];
}

/** In how many verbatim blocks each mark stands. */
export function blocksOf(root: string): Map<number, number> {
  return countMarks(
    verbatimOf(root)
      .map(({ text }) => text)
      .join("\n"),
  );
}

/** A day that is on its way to the archive may stand in both folders; nothing else may stand twice. */
function doubledBlocks(verbatim: readonly VerbatimText[]): Findings["doubled"] {
  const seen = new Map<number, { file: string; day: string | undefined }>();
  const doubled: Findings["doubled"] = [];
  for (const { file, text, parsed } of verbatim) {
    for (const [mark, n] of countMarks(text)) {
      const other = seen.get(mark);
      const moving =
        other?.day !== undefined &&
        other.day === parsed?.day &&
        path.dirname(other.file) !== path.dirname(file);
      if (n > 1 || (other !== undefined && !moving)) doubled.push({ mark, where: file });
      seen.set(mark, { file, day: parsed?.day });
    }
  }
  return doubled;
}

function isCovered(file: VerbatimFile, summaries: readonly SummaryFile[], today: Day): boolean {
  if (daysBetween(file.day, today) <= RECENT_DAYS) return true;
  const hash = coverHash(file.blocks.map(({ filed }) => filed));
  return summaries.some(
    ({ scope, date, covers }) =>
      scope === file.scope &&
      (date === file.day || date === monthOf(file.day)) &&
      covers.some((covered) => covered.day === file.day && covered.hash === hash),
  );
}

/** The messages of the journal's whole lines; a torn one was never acknowledged. */
function journalOf(root: string): string {
  return filesUnder(root, "journal")
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) => textOf(root, file).split("\n"))
    .filter((line) => isJson(line) && (JSON.parse(line) as { op?: string }).op === "message")
    .join("\n");
}

function verbatimOf(root: string): VerbatimText[] {
  return memoryFiles(root, false).map((file) => {
    const text = textOf(root, file);
    const parsed = orUndefined(() => parseVerbatim(text));
    return parsed === undefined ? { file, text } : { file, text, parsed };
  });
}

function summariesOf(root: string): { file: string; summary: SummaryFile | undefined }[] {
  return memoryFiles(root, true).map((file) => ({
    file,
    summary: orUndefined(() => parseSummary(textOf(root, file))),
  }));
}

function memoryFiles(root: string, summaries: boolean): string[] {
  return filesUnder(root, "memory").filter(
    (file) =>
      file.endsWith(".md") &&
      !path.basename(file).startsWith(".") &&
      !/(?:^|\/)topics\//.test(file) &&
      (path.basename(path.dirname(file)) === "summary") === summaries,
  );
}

function countMarks(text: string): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [, digits] of text.matchAll(MARK))
    counts.set(Number(digits), (counts.get(Number(digits)) ?? 0) + 1);
  return counts;
}

function isDrop(file: string): boolean {
  return file.endsWith(".json") && !path.basename(file).startsWith(".");
}

function isJson(text: string): boolean {
  return orUndefined(() => (JSON.parse(text) as unknown) !== undefined) ?? false;
}

function orUndefined<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    // It does not parse, which is what was asked.
    return undefined;
  }
}

function textOf(root: string, file: string): string {
  try {
    return fs.readFileSync(path.join(root, file), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return "";
  }
}

function filesUnder(root: string, folder: string): string[] {
  return entriesUnder(root, folder)
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

function foldersUnder(root: string): string[] {
  return entriesUnder(root, "")
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function entriesUnder(root: string, folder: string): fs.Dirent[] {
  const start = path.join(root, folder);
  return fs.existsSync(start) ? fs.readdirSync(start, { recursive: true, withFileTypes: true }) : [];
}
