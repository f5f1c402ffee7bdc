/**
 * How another agent calls memd, and how memd knows such a call again: by the program that is named and
 * the word behind it, whoever has moved or renamed the entry since.
 *
 * Pure.
 */
import { basename } from "../platform/files.js";
import { type Fields, listOf, stringOf } from "./fields.js";

/** What runs memd. */
export interface Program {
  node: string;
  script: string;
}

/** What an agent is to call. */
export interface Call {
  program: Program;
  workspace: string;
}

/** A call of memd's that stands in settings. */
export interface OwnCall {
  /** `hook` or `mcp`. */
  verb: string;
  /** In the order of the words: paths, or names to be looked for. */
  programs: readonly string[];
  workspace: string | undefined;
}

/** One line for a shell; each part is quoted. */
export function hookCommand({ program: { node, script }, workspace }: Call, agent: string): string {
  return `${quoted(node)} ${quoted(script)} hook ${agent} --workspace ${quoted(workspace)}`;
}

function toolArguments({ program: { script }, workspace }: Call): string[] {
  return [script, "mcp", "--workspace", workspace];
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The call in an entry of hooks: a line for a shell, or a program with its `args`. */
export function ownHook(entry: Fields): OwnCall | undefined {
  const command = stringOf(entry["command"]);
  const words = command === undefined ? undefined : wordsOf(command);
  if (words === undefined) return undefined;
  return callIn([...words, ...textsIn(entry["args"])], "hook");
}

/** The call in an entry of tool servers, whose command is a program alone. */
export function ownServer(entry: Fields): OwnCall | undefined {
  const command = stringOf(entry["command"]);
  return command === undefined ? undefined : callIn([command, ...textsIn(entry["args"])], "mcp");
}

/** Whether an entry of tool servers is what `call` would write, but for what a person has added. */
export function isServerOf(entry: Fields, call: Call): boolean {
  const args = textsIn(entry["args"]);
  return entry["command"] === call.program.node && args.join("\0") === movedArguments(call, args).join("\0");
}

/** The arguments with another script and workspace; what a person has added stays. */
export function movedArguments(call: Call, args: unknown): string[] {
  const words = textsIn(args);
  const verb = words.indexOf("mcp");
  const kept = verb === -1 ? [] : words.slice(verb + 1);
  const flag = kept.findIndex((word) => WORKSPACE_FLAGS.has(word));
  if (flag !== -1) kept.splice(flag, 2);
  return [...toolArguments(call), ...kept.filter((word) => !word.startsWith("--workspace="))];
}

const WORKSPACE_FLAGS: ReadonlySet<string> = new Set(["--workspace", "-w"]);
const OWN_NAME = /^memd(?:\.[cm]?js)?$/;
/** What may stand in front of the program's name: what runs it, with its options, and variables that are set for it. */
const RUNNER = /^(?:node(?:js)?[\d.]*|bun|bunx|npx|env|exec)$/;
const OPTION = /^-/;
const ASSIGNMENT = /^\w+=/;

/** Undefined where the words run something else, whatever they name. */
function callIn(words: readonly string[], verb: "hook" | "mcp"): OwnCall | undefined {
  const own = words.findIndex((word) => OWN_NAME.test(nameOf(word)));
  if (own === -1 || words[own + 1] !== verb) return undefined;
  const isPassed = (word: string): boolean =>
    RUNNER.test(nameOf(word)) || OPTION.test(word) || ASSIGNMENT.test(word);
  // Whatever node is called, it stands right in front of the script.
  const isScript = nameOf(words[own] ?? "") !== "memd" && words[own - 1]?.startsWith("/") === true;
  if (!words.slice(0, isScript ? own - 1 : own).every(isPassed)) return undefined;
  const programs = words.slice(0, own + 1).filter((word) => !OPTION.test(word) && !ASSIGNMENT.test(word));
  return { verb, programs, workspace: workspaceIn(words.slice(own + 2)) };
}

function nameOf(word: string): string {
  return basename(word.replaceAll("\\", "/")).replace(/\.exe$/, "");
}

function workspaceIn(words: readonly string[]): string | undefined {
  const flag = words.findIndex((word) => WORKSPACE_FLAGS.has(word));
  if (flag !== -1) return words[flag + 1];
  return words.find((word) => word.startsWith("--workspace="))?.slice("--workspace=".length);
}

function textsIn(value: unknown): string[] {
  return listOf(value).filter((word) => typeof word === "string");
}

const ESCAPED_IN_DOUBLE = /[\\"$`]/;
const OPERATOR = /[;&|<>()\n`]/;

/** The words of one simple command, as a shell takes it apart; undefined for anything that does more than run one. */
function wordsOf(command: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < command.length; at++) {
    const char = command[at] ?? "";
    if (char === "'" || char === '"') {
      const end = closingOf(command, at);
      if (end === -1) return undefined;
      const inside = command.slice(at + 1, end);
      word = (word ?? "") + (char === "'" ? inside : inside.replace(/\\([\\"$`])/g, "$1"));
      at = end;
    } else if (char === "\\" && at + 1 < command.length) {
      word = (word ?? "") + (command[++at] ?? "");
    } else if (char === " " || char === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (OPERATOR.test(char)) {
      return undefined;
    } else {
      word = (word ?? "") + char;
    }
  }
  return word === undefined ? words : [...words, word];
}

/** Where the quotation that begins at `open` ends; -1 where it does not. */
function closingOf(command: string, open: number): number {
  const quote = command[open] ?? "";
  if (quote === "'") return command.indexOf(quote, open + 1);
  for (let at = open + 1; at < command.length; at++) {
    if (command[at] === "\\" && ESCAPED_IN_DOUBLE.test(command[at + 1] ?? "")) at++;
    else if (command[at] === quote) return at;
  }
  return -1;
}
