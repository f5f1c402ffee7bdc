/**
 * `.memd/connections.json`: what memd made in the settings of other agents beside its own entries, by the
 * path of each file. Without it, what is empty once memd's entries are gone is taken for memd's.
 */
import { publish, readText, ifReadable, ifNoText, type FileWriter } from "./publish.js";
import { at, FILES, type Workspace } from "./workspace.js";

/** What stands in a file only since memd came. */
export interface Made {
  /** The file itself. */
  file: boolean;
  /** Paths of objects and lists, with `/` in front of each name; the whole is the empty one. */
  containers: readonly string[];
  /** By such a path, what stood in the place of a value of memd's, as it was written; empty where nothing did. */
  replaced?: Readonly<Record<string, string>>;
}

export async function readConnections(
  { disk }: Pick<FileWriter, "disk">,
  workspace: Workspace,
): Promise<ReadonlyMap<string, Made>> {
  const text = await readText(disk, at(workspace, FILES.connections)).catch(ifNoText);
  const read: unknown = text === undefined ? undefined : ifReadable(() => JSON.parse(text) as unknown);
  if (typeof read !== "object" || read === null) return new Map();
  return new Map(
    Object.entries(read).flatMap(([path, value]) => {
      const made = madeIn(value);
      return made === undefined ? [] : [[path, made] as const];
    }),
  );
}

/** `made` undefined: nothing of memd's stands there any more. */
export async function noteConnection(
  writer: FileWriter,
  workspace: Workspace,
  path: string,
  made: Made | undefined,
): Promise<void> {
  const standing = await readConnections(writer, workspace);
  const next = new Map(standing);
  if (made === undefined) next.delete(path);
  else next.set(path, made);
  const print = (all: ReadonlyMap<string, Made>): string =>
    `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`;
  if (print(next) !== print(standing)) await publish(writer, at(workspace, FILES.connections), print(next));
}

function madeIn(value: unknown): Made | undefined {
  const { file, containers, replaced } = (value ?? {}) as Record<string, unknown>;
  if (typeof file !== "boolean" || !Array.isArray(containers)) return undefined;
  const paths = containers.filter((path) => typeof path === "string");
  if (typeof replaced !== "object" || replaced === null) return { file, containers: paths };
  const texts = Object.entries(replaced).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return { file, containers: paths, replaced: Object.fromEntries(texts) };
}
