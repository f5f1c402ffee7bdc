/**
 * Every function of memd that has something published, found in its source, so
 * that a new one cannot be forgotten: the model must have crossed it, or say here why not.
 */
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { packageRoot } from "../../../src/platform/package-root.js";
import { PUBLISHERS } from "./places.js";

const FOLDERS =
  "archive cli context daemon documents forget historian library prompt protocol service supervisor topics".split(
    " ",
  );

/** By file and function. `recall/` is left out: its index is made anew from the files. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "src/archive/late-saves.ts mergeMemory":
    "the part `writers`: it waits for a file to rest, and here time stands still",
  "src/archive/late-saves.ts keepBeside": "the part `writers`, for the same reason",
  "src/protocol/memory-file.ts textOf": "a copy in conflicts/, as the lists' unreadable files get it",
  "src/daemon/open.ts madeSure": "the token, made anew when it is gone",
  "src/protocol/tokens.ts editTokens":
    "one file that is replaced whole: who is told of a token reads it after that",
  "src/protocol/trust.ts saveTrusted":
    "outside the workspace, one file that is replaced whole; without it, nothing is trusted",
  "src/protocol/embedding.ts writeAccepted": "one file that is replaced whole; without it no text is sent",
  "src/protocol/embedding.ts removeAccepted":
    "one removal, durable before it is said: back it is the yes of before, which `memd status` tells of",
  "src/cli/embed-install.ts copyModel":
    "outside the workspace; the same command goes on where it was cut off",
  "src/cli/embed-install.ts installPackage": "the same",
  "src/cli/embed-install.ts letFetch": "the same",
  "src/protocol/connections.ts noteConnection":
    "of files outside the workspace; without it, what is empty is taken for memd's",
  "src/protocol/exports.ts noteExport": "one file that is replaced whole, before the export has its name",
  "src/cli/export.ts exportArchive":
    "outside the workspace, under a free name: cut off, it is asked for again",
  "src/cli/export.ts exportMessages": "the same",
  "src/cli/open.ts leadingTo":
    "one file that is replaced whole, of a code that lives a minute; `memd open` gives another",
  "src/cli/service.ts installService": "a unit of the system's, which the same command writes again",
  "src/cli/init-git.ts switchOn": "one setting, in a file that is replaced whole",
  "src/cli/make-workspace.ts addIgnored": "one file that is replaced whole; `init` finishes what was cut off",
  "src/protocol/owner-note.ts write": "the owner's note, written again when it is gone",
  "src/service/profiles.ts replaced": "the two steps of keepProfile, in their order",
  "src/topics/place-files.ts keepBeside": "a copy in conflicts/ of what another hand put in the way",
  "src/service/checks.ts disk": "a probe that is removed again",
  "src/protocol/publish.ts probeFolder": "the same",
  "src/context/quote.ts wholePartsOf": "its `append` is a list's",
  "src/archive/checkpoints.ts writeCheckpoint":
    "one file that is replaced whole, and believed only under a hash of all of it, of files that are as it says",
  "src/historian/absolutise.ts absolutise": "its `rewrite` asks a model",
  "src/forget/other-files.ts clearCopies":
    "a removal that forgetting begins again until a line says that it is done",
  "src/forget/other-files.ts clearWindows": "the same",
  "src/forget/other-files.ts clearScope": "the same",
};

/** Functions that publish and are not among these places, by file and name. */
export function notCrossed(places: ReadonlySet<string>): string[] {
  return publishing().filter((found) => !places.has(found.split(" ")[1] ?? "") && !(found in ELSEWHERE));
}

function publishing(): string[] {
  const found = new Set<string>();
  for (const folder of FOLDERS) {
    const dir = path.join(packageRoot(), "src", folder);
    for (const name of fs.readdirSync(dir, { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts")) continue;
      const file = `src/${folder}/${name.replaceAll(path.sep, "/")}`;
      for (const caller of callersIn(fs.readFileSync(path.join(dir, name), "utf8")))
        found.add(`${file} ${caller}`);
    }
  }
  return [...found].sort();
}

/** Names of the functions that call a publisher and are none themselves. */
function callersIn(text: string): string[] {
  const source = ts.createSourceFile("file.ts", text, ts.ScriptTarget.ESNext, true);
  const callers: string[] = [];
  const visit = (node: ts.Node, within: string): void => {
    const inside = nameOf(node) ?? within;
    if (ts.isCallExpression(node) && publishes(node) && !PUBLISHERS.has(inside)) callers.push(inside);
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(source, "");
  return callers;
}

/** `publish(…)`, `rewrite(…)`; methods of the same names are their classes' own affair. */
function publishes({ expression }: ts.CallExpression): boolean {
  return ts.isIdentifier(expression) && PUBLISHERS.has(expression.text);
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node))
    return node.name?.getText().replace("#", "");
  const isNamed = ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node);
  return isNamed && node.initializer !== undefined && ts.isArrowFunction(node.initializer)
    ? node.name.getText()
    : undefined;
}
