/**
 * Front matter: the YAML head of a Markdown file, read as data and never run.
 *
 * The one place that touches gray-matter. Its defaults execute `---js`, share
 * parsed objects between callers and turn dates into Date objects; here only a
 * plain `---` head of at most 64 KB counts, YAML is the 1.2 core schema without
 * anchors, aliases and tags, and dates stay text.
 */
import matter from "gray-matter";
import { parseDocument, stringify, visit } from "yaml";
import { isUtf8 } from "../platform/encoded.js";

interface FrontMatter {
  data: Record<string, unknown>;
  /** Everything after the head, byte for byte. */
  body: string;
  /** 1-based line of the file on which the body begins. */
  bodyLine: number;
}

const HEAD_LIMIT_CHARS = 64 * 1024;
/** Only a line feed begins a line: `^` would also take U+2028 inside a value for one. */
const CLOSING = /(?<![^\n])---[ \t]*(?:\r?\n|$)/;
/** Nested, or each an error of its own, they cost the parser seconds. */
const MARKS = /[[\]{},"'&!*?:|>]/;
const MOST_MARKS = 2000;
/** What it needs for a line grows with the lines before it. */
const MOST_LINES = 2000;
/** Marks that each open a level, on one line: the parser goes as deep as they do. */
const STACKED = /(?:[-?:][ \t]+){200}/;

/** The package's folded and block forms lose blanks of some texts. */
const ON_ONE_LINE = { lineWidth: 0, blockQuote: false, doubleQuotedMinMultiLineLength: Infinity } as const;

const refuse = {
  parse: (): never => {
    throw new SyntaxError("only YAML front matter is read");
  },
};
const engines = {
  yaml: {
    parse: parseYaml,
    stringify: (data: object): string => stringify(data, { schema: "core", ...ON_ONE_LINE }),
  },
  json: refuse,
  javascript: refuse,
  js: refuse,
  coffee: refuse,
  toml: refuse,
};

/** Throws SyntaxError when there is a head that is not plain YAML data. A text without a head is all body. */
export function parseFrontMatter(text: string): FrontMatter {
  const opening = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (opening === null) return { data: {}, body: text, bodyLine: 1 };
  const start = opening[0].length;
  const found = CLOSING.exec(text.slice(start, start + HEAD_LIMIT_CHARS));
  if (found === null) throw new SyntaxError("front matter is not closed within 64 KB");
  const end = start + found.index + found[0].length;
  const head = text.slice(start, start + found.index).replaceAll("\r\n", "\n");
  if (`\n${head}`.includes("\n---")) throw new SyntaxError("front matter holds a line that begins with ---");
  // gray-matter looks for comments in quadratic time over blank lines.
  if (/\s{500}/.test(head)) throw new SyntaxError("front matter is mostly blank");
  if (head.split(MARKS, MOST_MARKS + 1).length > MOST_MARKS)
    throw new SyntaxError("front matter is mostly marks");
  if (STACKED.test(head)) throw new SyntaxError("front matter is nested too deeply");
  if (head.split("\n", MOST_LINES + 1).length > MOST_LINES)
    throw new SyntaxError(`front matter has more than ${MOST_LINES} lines`);
  const { data } = matter(`---\n${head}---\n`, { language: "yaml", engines });
  return { data: { ...data }, body: text.slice(end), bodyLine: text.slice(0, end).split("\n").length };
}

/** So many bytes hold a head of the longest kind. */
const HEAD_LIMIT_BYTES = 4 * HEAD_LIMIT_CHARS;

/** The same of bytes, whose body stays bytes. Throws SyntaxError when they are no UTF-8 too. */
export function frontMatterOf(bytes: Uint8Array): Omit<FrontMatter, "body"> & { body: Buffer } {
  if (!isUtf8(bytes)) throw new SyntaxError("is not UTF-8 text");
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Where it cuts through a character, that is of the body.
  const beginning = whole.toString("utf8", 0, HEAD_LIMIT_BYTES);
  const { data, body, bodyLine } = parseFrontMatter(beginning);
  const head = beginning.slice(0, beginning.length - body.length);
  return { data, body: whole.subarray(Buffer.byteLength(head)), bodyLine };
}

export function printFrontMatter(data: Record<string, unknown>, body: string): string {
  return `${matter.stringify("", data, { language: "yaml", engines }).trimEnd()}\n${body}`;
}

function parseYaml(head: string): object {
  const document = parseDocument(head, { schema: "core", uniqueKeys: true, strict: true, logLevel: "error" });
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) throw new SyntaxError(`front matter: ${error.message}`);
  visit(document, {
    Alias: () => {
      throw new SyntaxError("front matter: aliases are not read");
    },
    Node: (_key, node) => {
      if ("anchor" in node && node.anchor !== undefined)
        throw new SyntaxError("front matter: anchors are not read");
      if ("tag" in node && node.tag !== undefined) {
        throw new SyntaxError("front matter: tags are not read");
      }
    },
  });
  const data: unknown = document.toJS({ maxAliasCount: 0 });
  if (data === null || data === undefined) return {};
  if (typeof data !== "object" || Array.isArray(data)) throw new SyntaxError("front matter is not a mapping");
  return data;
}

/**
 * `name=value` pairs inside an HTML comment. Values stay readable: only what
 * would end the comment, the pair or the line is percent-encoded.
 */
const UNSAFE =
  /[\s%<>="\u0000-\u001f\u007f\u0085\u2028\u2029]|--|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function encodeField(value: string): string {
  return value.replace(UNSAFE, (unsafe) => {
    if (unsafe === "--") return "%2D%2D";
    const code = unsafe.charCodeAt(0);
    return code < 0x80 ? `%${hex(code, 2)}` : `%u${hex(code, 4)}`;
  });
}

export function decodeField(encoded: string): string {
  return encoded.replace(/%u([0-9A-Fa-f]{4})|%([0-9A-Fa-f]{2})/g, (_all, wide?: string, narrow?: string) =>
    String.fromCharCode(parseInt(wide ?? narrow ?? "", 16)),
  );
}

export function printFields(fields: readonly (readonly [string, string])[]): string {
  return fields.map(([name, value]) => `${name}=${encodeField(value)}`).join(" ");
}

export function parseFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const pair of text.split(/\s+/)) {
    const at = pair.indexOf("=");
    if (at > 0) fields.set(pair.slice(0, at), decodeField(pair.slice(at + 1)));
  }
  return fields;
}

/** Where texts of a message stand, in its own form or in that of an API. */
const SAID: ReadonlySet<string> = new Set(["text", "content", "output", "result"]);
/** A long text is not searched for thousands of others. */
const MOST_MISSES = 100;

/**
 * Fields that a heading does not show, as base64url of JSON. What the `text` below it
 * says is there only as a place in it, `{"$said": [from, length, of]}` in UTF-16 units:
 * a password that a person deletes from the text is gone.
 */
export function printHidden(fields: Record<string, unknown>, text: string): string {
  let from = 0;
  let misses = 0;
  const hidden = (value: unknown, name: string): unknown => {
    if (typeof value === "string") {
      if (value === "" || !SAID.has(name) || misses === MOST_MISSES) return value;
      const at = text.indexOf(value, from);
      if (at === -1) {
        misses++;
        return value;
      }
      from = at + value.length;
      return { $said: [at, value.length, text.length] };
    }
    if (Array.isArray(value)) return value.map((each: unknown) => hidden(each, name));
    if (typeof value !== "object" || value === null) return value;
    const each = mapped(value, hidden);
    return Object.hasOwn(value, "$said") ? { $said: each } : each;
  };
  return Buffer.from(JSON.stringify(hidden(fields, ""))).toString("base64url");
}

/** Of an edited text, the first place is all of it and the others are empty. Throws SyntaxError for what is no JSON. */
export function parseHidden(encoded: string, text: string): unknown {
  let isFirst = true;
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value !== "object" || value === null) return value;
    const said: unknown = Object.hasOwn(value, "$said") ? (value as { $said: unknown }).$said : undefined;
    if (!Array.isArray(said)) return mapped(typeof said === "object" && said !== null ? said : value, shown);
    const [at, length, of] = said.map(Number) as [number, number, number];
    const isWhole = isFirst;
    isFirst = false;
    if (of === text.length) return text.slice(at, at + length);
    return isWhole ? text : "";
  };
  return shown(JSON.parse(Buffer.from(encoded, "base64url").toString("utf8")));
}

function mapped(fields: object, change: (value: unknown, name: string) => unknown): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]));
}

function hex(code: number, digits: number): string {
  return code.toString(16).toUpperCase().padStart(digits, "0");
}
