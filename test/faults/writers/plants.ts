/** Bugs of this part: what a careless hand might do where others write too. */
import type { Plant } from "../plants.js";

const plant = (name: string, file: string, find: string, replace: string): Plant => ({
  name: `writers: ${name}`,
  part: "writers",
  file,
  find,
  replace,
});

export const PLANTS: readonly Plant[] = [
  plant(
    "the file is not read again before the rename",
    "src/protocol/shared-file.ts",
    "(await writer.disk.hash(place)) !== hash",
    'hash === ""',
  ),
  plant(
    "what stands at the last moment gets no second name",
    "src/protocol/shared-file.ts",
    "if (!(await displace(writer, file, place))) return false;",
    "void displace;",
  ),
  plant(
    "a file that appears at the last moment is overwritten",
    "src/protocol/shared-file.ts",
    "const isPlaced = await writer.disk.link(temp, file);",
    "await writer.disk.rename(temp, file);\n    const isPlaced = true;",
  ),
  plant(
    "memory.md is rewritten while somebody writes it",
    "src/protocol/memory-file.ts",
    "if (waitMs > 0) {",
    "if (waitMs > 1e9) {",
  ),
  plant(
    "half of a late save is merged",
    "src/archive/late-saves.ts",
    'if (!save.isRested) return "later";',
    "",
  ),
  plant(
    "of a late save memd's lines win",
    "src/text/merge-lines.ts",
    "addAll(merged, agreed ?? sides.theirs);",
    "addAll(merged, agreed ?? sides.ours);",
  ),
  plant(
    "two drops of one name are one",
    "src/protocol/read-list.ts",
    'import { type FileWriter, publishNew } from "./publish.js";',
    `import { publish, type FileWriter } from "./publish.js";
const publishNew = (...given: Parameters<typeof publish>) => publish(...given).then(() => true);`,
  ),
  plant(
    "a drop goes although a list cannot be read",
    "src/archive/take-drops.ts",
    "if (history === undefined || inbox === undefined) return NO_DROPS;",
    "",
  ),
];
