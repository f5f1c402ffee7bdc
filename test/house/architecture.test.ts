import { expect, test } from "vitest";
import { readFile } from "./sources.js";
import { FLOORS } from "./layers.js";

const ARCHITECTURE = readFile("docs/ARCHITECTURE.md");

test("the table of folders names those that the layers know, in their order", () => {
  const rows = [...ARCHITECTURE.matchAll(/^\| `([a-z]+)\/` \|/gm)].map(([, folder]) => folder);
  expect(rows).toEqual(FLOORS.flat());
});

test("the picture has every folder, a higher floor above a lower one", () => {
  const picture = /```\n([^`]*?)```/.exec(ARCHITECTURE)?.[1] ?? "";
  const lineOf = (folder: string): number =>
    picture.split("\n").findIndex((line) => new RegExp(`(^|\\s)${folder}/(\\s|$)`).test(line));
  const lines = FLOORS.map((row) => new Set(row.map(lineOf)));
  expect(lines.map(({ size }) => size)).toEqual(FLOORS.map(() => 1));
  const drawn = lines.flatMap((row) => [...row]);
  expect(drawn).not.toContain(-1);
  // `library/` stands beside `cli/`, which uses it.
  const order = FLOORS.map(([folder = ""]) => lineOf(folder));
  expect(order).toEqual([...order].sort((one, other) => other - one));
});
