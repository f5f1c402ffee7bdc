/** Paths as strings. Inside a workspace they are relative with `/`; at the disk they are absolute. */
import path from "node:path";

export const join = (...parts: string[]): string => path.join(...parts);
export const dirname = (file: string): string => path.dirname(file);
export const basename = (file: string): string => path.basename(file);
export const resolve = (...parts: string[]): string => path.resolve(...parts);

/** `/` between parts on every system. */
export function relative(from: string, to: string): string {
  return path.relative(from, to).split(path.sep).join("/");
}
