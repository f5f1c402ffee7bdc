import fc from "fast-check";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { codex } from "../../../src/adapters/codex/settings.js";
import { CALL, conforms, valueIn } from "../host-settings.js";

const EVENTS = ["SessionStart", "UserPromptSubmit", "Stop"];
const host = codex({ home: "/h", environment: {} });
const [hooks, config] = host.files as [(typeof host.files)[0], (typeof host.files)[0]];
const OTHER_NODE = { ...CALL, program: { node: "/usr/bin/node", script: "/srv/memd.js" } };

describe("hooks.json", () => {
  conforms(hooks, {
    hooks: { events: EVENTS, foreign: { hooks: [{ type: "command", command: "a.sh" }] } },
    servers: undefined,
  });

  test("memd is called at each event, with a timeout in seconds", () => {
    const value = valueIn(hooks.connected(undefined, CALL).text) as { hooks: Record<string, unknown> };
    expect(Object.keys(value.hooks)).toEqual(EVENTS);
    const command: unknown = expect.stringContaining("' hook codex --workspace '");
    expect(value.hooks["Stop"]).toEqual([{ hooks: [{ type: "command", command, timeout: 10 }] }]);
  });
});

const FULL = `# of mine
model = "large" # the best
prompt = """
[mcp_servers.memd]
not a table, "quoted" \\""""

[mcp_servers."my docs"]
command = 'docs'
args = [
  "a", # one ]
  "[b]",
]

  [features]
hooks = true
  # the end`;

describe("config.toml", () => {
  test.each(
    Object.entries({
      "a file of every kind of line": FULL,
      "with an end to its last line": `${FULL}\n`,
      "with lines of Windows": `${FULL}\n`.replaceAll("\n", "\r\n"),
      "with blank lines at its end": `${FULL}\n\n  \n`,
      "with an empty table of servers": "[mcp_servers]\n\n[features]\n",
      "with dotted names": 'mcp_servers.docs.command = "x"\n',
      "no text at all": "",
      "blank lines": "\n\n",
      "a remark alone": "# nothing yet",
    }),
  )("taken away, what was put in leaves no trace: %s", (_what, text) => {
    const { text: connected, made } = config.connected(text, CALL);
    expect(parse(connected)["mcp_servers"]).toMatchObject({
      memd: {
        command: "/opt/node/bin/node",
        args: ["/opt/memd/bin/memd.js", "mcp", "--workspace", "/home/alice/it's mine"],
      },
    });
    expect(config.connected(connected, CALL).text).toBe(connected);
    const moved = config.connected(connected, OTHER_NODE).text;
    expect(parse(moved)["mcp_servers"]).toMatchObject({ memd: { command: "/usr/bin/node" } });
    for (const each of [connected, moved]) expect(config.disconnected(each, made)).toBe(text);
  });

  test("a file that was not there goes again", () => {
    const { text, made } = config.connected(undefined, CALL);
    expect(text).toMatch(/^\[mcp_servers\.memd\]\ncommand = .*\nargs = .*\n$/);
    expect(config.disconnected(text, made)).toBeUndefined();
  });

  test("what was added to the table goes with it, and what was set in it stays when memd moves", () => {
    const { text } = config.connected('model = "x"\n', CALL);
    const more = `${text}startup_timeout_sec = 20\n\n[mcp_servers.memd.tools.search]\napproval_mode = "approve"\n\n[other]\na = 1\n`;
    const moved = config.connected(more, OTHER_NODE).text;
    expect(moved).toBe(
      more.replace("/opt/node/bin/node", "/usr/bin/node").replace("/opt/memd/bin/", "/srv/"),
    );
    expect(config.disconnected(moved)).toBe('model = "x"\n\n[other]\na = 1\n');
  });

  test("a table that cannot be changed alone is refused", () => {
    const text = 'mcp_servers = { docs = { command = "x" } }\n';
    expect(() => config.connected(text, CALL)).toThrow("is written so that memd cannot change");
    const own = 'mcp_servers = { memd = { command = "memd", args = ["mcp"] } }\n';
    expect(() => config.disconnected(own)).toThrow("is written so that memd cannot change");
    expect(() => config.connected('a = 1\nb = "x\n', CALL)).toThrow(expect.objectContaining({ line: 2 }));
  });

  test("ten edits in between stay, and nothing else does", () => {
    const name = fc.stringMatching(/^[a-z]{1,6}$/);
    const edit: fc.Arbitrary<(text: string, index: number) => string> = fc.oneof(
      name.map((word) => (text: string) => `# ${word}\n${text}`),
      name.map((word) => (text: string, index: number) => `own-${word}-${index} = [1, # ]\n 2]\n${text}`),
      name.map((word) => (text: string) => `${text}\n# ${word}`),
      name.map((word) => (text: string, index: number) => `${text}\n[t-${index}.${word}]\na = '''\n[x]'''\n`),
      fc.constant((text: string) => text.replace("large", "larger")),
      fc.constant((text: string, index: number) =>
        text.replace("[features]", `[features]\nnew-${index} = true`),
      ),
    );
    const start = fc.constantFrom<string>(FULL, `${FULL}\n`, 'model = "large"\n');
    fc.assert(
      fc.property(start, fc.array(edit, { minLength: 10, maxLength: 10 }), (text, edits) => {
        const { text: connected, made } = config.connected(text, CALL);
        const after = edits.reduce((now, change, index) => change(now, index), connected);
        const without = edits.reduce((now, change, index) => change(now, index), text);
        expect(config.disconnected(after, made)).toBe(without);
      }),
      { numRuns: 200 },
    );
  });

  test("what keeps memd from being called is told", () => {
    const { text } = config.connected("[features]\nhooks = false\n", CALL);
    expect(config.found(`${text}enabled = false\n`).off).toEqual([
      "hooks are turned off (features.hooks)",
      "its tools are turned off (enabled)",
    ]);
  });
});

test("its own variable names its folder", () => {
  expect(codex({ home: "/h", environment: { CODEX_HOME: "/c" } }).folder).toBe("/c");
  expect(host.remarks.join(" ")).toContain("/hooks");
});
