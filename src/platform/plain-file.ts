/**
 * Files that are written in place: not through a link, and no pipe or device,
 * which would keep memd waiting. One that has a second name is replaced by a copy
 * first, so that nothing outside is written. Throws as `fs` does.
 */
import fs from "node:fs";

export function openPlain(file: string, access: number): number {
  const { O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const fd = fs.openSync(file, access | O_NOFOLLOW | O_NONBLOCK, 0o600);
  const stat = fs.fstatSync(fd);
  if (stat.isFile() && (stat.nlink < 2 || access === fs.constants.O_RDONLY)) return fd;
  fs.closeSync(fd);
  if (!stat.isFile()) throw new Error(`${file} is no plain file`);
  const copy = `${file}.${process.pid}.tmp`;
  fs.copyFileSync(file, copy, fs.constants.COPYFILE_EXCL);
  fs.renameSync(copy, file);
  return openPlain(file, access);
}
