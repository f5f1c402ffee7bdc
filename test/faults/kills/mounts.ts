/**
 * Small file systems of the part's own, where this machine lets it mount any:
 * one in memory that can be filled, and real ones in an image file whose power
 * can be cut.
 *
 * Whatever is mounted goes again, at the latest when this process ends.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { atTheLatestAtExit } from "./leftovers.js";
import { eventually, fastTemp } from "./place.js";

export const IMAGES = ["ext4", "xfs"] as const;
export type ImageKind = (typeof IMAGES)[number];

/** XFS_IOC_GOINGDOWN, which ext4 has too, without flushing its log: what was not made durable is gone. */
const CUT =
  "import fcntl,os,struct,sys; fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d, struct.pack('I', 2))";
const MAKE: Readonly<Record<ImageKind, { size: number; make: string[]; options: string }>> = {
  ext4: { size: 48 << 20, make: ["mkfs.ext4", "-q", "-F"], options: "loop,data=writeback" },
  xfs: { size: 320 << 20, make: ["mkfs.xfs", "-q", "-f"], options: "loop" },
};
const FREE_MS = 5000;
const PAGE = 4096;

/** A file system, or in a word why there is none. */
export type Mounted<T> = { is: "mounted"; disk: T } | { is: "skipped"; why: string };

export interface SmallDisk {
  readonly dir: string;
  /** Leaves not a block free, or so many pages. */
  fill(pages?: number): void;
  makeRoom(): void;
  end(): void;
}

export interface PowerDisk {
  readonly dir: string;
  /** Program and arguments that cut its power. */
  readonly cut: readonly string[];
  cutNow(): void;
  /** After a cut: as it comes up again. */
  comeBack(): Promise<void>;
  end(): void;
}

export function smallDisk(size: string): Mounted<SmallDisk> {
  const why = forbidden();
  if (why !== undefined) return { is: "skipped", why };
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(fastTemp(), "memd-full-")));
  try {
    run("mount", "-t", "tmpfs", "-o", `size=${size},mode=0700`, "tmpfs", dir);
  } catch {
    fs.rmdirSync(dir);
    return { is: "skipped", why: "no mounts allowed here" };
  }
  const end = atTheLatestAtExit(() => {
    unmountAnyhow(dir);
    fs.rmdirSync(dir);
  });
  const filler = path.join(dir, "filler");
  const fill = (pages = 0): void => {
    for (let bytes = 16 * PAGE; bytes >= 1; bytes = Math.floor(bytes / 2))
      appendWhileThereIsRoom(filler, bytes);
    if (pages > 0) fs.truncateSync(filler, Math.max(0, fs.statSync(filler).size - pages * PAGE));
  };
  return { is: "mounted", disk: { dir, fill, makeRoom: () => fs.rmSync(filler, { force: true }), end } };
}

export function powerDisk(kind: ImageKind): Mounted<PowerDisk> {
  const { size, make, options } = MAKE[kind];
  const why = forbidden() ?? missing("python3", make[0] ?? "", "losetup");
  if (why !== undefined) return { is: "skipped", why };
  const outside = fs.realpathSync(fs.mkdtempSync(path.join(fastTemp(), "memd-power-")));
  const image = path.join(outside, "image");
  const dir = path.join(outside, "disk");
  const mount = (): void => run("mount", "-o", options, image, dir);
  const end = atTheLatestAtExit(() => {
    unmountAnyhow(dir);
    fs.rmSync(outside, { recursive: true, force: true });
  });
  try {
    fs.mkdirSync(dir);
    fs.writeFileSync(image, "");
    fs.truncateSync(image, size);
    run(...(make as [string, ...string[]]), image);
    mount();
  } catch (error) {
    end();
    return { is: "skipped", why: `no loop mounts of ${kind} here: ${String(error).split("\n")[0] ?? ""}` };
  }
  const cut = ["python3", "-c", CUT, dir];
  const disk: PowerDisk = {
    dir,
    cut,
    cutNow: () => run(...(cut as [string, ...string[]])),
    comeBack: async () => {
      // A worker that is about to end may still stand in the folder.
      if (!(await eventually(() => unmounted(dir), FREE_MS)))
        throw new Error(`${kind} could not be unmounted`);
      mount();
    },
    end,
  };
  return { is: "mounted", disk };
}

function forbidden(): string | undefined {
  if (process.platform !== "linux") return "not Linux";
  return process.getuid?.() === 0 ? undefined : "not root";
}

function missing(...programs: string[]): string | undefined {
  const dirs = [...(process.env["PATH"] ?? "").split(path.delimiter), "/usr/sbin", "/sbin"];
  const gone = programs.filter((name) => !dirs.some((dir) => fs.existsSync(path.join(dir, name))));
  return gone.length === 0 ? undefined : `no ${gone.join(", ")}`;
}

function run(program: string, ...args: string[]): void {
  const env = { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin` };
  execFileSync(program, args, { stdio: "pipe", env });
}

function unmounted(dir: string): boolean {
  try {
    run("umount", dir);
    return true;
  } catch {
    // Somebody is still in it.
    return false;
  }
}

function unmountAnyhow(dir: string): void {
  if (unmounted(dir)) return;
  try {
    run("umount", "-l", dir);
  } catch {
    // It was not mounted at all.
  }
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
