/**
 * Parsers and hashes are pure: what a text says is remembered from one state to
 * the next, since millions of states hold the same few thousand texts. The real
 * functions run for every new text. What they gave is frozen, so that nobody can
 * change what another state will see.
 */
import fs from "node:fs";
import path from "node:path";
import type { Plugin } from "esbuild";

const PURE: Readonly<Record<string, readonly string[]>> = {
  "src/model/time.ts": ["parseInstant"],
  "src/platform/hash.ts": ["sha256"],
  "src/protocol/jsonl.ts": ["parseLines"],
  "src/protocol/journal.ts": ["parseJournalEntry"],
  "src/protocol/read-list.ts": ["parseListBytes"],
  "src/protocol/summary.ts": ["parseSummary"],
  "src/protocol/verbatim.ts": ["parseVerbatim"],
};

/** `transform`: what else is to be done to the source of a file. */
export function remembering(root: string, transform: (file: string, source: string) => string): Plugin {
  return {
    name: "remembering",
    setup: (build) => {
      build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const name = path.relative(root, file);
        let source = transform(name, fs.readFileSync(file, "utf8"));
        for (const pure of PURE[name] ?? []) source = remembered(source, pure, name);
        return { contents: source, loader: "ts" };
      });
    },
  };
}

function remembered(source: string, pure: string, file: string): string {
  const declaration = new RegExp(`^export (async )?function ${pure}\\(`, "m");
  if (!declaration.test(source)) throw new Error(`${file} has no function ${pure} to be remembered`);
  return source.replace(
    declaration,
    `export const ${pure} = globalThis.remembered(${pure}Anew);\n$1function ${pure}Anew(`,
  );
}

/** Goes before everything else in the bundle. */
export const REMEMBERING = `
globalThis.remembered = (pure) => {
  const byText = new Map();
  const byObject = new WeakMap();
  const frozen = (value) => {
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value;
    if (typeof value.then === "function") return value.then(frozen);
    for (const part of Object.values(value)) frozen(part);
    return Object.freeze(value);
  };
  const byBytes = (given) => {
    const key = "b" + Buffer.from(given.buffer, given.byteOffset, given.byteLength).latin1Slice();
    if (!byText.has(key)) byText.set(key, frozen(pure(given)));
    return byText.get(key);
  };
  return (given) => {
    const isObject = typeof given === "object" && given !== null;
    const known = isObject ? byObject : byText;
    if (known.has(given)) return known.get(given);
    if (byText.size > 50000) byText.clear();
    const value = ArrayBuffer.isView(given) ? byBytes(given) : frozen(pure(given));
    known.set(given, value);
    return value;
  };
};
`;
