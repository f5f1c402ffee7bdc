/** How programs save a file over what stands there: the styles that memd has to live with. */
import fs from "node:fs";
import path from "node:path";

export const STYLES = ["in place", "rename", "delete and create", "truncate and write slowly"] as const;
export type Style = (typeof STYLES)[number];

const PIECES = 4;

/** Monotonic, and the same for all processes of a machine. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** `slowMs` lies between the steps of a style that has several. */
export async function save(style: Style, file: string, text: string, slowMs: number): Promise<void> {
  switch (style) {
    case "in place":
      return saveInPlace(file, text);
    case "rename":
      return saveByRename(file, text);
    case "delete and create":
      fs.rmSync(file, { force: true });
      await pause(slowMs);
      return fs.writeFileSync(file, text);
    case "truncate and write slowly":
      return saveSlowly(file, text, slowMs);
    default:
      return style satisfies never;
  }
}

function saveInPlace(file: string, text: string): void {
  const bytes = Buffer.from(text);
  const out = fs.openSync(file, "r+");
  fs.writeSync(out, bytes, 0, bytes.length, 0);
  fs.ftruncateSync(out, bytes.length);
  fs.closeSync(out);
}

export function saveByRename(file: string, text: string): void {
  const temp = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.swp`);
  fs.writeFileSync(temp, text);
  fs.renameSync(temp, file);
}

async function saveSlowly(file: string, text: string, slowMs: number): Promise<void> {
  const out = fs.openSync(file, "w");
  const bytes = Buffer.from(text);
  const size = Math.ceil(bytes.length / PIECES);
  for (let at = 0; at < bytes.length; at += size) {
    fs.writeSync(out, bytes.subarray(at, at + size));
    await pause(slowMs / PIECES);
  }
  fs.closeSync(out);
}
