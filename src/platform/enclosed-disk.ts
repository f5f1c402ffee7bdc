/**
 * A disk whose workspaces are reached through their own folders alone: who comes by a link that
 * no owner has named is led nowhere, and what is appended to has no second name.
 */
import path from "node:path";
import { MemdError } from "../model/errors.js";
import { diskError, type DirEntry, type Disk, type Enclosure, type FileStat, type OpenFile } from "./disk.js";
import { copyOf, relative, stampOf } from "./files.js";

/** Who only reads looks at a folder again after this; who lists or writes, each time. */
const BELIEVED_MS = 1000;
const MOST_BELIEVED = 10_000;
/** A link to nothing under such a name is that of a file. */
const FILE_NAME = /\.(?:md|jsonl?|txt|toml)$/;

/** A disk whose workspaces are reached through their own folders alone; `disk` says of a link that it is of another kind. */
export function enclosable(disk: Omit<Disk, "enclose">): Disk {
  const ways = new Ways(disk);
  type Work<A extends unknown[], T> = (file: string, ...rest: A) => Promise<T>;
  const within =
    <A extends unknown[], T>(work: Work<A, T>): Work<A, T> =>
    async (dir, ...rest) => {
      await ways.pass(dir);
      return await work(dir, ...rest);
    };
  const beside =
    <A extends unknown[], T>(work: Work<A, T>, believedMs = 0): Work<A, T> =>
    async (file, ...rest) => {
      await ways.pass(path.dirname(file), believedMs);
      return await work(file, ...rest);
    };
  const between =
    <T>(work: Work<[string], T>): Work<[string], T> =>
    async (from, to) => {
      await ways.pass(path.dirname(from));
      if (path.dirname(to) !== path.dirname(from)) await ways.pass(path.dirname(to));
      return await work(from, to);
    };
  return {
    read: beside(disk.read, BELIEVED_MS),
    readFrom: beside(disk.readFrom, BELIEVED_MS),
    hash: beside(disk.hash, BELIEVED_MS),
    stat: beside(async (file) => {
      const stat = await disk.stat(file);
      const to = stat?.kind === "other" ? await ways.followed(file) : undefined;
      return to === undefined ? stat : disk.stat(to);
    }, BELIEVED_MS),
    list: within(async (dir, most) => {
      const entries = await disk.list(dir, most);
      if (entries.every(({ kind }) => kind !== "other")) return entries;
      return Promise.all(
        entries.map(async ({ name, kind }): Promise<DirEntry> => {
          const to = kind === "other" ? await ways.expected(path.join(dir, name)) : undefined;
          return { name, kind: to === undefined ? kind : "dir" };
        }),
      );
    }),
    makeDir: within(disk.makeDir),
    create: beside(disk.create),
    openAppend: beside((file) => openOwn(disk, file)),
    rename: between(disk.rename),
    link: between(disk.link),
    unlink: beside(disk.unlink),
    removeDir: beside(disk.removeDir),
    syncDir: within(disk.syncDir),
    syncFile: beside(disk.syncFile),
    replaceDerived: beside(disk.replaceDerived),
    realPath: disk.realPath,
    enclose: (root, enclosure) => ways.enclose(root, enclosure),
  };
}

/** As `openPlain`, durably: killed anywhere, all that was written stands under the file's name. */
async function openOwn(disk: Omit<Disk, "enclose">, file: string): Promise<OpenFile> {
  for (;;) {
    const out = await disk.openAppend(file);
    try {
      const standing = await out.stat();
      if (standing.kind !== "file") throw diskError(new Error("it is no plain file"), "open", file);
      if (standing.nlink < 2) return out;
      await replaceByCopy(disk, file, standing);
    } catch (error) {
      // The first failure is the one that counts.
      await out.close().catch(() => undefined);
      throw error;
    }
    await out.close();
  }
}

/** A file that somebody writes into meanwhile stays, to be looked at again. */
async function replaceByCopy(disk: Omit<Disk, "enclose">, file: string, standing: FileStat): Promise<void> {
  const copy = copyOf(file);
  const out = await disk.create(copy);
  if (out === undefined) return;
  try {
    try {
      await out.write((await disk.read(file)) ?? new Uint8Array());
      await out.sync();
    } finally {
      await out.close();
    }
    if (stampOf(await disk.stat(file)) === stampOf(standing)) await disk.rename(copy, file);
    else await disk.unlink(copy);
  } catch (error) {
    await disk.unlink(copy).catch(() => undefined);
    throw error;
  }
  await disk.syncDir(path.dirname(file));
}

/** The folders on the way to a file. A link among them that no owner has named is led by nowhere. */
class Ways {
  readonly #enclosures = new Map<string, Enclosure>();
  readonly #named = new Set<string>();
  readonly #believed = new Map<string, number>();

  constructor(readonly disk: Pick<Disk, "stat" | "realPath">) {}

  enclose(root: string, enclosure: Enclosure): void {
    this.#enclosures.set(root, enclosure);
    // What was named before may not be any more.
    for (const dir of this.#named) if (dir.startsWith(root + path.sep)) this.#named.delete(dir);
    for (const dir of this.#believed.keys()) if (dir.startsWith(root + path.sep)) this.#believed.delete(dir);
  }

  /** Throws `folder_linked` where a link stands on the way to `dir`, or in its place. */
  async pass(dir: string, believedMs = 0): Promise<void> {
    for (const [root] of this.#around(dir)) await this.#walk(root, dir, performance.now() - believedMs);
  }

  /** Where a link leads that its owner has named; undefined for all else. */
  async followed(file: string): Promise<string | undefined> {
    const behind = this.#around(file).length === 0 ? undefined : await this.#behind(file);
    if (behind === undefined) return undefined;
    for (const [root] of this.#around(file))
      if (await this.#isNamed(root, file)) return this.#way(root, file);
    return undefined;
  }

  /** The same, and where a folder of memd's own should be it throws `folder_linked`. */
  async expected(file: string): Promise<string | undefined> {
    for (const [root, { isOwn }] of this.#around(file)) {
      const behind = isOwn(relative(root, file)) ? await this.#behind(file) : undefined;
      if (behind !== undefined && (behind.to !== undefined || !FILE_NAME.test(file)))
        return this.#way(root, file);
    }
    return this.followed(file);
  }

  /** Who looked since `since` has seen enough. */
  async #walk(root: string, dir: string, since: number): Promise<void> {
    const now = performance.now();
    if ((this.#believed.get(dir) ?? 0) > since) return;
    const above = path.dirname(dir);
    if (above !== root) await this.#walk(root, above, since);
    const stat = await this.disk.stat(dir);
    if (stat === undefined) return;
    if (stat.kind === "other") await this.#way(root, dir);
    if (this.#believed.size >= MOST_BELIEVED) this.#believed.clear();
    this.#believed.set(dir, now);
  }

  async #way(root: string, dir: string): Promise<string | undefined> {
    const behind = await this.#behind(dir);
    if (behind === undefined) return undefined;
    const isNamed = await this.#isNamed(root, dir);
    if (isNamed && behind.to !== undefined) return behind.to;
    const what = `${relative(root, dir)} in ${root} is a link to ${behind.to ?? "what is not there"}`;
    if (isNamed) throw new MemdError("disk_fault", `${what}.`);
    throw new MemdError("folder_linked", `${what}.`);
  }

  /** The folder that a link leads to, `{}` where it leads nowhere; undefined for a link to a file, a pipe, a device. */
  async #behind(file: string): Promise<{ to?: string } | undefined> {
    const to = await this.disk.realPath(file);
    if (to === undefined) return {};
    return (await this.disk.stat(to))?.kind === "dir" ? { to } : undefined;
  }

  async #isNamed(root: string, dir: string): Promise<boolean> {
    if (this.#named.has(dir)) return true;
    const linked = (await this.#enclosures.get(root)?.linked()) ?? [];
    for (const each of linked) this.#named.add(path.resolve(root, each));
    return this.#named.has(dir);
  }

  #around(file: string): [root: string, Enclosure][] {
    return [...this.#enclosures].filter(([root]) => file.startsWith(root + path.sep));
  }
}
