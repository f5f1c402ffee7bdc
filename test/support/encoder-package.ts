/**
 * A package that stands for the one which runs a model of vectors, as far as memd asks it, and the files of a
 * model that it takes. It notes how it was asked beside itself.
 */
import fs from "node:fs";
import path from "node:path";

export const PACKAGE = "@huggingface/transformers";

const SOURCE = `
const fs = require("node:fs");
const path = require("node:path");
const note = (line) => fs.appendFileSync(path.join(__dirname, "asked.jsonl"), JSON.stringify(line) + "\\n");
const env = {};
const MATTERS = [/dog|puppy|pet/i, /budget|money|finance/i, /rain|wet/i, /[\\u4e00-\\u9fff]/];
const vectorOf = (text, { normalize }) => {
  const numbers = [...MATTERS.map((matter) => (matter.test(text) ? 1 : 0)), 0.1];
  const length = normalize ? Math.hypot(...numbers) : 0.01;
  return numbers.map((number) => number / length);
};
module.exports = {
  env,
  async pipeline(task, model, options) {
    const folder = path.isAbsolute(model) ? model : path.join(env.localModelPath, model);
    note({ task, model, options, env, variables: Object.keys(process.env) });
    console.log("loading, as packages say");
    if (!fs.existsSync(path.join(folder, "config.json"))) {
      if (!env.allowRemoteModels) throw new Error("there are no files, and none may be fetched");
      fs.mkdirSync(folder, { recursive: true });
      fs.writeFileSync(path.join(folder, "config.json"), "{}");
    }
    return async (texts, asked) => {
      note({ texts, asked });
      return { tolist: () => texts.map((text) => vectorOf(text, asked)) };
    };
  },
};
`;

/** Into `node_modules` of this folder. */
export function putPackage(folder: string): void {
  const at = path.join(folder, "node_modules", PACKAGE);
  fs.mkdirSync(at, { recursive: true });
  const manifest = { name: PACKAGE, version: "4.9.9", license: "Apache-2.0", main: "index.js" };
  fs.writeFileSync(path.join(at, "package.json"), JSON.stringify(manifest));
  fs.writeFileSync(path.join(at, "index.js"), SOURCE);
}

export interface Noted {
  task?: string;
  model?: string;
  options?: Record<string, unknown>;
  env?: Record<string, unknown>;
  variables?: string[];
  texts?: string[];
  asked?: Record<string, unknown>;
}

/** How it was asked, in order. */
export function notedBy(folder: string): Noted[] {
  const file = path.join(folder, "node_modules", PACKAGE, "asked.jsonl");
  if (!fs.existsSync(file)) return [];
  const lines = fs.readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Noted);
}

/** Of a model, as far as anybody looks. */
export function putModel(folder: string, more: Readonly<Record<string, string>> = {}): void {
  const files = { "config.json": "{}", "tokenizer.json": "{}", "onnx/model.onnx": "weights", ...more };
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
  }
}
