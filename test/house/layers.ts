/**
 * The rules of the house, checked on a map of path to source text.
 *
 * Pure, so that a test can plant a violation of each rule and see it found.
 * docs/ARCHITECTURE.md says why the rules are as they are.
 */
import { isBuiltin } from "node:module";
import path from "node:path";
import { isRelative, packageOf, readModule, type Import, type Module } from "./imports.js";

/** Folders of src/, lowest first. Those of one row know nothing of one another. */
export const FLOORS: readonly (readonly string[])[] = [
  ["model"],
  ["text"],
  ["platform"],
  ["protocol"],
  ["llm"],
  ["documents", "adapters", "git"],
  ["archive", "recall", "historian", "topics", "context"],
  ["prompt"],
  ["forget", "export"],
  ["supervisor"],
  ["service"],
  ["serve"],
  ["daemon"],
  ["library"],
  ["cli"],
];

/** Where a package may be imported: a folder, or one file. `lazy`: types apart, only by dynamic import. */
interface Home {
  at: string;
  lazy?: true;
}

const HOMES: Readonly<Record<string, Home>> = {
  chokidar: { at: "platform/" },
  "write-file-atomic": { at: "platform/" },
  "proper-lockfile": { at: "platform/" },
  pino: { at: "platform/" },
  "@vscode/ripgrep": { at: "platform/" },
  "@hono/node-server": { at: "platform/" },
  "gray-matter": { at: "protocol/front-matter.ts" },
  "tar-stream": { at: "platform/" },
  fflate: { at: "adapters/" },
  fzstd: { at: "adapters/" },
  openai: { at: "llm/", lazy: true },
  "wink-bm25-text-search": { at: "topics/" },
};

/** What a package gives has one door, whatever file owns it: here, and nowhere else, names are exported again. */
const ENTRY = "library/memd.ts";

export type Rule =
  | "unknown-folder"
  | "unknown-file"
  | "layer"
  | "subject-in-supervisor"
  | "cycle"
  | "node-outside-platform"
  | "package-not-at-home"
  | "package-not-lazy"
  | "default-export"
  | "barrel"
  | "re-export";

export interface Violation {
  rule: Rule;
  /** Relative to src/. */
  file: string;
  line: number;
  says: string;
}

/** Of every file, in the order of their paths. Paths are relative to src/, with `/`. */
export function violationsIn(sources: ReadonlyMap<string, string>): Violation[] {
  const modules = new Map([...sources].sort().map(([file, text]) => [file, readModule(file, text)] as const));
  const found = [...modules].flatMap(([file, module]) => [
    ...placeOf(file),
    ...subjectsIn(file, sources.get(file) ?? ""),
    ...exportsOf(file, module),
    ...module.imports.flatMap((imported) => importOf(file, imported, modules)),
  ]);
  return [...found, ...cyclesIn(modules)];
}

/** A violation as one line of a failing test. */
export function printViolation({ rule, file, line, says }: Violation): string {
  return `src/${file}:${line} ${rule}: ${says}`;
}

function placeOf(file: string): Violation[] {
  if (floorOf(file) !== undefined) return [];
  return [{ rule: "unknown-folder", file, line: 1, says: "stands in no folder of the house" }];
}

/** The loop drives shapes: a stage that comes or goes is composed above it, and changes no line of it. */
const SUBJECT = /record|topic|profile|document/i;

/** In names, import paths and comments alike. */
function subjectsIn(file: string, text: string): Violation[] {
  if (folderOf(file) !== "supervisor") return [];
  return text.split("\n").flatMap((line, index): Violation[] => {
    const [subject] = SUBJECT.exec(line) ?? [];
    if (subject === undefined) return [];
    return [
      { rule: "subject-in-supervisor", file, line: index + 1, says: `names a ${subject.toLowerCase()}` },
    ];
  });
}

function exportsOf(file: string, { exports }: Module): Violation[] {
  const own = file === ENTRY ? exports.filter(({ kind }) => kind !== "from") : exports;
  return own.map(({ kind, line }): Violation => {
    switch (kind) {
      case "default":
        return { rule: "default-export", file, line, says: "has a default export" };
      case "star":
        return { rule: "barrel", file, line, says: "exports everything of another file" };
      case "from":
        return { rule: "re-export", file, line, says: "exports what another file owns" };
      default:
        return kind satisfies never;
    }
  });
}

function importOf(file: string, imported: Import, modules: ReadonlyMap<string, Module>): Violation[] {
  const { specifier, line } = imported;
  if (isRelative(specifier)) {
    const target = resolved(file, specifier);
    if (!modules.has(target)) {
      return [{ rule: "unknown-file", file, line, says: `imports ${specifier}, which is no file of src/` }];
    }
    return layersOf(file, target, line);
  }
  if (isBuiltin(specifier)) {
    if (folderOf(file) === "platform") return [];
    return [{ rule: "node-outside-platform", file, line, says: `imports ${specifier}` }];
  }
  return homeOf(file, imported);
}

function layersOf(file: string, target: string, line: number): Violation[] {
  const [from, to] = [folderOf(file), folderOf(target)];
  const [own, other] = [floorOf(file), floorOf(target)];
  if (from === to || own === undefined || other === undefined || other < own) return [];
  const why = other === own ? "stages do not know one another" : `${to}/ stands above ${from}/`;
  return [{ rule: "layer", file, line, says: `imports ${target}: ${why}` }];
}

function homeOf(file: string, { specifier, kind, line }: Import): Violation[] {
  const name = packageOf(specifier);
  const home = Object.hasOwn(HOMES, name) ? HOMES[name] : undefined;
  if (home === undefined) return [];
  const inside = home.at.endsWith("/") ? file.startsWith(home.at) : file === home.at;
  if (!inside) {
    return [
      { rule: "package-not-at-home", file, line, says: `imports ${name}, which belongs in ${home.at}` },
    ];
  }
  if (home.lazy !== true || kind !== "value") return [];
  return [
    { rule: "package-not-lazy", file, line, says: `loads ${name} at start instead of when it is used` },
  ];
}

/**
 * One violation for each knot of files that import one another in a circle.
 * Type imports count; dynamic ones do not, since they are loaded after the
 * circle would have had to be there.
 */
function cyclesIn(modules: ReadonlyMap<string, Module>): Violation[] {
  const next = (file: string): string[] =>
    (modules.get(file)?.imports ?? [])
      .filter(({ specifier, kind }) => kind !== "dynamic" && isRelative(specifier))
      .map(({ specifier }) => resolved(file, specifier))
      .filter((target) => modules.has(target));
  const done = new Set<string>();
  const found: Violation[] = [];
  const walk = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start !== -1) {
      const says = `imports itself: ${[...trail.slice(start), file].join(" → ")}`;
      found.push({ rule: "cycle", file, line: 1, says });
      return;
    }
    if (done.has(file)) return;
    for (const target of next(file)) walk(target, [...trail, file]);
    done.add(file);
  };
  for (const file of modules.keys()) walk(file, []);
  return found;
}

function resolved(file: string, specifier: string): string {
  return path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, ".ts");
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.indexOf("/")));
}

function floorOf(file: string): number | undefined {
  const floor = FLOORS.findIndex((row) => row.includes(folderOf(file)));
  return floor === -1 ? undefined : floor;
}
