/**
 * Names and versions of files: paths as strings, relative with `/` inside a
 * workspace and absolute at the disk; hashes of what they hold (SHA-256, cut short
 * where it only has to tell versions apart), and stamps; and opening those that are
 * written in place.
 */
import type { Pace } from "../model/work.js";
import { createHash, hash, randomBytes, timingSafeEqual } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { diskError, type Disk, type FileStat } from "./disk.js";

export const join = (...parts: string[]): string => path.join(...parts);
export const dirname = (file: string): string => path.dirname(file);
export const basename = (file: string): string => path.basename(file);
export const isAbsolute = (file: string): boolean => path.isAbsolute(file);
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
  return hash("sha256", data, "hex");
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
export function contentHasher(): { update(piece: string | Uint8Array): void; digest(): string } {
  const hash = createHash("sha256");
  return {
    update: (piece) => void hash.update(piece),
    digest: () => hash.digest("hex").slice(0, 16),
  };
}

const STEP_BYTES = 1024 * 1024;

/** `contentHash` in small steps: a file that is long is known again without being kept. `pace` is awaited between them. */
export async function hashInSteps(data: Uint8Array, pace: Pace = () => setImmediate()): Promise<string> {
  if (data.byteLength <= STEP_BYTES) return contentHash(data);
  const hasher = contentHasher();
  for (let at = 0; at < data.byteLength; at += STEP_BYTES) {
    hasher.update(data.subarray(at, at + STEP_BYTES));
    await pace();
  }
  return hasher.digest();
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
  const copy = copyOf(file);
  fs.copyFileSync(file, copy, COPYFILE_EXCL);
  fs.chmodSync(copy, 0o600);
  fs.renameSync(copy, file);
  return openPlain(file, access);
}

/** A link to a folder, relative to where it stands; false where there is something already. */
export async function linkFolder(place: string, to: string): Promise<boolean> {
  try {
    // Other systems than Windows know one kind only.
    await fs.promises.symlink(to, place, "junction");
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw diskError(error, "link", place);
  }
}

/** Throws where a folder, given as it really is, has since come to be reached through a link. */
export function assertUnlinked(folder: string): void {
  if (fs.realpathSync(folder) !== path.resolve(folder))
    throw new Error(`${folder} is reached through a link`);
}

/** What is cut short is swept as an unfinished publication. */
export function copyOf(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(4).toString("hex")}.tmp`);
}

/** For those who ask the system without the disk: the folder with the links resolved that its workspace names, and no others. */
export async function realFolder(disk: Disk, dir: string): Promise<string> {
  await disk.list(dir, 1);
  const above = (await disk.realPath(path.dirname(dir))) ?? path.dirname(dir);
  return (await disk.realPath(dir)) ?? path.join(above, path.basename(dir));
}
