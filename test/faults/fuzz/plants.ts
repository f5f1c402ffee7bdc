/** Careless hands on what is read; the slice must notice each of them. */
import type { Plant } from "../plants.js";

export const PLANTS: readonly Plant[] = [
  {
    name: "salvage ends at the first broken message",
    part: "fuzz",
    file: "src/protocol/read-list.ts",
    find: "parseMessage(value) !== undefined ? end : brace + 1;",
    replace: "parseMessage(value) !== undefined ? end : text.length;",
  },
  {
    name: "a list that does not parse counts as empty",
    part: "fuzz",
    file: "src/protocol/read-list.ts",
    find: '    if (!(error instanceof SyntaxError)) throw error;\n    return {\n      is: "unreadable",',
    replace:
      '    if (error instanceof SyntaxError) return { is: "list", list: listOf([]), bytes };\n    return {\n      is: "unreadable",',
  },
  {
    name: "bytes that are no text are read as some",
    part: "fuzz",
    file: "src/platform/json.ts",
    find: '  return parseText(decoded(new TextDecoder("utf-8", { fatal: true }), bytes), DEEPEST);',
    replace: "  return parseText(decoded(new TextDecoder(), bytes), DEEPEST);",
  },
  {
    name: "the journal ends at its first torn line",
    part: "fuzz",
    file: "src/protocol/jsonl.ts",
    find: "      if (value !== undefined) yield { value, line };\n",
    replace: "      if (value === undefined) return;\n      yield { value, line };\n",
  },
  {
    name: "a field called __proto__ is set instead of kept",
    part: "fuzz",
    file: "src/protocol/message.ts",
    find: "extra: left.size > 0 ? Object.fromEntries(left) : undefined,",
    replace:
      "extra: left.size > 0 ? [...left].reduce((all, [name, value]) => ((all[name] = value), all), {}) : undefined,",
  },
  {
    name: "a text that looks like a heading is not escaped",
    part: "fuzz",
    file: "src/protocol/verbatim.ts",
    find: "  return text.replace(LOOKS_LIKE_HEADING, (line) => `\\\\${line}`);",
    replace: "  return text;",
  },
  {
    name: "a worker's answer is believed",
    part: "fuzz",
    file: "src/llm/job-line.ts",
    find: "  const { data: outcome } = ended.safeParse(value);",
    replace: "  const outcome = value;",
  },
  {
    name: "an unreadable list gets no copy",
    part: "fuzz",
    file: "src/archive/take-list.ts",
    find: '(await setAside(writer, workspace, path, bytes, "unreadable"))',
    replace: "(await Promise.resolve(true))",
  },
];
