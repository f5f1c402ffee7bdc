/** `memd import`: a conversation from JSON lines; a line's conversation becomes a scope of that name. */
import pc from "picocolors";
import { naturalHash } from "../archive/identity.js";
import { MemdError } from "../model/errors.js";
import { nodeDisk } from "../platform/node-disk.js";
import { resolve } from "../platform/files.js";
import { currentDir, readStandardInput, terminal } from "../platform/process.js";
import { parseMessage } from "../protocol/message.js";
import { printJson, printLine, type CommonOptions } from "./context.js";
import { withMemd } from "./memd.js";
import { counted } from "./words.js";

const BATCH_LINES = 1000;
const BATCH_CHARS = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

export async function importFile(file: string, options: CommonOptions): Promise<void> {
  const { batches, bad } = batchesOf(await readInput(file));
  let fresh = 0;
  let done = 0;
  await withMemd(options, "changes", async (memd) => {
    for (const messages of batches) {
      const answer = await memd.ask("importMessages", { messages });
      fresh += answer.fresh;
      done += messages.length;
      if (options.json === true || !terminal.isTTY) continue;
      terminal.clearLine();
      terminal.out(pc.dim(`  ${done} messages …`));
    }
  });
  if (options.json !== true && terminal.isTTY) terminal.clearLine();
  if (bad !== undefined)
    throw new MemdError(
      "import_invalid",
      `${file}, line ${bad.line}: ${bad.reason}. ${counted(done, "message")} before it ${done === 1 ? "was" : "were"} taken in.`,
    );
  if (options.json === true) return printJson({ messages: done, fresh });
  printLine(`Imported ${counted(fresh, "new message")} of ${done}.`);
  if (fresh > 0)
    printLine("Older days get their summaries in the next pass; `memd archive --now` makes them at once.");
}

interface Input {
  text: string;
  /** What follows `text` in the file and cannot be read. */
  bad?: { line: number; reason: string };
}

async function readInput(file: string): Promise<Input> {
  if (file === "-") return decoded(await readStandardInput());
  const path = await nodeDisk.realPath(resolve(currentDir(), file));
  if (path === undefined) throw new MemdError("input_missing", `There is no file ${file}.`);
  if ((await nodeDisk.stat(path))?.kind !== "file")
    throw new MemdError("input_missing", `${file} is not a file.`);
  return decoded((await nodeDisk.read(path)) ?? new Uint8Array());
}

/** The lines up to the first that is no UTF-8: a text is not taken in as other characters than it was written in. */
function decoded(bytes: Uint8Array): Input {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    return { text: decoder.decode(bytes) };
  } catch {
    let end = 0;
    for (let line = 1; ; line++) {
      const newline = bytes.indexOf(NEWLINE, end);
      const next = newline === -1 ? bytes.byteLength : newline + 1;
      try {
        decoder.decode(bytes.subarray(end, next));
      } catch {
        // This is the line; the caller says so.
        const text = decoder.decode(bytes.subarray(0, end));
        return { text, bad: { line, reason: "it is not UTF-8 text" } };
      }
      end = next;
    }
  }
}

/** Batches of raw messages up to the first line that is none. */
function batchesOf({ text, bad }: Input): Pick<Input, "bad"> & { batches: unknown[][] } {
  const batches: unknown[][] = [];
  const nameOf = idGiver();
  let batch: unknown[] = [];
  let chars = 0;
  const close = (): void => {
    if (batch.length > 0) batches.push(batch);
    batch = [];
    chars = 0;
  };
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const message = messageOfLine(line);
    if (typeof message === "string") {
      close();
      return { batches, bad: { line: index + 1, reason: message } };
    }
    batch.push(nameOf(message));
    chars += line.length;
    if (batch.length >= BATCH_LINES || chars >= BATCH_CHARS) close();
  }
  close();
  return bad === undefined ? { batches } : { batches, bad };
}

/**
 * Gives ids to messages without one. Equal ones are counted over the whole file,
 * so a repeated import gives the same ids; where no time tells an imported
 * message from one that was said here, its id keeps it apart.
 */
function idGiver(): (raw: Record<string, unknown>) => Record<string, unknown> {
  const counts = new Map<string, number>();
  return (raw) => {
    const message = parseMessage(raw);
    if (message === undefined || message.id !== undefined) return raw;
    const natural = `${message.createdAt === "" ? "i" : "n"}-${naturalHash(message)}`;
    const count = (counts.get(natural) ?? 0) + 1;
    counts.set(natural, count);
    return { ...raw, id: count === 1 ? natural : `${natural}-${count}` };
  };
}

/** The message, or what is wrong with the line. */
function messageOfLine(line: string): Record<string, unknown> | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return "it is not JSON";
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "it is not an object";
  const { conversation, ...rest } = value as Record<string, unknown>;
  const known = typeof conversation === "string" || typeof conversation === "number";
  if (conversation !== undefined && !known) return "its conversation is not a name";
  if (typeof rest["role"] !== "string") return "it has no role";
  const message = known ? { ...rest, scope: String(conversation) } : rest;
  return parseMessage(message) === undefined ? "it has no text" : message;
}
