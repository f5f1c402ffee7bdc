/** How large the sources are: files and lines in all and by folder, the median file and the longest. */
import fs from "node:fs";
import path from "node:path";
import { packageRoot } from "../src/platform/package-root.js";

interface Size {
  files: number;
  lines: number;
}

export function benchSources(): Promise<Record<string, unknown>> {
  const src = path.join(packageRoot(), "src");
  const files = fs
    .readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ file, lines: linesOf(path.join(src, file)) }))
    .sort((one, other) => one.lines - other.lines);
  const folders: Record<string, Size> = {};
  for (const { file, lines } of files) {
    const [folder = ""] = file.split(path.sep);
    const size = (folders[folder] ??= { files: 0, lines: 0 });
    size.files += 1;
    size.lines += lines;
  }
  return Promise.resolve({
    files: files.length,
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    medianLines: files[Math.floor(files.length / 2)]?.lines,
    longest: files.slice(-5).reverse(),
    folders,
  });
}

function linesOf(file: string): number {
  return fs.readFileSync(file, "utf8").split("\n").length - 1;
}
