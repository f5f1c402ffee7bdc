/**
 * What one process of a run does, as its role says; it loads no more than that
 * needs. It ends by itself, or when its input is closed.
 */
import type { DroppingRole } from "./dropping.js";
import type { EditingRole } from "./editing.js";
import type { KeepingRole } from "./keeping.js";
import type { ListingRole } from "./listing.js";

/** The command line as it is in the sources now, planted bugs included. */
interface CommandRole {
  plays: "command";
  args: readonly string[];
}

/** Writers that stop at every so manieth byte, on a disk in memory. */
interface StoppingRole {
  plays: "stopping writers";
  step: number;
}

export type Role = DroppingRole | ListingRole | EditingRole | KeepingRole | CommandRole | StoppingRole;

const role = JSON.parse(process.argv[2] ?? "") as Role;
process.stdin.on("end", () => process.exit(3)).unref();

async function play(): Promise<unknown> {
  switch (role.plays) {
    case "dropper":
      return (await import("./dropping.js")).drop(role);
    case "list writer":
      return (await import("./listing.js")).writeList(role);
    case "editor":
      return (await import("./editing.js")).edit(role);
    case "memd":
      return (await import("./keeping.js")).keepMemory(role);
    case "stopping writers":
      return (await import("./halves.js")).stopAtEveryByte(role.step);
    case "command":
      return command(role.args);
    default:
      return role satisfies never;
  }
}

async function command(args: readonly string[]): Promise<unknown> {
  process.argv = [process.execPath, "memd", ...args];
  const { main } = await import("../../../src/cli/main.js");
  await main();
  return { exitCode: process.exitCode ?? 0 };
}

process.stdout.write(`${JSON.stringify(await play())}\n`, () => process.exit());
