/**
 * Names and versions of files: paths as strings, relative with `/` inside a
 * workspace and absolute at the disk; hashes of what they hold (SHA-256, cut short
 * where it only has to tell versions apart), and stamps; and opening those that are
 * written in place.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import fs from "node:fs";
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

/**
 * Files that are written in place: not through a link at any part of the path,
 * and no pipe or device, which would keep memd waiting. One that has a second
 * name is replaced by a copy first, so that nothing outside is written. Throws as `fs` does.
 */
export function openPlain(file: string, access: number): number {
  const { O_NOFOLLOW, O_NONBLOCK, COPYFILE_EXCL, O_RDONLY } = fs.constants;
  assertUnlinked(path.dirname(file));
  const fd = fs.openSync(file, access | O_NOFOLLOW | O_NONBLOCK, 0o600);
  const stat = fs.fstatSync(fd);
  if (stat.isFile() && (stat.nlink < 2 || access === O_RDONLY)) return fd;
  fs.closeSync(fd);
  if (!stat.isFile()) throw new Error(`${file} is no plain file`);
  const copy = path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(4).toString("hex")}.tmp`);
  fs.copyFileSync(file, copy, COPYFILE_EXCL);
  fs.chmodSync(copy, 0o600);
  fs.renameSync(copy, file);
  return openPlain(file, access);
}

/** Throws where a folder, given as it really is, has since come to be reached through a link. */
export function assertUnlinked(folder: string): void {
  if (fs.realpathSync(folder) !== path.resolve(folder)) throw new Error(`${folder} is reached through a link`);
}
