import { expect, test } from "vitest";
import { openclaw } from "../../../src/adapters/openclaw/settings.js";
import { CALL, conforms, valueIn } from "../host-settings.js";

const host = openclaw({ home: "/h", environment: {} });
const [settings] = host.files as [(typeof host.files)[0]];

conforms(settings, { hooks: undefined, servers: ["mcp", "servers"] });

test("JSON5 stays as it is written", () => {
  const text = `// mine
{
  agents: { defaults: { workspace: '~/.openclaw/workspace', }, },
  mcp: {
    servers: {
      'docs': { url: 'https://example.org', timeout: +Infinity, mask: 0xFF, },
    },
  },
}
`;
  const { text: connected, made } = settings.connected(text, CALL);
  expect(valueIn(connected)).toMatchObject({
    mcp: { servers: { docs: { mask: 255 }, memd: { command: "/opt/node/bin/node" } } },
  });
  expect(connected.startsWith(text.slice(0, text.indexOf("0xFF, },")))).toBe(true);
  expect(settings.disconnected(connected, made)).toBe(text);
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
