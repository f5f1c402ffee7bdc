/** `memd completion`, asked as a shell would ask it. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { cliPlace, type Place } from "../support/cli.js";

/** What bash would offer for the last of these words. */
function bashOffers(place: Place, script: string, ...words: string[]): string[] {
  const file = path.join(place.outside, "memd.bash");
  fs.writeFileSync(file, script);
  const asked = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _memd; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const offered = execFileSync("bash", ["--norc", "-uc", asked, "bash", file, "memd", ...words], {
    encoding: "utf8",
    cwd: place.outside,
  });
  return offered.split("\n").filter((word) => word !== "");
}

test("bash completes commands, those below them, options and what they may be", async () => {
  const place = cliPlace();
  const { code, stdout: script, stderr } = await place.memd(["completion", "bash"]);
  expect([code, stderr]).toEqual([0, ""]);
  const offers = (...words: string[]): string[] => bashOffers(place, script, ...words);
  expect(offers("se")).toEqual(["search", "service"]);
  expect(offers("sea")).toEqual(["search"]);
  expect(offers("")).toEqual(expect.arrayContaining(["init", "search", "topics"]));
  expect(offers("search", "--k")).toEqual(["--kind"]);
  expect(offers("search", "ferry", "--as")).toEqual(["--as-of", "--as"]);
  expect(offers("search", "--mode", "")).toEqual(["keyword", "vector", "hybrid", "agentic"]);
  expect(offers("search", "--kind", "fact", "ev")).toEqual(["event"]);
  expect(offers("topics", "re")).toEqual(["rename", "review"]);
  expect(offers("topics", "activate", "boat", "--fr")).toEqual(["--from"]);
  expect(offers("queue", "list", "")).toEqual([]);
  expect(offers("completion", "z")).toEqual(["zsh"]);
  expect(offers("status", "-w", "ho")).toEqual(["home"]);
  expect(offers("--ver")).toEqual(["--version"]);
});

test.each(["zsh", "fish"])("a script for %s, which that shell takes where it is installed", async (shell) => {
  const place = cliPlace();
  const { code, stdout: script } = await place.memd(["completion", shell]);
  expect(code).toBe(0);
  for (const word of ["search", "activate", "kind", "hybrid"]) expect(script).toContain(word);
  const file = path.join(place.outside, `memd.${shell}`);
  fs.writeFileSync(file, script);
  if (isInstalled(shell)) execFileSync(shell, ["-n", file]);
});

test("another shell is a mistake", async () => {
  expect(await cliPlace().memd(["completion", "csh"])).toMatchObject({ code: 2, stdout: "" });
});

function isInstalled(program: string): boolean {
  const folders = (process.env["PATH"] ?? "").split(":");
  return folders.some((folder) => fs.existsSync(path.join(folder, program)));
}
