/** What a careless hand might do to the order of things; each kill at the right moment shows it. */
import type { Plant } from "../plants.js";

export const PLANTS: Plant[] = [
  {
    name: "history.json is removed before the new one is put in its place",
    part: "kills",
    file: "src/protocol/shared-file.ts",
    find: "  await writer.disk.rename(temp, file);\n",
    replace: "  await writer.disk.unlink(file);\n  await writer.disk.rename(temp, file);\n",
  },
  {
    name: "a drop is removed before it is journalled",
    part: "kills",
    file: "src/archive/take-drops.ts",
    find: '  const taken = await journalMessages(context, dropped, "drop");\n',
    replace:
      "  for (const { file } of good) await writer.disk.unlink(at(workspace, file));\n" +
      '  const taken = await journalMessages(context, dropped, "drop");\n',
  },
  {
    name: "a drop that is met again is added to history.json again",
    part: "kills",
    file: "src/archive/list-file.ts",
    find: "messages.filter((message) => !present.has(keyOfMessage(message)))",
    replace: "messages.filter(() => present.size >= 0)",
  },
  {
    name: "messages are marked as settled before their blocks are written",
    part: "kills",
    file: "src/archive/write-days.ts",
    find: "  let homeless: FiledMessage[] | undefined;\n",
    replace: "  await settle(context, group);\n  let homeless: FiledMessage[] | undefined;\n",
  },
  {
    name: "a day that moves is removed before it stands in the archive",
    part: "kills",
    file: "src/archive/write-days.ts",
    find: "    if (!(await publishOver(writer, at(workspace, path), content, home))) return undefined;\n",
    replace:
      "    for (const { path: gone } of standing) if (gone !== path) await writer.disk.unlink(at(workspace, gone));\n" +
      "    if (!(await publishOver(writer, at(workspace, path), content, home))) return undefined;\n",
  },
  {
    name: "a move to the archive that was cut off is not finished",
    part: "kills",
    file: "src/archive/write-days.ts",
    find: "if (!(await mergeAway",
    replace: "if (home === undefined && !(await mergeAway",
  },
  {
    name: "a torn last line of the journal is written on",
    part: "kills",
    file: "src/protocol/jsonl.ts",
    find: "if (last === NEWLINE || last === undefined) return undefined;",
    replace: "if (last !== undefined) return undefined;",
  },
  {
    name: "what a killed process left unfinished is not swept",
    part: "kills",
    file: "src/protocol/publish.ts",
    find: "TEMP_NAME.test(name) || DERIVED_TEMP_NAME.test(name);",
    replace: "false;",
  },
];
