/**
 * `bench tokens`: the estimate of tokens beside a real tokenizer (o200k), by kind
 * of text: from the sample, this repository and its packages, `languages/`, and
 * the conversations at hand. What a table of costs is fitted to is every second
 * piece; `held_out_bias` is of the others.
 */
import fs from "node:fs/promises";
import path from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokens } from "../src/text/tokens.js";
import { randomOf } from "../test/faults/random.js";
import { jsonTexts } from "./tokens-json.js";

const PACKAGE = path.resolve(import.meta.dirname, "..");
/** Shorter ones say little about a text that fills a budget. */
const PIECE_CHARS = 400;
const MOST_PIECES = 400;

/** Evenly from every source of a kind. */
const MOST_OF_A_SOURCE = 60;

interface Piece {
  text: string;
  isHeldOut: boolean;
}

export async function benchTokens(options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const data = options.get("data") ?? process.env["MEMD_BENCH_DATA"];
  const pieces = new Map<string, Piece[]>();
  const add = (kind: string, text: string, most = MOST_PIECES): void => {
    const list = pieces.get(kind) ?? [];
    pieces.set(kind, list);
    list.push(...spread(piecesOf(text), most).map((piece, at) => ({ text: piece, isHeldOut: at % 2 === 1 })));
  };
  add("code", (await textsUnder(path.join(PACKAGE, "src"), ".ts")).join(""));
  add("markdown", (await textsUnder(path.join(PACKAGE, "docs"), ".md")).join(""));
  const said = [
    ...(data === undefined ? [] : await conversations(data)),
    ...(await textsIn(path.join(PACKAGE, "sample"))),
  ];
  for (const kind of ["english", "chinese", "mixed"] as const)
    add(kind, said.filter((text) => kindOf(text) === kind).join("\n"));
  const chance = randomOf(1);
  for (const text of await jsonTexts(PACKAGE, (limit) => Math.floor(chance() * limit)))
    add("json", text, MOST_OF_A_SOURCE);
  const languages = path.join(import.meta.dirname, "languages");
  for (const file of await filesUnder(languages, ".txt"))
    add(path.basename(file, ".txt"), await textIn(file));
  // What a compiler says in these languages is at hand, and of another kind than chat.
  for (const [kind, language] of COMPILER_SPEAKS)
    add(kind, (await compilerMessages(language)).join("\n"), MOST_OF_A_SOURCE);
  return Object.fromEntries([...pieces].map(([kind, list]) => [kind, figuresOf(list)]));
}

const COMPILER_SPEAKS = [
  ["cyrillic", "ru"],
  ["japanese", "ja"],
  ["korean", "ko"],
] as const;

async function compilerMessages(language: string): Promise<string[]> {
  const file = path.join(
    PACKAGE,
    "node_modules/typescript/lib",
    language,
    "diagnosticMessages.generated.json",
  );
  return Object.values(JSON.parse(await textIn(file)) as Record<string, string>);
}

function figuresOf(pieces: readonly Piece[]): Record<string, number> {
  const of = (wanted: readonly Piece[]): number[] =>
    wanted.map(({ text }) => estimateTokens(text) / encode(text).length - 1).sort((a, b) => a - b);
  const errors = of(pieces);
  const sizes = errors.map(Math.abs).sort((a, b) => a - b);
  const at = (sorted: readonly number[], share: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 1000) / 1000;
  return {
    pieces: pieces.length,
    median_bias: at(errors, 0.5),
    held_out_bias: at(of(pieces.filter(({ isHeldOut }) => isHeldOut)), 0.5),
    p95_error: at(sizes, 0.95),
  };
}

function piecesOf(text: string): string[] {
  const list: string[] = [];
  for (let at = 0; at + PIECE_CHARS <= text.length; at += PIECE_CHARS)
    list.push(text.slice(at, at + PIECE_CHARS).toWellFormed());
  return list;
}

/** By the share of Han among what is no blank. */
function kindOf(text: string): "english" | "chinese" | "mixed" {
  const letters = text.replace(/\s/g, "");
  const han = (letters.match(/\p{Script=Han}/gu) ?? []).length / Math.max(1, letters.length);
  return han === 0 ? "english" : han > 0.6 ? "chinese" : "mixed";
}

/** Evenly from all of them. */
function spread(list: readonly string[], most: number): string[] {
  const step = Math.max(1, list.length / most);
  return Array.from(
    { length: Math.min(list.length, most) },
    (_, index) => list[Math.floor(index * step)] ?? "",
  );
}

async function textsUnder(folder: string, ending: string): Promise<string[]> {
  return Promise.all((await filesUnder(folder, ending)).map(textIn));
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
