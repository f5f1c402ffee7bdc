/** Packages that are no part of memd, in a folder where its owner had them installed. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

export interface Installed {
  version: string;
  /** As the package says it of itself. */
  license: string;
}

/** Undefined where it is not there. */
export function installedPackage(folder: string, name: string): Installed | undefined {
  try {
    const text = readFileSync(path.join(folder, "node_modules", name, "package.json"), "utf8");
    const { version, license } = JSON.parse(text) as Record<string, unknown>;
    return { version: String(version), license: typeof license === "string" ? license : "unknown" };
  } catch {
    // Not there, or nothing that could be loaded.
    return undefined;
  }
}

/** Loads it. Throws what it throws, and where it is not there. */
export function loadInstalled(folder: string, name: string): unknown {
  return createRequire(path.join(folder, "package.json"))(name);
}

/** How npm ended: nothing where all went well, else why not. What it prints goes to standard error. */
export function npmInstall(folder: string, packages: readonly string[]): Promise<string | undefined> {
  const args = ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
  return new Promise((resolve) => {
    const child = spawn("npm", args, { cwd: folder, stdio: ["ignore", 2, 2] });
    child.once("error", (error) => resolve(`npm cannot be started: ${error.message}`));
    child.once("close", (code, signal) =>
      resolve(code === 0 ? undefined : `npm ended ${code === null ? `by ${signal}` : `with ${code}`}`),
    );
  });
}
