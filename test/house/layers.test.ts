import { describe, expect, test } from "vitest";
import { printViolation, violationsIn, type Rule } from "./layers.js";
import { typescriptIn } from "./sources.js";

/** A small house without a fault; each case below adds one file to it. */
const SOUND: Readonly<Record<string, string>> = {
  "model/time.ts": `export const SECOND_MS = 1000;`,
  "model/message.ts": `import type { EpochMs } from "./time.js"; export interface Message { at: EpochMs }`,
  "platform/disk.ts": `import fs from "node:fs"; import pino from "pino"; export const disk = { fs, pino };`,
  "text/terms.ts": `import { SECOND_MS } from "../model/time.js"; export const terms = SECOND_MS;`,
  "protocol/front-matter.ts": `import matter from "gray-matter"; export const parse = matter;`,
  "llm/openai.ts": `import type OpenAI from "openai"; export const load = (): Promise<OpenAI> => import("openai").then((all) => new all.default());`,
  "archive/archive.ts": `import { parse } from "../protocol/front-matter.js"; export const archive = parse;`,
  "topics/relevance.ts": `import wink from "wink-bm25-text-search"; export const relevance = wink;`,
  "supervisor/supervisor.ts": `import { archive } from "../archive/archive.js"; export const supervise = archive;`,
  "serve/app.ts": `import { supervise } from "../supervisor/supervisor.js"; export const app = supervise;`,
  "library/memory.ts": `import { parse } from "../protocol/front-matter.js"; export const memory = parse;`,
  "cli/main.ts": `import { memory } from "../library/memory.js"; import { app } from "../serve/app.js"; export const main = [app, memory]; export const later = () => import("./say.js");`,
  "cli/say.ts": `import type { main } from "./main.js"; export const say = (): typeof main => { throw new Error("import fs from 'node:fs'"); };`,
};

function found(planted: Readonly<Record<string, string>>): { rule: Rule; file: string }[] {
  return violationsIn(new Map(Object.entries({ ...SOUND, ...planted }))).map(({ rule, file }) => ({
    rule,
    file,
  }));
}

test("a house that keeps the rules has no violations", () => {
  expect(found({})).toEqual([]);
});

describe("each rule is seen when it is broken", () => {
  const cases: readonly (readonly [what: string, rule: Rule, file: string, text: string])[] = [
    [
      "a lower floor imports a higher one",
      "layer",
      "model/bad.ts",
      `import { disk } from "../platform/disk.js";`,
    ],
    [
      "text imports the protocol",
      "layer",
      "text/bad.ts",
      `import { parse } from "../protocol/front-matter.js";`,
    ],
    [
      "a stage imports another stage",
      "layer",
      "recall/bad.ts",
      `import { archive } from "../archive/archive.js";`,
    ],
    [
      "a stage imports a type of another stage",
      "layer",
      "context/bad.ts",
      `import type { archive } from "../archive/archive.js";`,
    ],
    [
      "a stage names a type of another stage in passing",
      "layer",
      "topics/bad.ts",
      `export type A = import("../archive/archive.js").archive;`,
    ],
    [
      "a stage loads the supervisor later",
      "layer",
      "historian/bad.ts",
      `export const later = () => import("../supervisor/supervisor.js");`,
    ],
    [
      "the supervisor imports what serves it",
      "layer",
      "supervisor/bad.ts",
      `import { app } from "../serve/app.js";`,
    ],
    [
      "what serves it imports the library",
      "layer",
      "serve/bad.ts",
      `import { memory } from "../library/memory.js";`,
    ],
    [
      "the library imports the command line",
      "layer",
      "library/bad.ts",
      `import { main } from "../cli/main.js";`,
    ],
    ["anything imports the command line", "layer", "serve/bad.ts", `import { main } from "../cli/main.js";`],
    [
      "the loop knows a stage by name",
      "subject-in-supervisor",
      "supervisor/bad.ts",
      `export const take = (topicsOf: string): string => topicsOf;`,
    ],
    [
      "the loop imports what is about a subject",
      "subject-in-supervisor",
      "supervisor/bad.ts",
      `export const later = () => import("../platform/disk.js"); // of each document`,
    ],
    ["a file stands in no folder of the house", "unknown-folder", "tools/bad.ts", `export const a = 1;`],
    ["a file stands in src itself", "unknown-folder", "bad.ts", `export const a = 1;`],
    ["an import leaves src", "unknown-file", "model/bad.ts", `import { given } from "../../test/given.js";`],
    [
      "Node's modules are used by a stage",
      "node-outside-platform",
      "archive/bad.ts",
      `import fs from "node:fs";`,
    ],
    [
      "Node's modules are used without their prefix",
      "node-outside-platform",
      "archive/bad.ts",
      `import fs from "fs/promises";`,
    ],
    [
      "Node's modules are loaded later",
      "node-outside-platform",
      "cli/bad.ts",
      `export const os = () => import("node:os");`,
    ],
    [
      "an I/O package is used outside platform",
      "package-not-at-home",
      "supervisor/bad.ts",
      `import { watch } from "chokidar";`,
    ],
    [
      "a scoped I/O package is used outside platform",
      "package-not-at-home",
      "serve/bad.ts",
      `import { serve } from "@hono/node-server";`,
    ],
    [
      "gray-matter is used by another file of the protocol",
      "package-not-at-home",
      "protocol/bad.ts",
      `import matter from "gray-matter";`,
    ],
    [
      "openai is used outside llm",
      "package-not-at-home",
      "archive/bad.ts",
      `import type OpenAI from "openai";`,
    ],
    ["openai is imported at start", "package-not-lazy", "llm/bad.ts", `import OpenAI from "openai";`],
    [
      "openai is imported at start for a type alone",
      "package-not-lazy",
      "llm/bad.ts",
      `import { type OpenAI } from "openai";`,
    ],
    [
      "a part of openai is imported at start",
      "package-not-lazy",
      "llm/bad.ts",
      `import { stream } from "openai/streaming";`,
    ],
    [
      "wink is used outside the topics",
      "package-not-at-home",
      "recall/bad.ts",
      `import wink from "wink-bm25-text-search";`,
    ],
    ["a file imports itself", "cycle", "model/bad.ts", `import { a } from "./bad.js"; export const b = a;`],
    ["a value is exported as default", "default-export", "model/bad.ts", `export default 1;`],
    [
      "a function is exported as default",
      "default-export",
      "model/bad.ts",
      `export default function bad() {}`,
    ],
    [
      "a name is exported as default",
      "default-export",
      "model/bad.ts",
      `const a = 1; export { a as default };`,
    ],
    ["a barrel", "barrel", "model/bad.ts", `export * from "./time.js";`],
    ["a barrel under a name", "barrel", "model/bad.ts", `export * as time from "./time.js";`],
    ["a re-export", "re-export", "model/bad.ts", `export { SECOND_MS } from "./time.js";`],
    ["a re-export of a type", "re-export", "model/bad.ts", `export type { Message } from "./message.js";`],
  ];
  test.each(cases)("%s", (_what, rule, file, text) => {
    expect(found({ [file]: text })).toContainEqual({ rule, file });
  });

  test("two files in a circle, one of them by its types only", () => {
    const circle = {
      "model/a.ts": `import type { B } from "./b.js"; export interface A { b: B }`,
      "model/b.ts": `import { c } from "./c.js"; export type B = typeof c;`,
      "model/c.ts": `import type { A } from "./a.js"; export const c: A | undefined = undefined;`,
    };
    expect(found(circle)).toEqual([{ rule: "cycle", file: "model/a.ts" }]);
  });
});

test("the entry of the package alone exports what others own, and each thing by its name", () => {
  const named = `export { memory } from "./memory.js"; export type { Message } from "../model/message.js";`;
  expect(found({ "library/memd.ts": named })).toEqual([]);
  expect(found({ "library/other.ts": named })).toContainEqual({
    rule: "re-export",
    file: "library/other.ts",
  });
  expect(found({ "library/memd.ts": `export * from "./memory.js";` })).toEqual([
    { rule: "barrel", file: "library/memd.ts" },
  ]);
});

test("what only looks like an import is none", () => {
  const text =
    "// import fs from 'node:fs'\nexport const a = `import os from 'node:os'`;\n/* export default 1 */";
  expect(found({ "archive/good.ts": text })).toEqual([]);
});

test("the house keeps its own rules", () => {
  expect(violationsIn(typescriptIn("src")).map(printViolation)).toEqual([]);
});
