/**
 * What a folder holds before it becomes a workspace: whose it is already, and what
 * memd may look at there. Names first; a file is opened only to tell what it is.
 * Nothing is changed, links are not followed, and a folder without end is left off.
 */
import type { Disk } from "../platform/disk.js";
import { basename, join } from "../platform/files.js";
import { openVerbatim } from "../protocol/verbatim.js";
import { FILES, OWN_FOLDERS } from "../protocol/workspace.js";
import { type Fields, isFields } from "./fields.js";
import { type Kind, kindOfLines, kindOfValue, TELLING_LINES } from "./kinds.js";

export const HELD = ["openclaw", "obsidian", "code", "notes", "transcripts"] as const;

export interface Held {
  is: (typeof HELD)[number];
  /** The first of them, relative; a folder ends in `/`. */
  files: string[];
  count: number;
  /** Of transcripts, whose they are. */
  kinds?: Kind[];
}

const MOST = { names: 5_000, depth: 3, named: 5, opened: 20, bytes: 20 * 1024 * 1024 };

const OF_OPENCLAW: ReadonlySet<string> = new Set([
  "MEMORY.md",
  "USER.md",
  "SOUL.md",
  "IDENTITY.md",
  "TOOLS.md",
  "HEARTBEAT.md",
  "BOOT.md",
  "BOOTSTRAP.md",
  "DREAMS.md",
]);
const OF_CODE: ReadonlySet<string> = new Set([
  ".git",
  "package.json",
  "pyproject.toml",
  "Cargo.toml",
  "go.mod",
  "pom.xml",
  "build.gradle",
  "CMakeLists.txt",
  "Makefile",
  "Gemfile",
  "composer.json",
]);
const OF_MEMD: ReadonlySet<string> = new Set(Object.values(FILES));
/** As other programs call the days of their memory. */
const DAY_FILE = /^\d{4}-\d{2}-\d{2}.{0,200}\.md$/;

/** What there is of each kind; of memd's own files nothing is told. */
export async function heldIn(disk: Disk, folder: string): Promise<Held[]> {
  const names = await namesIn(disk, folder);
  const days = await otherDays(disk, join(folder, FILES.records));
  const below = await filesBelow(disk, folder);
  const claw = names.filter((name) => OF_OPENCLAW.has(name));
  const isClaw = claw.length > 1 || days.length > 0;
  const talk = await transcriptsIn(disk, folder, below);
  const held = [
    named("openclaw", isClaw ? [...claw, ...days] : []),
    named("obsidian", names.includes(".obsidian") ? [".obsidian/"] : []),
    named(
      "code",
      names.filter((name) => OF_CODE.has(name)),
    ),
    named(
      "notes",
      below.filter((file) => isNote(file, names)),
    ),
    {
      ...named(
        "transcripts",
        talk.map(({ file }) => file),
      ),
      kinds: [...new Set(talk.map(({ kind }) => kind))],
    },
  ];
  return held.filter(({ count }) => count > 0);
}

/** What of another program stands where memd keeps its own, so that it cannot stand beside it. */
export async function takenIn(disk: Disk, folder: string): Promise<string | undefined> {
  const [day] = await otherDays(disk, join(folder, FILES.records));
  return day ?? (await otherCase(disk, folder, await namesIn(disk, folder)));
}

async function namesIn(disk: Disk, folder: string): Promise<string[]> {
  return (await disk.list(folder, MOST.names)).map(({ name }) => name);
}

function named(is: Held["is"], files: readonly string[]): Held {
  return { is, files: files.slice(0, MOST.named), count: files.length };
}

/** Days in `memory/` that memd has not written. */
async function otherDays(disk: Disk, memory: string): Promise<string[]> {
  const days = (await disk.list(memory, MOST.names)).filter(
    ({ name, kind }) => kind === "file" && DAY_FILE.test(name),
  );
  const others: string[] = [];
  for (const { name } of days.slice(0, MOST.opened)) {
    const bytes = await disk.read(join(memory, name));
    if (bytes !== undefined && !isOwnDay(bytes)) others.push(`${FILES.records}/${name}`);
  }
  return others;
}

function isOwnDay(bytes: Uint8Array): boolean {
  try {
    return openVerbatim(bytes) !== undefined;
  } catch {
    // A broken one of memd's own begins as they all do; what does not is another's.
    return new TextDecoder().decode(bytes.subarray(0, 400)).includes("kind: verbatim");
  }
}

/** A name of memd's that the disk takes for this other one, as those of macOS and Windows do. */
async function otherCase(disk: Disk, folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const own = [...OWN_FOLDERS, ...OF_MEMD].find(
      (each) => each !== name && each.toLowerCase() === name.toLowerCase(),
    );
    if (own === undefined || names.includes(own)) continue;
    if ((await disk.stat(join(folder, own))) !== undefined) return name;
  }
  return undefined;
}

/** Relative paths, the nearest first. Hidden folders and memd's own are passed over. */
async function filesBelow(disk: Disk, folder: string): Promise<string[]> {
  const files: string[] = [];
  let left = MOST.names;
  let dirs = [""];
  for (let depth = 0; depth < MOST.depth && dirs.length > 0; depth++) {
    const next: string[] = [];
    for (const dir of dirs) {
      if (left <= 0) return files;
      const entries = await disk.list(join(folder, dir), left);
      left -= entries.length;
      for (const { name, kind } of entries) {
        const path = dir === "" ? name : `${dir}/${name}`;
        if (kind === "file") files.push(path);
        if (kind === "dir" && mayHoldNotes(path)) next.push(path);
      }
    }
    dirs = next;
  }
  return files;
}

function mayHoldNotes(path: string): boolean {
  const name = basename(path);
  return !name.startsWith(".") && name !== "node_modules" && !OWN_FOLDERS.has(path);
}

function isNote(file: string, top: readonly string[]): boolean {
  const isOwn = top.includes(file) && (OF_MEMD.has(file) || OF_OPENCLAW.has(file));
  return file.endsWith(".md") && !isOwn;
}

async function transcriptsIn(
  disk: Disk,
  folder: string,
  files: readonly string[],
): Promise<{ file: string; kind: Kind }[]> {
  const found: { file: string; kind: Kind }[] = [];
  const mayBe = files.filter((file) => /\.jsonl?$/.test(file) && !OF_MEMD.has(file));
  for (const file of mayBe.slice(0, MOST.opened)) {
    const path = join(folder, file);
    if (((await disk.stat(path))?.size ?? 0) > MOST.bytes) continue;
    const text = new TextDecoder().decode(await disk.read(path));
    const kind = file.endsWith("l") ? kindOfLines(firstLines(text)) : kindOfValue(valueIn(text));
    if (kind !== undefined) found.push({ file, kind });
  }
  return found;
}

function firstLines(text: string): Fields[] {
  const lines = text.split("\n", TELLING_LINES);
  return lines.map(valueIn).filter(isFields);
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON is no transcript.
    return undefined;
  }
}
