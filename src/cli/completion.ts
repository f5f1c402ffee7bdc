/** `memd completion`: what a shell has to know to complete memd's commands, as they are. */
import type { Command, Option } from "commander";
import { type CommonOptions, printJson } from "./context.js";
import { terminal } from "../platform/process.js";
import {
  bashScript,
  type CompletedCommand,
  type CompletedOption,
  fishScript,
  zshScript,
} from "./completion-scripts.js";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `command` is the one that was run, which stands below all others. */
export async function completion(
  shell: keyof typeof SCRIPTS,
  options: CommonOptions,
  command: Command,
): Promise<void> {
  let program = command;
  while (program.parent !== null) program = program.parent;
  const script = SCRIPTS[shell](program.name(), commandsOf(program));
  if (options.json === true) return printJson({ shell, script });
  terminal.out(script);
}

/** Every command below, each with its path; first the program itself. */
function commandsOf(command: Command, path: readonly string[] = []): CompletedCommand[] {
  const { visibleCommands, visibleOptions } = visibleOf(command);
  const inner = visibleCommands.filter(({ name }) => name !== "help");
  const own: CompletedCommand = {
    path,
    about: command.description(),
    commands: inner,
    options: visibleOptions,
    words: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
  return [own, ...command.commands.flatMap((below) => commandsOf(below, [...path, below.name()]))];
}

function visibleOf(command: Command): {
  visibleCommands: CompletedCommand["commands"];
  visibleOptions: CompletedOption[];
} {
  const help = command.createHelp();
  return {
    visibleCommands: help
      .visibleCommands(command)
      .map((below) => ({ name: below.name(), about: below.description() })),
    visibleOptions: help.visibleOptions(command).map(optionOf),
  };
}

function optionOf({
  short,
  long,
  description,
  required,
  variadic,
  argChoices,
  flags,
}: Option): CompletedOption {
  return {
    names: [long, short].filter((name) => name !== undefined),
    about: description,
    takesValue: required,
    isFolder: flags.includes("<dir>"),
    repeats: variadic,
    choices: argChoices ?? [],
  };
}
