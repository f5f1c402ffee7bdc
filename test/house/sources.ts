/** The files of this repository, for the tests that hold the house together. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

export function readFile(file: string): string {
  return fs.readFileSync(path.join(ROOT, file), "utf8");
}

/** Relative path to text of every TypeScript file below a folder of the repository. */
export function typescriptIn(folder: string): Map<string, string> {
  const files = walk(path.join(ROOT, folder)).filter((file) => file.endsWith(".ts"));
  return new Map(files.map((file) => [file, readFile(`${folder}/${file}`)]));
}

/**
 * The files that make up the project, relative: what git tracks or would
 * track. In a copy without git, everything that is not installed or made.
 */
export function projectFiles(useGit = true): string[] {
  const listed =
    (useGit ? gitFiles() : undefined) ??
    walk(ROOT, new Set(["node_modules", "dist", "coverage", "sample-workspace", ".git"]));
  return listed.filter(
    (file) => fs.statSync(path.join(ROOT, file), { throwIfNoEntry: false })?.isFile() === true,
  );
}

function gitFiles(): string[] | undefined {
  try {
    const options = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const listed = execFileSync("git", options, {
      cwd: ROOT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const files = listed.split("\0").filter((file) => file !== "");
    // A copy inside somebody else's repository may be ignored as a whole there.
    return files.includes("package.json") ? files : undefined;
  } catch {
    // No git, or no repository here: the folders are walked instead.
    return undefined;
  }
}

function walk(dir: string, without: ReadonlySet<string> = new Set()): string[] {
  return fs
    .readdirSync(dir, { withFileTypes: true })
    .filter((entry) => !without.has(entry.name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? walk(path.join(dir, entry.name), without).map((file) => `${entry.name}/${file}`)
        : [entry.name],
    )
    .sort();
}
