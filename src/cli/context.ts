/** What every command works with: the terminal, the options all share, the ports of this machine. */
import { MemdError, problemOf, troubleOf } from "../model/errors.js";
import { parseInstant } from "../model/time.js";
import { systemClock, type Clock } from "../platform/clock.js";
import { nodeDisk } from "../platform/node-disk.js";
import { relative, resolve } from "../platform/files.js";
import { currentDir, environment, readLines, readStandardInput, terminal } from "../platform/process.js";
import type { Workspace } from "../protocol/workspace.js";
import { shownInJson } from "../text/shown.js";

/** Options that every command takes. */
export interface CommonOptions {
  workspace?: string;
  json?: boolean;
  debug?: boolean;
}

/** `--workspace`, else MEMD_WORKSPACE, else the current folder. */
export function workspaceFolder(options: CommonOptions): string {
  return resolve(currentDir(), options.workspace ?? environment()["MEMD_WORKSPACE"] ?? ".");
}

/** A folder as a person would type it. */
export function typed(folder: string): string {
  const near = relative(currentDir(), folder);
  return near === "" ? "." : near.startsWith("..") ? folder : near;
}

export async function openWorkspace(options: CommonOptions): Promise<Workspace> {
  const { openWorkspaceAt } = await import("../protocol/workspace-file.js");
  return openWorkspaceAt(nodeDisk, workspaceFolder(options));
}

/** The machine's clock; with MEMD_FAKE_NOW, one that starts there. */
export function commandClock(): Clock {
  const text = environment()["MEMD_FAKE_NOW"] ?? "";
  const at = parseInstant(text);
  if (text !== "" && at === undefined)
    throw new MemdError("usage", `MEMD_FAKE_NOW is no ISO 8601 time: ${text}.`);
  return systemClock(at);
}

/** What is given is `-`: then it stands on standard input. */
export async function typedOrPiped(given: string): Promise<string> {
  return given === "-" ? new TextDecoder().decode(await readStandardInput()) : given;
}

/** Anything but a yes is a no. */
export async function isAnsweredYes(question: string): Promise<boolean> {
  for await (const answer of readLines(question)) return /^y(?:es)?$/i.test(answer.trim());
  return false;
}

/** A value as JSON where that is asked for, else in words, a line or several. */
export function tell<T>(options: CommonOptions, value: T, inWords: (value: T) => string | string[]): void {
  if (options.json === true) return printJson(value);
  for (const line of [inWords(value)].flat()) printLine(line);
}

const LOOK_MS = 50;

/** What `look` gives at last, asked again and again; undefined when it gives nothing for so long. */
export async function waitFor<T>(
  patienceMs: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const clock = commandClock();
  for (let waitedMs = 0; waitedMs <= patienceMs; waitedMs += LOOK_MS) {
    const found = await look();
    if (found !== undefined) return found;
    await clock.sleep(LOOK_MS);
  }
  return undefined;
}

export function printJson(value: unknown): void {
  terminal.out(`${shownInJson(JSON.stringify(value, null, 2))}\n`);
}

export function printLine(text = ""): void {
  terminal.out(`${text}\n`);
}

/** One sentence and what to do, for a program as JSON too; the stack only with --debug. */
export function printError(error: unknown, { json, debug }: { json: boolean; debug: boolean }): void {
  if (json) printJson({ error: problemOf(error) });
  const { message, advice, stack = "", cause } = troubleOf(error);
  terminal.err(`memd: ${message}\n  ${advice}\n`);
  const why = cause instanceof Error ? `caused by: ${cause.stack ?? cause.message}\n` : "";
  if (debug) terminal.err(`${stack}\n${why}`);
}
