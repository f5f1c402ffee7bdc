/**
 * Names and versions of files: paths as strings, relative with `/` inside a
 * workspace and absolute at the disk; hashes of what they hold (SHA-256, cut short
 * where it only has to tell versions apart), and stamps.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import path from "node:path";
import type { FileStat } from "./disk.js";

export const join = (...parts: string[]): string => path.join(...parts);
export const dirname = (file: string): string => path.dirname(file);
export const basename = (file: string): string => path.basename(file);
export const resolve = (...parts: string[]): string => path.resolve(...parts);

/** `/` between parts on every system. */
export function relative(from: string, to: string): string {
  return path.relative(from, to).split(path.sep).join("/");
}

/** Tells versions of a file apart without reading it: `120 1767225600000 42`, size, time and inode; of a file that is not there `absent`. */
export function stampOf(stat: FileStat | undefined): string {
  return stat === undefined ? "absent" : `${stat.size} ${stat.mtimeMs} ${stat.ino}`;
}

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** 16 hex digits: tells two versions of one file apart. */
export function contentHash(data: string | Uint8Array): string {
  return sha256(data).slice(0, 16);
}

/** 8 hex digits: for names that a person reads. */
export function shortHash(data: string | Uint8Array): string {
  return sha256(data).slice(0, 8);
}

/** `contentHash` of pieces, for what is too long to be hashed at once. */
export function contentHasher(): { update(piece: Uint8Array): void; digest(): string } {
  const hash = createHash("sha256");
  return {
    update: (piece) => void hash.update(piece),
    digest: () => hash.digest("hex").slice(0, 16),
  };
}

/** Whether two secrets are equal, in a time that says nothing about where they differ. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
