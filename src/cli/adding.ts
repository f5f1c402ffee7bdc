/** How a command comes into the program: with the options that all have, its work loaded only when it is run. */
import type { Command, CommandOptions } from "commander";

/** What a command does: it is given the arguments in their order, then the options, then the command. */
type Work = (...given: never[]) => Promise<void>;

/** A command that is called as the function of its file is. */
export type Add = <N extends string>(name: N, load: () => Promise<Record<N, Work>>) => Command;

export type Group = ReturnType<typeof adding>["group"];

export function adding(program: Command) {
  const add: Add = (name, load) => addTo(program, name, async () => (await load())[name]);
  return {
    add,
    /** Commands whose work is in one file. */
    group: <F>(of: string, about: string, load: () => Promise<F>) => {
      const commands = program.command(of).description(about);
      return (name: string, says: string, workIn: (file: F) => Work, more?: CommandOptions): Command =>
        addTo(commands, name, async () => workIn(await load()), more).description(says);
    },
  };
}

function addTo(group: Command, name: string, load: () => Promise<Work>, more?: CommandOptions): Command {
  return group
    .command(name, more)
    .option("-w, --workspace <dir>", "the workspace (default: MEMD_WORKSPACE, else this folder)")
    .option("--json", "machine-readable output")
    .option("--debug", "with stack traces")
    .action(async (...given) => (await load())(...(given as never[])));
}
