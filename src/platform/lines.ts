/** Bytes to lines: partial chunks, characters cut in two and lines of megabytes included. */
const NEWLINE = 0x0a;

/** Feed it chunks; `onLine` gets every whole line, without its newline. What follows the last newline waits. */
export function lineSplitter(onLine: (line: string) => void): (chunk: Uint8Array) => void {
  let waiting: Uint8Array[] = [];
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      // Joined only here: a long line is copied once, however many chunks it came in.
      const line = Buffer.concat([...waiting, chunk.subarray(from, at)]).toString("utf8");
      waiting = [];
      from = at + 1;
      onLine(line);
    }
    if (from < chunk.length) waiting.push(chunk.subarray(from));
  };
}
