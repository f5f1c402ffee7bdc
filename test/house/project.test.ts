import { builtinModules } from "node:module";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { isRelative, packageOf, readModule } from "./imports.js";
import { projectFiles, readFile, ROOT } from "./sources.js";

const files = projectFiles();
const manifest = JSON.parse(readFile("package.json")) as {
  license: string;
  files: string[];
  bin: Record<string, string>;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

describe("the project speaks of itself alone", () => {
  /** What people paste names paths of machines that nobody has. */
  const files = projectFiles().filter((file) => !file.startsWith("bench/sets/secrets/"));
  /** Each with a class of one character, so that this file does not find itself. */
  const foreign: readonly (readonly [what: string, pattern: RegExp])[] = [
    [
      "a path of somebody's machine",
      /(?<![\w.~%-])\/(?:[w]ork|[r]oot|[U]sers)\/(?=[\w.])|(?<![\w.~%-])\/[h]ome\/(?!alice\/)/,
    ],
    ["a drive of somebody's machine", /\b[C]:\\[U]sers/i],
    [
      "a registry",
      /https?:\/\/[^\s"'/]*(?:[r]egistry|[a]rtifactory|[v]erdaccio|[n]exus)[^\s"']*|"[r]esolved":/i,
    ],
    ["a numbered ticket", /\b(?:[i]ssue|[t]icket|[s]ession) (?:#|no\.? ?)?\d+\b/i],
    ["who worked on it", /\b(?:[s]ubagent|[h]elper session|[c]oding agent|[l]ead session|[w]orkplace)s?\b/i],
    ["a page outside of it", /\.\.\/[s]hared\b|\b(?:[d]esign|[l]essons|[s]tyle|[r]anking)\.md\b/],
    ["a tool of the workshop", /\b(?:str_[r]eplace|read_[f]ile|find_[s]tring|apply_[p]atch)\b/],
  ];

  /** What other agents call what they write is their word. */
  const own = (file: string, line: string): string =>
    /^(?:src|test)\/adapters\//.test(file) ? line.replaceAll(/[s]ubagents?/gi, "") : line;

  test.each(foreign)("no file names %s", (_what, pattern) => {
    const found = files.flatMap((file) =>
      readFile(file)
        .split("\n")
        .flatMap((line, index) =>
          pattern.test(own(file, line)) ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`] : [],
        ),
    );
    expect(found).toEqual([]);
  });

  test("the patterns find what they are for", () => {
    const planted = [
      "see /" + "work/main/notes",
      "C" + ":\\Users\\me",
      "https://npm-" + "registry.example.com/x",
      "fixes iss" + "ue #12",
      "written by a sub" + "agent",
      "../" + "shared/x",
      "use str_" + "replace",
    ];
    expect(planted.filter((line) => !foreign.some(([, pattern]) => pattern.test(line)))).toEqual([]);
    const harmless = [
      "memory/scopes/work/2025-03-04.md",
      "the design of a session",
      "/home/alice/Projects",
      "npm run build",
    ];
    expect(harmless.filter((line) => foreign.some(([, pattern]) => pattern.test(line)))).toEqual([]);
  });
});

describe("package.json", () => {
  const scripts = Object.values(manifest.scripts).join(" ");
  const imported = (folders: readonly string[]): Set<string> => {
    const sources = files.filter(
      (file) => /\.[cm]?[jt]s$/.test(file) && folders.some((folder) => file.startsWith(folder)),
    );
    const specifiers = sources.flatMap((file) => specifiersOf(file));
    return new Set(specifiers.filter((specifier) => !isRelative(specifier)).map(packageOf));
  };

  test("every dependency is imported in src/", () => {
    const used = imported(["src/"]);
    expect(Object.keys(manifest.dependencies).filter((name) => !used.has(name))).toEqual([]);
  });

  test("what src/ imports is a dependency", () => {
    const known = new Set([
      ...Object.keys(manifest.dependencies),
      ...builtinModules.map((name) => `node:${name}`),
    ]);
    const strange = [...imported(["src/", "bin/"])].filter(
      (name) => !known.has(name) && !known.has(`node:${name}`),
    );
    expect(strange.filter((name) => !name.startsWith("node:"))).toEqual([]);
  });

  test("every development dependency is imported, run by a script, or types what is", () => {
    const used = imported([""]);
    const isUsed = (name: string): boolean => {
      if (used.has(name)) return true;
      if (name === "@types/node") return true;
      if (name.startsWith("@types/"))
        return manifest.dependencies[name.slice("@types/".length)] !== undefined;
      const { bin } = JSON.parse(readFile(`node_modules/${name}/package.json`)) as {
        bin?: string | Record<string, string>;
      };
      const commands = typeof bin === "object" ? Object.keys(bin) : [name];
      return commands.some((command) => new RegExp(`(?:^|\\s)${command}(?:\\s|$)`).test(scripts));
    };
    expect(Object.keys(manifest.devDependencies).filter((name) => !isUsed(name))).toEqual([]);
  });

  test("what is published is there", () => {
    const { compilerOptions } = JSON.parse(readFile("tsconfig.build.json")) as {
      compilerOptions: { outDir: string };
    };
    // Built on installing, so a fresh clone may not have it yet.
    const standing = manifest.files.filter((file) => file !== compilerOptions.outDir);
    expect(standing.filter((file) => !fs.existsSync(path.join(ROOT, file)))).toEqual([]);
    expect(manifest.files).toContain(compilerOptions.outDir);
    for (const file of Object.values(manifest.bin)) expect(files).toContain(file);
  });

  test("the scripts that a new user is told of exist", () => {
    for (const name of ["start", "test", "check", "build"]) expect(manifest.scripts).toHaveProperty(name);
  });
});

test("the licence is MIT", () => {
  expect(manifest.license).toBe("MIT");
  expect(readFile("LICENSE")).toMatch(/^MIT License/);
});

describe.each([
  ["with git, where there is one", files],
  ["without git", projectFiles(false)],
])("the files of the project are found %s", (_how, found) => {
  test("all of its own", () => {
    const some = ["package.json", "README.md", "src/cli/main.ts", "test/house/project.test.ts", ".gitignore"];
    expect(found).toEqual(expect.arrayContaining(some));
  });

  test("and nothing that is installed or built", () => {
    expect(found.filter((file) => /(?:^|\/)(?:node_modules|dist|\.git)\//.test(file))).toEqual([]);
  });
});

/** Each file is parsed once, however many questions are asked of it. */
const parsed = new Map<string, string[]>();

function specifiersOf(file: string): string[] {
  const known =
    parsed.get(file) ?? readModule(file, readFile(file)).imports.map(({ specifier }) => specifier);
  parsed.set(file, known);
  return known;
}
