import { expect, test } from "vitest";
import { openclaw } from "../../../src/adapters/openclaw/settings.js";
import { CALL, conforms, valueIn } from "../host-settings.js";

const host = openclaw({ home: "/h", environment: {} });
const [settings] = host.files as [(typeof host.files)[0]];

conforms(settings, { hooks: undefined, servers: undefined, hasPlugins: true });

const FOLDER = "/opt/memd/memd-openclaw";

const MINE = `// mine
{
  agents: { defaults: { workspace: '~/.openclaw/workspace', }, },
  plugins: {
    allow: [ 'whatsapp', ], // and no other
    load: { paths: [ '~/plugins/other', ], },
    slots: {
      memory: 'memory-lancedb', // since June
    },
    entries: { 'memory-lancedb': { config: { embedding: { dimensions: 0xFF, }, }, }, },
  },
}
`;

test("JSON5 stays as it is written, and the plugin that had the slot has it again", () => {
  const { text: connected, made } = settings.connected(MINE, CALL);
  expect(valueIn(connected)).toMatchObject({
    plugins: {
      allow: ["whatsapp", "memd"],
      load: { paths: ["~/plugins/other", FOLDER] },
      slots: { memory: "memd" },
      entries: {
        "memory-lancedb": { config: { embedding: { dimensions: 255 } } },
        memd: {
          enabled: true,
          hooks: { allowConversationAccess: true },
          config: { workspace: CALL.workspace },
        },
      },
    },
  });
  expect(connected).toContain("// since June");
  expect(made.replaced).toEqual({ "/plugins/slots/memory": "'memory-lancedb'" });
  expect(settings.found(connected)).toEqual({
    calls: [{ verb: "plugin", programs: [FOLDER], workspace: CALL.workspace }],
    missing: [],
    off: [],
  });
  expect(settings.disconnected(connected, made)).toBe(MINE);
});

test("without a note of what had the slot it is nobody's, and so OpenClaw's own plugin's", () => {
  const { text: connected } = settings.connected(MINE, CALL);
  expect(valueIn(settings.disconnected(connected) ?? "")).toMatchObject({
    plugins: { allow: ["whatsapp"], load: { paths: ["~/plugins/other"] }, slots: {} },
  });
});

test("who gives the slot to another plugin later has it stay there, and the next connection notes that one", () => {
  const first = settings.connected(MINE, CALL);
  const moved = first.text.replace('"memd", // since June', "'honcho', // since June");
  expect(settings.found(moved).missing).toEqual(["the memory slot"]);
  expect(settings.disconnected(moved, first.made)).toBe(MINE.replace("memory-lancedb", "honcho"));
  const again = settings.connected(moved, CALL);
  expect(again.made.replaced).toEqual({ "/plugins/slots/memory": "'honcho'" });
  const gone = first.text.replace(/\n *memory: "memd", \/\/ since June/, "");
  expect(settings.connected(gone, CALL).made.replaced).toEqual({ "/plugins/slots/memory": "" });
});

test("nothing but its own part goes of a list of plugins that are allowed, and an empty one stays so", () => {
  const text = '{"plugins":{"allow":[]}}';
  const { text: connected, made } = settings.connected(text, CALL);
  expect(valueIn(connected)).toMatchObject({ plugins: { allow: [] } });
  expect(settings.disconnected(connected, made)).toBe(text);
});

test("what keeps it from being heard is told", () => {
  const { text } = settings.connected("{}", CALL);
  const off = (from: string, to: string): readonly string[] => settings.found(text.replace(from, to)).off;
  expect(off('"enabled": true', '"enabled": false')).toEqual([
    "its plugin is turned off (plugins.entries.memd.enabled)",
  ]);
  expect(off('"allowConversationAccess": true', "")).toEqual([
    "it may hear no conversation (plugins.entries.memd.hooks.allowConversationAccess)",
  ]);
  expect(off('"plugins": {', '"plugins": { "enabled": false, "deny": ["memd"], "allow": ["x"],')).toEqual([
    "plugins are turned off (plugins.enabled)",
    "its plugin is denied (plugins.deny)",
    "its plugin is not allowed (plugins.allow)",
  ]);
});

test("settings of an OpenClaw that would take memd's entries for invalid are refused, and told of", () => {
  const of = (version: string): string => JSON.stringify({ meta: { lastTouchedVersion: version } }, null, 2);
  for (const old of ["2026.4.23", "2026.3.30", "2025.12.31-beta.1"])
    expect(() => settings.connected(of(old), CALL)).toThrow(`OpenClaw ${old} wrote it last`);
  for (const version of ["2026.4.24", "2026.5.1-2", "2026.10.1", "2027.1.1", "newest"]) {
    const { text, made } = settings.connected(of(version), CALL);
    expect(settings.disconnected(text, made)).toBe(of(version));
  }
  const { text } = settings.connected(of("2026.9.1"), CALL);
  expect(settings.found(text.replace("2026.9.1", "2026.2.1")).off[0]).toContain("needs 2026.4.24 or later");
});

test("the server of tools that an earlier memd put there goes with it", () => {
  const server = { command: CALL.program.node, args: [CALL.program.script, "mcp", "--workspace", "/w"] };
  const text = JSON.stringify(
    { mcp: { servers: { memd: server, docs: { url: "https://example.org" } } } },
    null,
    2,
  );
  expect(settings.found(text)).toMatchObject({ calls: [{ workspace: "/w" }] });
  expect(valueIn(settings.disconnected(text) ?? "")).toEqual({
    mcp: { servers: { docs: { url: "https://example.org" } } },
  });
});

test("its own variables name its folder and its file", () => {
  const named = (environment: Record<string, string>) => {
    const { folder, files } = openclaw({ home: "/h", environment });
    return [folder, files[0]?.path];
  };
  expect(named({})).toEqual(["/h/.openclaw", "/h/.openclaw/openclaw.json"]);
  expect(named({ OPENCLAW_STATE_DIR: "/s" })).toEqual(["/s", "/s/openclaw.json"]);
  expect(named({ OPENCLAW_CONFIG_PATH: "/c/my.json" })).toEqual(["/c", "/c/my.json"]);
});
