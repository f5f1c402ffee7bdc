/** What a careless hand might do to publishing and archiving; the model must notice each. */
import type { Plant } from "../plants.js";

export interface ModelPlant extends Plant {
  /** The named story in which it shows: looked at first, so that a proof takes a second. */
  story: string;
}

const plant = (file: string, story: string, name: string, find: string, replace: string): ModelPlant => ({
  part: "model",
  file,
  story,
  name,
  find,
  replace,
});

const PUBLISH = "src/protocol/publish.ts";
const JSONL = "src/protocol/jsonl.ts";
const SHARED = "src/protocol/shared-file.ts";
const DAYS = "src/archive/write-days.ts";
const DROPS = "src/archive/take-drops.ts";
const FORGETTING = "src/forget/forgetting.ts";
const TOPICS = "src/topics/store.ts";

export const PLANTS: readonly ModelPlant[] = [
  plant(
    PUBLISH,
    "drops become messages",
    "a new file's bytes are not fsynced",
    "      await out.sync();\n",
    "",
  ),
  plant(
    PUBLISH,
    "drops become messages",
    "the folder is not fsynced after a rename",
    "  await disk.syncDir(dirname(file));\n  return placed;",
    "  return placed;",
  ),
  plant(
    PUBLISH,
    "drops become messages",
    "the folder is fsynced before the rename",
    "    placed = await place(temp);\n",
    "    await disk.syncDir(dirname(file));\n    return await place(temp);\n",
  ),
  plant(
    PUBLISH,
    "a day, and a second pass of it",
    "a file is removed before the new one takes its name",
    "    if (isBase) await writer.disk.rename(temp, file);",
    "    if (isBase) await writer.disk.unlink(file);\n    if (isBase) await writer.disk.rename(temp, file);",
  ),
  plant(
    PUBLISH,
    "journals are pruned",
    "a file is written in place",
    "    await writer.disk.rename(temp, file);\n  });\n}\n\n/**\n * Replaces a file that people edit too",
    `    await writer.disk.unlink(temp);
    await writer.disk.unlink(file);
    const out = await writer.disk.create(file);
    await out?.write(typeof content === "string" ? Buffer.from(content) : content);
    await out?.sync();
    await out?.close();
  });
}

/**
 * Replaces a file that people edit too`,
  ),
  plant(
    PUBLISH,
    "a host that saves while memd does",
    "an edit that came meanwhile is written over",
    "    if (isBase) await",
    "    if (base !== temp) await",
  ),
  plant(
    JSONL,
    "messages without ids",
    "lines are not fsynced",
    "    await out.datasync().catch((error: unknown) => {\n      throw new NotSynced(file, error);\n    });\n",
    "",
  ),
  plant(
    JSONL,
    "messages without ids",
    "the name of a new journal is not made durable",
    "  if (before === undefined || !named.has(file)) await disk.syncDir(dirname(file));\n",
    "",
  ),
  plant(
    JSONL,
    "a torn journal",
    "a torn line is written on to",
    'chunksOf(torn === undefined ? "" : "\\n", lines)',
    'chunksOf("", lines)',
  ),
  plant(
    "src/protocol/journal.ts",
    "a sync that fails",
    "after a failed fsync the same file is taken again",
    "        return appendTo(next);",
    "        return appendTo(file);",
  ),
  plant(
    SHARED,
    "drops become messages",
    "a list's rename is not made durable",
    "      await disk.syncDir(dirname(file));\n      return next.written;",
    "      return next.written;",
  ),
  plant(
    SHARED,
    "an editor saves into the file that was replaced",
    "the second name of a replaced file is not made durable",
    "  await writer.disk.syncDir(dirname(place));\n",
    "",
  ),
  plant(
    "src/platform/node-disk.ts",
    "old days and months are summarised",
    "the names of new folders are not made durable",
    "    await syncDir(system, above).catch(",
    "    await Promise.resolve().catch(",
  ),
  plant(
    DROPS,
    "drops become messages",
    "drops go before they are journalled",
    '  const taken = await journalMessages(context, dropped, "drop");\n',
    `  for (const { file } of good) await writer.disk.unlink(at(workspace, file));
  await writer.disk.syncDir(at(workspace, FILES.drops));
  const taken = await journalMessages(context, dropped, "drop");
`,
  ),
  plant(
    DROPS,
    "hooks tell what was said",
    "what hooks told goes before it is journalled",
    '  await journalMessages(context, said, "hook");\n  await heard(messages);\n',
    `  for (const { file } of told) await writer.disk.unlink(at(workspace, file));
  await writer.disk.syncDir(at(workspace, FILES.told));
  await journalMessages(context, said, "hook");
  await heard(messages);
`,
  ),
  plant(
    "src/archive/list-file.ts",
    "a save that was broken off",
    "a list that does not parse counts as empty",
    '  throw new MemdError("file_unreadable", `${FILES[name]} cannot be read: ${reason}.`);',
    '  return reason === undefined ? list : EMPTY_LIST;\n  function list(): never {\n    throw new MemdError("file_unreadable", name);\n  }',
  ),
  plant(
    "src/archive/list-file.ts",
    "drops become messages",
    "a message is added that stands there already",
    "    const fresh = messages.filter((message) => !present.has(keyOfMessage(message)));",
    "    const fresh = present.size < 0 ? [] : messages;",
  ),
  plant(
    DAYS,
    "a day, and a second pass of it",
    "a message is settled before its block is written",
    "  let homeless: FiledMessage[] | undefined;\n",
    "  await settle(context, group);\n  let homeless: FiledMessage[] | undefined;\n",
  ),
  plant(
    DAYS,
    "a day grows old and moves",
    "the old file of a day goes before the new one stands",
    "    const content = await encodeVerbatim(file, pacer(clock));\n",
    `    const content = await encodeVerbatim(file, pacer(clock));
    for (const other of standing) if (other.path !== path) await removeFile(writer, at(workspace, other.path));
`,
  ),
  plant(
    DAYS,
    "two files of a day become one",
    "a second file of a day goes with what it says otherwise",
    '      await setAside(writer, workspace, other.path, bytes, "second file of a day");\n',
    "",
  ),
  plant(
    DAYS,
    "a person edits, and a newer version comes",
    "a newer version of an edited block is thrown away",
    '  await setAside(writer, workspace, "message.json", content, why);\n',
    "  if (content === why) await setAside(writer, workspace, content, content, why);\n",
  ),
  plant(
    "src/archive/day-file.ts",
    "a day grows old and moves",
    "a message that stands in two files of a day is kept twice",
    "    if (seen.has(block.filed.message.id)) continue;\n",
    "",
  ),
  plant(
    "src/archive/summary-job.ts",
    "a person edits, and a newer version comes",
    "a summary that a person edited is made anew without the edit",
    "  if (existing?.edited === true) {\n    return",
    "  if (existing === null) {\n    return",
  ),
  plant(
    "src/archive/owed.ts",
    "old days and months are summarised",
    "a day whose summary stands is summarised again",
    '    if (coveredByMonth.has(mark) || (tier.to === "day" && covered.has(mark))) continue;',
    '    if (coveredByMonth.has(mark) || (tier.to === "day" && covered.size < 0)) continue;',
  ),
  plant(
    "src/archive/prune.ts",
    "journals are pruned",
    "pruning takes lines of messages that have no block yet",
    "      return isSettled(keyOfMessage(entry.filed.message), versionHash(entry.filed.message)) ? [] : [entry];",
    "      return isSettled(keyOfMessage(entry.filed.message), versionHash(entry.filed.message)) ? [] : [];",
  ),
  plant(
    "src/protocol/queue-folders.ts",
    "turns end, and are worked",
    "a claimed job leaves its folder before its new name is durable",
    "  await disk.syncDir(at(workspace, FILES[to]));\n  return removeJob",
    "  return removeJob",
  ),
  plant(
    "src/historian/worker.ts",
    "turns end, and are worked",
    "a job leaves the queue before its records stand",
    "    const written = await this.#records.keep(records, verdicts);\n",
    "    await finishJob(this.parts.writer, this.parts.workspace, id);\n    const written = await this.#records.keep(records, verdicts);\n",
  ),
  plant(
    "src/protocol/memos.ts",
    "turns end, and are worked",
    "a memo that was folded is folded again",
    "  if (file.memos.some(isThis)) return undefined;\n",
    "",
  ),
  plant(
    "src/protocol/queue-folders.ts",
    "turns end, and are worked",
    "what was under way is not looked for at the start",
    '  const under = await jobIds(writer, workspace, "processing");\n  await returnJobs',
    '  const under = await jobIds(writer, workspace, "failed");\n  await returnJobs',
  ),
  plant(
    "src/historian/enqueue-exchanges.ts",
    "rounds are looked at",
    "it is written down how far it was looked before the jobs stand",
    "        for (const look of plan.looks) await handOver(this.parts, { ...of, ...closed }, look);\n        this.cursors.move({ ...of, ...plan.cursor, ...closed });\n",
    "        this.cursors.move({ ...of, ...plan.cursor, ...closed });\n        await this.cursors.keep();\n        for (const look of plan.looks) await handOver(this.parts, { ...of, ...closed }, look);\n",
  ),
  plant(
    "src/historian/job-ends.ts",
    "a turn that no model can work",
    "a job that fails for good takes its observations with it",
    "    await this.records.keep(atLast);\n",
    "",
  ),
  plant(
    "src/protocol/documents.ts",
    "a document is added and replaced",
    "a document counts as handed over before its jobs stand",
    "  for (const _window of cutWindows(document.body, windowChars)) {",
    "  await publishOver(writer, at(workspace, file), printDocument({ ...document, windowChars }), text);\n  for (const _window of cutWindows(document.body, windowChars)) {",
  ),
  plant(
    "src/documents/worker.ts",
    "a document is added and replaced",
    "a document that was not handed over is not looked after",
    "      } else if (head !== undefined && head.windowChars === undefined) {",
    "      } else if (head !== undefined && head.windowChars === 0) {",
  ),
  plant(
    "src/documents/store.ts",
    "a document is added and replaced",
    "records of a text that was replaced are looked for once only",
    "  for (const folder of this.catalogue.folders) dropped += await this.#sweepFolder(folder);",
    "",
  ),
  plant(
    "src/documents/store.ts",
    "files that are looked up change and go",
    "what a person made of a document goes with its file",
    '      if (text !== undefined) await setAside(writer, workspace, file, text, "edit");',
    "",
  ),
  plant(
    FORGETTING,
    "a conversation is forgotten",
    "the work of forgetting begins before a durable line says what",
    '    await publish(writer, file, withBegun((await readText(writer.disk, file)) ?? "", line));\n',
    "    void [publish, withBegun, await readText(writer.disk, file)];\n",
  ),
  plant(
    FORGETTING,
    "a message is forgotten, and its host says it again",
    "what is forgotten is said to be done before its files are rewritten",
    "    await archive.forgetting(async () => {\n",
    `    const early = at(workspace, FILES.forgotten);
    await publish(writer, early, withDone((await readText(writer.disk, early)) ?? "", line));
    await archive.forgetting(async () => {
`,
  ),
  plant(
    FORGETTING,
    "a conversation is forgotten",
    "what an earlier try removed is not made durable before it is said to be done",
    "    for (const folder of TOUCHED) await syncTree(context, folder);\n",
    "    void [TOUCHED, syncTree];\n",
  ),
  plant(
    "src/archive/archive.ts",
    "a message is forgotten, and its host says it again",
    "the copy of a list that a killed memd had cleared stays beside it",
    "    await clearReplaced(this.context, this.#readings);\n",
    "    void clearReplaced;\n",
  ),
  plant(
    "src/archive/ledger.ts",
    "a message is forgotten, and its host says it again",
    "a message that was forgotten is taken in again",
    "    return this.forgotten.hasMessage(key, place);",
    '    return place === "" && this.forgotten.hasMessage(key, place);',
  ),
  plant(
    TOPICS,
    "a conversation is split into topics",
    "what a crash left of a split is not ended at the start",
    "    await this.#files.gather();\n    await this.#files.settle(this.#topics, (id) => this.holderOf(id));\n",
    "    await this.#files.gather();\n",
  ),
  plant(
    TOPICS,
    "what is in a topic is forgotten, lines of another hand beside it",
    "a brief that was made of what is forgotten stays",
    '      for (const topic of touched) await this.#files.remove(this.pathOf(topic, "md"));\n',
    "",
  ),
  plant(
    "src/topics/place-files.ts",
    "topics are put away, woken and become one",
    "a topic leaves its folder before its new name is on the disk",
    "    await disk.syncDir(dirname(wanted));\n",
    "",
  ),
];
