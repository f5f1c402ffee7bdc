/**
 * The moment at which a process is to die: its n-th file operation, all of them
 * counted or only those of one label, and which side of it.
 *
 * A label is the operation with what it is done to (`rename history.json`), so
 * that a moment can be named whatever else the run has to do.
 */
import path from "node:path";

/** `half`: in the middle of a write; of any other operation it is `before`. `cut`: the power goes first. */
export type How = "before" | "half" | "after" | "cut";

export interface Point {
  n: number;
  how: How;
  /** Only operations of this label count. */
  of?: string;
}

/** The environment of a process that is told its point; `notes` gets the label of each operation. */
export interface Orders {
  notes: string;
  point?: Point;
  /** Program and arguments that take the power away. */
  cut?: readonly string[];
}

export const ORDERS = "MEMD_FAULTS_ORDERS";

const TEMP = /^\.(.+)\.[a-z0-9]{8}\.tmp$|^((?:prompt|state)\.[a-z]+)\.\d{1,10}$/;

/** What a file of a workspace is, without what differs from one to the next. */
export function placeOf(root: string, file: string): string {
  const inside = path.relative(root, file);
  if (inside.startsWith("..")) return "socket";
  const base = path.basename(inside);
  const named = TEMP.exec(base);
  if (named !== null)
    return `${placeOf(root, path.join(root, path.dirname(inside), named[1] ?? named[2] ?? ""))} temp`;
  const [top = "", second = ""] = inside.split(path.sep);
  if (base.endsWith(".lock")) return "lock";
  if (top === "memory") return base.endsWith(".md") ? dayPlace(second) : "memory folder";
  if (top === ".memd" || top === "queue" || top === "teller") return second === "" ? top : second;
  return top === "" ? "workspace" : top;
}

function dayPlace(second: string): string {
  if (second === "summary") return "summary";
  return second === "archive" ? "old day" : "day";
}
