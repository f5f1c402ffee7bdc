/** Each `--help` ends with examples, and each example is one that memd takes. */
import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../../src/cli/main.js";

const program = createProgram();
const commands = [program, ...below(program)];

test.each(commands.map((command) => [pathOf(command), command] as const))(
  "%s --help has an example of its own",
  (path, command) => {
    const shown = examplesOf(command);
    expect(shown).not.toEqual([]);
    for (const line of shown) expect(line).toContain(path);
  },
);

test("every example parses, with its flags and arguments", async () => {
  for (const line of commands.flatMap(examplesOf)) await parsed(line);
});

test.each([
  ["memd serach x", /unknown command/],
  ["memd search x --form 2026", /unknown option/],
  ["memd search", /missing required argument/],
  ["memd read a.md --from soon", /whole number/],
  ["memd queue list extra", /too many arguments/],
])("%s would be seen", async (line, says) => {
  await expect(parsed(line)).rejects.toThrow(says);
});

function below(command: Command): Command[] {
  return command.commands.flatMap((inner) => [inner, ...below(inner)]);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function examplesOf(command: Command): string[] {
  let shown = "";
  command.configureOutput({ writeOut: (text) => (shown += text) }).outputHelp();
  const [, after = ""] = /\nExamples?:\n([^]*)$/.exec(shown) ?? [];
  return after.split("\n").flatMap((line) => line.trim() || []);
}

/** The part of a line that runs memd, on a program of which nothing is done. */
async function parsed(line: string): Promise<void> {
  const [, command = ""] = /(?:^|\| |\()(memd [^<>)]*)/.exec(line) ?? [];
  const words = [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
  expect(words[0]).toBe("memd");
  const idle = createProgram();
  for (const each of [idle, ...below(idle)]) {
    each.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
    if (each.commands.length === 0) each.action(() => undefined);
  }
  await idle.parseAsync(words.slice(1), { from: "user" });
}
