/**
 * The memory that OpenClaw keeps itself, in its agent's folder: `MEMORY.md`, `USER.md` and `memory/*.md`. They stay
 * where they lie, the agent's and its person's to write; memd looks them up as documents of the agent's scope, each
 * handed over again once it has changed, and a hit in one is told by its own path and line.
 */
import type { Disk, FileStat } from "../../../platform/disk.js";
import { join, relative, stampOf } from "../../../platform/files.js";
import { nodeDisk } from "../../../platform/node-disk.js";
import { readText, textIn } from "../../../protocol/publish.js";
import { at } from "../../../protocol/workspace.js";
import { type Fields, fieldsOf, objectsIn, stringOf } from "../../fields.js";
import { type Memory, Refused } from "./memory.js";
import type { Seat } from "./seat.js";

const AT_TOP = ["MEMORY.md", "memory.md", "USER.md"];
const FOLDER = "memory";
const MOST_FILES = 2000;
const MOST_BYTES = 2 * 1024 * 1024;
const DEEPEST = 4;
/** Handing one over is a durable write of memd's, and may wait for others. */
const HANDED_WITHIN_MS = 10_000;

interface Handed {
  stamp: string;
  /** The document's file in the workspace, and the line of it on which the text begins. */
  file: string;
  line: number;
}

export class MemoryFiles {
  /** By scope, then by path in the agent's folder. */
  readonly #handed = new Map<string, Map<string, Handed>>();
  /** By the agent's folder, the round that is under way. */
  readonly #rounds = new Map<string, Promise<void>>();

  constructor(
    readonly memory: Memory,
    readonly disk: Disk = nodeDisk,
  ) {}

  /** Hands over what has changed; one round at a time. Fails silently: the next round does the rest. */
  async follow(seat: Seat): Promise<void> {
    const { folder, scope } = seat;
    if (folder === undefined || isShared(seat)) return;
    const under =
      this.#rounds.get(folder) ??
      this.#round(folder, scope)
        .catch(() => undefined)
        .finally(() => this.#rounds.delete(folder));
    this.#rounds.set(folder, under);
    await under;
  }

  /** Where a hit in a document stands in the agent's own folder; undefined for one of another file. */
  ownPlace(scope: string, path: string): { path: string; linesBefore: number } | undefined {
    for (const [own, { file, line }] of this.#handed.get(scope) ?? [])
      if (file === path) return { path: own, linesBefore: line - 1 };
    return undefined;
  }

  /** The text of one of these files; undefined where there is none of that name, or who asks is one of many. */
  async read(seat: Seat, path: string): Promise<string | undefined> {
    const { folder } = seat;
    if (folder === undefined || isShared(seat) || !isMemoryFile(path)) return undefined;
    return this.#textOf(folder, path);
  }

  async #round(folder: string, scope: string): Promise<void> {
    const standing = await this.#standing(folder);
    const handed = this.#handed.get(scope) ?? new Map<string, Handed>();
    if (!this.#handed.has(scope))
      for (const path of await this.#handedBefore(folder, scope))
        handed.set(path, { stamp: "", file: "", line: 1 });
    this.#handed.set(scope, handed);
    for (const [path, stat] of standing) {
      const stamp = stampOf(stat);
      if (handed.get(path)?.stamp === stamp || stat.size > MOST_BYTES) continue;
      const text = await this.#textOf(folder, path);
      if (text === undefined || text.trim() === "") continue;
      const given = { id: idOf(path), title: path, text, source: join(folder, path), scope };
      const document = fieldsOf((await this.#asked("addDocument", given))?.["document"]);
      const file = stringOf(document["file"]) ?? "";
      // One that memd does not take costs no other, and is not offered again as long as it stays so.
      handed.set(path, { stamp, file, line: file === "" ? 1 : await this.#beginningIn(file, text) });
    }
    for (const path of [...handed.keys()].filter((one) => !standing.has(one))) {
      await this.#asked("removeDocument", { id: idOf(path), scope });
      handed.delete(path);
    }
  }

  /** Undefined where memd refuses. */
  async #asked(operation: string, given: object): Promise<Fields | undefined> {
    try {
      return await this.memory.ask(operation, given, HANDED_WITHIN_MS);
    } catch (error) {
      if (error instanceof Refused) return undefined;
      throw error;
    }
  }

  /** Some may have gone while nobody looked. */
  async #handedBefore(folder: string, scope: string): Promise<string[]> {
    const { documents } = await this.memory.ask("listDocuments", {});
    return objectsIn(documents).flatMap((document) => {
      const source = stringOf(document["source"]);
      const path = source === undefined ? "" : relative(folder, source);
      return document["scope"] === scope && document["id"] === idOf(path) ? [path] : [];
    });
  }

  async #standing(folder: string): Promise<Map<string, FileStat>> {
    const found = new Map<string, FileStat>();
    const note = async (path: string): Promise<void> => {
      const stat = await this.disk.stat(join(folder, path));
      if (stat?.kind === "file" && found.size < MOST_FILES) found.set(path, stat);
    };
    // Where names are told apart by their letters alone, one of these is the other.
    const top = new Set((await this.disk.list(folder)).map(({ name }) => name));
    for (const name of AT_TOP) if (top.has(name)) await note(name);
    const look = async (dir: string, depth: number): Promise<void> => {
      for (const { name, kind } of await this.disk.list(join(folder, dir))) {
        const path = `${dir}/${name}`;
        if (kind === "dir" && depth < DEEPEST && !name.startsWith(".")) await look(path, depth + 1);
        if (kind === "file" && isMemoryFile(path)) await note(path);
      }
    };
    if (top.has(FOLDER)) await look(FOLDER, 1);
    return found;
  }

  /** A link, what stands behind one, or what is no text, is as good as not there. */
  async #textOf(folder: string, path: string): Promise<string | undefined> {
    const file = join(folder, path);
    const stat = await this.disk.stat(file).catch(() => undefined);
    if (stat?.kind !== "file" || stat.size > MOST_BYTES) return undefined;
    const [root, real] = [await this.disk.realPath(folder), await this.disk.realPath(file)];
    if (root === undefined || real !== join(root, path)) return undefined;
    const bytes = await this.disk.read(file).catch(() => undefined);
    return bytes === undefined ? undefined : textIn(bytes);
  }

  /** The line of a document on which its text begins, below its head. */
  async #beginningIn(file: string, text: string): Promise<number> {
    const whole = (await readText(this.disk, at(await this.memory.workspace(), file))) ?? "";
    const head = whole.endsWith(text) ? whole.slice(0, whole.length - text.length) : "";
    return head.split("\n").length;
  }
}

function idOf(path: string): string {
  return `openclaw/${path.replace(/\.md$/, "")}`;
}

function isShared({ scope, user }: Seat): boolean {
  return scope === user;
}

/** Of the agent's folder, by its path: nothing hidden, and nothing outside of it. */
export function isMemoryFile(path: string): boolean {
  if (AT_TOP.includes(path)) return true;
  const parts = path.split("/");
  return parts[0] === FOLDER && parts.length > 1 && path.endsWith(".md") && !parts.some(isOdd);
}

function isOdd(part: string): boolean {
  return part === "" || part.startsWith(".") || part.includes("\\");
}
