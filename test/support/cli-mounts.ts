/** Small disks for tests, where this machine lets the tests mount any; undefined, with a word, where it does not. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

export interface SmallDisk {
  readonly dir: string;
  /** Leaves not a block free. */
  fill(): void;
  makeRoom(): void;
  makeReadOnly(): void;
}

export function smallDisk(size: string): SmallDisk | undefined {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "memd-disk-")));
  const mount = (...options: string[]): void => {
    execFileSync("mount", [...options, dir], { stdio: "pipe" });
  };
  try {
    mount("-t", "tmpfs", "-o", `size=${size},mode=0700`, "tmpfs");
  } catch {
    // Not root, or no mounts in this container: the caller skips its test.
    fs.rmdirSync(dir);
    return undefined;
  }
  onTestFinished(() => {
    execFileSync("umount", ["-l", dir]);
    fs.rmdirSync(dir);
  });
  const filler = path.join(dir, "filler");
  return {
    dir,
    fill: () => {
      for (let bytes = 64 * 1024; bytes >= 1; bytes = Math.floor(bytes / 2))
        appendWhileThereIsRoom(filler, bytes);
    },
    makeRoom: () => fs.rmSync(filler),
    makeReadOnly: () => mount("-o", "remount,ro"),
  };
}

function appendWhileThereIsRoom(file: string, bytes: number): void {
  for (;;) {
    try {
      fs.appendFileSync(file, Buffer.alloc(bytes));
    } catch {
      // ENOSPC, which is what this is for.
      return;
    }
  }
}
