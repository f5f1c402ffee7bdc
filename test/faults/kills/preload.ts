/**
 * Loaded before memd (`node --import`): counts what it asks of the file system
 * and kills its process at the operation it was told, before it, after it or
 * in the middle of its write.
 *
 * Nothing of memd is changed or knows of it; nothing is written into the workspace.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import promises, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";
import { ORDERS, placeOf, type Orders } from "./point.js";

type Call = (...args: unknown[]) => unknown;
type Calls = Record<string, Call>;

/** Of node:fs/promises and, with a callback, of node:fs; the first argument but for `link` and `rename` is the file. */
const BY_NAME = ["rename", "link", "unlink", "mkdir", "rmdir", "chmod", "utimes", "truncate", "writeFile"];
/** Of an open file. */
const OF_HANDLE = ["write", "writev", "writeFile", "appendFile", "sync", "datasync", "truncate"];
/** Those that can be cut off in the middle: their first argument is the bytes. */
const WRITING = new Set(["write", "writeFile", "appendFile"]);
/** Those whose second name is the one that matters. */
const TO_SECOND = new Set(["rename", "link"]);

const orders = JSON.parse(process.env[ORDERS] ?? "null") as Orders | null;
if (orders !== null && isMainThread) await watchOver(orders);

async function watchOver({ notes, point, cut }: Orders): Promise<void> {
  const root = fs.realpathSync(process.cwd());
  const { writeSync } = fs;
  const notesFd = fs.openSync(notes, "w");
  const files = new WeakMap<object, string>();
  const filesByFd = new Map<number, string>();
  let counted = 0;

  const operation = async <T>(
    name: string,
    file: string,
    run: () => Promise<T>,
    half?: () => void,
  ): Promise<T> => {
    const label = `${name} ${placeOf(root, file)}`;
    writeSync(notesFd, `${label}\n`);
    if (point === undefined || (point.of !== undefined && point.of !== label)) return run();
    counted += 1;
    if (counted !== point.n) return run();
    if (point.how === "half") half?.();
    // Failed or not, it has been asked for.
    if (point.how === "after") await run().catch(() => undefined);
    if (point.how === "cut" && cut?.[0] !== undefined)
      execFileSync(cut[0], cut.slice(1), { stdio: "ignore" });
    process.kill(process.pid, "SIGKILL");
    return new Promise(() => undefined);
  };

  const calls = promises as unknown as Calls;
  const callbacks = fs as unknown as Calls;

  const open = calls["open"] as Call;
  calls["open"] = async (file, flags, ...more) => {
    const run = async (): Promise<FileHandle> => {
      const handle = (await open(file, flags, ...more)) as FileHandle;
      files.set(handle, String(file));
      return handle;
    };
    return isWriting(flags) ? operation("open", String(file), run) : run();
  };
  for (const name of BY_NAME) {
    const original = calls[name] as Call;
    calls[name] = (...args) =>
      operation(name, String(args[TO_SECOND.has(name) ? 1 : 0]), async () => original(...args));
  }

  const probe = (await open("/dev/null", "r")) as FileHandle;
  const prototype = Object.getPrototypeOf(probe) as Calls;
  await probe.close();
  for (const name of OF_HANDLE) {
    const original = prototype[name] as Call;
    prototype[name] = function (this: FileHandle, ...args) {
      const run = async (): Promise<unknown> => original.apply(this, args);
      const half = WRITING.has(name) ? () => writeHalf(this.fd, args) : undefined;
      return operation(name, files.get(this) ?? "", run, half);
    };
  }

  callbacks["open"] = withCallback(callbacks["open"] as Call, (args, run) => {
    const noted = async (): Promise<unknown[]> => {
      const answer = await run();
      if (answer[0] === null) filesByFd.set(answer[1] as number, String(args[0]));
      return answer;
    };
    return isWriting(args[1]) ? operation("open", String(args[0]), noted) : noted();
  });
  for (const name of BY_NAME) {
    callbacks[name] = withCallback(callbacks[name] as Call, (args, run) =>
      operation(name, String(args[TO_SECOND.has(name) ? 1 : 0]), run),
    );
  }
  for (const [name, label] of [
    ["write", "write"],
    ["fsync", "sync"],
  ] as const) {
    callbacks[name] = withCallback(callbacks[name] as Call, (args, run) => {
      const fd = args[0] as number;
      const half = WRITING.has(name) ? () => writeHalf(fd, args.slice(1)) : undefined;
      return operation(label, filesByFd.get(fd) ?? "", run, half);
    });
  }
  syncBuiltinESMExports();

  function writeHalf(fd: number, [data, offset, length]: unknown[]): void {
    const bytes = data instanceof Uint8Array ? data : Buffer.from(String(data));
    const from = typeof offset === "number" ? offset : 0;
    const whole = typeof length === "number" ? length : bytes.byteLength - from;
    writeSync(fd, bytes, from, Math.floor(whole / 2));
  }
}

/** The same call with a callback, made by `through`, which gets the arguments without it. */
function withCallback(
  original: Call,
  through: (args: unknown[], run: () => Promise<unknown[]>) => Promise<unknown[]>,
): Call {
  return (...given) => {
    const callback = given.at(-1);
    if (typeof callback !== "function") return void original(...given);
    const args = given.slice(0, -1);
    const run = (): Promise<unknown[]> =>
      new Promise((resolve) => void original(...args, (...answer: unknown[]) => resolve(answer)));
    return void through(args, run).then((answer) => (callback as Call)(...answer));
  };
}

function isWriting(flags: unknown): boolean {
  if (typeof flags === "string") return /[wa+]/.test(flags);
  if (typeof flags !== "number") return false;
  const { O_ACCMODE = 3, O_RDONLY, O_CREAT } = fs.constants as typeof fs.constants & { O_ACCMODE?: number };
  return (flags & O_ACCMODE) !== O_RDONLY || (flags & O_CREAT) !== 0;
}
