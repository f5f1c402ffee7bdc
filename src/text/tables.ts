/**
 * A table as text, looked up where it stands: a line a key, a tab, what it says; the lines in the order of
 * their bytes. Pure. Nothing is built of a hundred thousand lines, and only those that are asked for are decoded.
 */

/** What the line of a key says; undefined where there is none. */
export type Table = (key: string) => string | undefined;

const TAB = 9;
const LINE_END = 10;

export function tableIn(bytes: Uint8Array): Table {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  return (wanted) => {
    const key = encoder.encode(wanted);
    let [low, high] = [0, bytes.length];
    while (low < high) {
      const start = startOfLine(bytes, (low + high) >> 1);
      const tab = bytes.indexOf(TAB, start);
      const order = compared(key, bytes, start, tab);
      if (order === 0) return decoder.decode(bytes.subarray(tab + 1, endOfLine(bytes, tab)));
      if (order > 0) low = endOfLine(bytes, tab) + 1;
      else high = start;
    }
    return undefined;
  };
}

function startOfLine(bytes: Uint8Array, at: number): number {
  return at === 0 ? 0 : bytes.lastIndexOf(LINE_END, at - 1) + 1;
}

function endOfLine(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(LINE_END, from);
  return end === -1 ? bytes.length : end;
}

/** Below 0 where the key stands before what is there from `start` to `end`. */
function compared(key: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  for (let at = 0; at < key.length && at < length; at++) {
    const apart = (key[at] ?? 0) - (bytes[start + at] ?? 0);
    if (apart !== 0) return apart;
  }
  return key.length - length;
}
