/**
 * Which part of memd asked for what is done to the disk: read off the stack, so
 * that a place that publishes cannot be forgotten in a list.
 */

/** Functions that publish on behalf of others. */
export const PUBLISHERS: ReadonlySet<string> = new Set([
  "publish",
  "publishNew",
  "publishOver",
  "publishDerived",
  "placeDerived",
  "withTemp",
  "writeTemp",
  "writeDurably",
  "appendLines",
  "rewriteShared",
  "swap",
  "displace",
  "placeFor",
  "writeBase",
  "tempInFolder",
  "withLock",
  "writeNote",
  "rewrite",
  "rewriteKnown",
  "rewriteFile",
  "rewriteText",
  "removeFile",
  "discard",
  "setAside",
  "makeDir",
  "syncDir",
  "record",
  "append",
  "appendTo",
]);

/** Frames of the model itself and of the disk port, which say nothing. */
const OURS =
  /^#|^async #|ModelFs|Object\.|diskOver|openFile|node:internal|processTicksAndRejections|^(?:new )?Promise|attempt|absentOr|soon|Calls\.|OpenedFile\.|<anonymous>/;
/** The port's own too; a class's method of that name stands with its class. */
const OF_DISK: ReadonlySet<string> = new Set([
  "create",
  "openAppend",
  "openOwn",
  "rename",
  "link",
  "unlink",
  "removeDir",
  "syncFile",
  "replaceDerived",
]);

export function placeFromStack(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 30;
  const frames = (new Error().stack ?? "").split("\n").slice(1);
  Error.stackTraceLimit = limit;
  for (const frame of frames) {
    const name = /at (?:async )?((?:new )?[\w.#$<>[\] ]+?) \(/.exec(frame)?.[1];
    if (name === undefined || OURS.test(name)) continue;
    const plain = name.replace(/^.*\./, "").replace(/^_?#/, "").replace(/\d+$/, "");
    if (!PUBLISHERS.has(plain) && !OF_DISK.has(name)) return plain;
  }
  return "?";
}
