/** A user's git in a place of a test: of its own home, with a name, and nothing of the machine's settings. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import type { Place } from "./cli.js";

/** What it prints, ends trimmed. Throws with what it says where it fails. */
export type UsersGit = (...args: string[]) => string;

export function usersGit(place: Place, folder = place.root): UsersGit {
  const env = {
    ...place.environment,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: path.dirname(place.outside),
  };
  const who = ["-c", "user.name=lin", "-c", "user.email=lin@example.org", "-c", "init.defaultBranch=main"];
  return (...args) =>
    execFileSync("git", [...who, ...args], { cwd: folder, env, encoding: "utf8", stdio: "pipe" }).trim();
}

/** A shell in the workspace, as its user has it. */
export function usersShell(place: Place, lines: string): string {
  return execFileSync("sh", ["-e", "-c", lines], {
    cwd: place.root,
    env: { ...place.environment, GIT_CONFIG_NOSYSTEM: "1" },
    encoding: "utf8",
    stdio: "pipe",
  });
}
