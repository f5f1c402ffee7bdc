/**
 * `bench tokens`: the estimate of tokens beside a real tokenizer (o200k), by kind
 * of text: from the sample, this repository, and the conversations at hand.
 */
import fs from "node:fs/promises";
import path from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokens } from "../src/text/tokens.js";

const PACKAGE = path.resolve(import.meta.dirname, "..");
/** Shorter ones say little about a text that fills a budget. */
const PIECE_CHARS = 400;
const MOST_PIECES = 400;

type Kind = "english" | "chinese" | "mixed" | "code" | "markdown";

export async function benchTokens(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const data = options.get("data") ?? process.env["MEMD_BENCH_DATA"];
  const pieces = new Map<Kind, string[]>();
  const add = (kind: Kind, text: string): void => {
    const list = pieces.get(kind) ?? [];
    pieces.set(kind, list);
    for (let at = 0; at + PIECE_CHARS <= text.length; at += PIECE_CHARS)
      list.push(text.slice(at, at + PIECE_CHARS).toWellFormed());
  };
  for (const file of await filesUnder(path.join(PACKAGE, "src"), ".ts")) add("code", await textIn(file));
  for (const file of await filesUnder(path.join(PACKAGE, "docs"), ".md")) add("markdown", await textIn(file));
  const said = [
    ...(data === undefined ? [] : await conversations(data)),
    ...(await textsIn(path.join(PACKAGE, "sample"))),
  ];
  for (const kind of ["english", "chinese", "mixed"] as const)
    add(kind, said.filter((text) => kindOf(text) === kind).join("\n"));
  return Object.fromEntries([...pieces].map(([kind, list]) => [kind, figuresOf(spread(list))]));
}

function figuresOf(pieces: readonly string[]): Record<string, number> {
  const errors = pieces.map((text) => estimateTokens(text) / encode(text).length - 1).sort((a, b) => a - b);
  const sizes = errors.map(Math.abs).sort((a, b) => a - b);
  const at = (sorted: readonly number[], share: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 1000) / 1000;
  return { pieces: pieces.length, median_bias: at(errors, 0.5), p95_error: at(sizes, 0.95) };
}

/** By the share of Han among what is no blank. */
function kindOf(text: string): Kind {
  const letters = text.replace(/\s/g, "");
  const han = (letters.match(/\p{Script=Han}/gu) ?? []).length / Math.max(1, letters.length);
  return han === 0 ? "english" : han > 0.6 ? "chinese" : "mixed";
}

/** Evenly from all of them. */
function spread(list: readonly string[]): string[] {
  const step = Math.max(1, list.length / MOST_PIECES);
  return Array.from(
    { length: Math.min(list.length, MOST_PIECES) },
    (_, index) => list[Math.floor(index * step)] ?? "",
  );
}

/** Messages of every set of conversations below the folder. */
async function conversations(data: string): Promise<string[]> {
  const files = await filesUnder(data, "messages.jsonl");
  const texts: string[] = [];
  for (const file of files)
    for (const line of (await textIn(file)).split("\n"))
      if (line.trim() !== "") texts.push((JSON.parse(line) as { text: string }).text);
  return texts;
}

async function textsIn(folder: string): Promise<string[]> {
  const files = await filesUnder(folder, "").catch(() => []);
  const all = await Promise.all(files.map(textIn));
  return all.flatMap((text) =>
    [...text.matchAll(/"text":\s*("(?:[^"\\]|\\.)*")/g)].map(([, json = '""']) => JSON.parse(json) as string),
  );
}

async function filesUnder(folder: string, ending: string): Promise<string[]> {
  const names = await fs.readdir(folder, { recursive: true });
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith(ending))
      .map(async (name) =>
        (await fs.stat(path.join(folder, name))).isFile() ? [path.join(folder, name)] : [],
      ),
  );
  return files.flat().sort();
}

function textIn(file: string): Promise<string> {
  return fs.readFile(file, "utf8");
}
