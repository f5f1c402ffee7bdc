/**
 * What holds of every file of settings that memd writes into, whichever agent's it is: JSON in the ways in
 * which people and programs write it, and what both may do to it while memd is connected.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HostFile } from "../../src/adapters/host.js";
import { treeOf, valueOf } from "../../src/adapters/json-tree.js";
import type { Call } from "../../src/adapters/own-calls.js";

export const CALL: Call = {
  program: { node: "/opt/node/bin/node", script: "/opt/memd/bin/memd.js" },
  workspace: "/home/alice/it's mine",
};
const MOVED: Call = { program: { node: "/usr/bin/node", script: "/srv/memd.js" }, workspace: "/srv/ws" };

export interface Shape {
  /** Where lists of hooks, and servers, stand; undefined for a file that holds none. */
  hooks: { events: readonly string[]; foreign: unknown } | undefined;
  servers: readonly string[] | undefined;
  /** Where plugins are told of, and one of them has a place of its own. */
  hasPlugins?: true;
}

export function valueIn(text: string): Record<string, unknown> {
  return valueOf(treeOf(text)) as Record<string, unknown>;
}

export function conforms(file: HostFile, shape: Shape): void {
  const there = (text: string, call = CALL) => file.connected(text, call);

  describe("taken away, what was put in leaves no trace", () => {
    test.each(Object.entries(textsFor(shape)))("of %s", (_what, text) => {
      const { text: connected, made } = there(text);
      expect(connected).not.toBe(text);
      expect(file.found(connected).missing).toEqual([]);
      expect(file.disconnected(connected, made)).toBe(text);
    });

    test("of a file that was not there", () => {
      const { text, made } = file.connected(undefined, CALL);
      expect(text.endsWith("}\n")).toBe(true);
      expect(file.disconnected(text, made)).toBeUndefined();
      expect(file.disconnected(text)).toBeUndefined();
    });
  });

  test("twice is once, also where it was moved in between", () => {
    for (const text of Object.values(textsFor(shape))) {
      const once = there(text);
      expect(there(once.text)).toEqual({ text: once.text, made: { file: false, containers: [] } });
      const moved = there(once.text, MOVED).text;
      expect(moved).not.toBe(once.text);
      expect(file.found(moved).calls.map(({ workspace }) => workspace)).toEqual(
        file.found(once.text).calls.map(() => MOVED.workspace),
      );
      expect(there(moved).text).toBe(once.text);
      expect(file.disconnected(moved, once.made)).toBe(text);
    }
  });

  test("what is no settings is left as it is, with the line", () => {
    for (const text of ['{\n  "a": 1\n  "b": 2\n}', "[]", '"text"', '{"a": '])
      expect(() => there(text), text).toThrow(expect.objectContaining({ name: "Unusable" }));
    expect(() => there('{\n  "a": 1\n  "b": 2\n}')).toThrow(expect.objectContaining({ line: 3 }));
  });

  const group = firstOf(shape);
  test.each([[7], ["on"], [["x"]], [null]])("a place of another shape is refused: %j", (strange) => {
    const text = JSON.stringify({ [group]: strange }, null, 2);
    expect(() => there(text)).toThrow(`${group} is no object`);
    expect(file.disconnected(text)).toBe(text);
  });

  test("ten edits of a person and the agent in between stay, and nothing else does", () => {
    fc.assert(
      fc.property(
        startOf(shape),
        fc.array(editOf(shape), { minLength: 10, maxLength: 10 }),
        (text, edits) => {
          const { text: connected, made } = there(text);
          const after = edits.reduce((now, edit) => edit(now), connected);
          const without = edits.reduce((now, edit) => edit(now), text);
          expect(file.disconnected(after, made)).toBe(without);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("nothing but memd's entries comes in", () => {
    fc.assert(
      fc.property(startOf(shape), (text) => {
        const connected = valueIn(there(text).text);
        const before = valueIn(text);
        expect(Object.keys(before).filter((key) => !(key in connected))).toEqual([]);
        expect(connected).toMatchObject(foreignIn(before));
      }),
      { numRuns: 20 },
    );
  });
}

/** What the first of memd's entries stands in. */
function firstOf({ hooks, servers, hasPlugins }: Shape): string {
  if (hasPlugins === true) return "plugins";
  return hooks === undefined ? (servers?.[0] ?? "") : "hooks";
}

/** Members, where lists may have grown at their end. */
function foreignIn(value: unknown): object {
  return Object.fromEntries(Object.entries(value as object).filter(([, inner]) => typeof inner !== "object"));
}

function nested(path: readonly string[], value: unknown): Record<string, unknown> {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>;
}

const SERVER = { url: "https://example.org/mcp", headers: { a: "b" } };

const PLUGINS = {
  allow: ["whatsapp"],
  load: { paths: ["~/plugins/other"] },
  entries: { other: { enabled: true } },
  slots: { memory: "memory-lancedb", contextEngine: "legacy" },
};

function settingsOf({ hooks, servers, hasPlugins }: Shape, isFull: boolean): Record<string, unknown> {
  const [event = ""] = hooks?.events ?? [];
  const lists = isFull ? { Other: [hooks?.foreign], [event]: [hooks?.foreign] } : {};
  return {
    model: "large",
    ...(hooks === undefined ? {} : { hooks: lists }),
    permissions: { allow: ["a", "b"], deny: [] },
    ...(hasPlugins === true
      ? { plugins: isFull ? PLUGINS : { load: { paths: [] }, entries: {}, slots: {} } }
      : {}),
    ...(servers === undefined ? {} : nested(servers, isFull ? { other: SERVER } : {})),
    last: true,
  };
}

function textsFor(shape: Shape): Record<string, string> {
  const full = JSON.stringify(settingsOf(shape, true), null, 2);
  const bare = JSON.stringify(settingsOf(shape, false), null, 2);
  const first = shape.hooks === undefined ? firstOf(shape) : (shape.servers?.[0] ?? "hooks");
  return {
    "a file as a program writes it": `${full}\n`,
    "a file without an end to its last line": full,
    "empty lists and objects": bare,
    "none of them": '{\n  "model": "large"\n}\n',
    "an empty object": "{}",
    "an empty object on two lines": "{\n}\n",
    "an empty object with a blank": "{ }\n",
    "an empty object inside": `{ "${first}": { } }`,
    "no text at all": "",
    "blank lines": "\n\n",
    tabs: JSON.stringify(settingsOf(shape, true), null, "\t"),
    "four blanks, and lines of Windows": JSON.stringify(settingsOf(shape, true), null, 4).replaceAll(
      "\n",
      "\r\n",
    ),
    "one line": JSON.stringify(settingsOf(shape, true)),
    "one line, with empty ones": JSON.stringify(settingsOf(shape, false)),
    "one line with blanks": full.replaceAll(/\n */g, " "),
    "lists on one line": full.replaceAll(/\[\n[^\]]*\]/g, (list) => list.replaceAll(/\n */g, "")),
    "a comma too many": withCommas(full),
    remarks: withRemarks(full),
    "remarks and commas too many": withRemarks(withCommas(full)),
    "remarks in empty ones": bare.replaceAll("{}", "{ // none\n}").replaceAll("[]", "[ /* none */ ]"),
    "a mark of UTF-8": `\uFEFF${full}`,
    "remarks that end in blanks": '{\n  "a": 1 // one  \n  , // two \t\n}\n',
    "remarks over two lines": '{\n  "a": [],\n  "b": 1,/* a\nb *//* c */}',
    "all set in, and empty": "\t {\t }",
    "lists that end where the next one begins": `{ "hooks": {\n  "Stop": [\n    {}\n], "SessionStart": [\n ], "stop": [  ]\n},\n "${first}": {}}`,
  };
}

function withCommas(text: string): string {
  return text.replaceAll(/([^\s[{,])\n(\s*[\]}])/g, "$1,\n$2");
}

function withRemarks(text: string): string {
  return text
    .split("\n")
    .map((line, index) => (index % 3 === 0 ? line : `${line} // "${index}": {,`))
    .flatMap((line, index) => (index % 4 === 2 ? ["  /* of mine, ] */", line] : [line]))
    .join("\n");
}

function startOf(shape: Shape): fc.Arbitrary<string> {
  const own = fc.dictionary(fc.stringMatching(/^[a-z]{4,6}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
  return fc
    .record({
      own,
      space: fc.constantFrom("  ", "    ", "\t", "   "),
      commas: fc.boolean(),
      remarks: fc.boolean(),
      eol: fc.constantFrom("\n", "\r\n"),
      end: fc.boolean(),
    })
    .map(({ own: more, space, commas, remarks, eol, end }) => {
      const value = { first: 1, ...more, ...settingsOf(shape, true) };
      let text = JSON.stringify(value, null, space);
      if (commas) text = withCommas(text);
      if (remarks) text = withRemarks(text);
      return (end ? `${text}\n` : text).replaceAll("\n", eol);
    });
}

type EditText = (text: string) => string;

/** Each does the same to a text with memd's entries as to one without. */
function editOf({ hooks, servers, hasPlugins }: Shape): fc.Arbitrary<EditText> {
  const [known = ""] = hooks?.events ?? [];
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const rewritten =
    (change: (value: Record<string, unknown>) => void, space: string | number): EditText =>
    (text) => {
      const value = valueIn(text);
      change(value);
      return `${JSON.stringify(value, null, space)}\n`;
    };
  const inHooks = (value: Record<string, unknown>): Record<string, unknown[]> =>
    value["hooks"] as Record<string, unknown[]>;
  const inServers = (value: Record<string, unknown>): Record<string, unknown> =>
    (servers ?? []).reduce((at, key) => at[key] as Record<string, unknown>, value);
  const space = fc.constantFrom<string | number>(2, 4, "\t");
  const byProgram: fc.Arbitrary<EditText>[] = [
    fc.tuple(word, space).map(([name, by]) => rewritten((value) => (value[`own-${name}`] = name), by)),
    fc.tuple(word, space).map(([name, by]) => rewritten((value) => delete value[`own-${name}`], by)),
  ];
  if (hooks !== undefined) {
    const { foreign } = hooks;
    byProgram.push(
      space.map((by) => rewritten((value) => inHooks(value)[known]?.push(foreign), by)),
      space.map((by) => rewritten((value) => inHooks(value)[known]?.unshift(foreign), by)),
      space.map((by) => rewritten((value) => inHooks(value)["Other"]?.pop(), by)),
      fc
        .tuple(word, space)
        .map(([name, by]) => rewritten((value) => (inHooks(value)[`On-${name}`] = [foreign]), by)),
    );
  }
  if (hasPlugins === true) {
    const inPlugins = (value: Record<string, unknown>): typeof PLUGINS => value["plugins"] as typeof PLUGINS;
    byProgram.push(
      fc
        .tuple(word, space)
        .map(([name, by]) => rewritten((value) => inPlugins(value).load.paths.push(name), by)),
      fc
        .tuple(word, space)
        .map(([name, by]) => rewritten((value) => inPlugins(value).load.paths.unshift(name), by)),
      fc
        .tuple(word, space)
        .map(([name, by]) => rewritten((value) => inPlugins(value).allow.unshift(name), by)),
      fc
        .tuple(word, space)
        .map(([name, by]) =>
          rewritten((value) => Object.assign(inPlugins(value).entries, { [`own-${name}`]: {} }), by),
        ),
    );
  }
  if (servers !== undefined)
    byProgram.push(
      fc
        .tuple(word, space)
        .map(([name, by]) => rewritten((value) => (inServers(value)[`own-${name}`] = SERVER), by)),
    );
  const byHand: fc.Arbitrary<EditText>[] = [
    word.map((name) => (text) => `// ${name}\n${text}`),
    word.map((name) => (text) => `${text}\n/* ${name} */`),
    word.map((name) => (text) => text.replace("{", `{\n "${name}": 1, // mine`)),
    fc.constant((text) => text.replace('"model"', '"models"')),
    fc.constant((text) => text.replaceAll(/\r?\n/g, "\n")),
    fc.constant((text) => text.replaceAll(/\r?\n/g, "\r\n")),
    fc.constant((text) => text.replaceAll(/^ {2}/gm, "\t")),
    fc.constant((text) => text.replaceAll(/^\t/gm, "    ")),
  ];
  return fc.oneof(...byHand, ...byProgram);
}
