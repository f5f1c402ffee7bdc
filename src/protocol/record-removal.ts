/**
 * Takes records out of their files for good: the lines go, not only what they
 * count for. Every other line, a person's too, stays as it is, byte for byte.
 *
 * What points at a record that goes is unlinked first, in every file, so that
 * nothing stays overruled by what nobody knows any more. Killed anywhere, the
 * same removal done again ends the same.
 */
import { isObject } from "./message.js";
import { type FileWriter, ifReadable, REMOVED, rewriteFile } from "./publish.js";
import { at, type Workspace } from "./workspace.js";

/** What a line says of itself, also where it is no whole record. Every field as it stands; undefined where it is missing or of another kind. */
export interface RecordKeys {
  id: string | undefined;
  kind: string | undefined;
  level: string | undefined;
  user: string | undefined;
  scope: string | undefined;
  session: string | undefined;
  /** Of messages; of a document its parts. */
  sources: readonly string[];
}

export interface Removal {
  /** Whether this line goes. An id may have several: what is left of it then counts. */
  goes: (keys: RecordKeys) => boolean;
  /** Of a line that is no JSON, such as one torn by a crash; such lines stay unless this says so. */
  goesTorn?: (line: string) => boolean;
}

export interface Removed {
  /** Of which no line stands any more. */
  ids: string[];
  /** Lines that went. */
  lines: number;
}

/** `files`: all in which records may point at one another, relative. One of which nothing is left goes. */
export async function removeRecords(
  writer: FileWriter,
  workspace: Workspace,
  files: readonly string[],
  removal: Removal,
): Promise<Removed> {
  const { ids, left, lines } = await look(writer, workspace, files, removal);
  if (lines === 0) return { ids: [], lines: 0 };
  const gone = new Set(ids);
  for (const file of files)
    await rewriteLines(writer, workspace, file, (all) => all.map((line) => unlinked(line, gone)));
  for (const file of files)
    await rewriteLines(writer, workspace, file, (all) =>
      all.filter((line) => stays(line, removal, left)).map(({ bytes }) => bytes),
    );
  return { ids, lines };
}

/** What a removal would take, without taking it. */
export async function plannedRemoval(...of: Parameters<typeof look>): Promise<Removed> {
  const { ids, lines } = await look(...of);
  return { ids, lines };
}

/** `left`: ids of which a line with a text stays. */
async function look(
  { disk }: Pick<FileWriter, "disk">,
  workspace: Workspace,
  files: readonly string[],
  removal: Removal,
): Promise<Removed & { left: ReadonlySet<string> }> {
  const leaving = new Set<string>();
  const left = new Set<string>();
  let lines = 0;
  for (const file of files) {
    for (const line of linesOf((await disk.read(at(workspace, file))) ?? new Uint8Array())) {
      const goes = goesBy(line, removal);
      if (goes) lines++;
      const { id, isBlank } = line;
      // A line that takes a record back is nothing that is left of it.
      if (id !== undefined && !isBlank) (goes ? leaving : left).add(id);
    }
  }
  return { ids: [...leaving].filter((id) => !left.has(id)), left, lines };
}

interface Line {
  bytes: Buffer;
  /** Undefined for what is no JSON object. */
  value: Record<string, unknown> | undefined;
  id: string | undefined;
  /** Its text is taken back. */
  isBlank: boolean;
}

/** Bytes, since a line that a crash cut off may end within a character. */
function linesOf(bytes: Uint8Array): Line[] {
  const all = Buffer.from(bytes);
  const lines: Line[] = [];
  for (let from = 0; from < all.length;) {
    const end = all.indexOf(0x0a, from);
    const to = end === -1 ? all.length : end + 1;
    lines.push(lineOf(all.subarray(from, to)));
    from = to;
  }
  return lines;
}

function lineOf(bytes: Buffer): Line {
  const value = objectIn(bytes.toString("utf8"));
  const id = value === undefined ? undefined : text(value["id"]);
  const said = value?.["text"];
  return { bytes, value, id, isBlank: typeof said === "string" && said.trim() === "" };
}

function objectIn(line: string): Record<string, unknown> | undefined {
  // Undefined for what is torn, or a person's.
  const value = ifReadable((): unknown => JSON.parse(line));
  return isObject(value) ? value : undefined;
}

function goesBy({ value, bytes }: Line, { goes, goesTorn }: Removal): boolean {
  if (value !== undefined) return goes(keysOf(value));
  const said = bytes.toString("utf8");
  return said.trim() !== "" && goesTorn?.(said) === true;
}

function keysOf(value: Record<string, unknown>): RecordKeys {
  const { sources } = value;
  return {
    id: text(value["id"]),
    kind: text(value["kind"]),
    level: text(value["level"]),
    user: text(value["user"]),
    scope: text(value["scope"]),
    session: text(value["session"]),
    sources: Array.isArray(sources) ? sources.filter((source) => typeof source === "string") : [],
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Without what links it with a record that goes. */
function unlinked(line: Line, gone: ReadonlySet<string>): Buffer {
  const { value, bytes, id } = line;
  if (value === undefined || (id !== undefined && gone.has(id))) return bytes;
  const { supersedes, supersededBy } = value;
  const rest = { ...value };
  if (typeof supersedes === "string" && gone.has(supersedes)) delete rest["supersedes"];
  if (typeof supersededBy === "string" && gone.has(supersededBy)) {
    delete rest["supersededBy"];
    delete rest["supersededAt"];
  }
  return Object.keys(rest).length === Object.keys(value).length
    ? bytes
    : Buffer.from(`${JSON.stringify(rest)}\n`);
}

/** A line that takes a record back goes last: without it the lines before would count again. */
function stays(line: Line, removal: Removal, left: ReadonlySet<string>): boolean {
  if (line.isBlank && line.id !== undefined && left.has(line.id)) return true;
  return !goesBy(line, removal);
}

async function rewriteLines(
  writer: FileWriter,
  workspace: Workspace,
  file: string,
  change: (lines: readonly Line[]) => Buffer[],
): Promise<void> {
  await rewriteFile(writer, at(workspace, file), (base) => {
    if (base === undefined) return undefined;
    const next = Buffer.concat(change(linesOf(base)));
    return next.length === 0 && base.length > 0 ? REMOVED : next;
  });
}
