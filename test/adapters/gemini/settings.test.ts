import { expect, test } from "vitest";
import { gemini } from "../../../src/adapters/gemini/settings.js";
import { CALL, conforms, valueIn } from "../host-settings.js";

const EVENTS = ["SessionStart", "BeforeAgent", "AfterAgent"];
const host = gemini({ home: "/h", environment: {} });
const [settings] = host.files as [(typeof host.files)[0]];

conforms(settings, {
  hooks: { events: EVENTS, foreign: { hooks: [{ name: "a", type: "command", command: "a.sh" }] } },
  servers: ["mcpServers"],
});

test("memd is called at each event, with a timeout in milliseconds", () => {
  const { hooks, mcpServers } = valueIn(settings.connected(undefined, CALL).text) as {
    hooks: Record<string, { hooks: Record<string, unknown>[] }[]>;
    mcpServers: object;
  };
  expect(Object.keys(hooks)).toEqual(EVENTS);
  const command: unknown = expect.stringContaining("' hook gemini --workspace '");
  expect(hooks["AfterAgent"]?.[0]?.hooks).toEqual([
    { name: "memd", type: "command", command, timeout: 10_000 },
  ]);
  expect(Object.keys(mcpServers)).toEqual(["memd"]);
});

test("what older versions keep beside the events is left alone", () => {
  const text = '{\n  "hooks": {\n    "enabled": false,\n    "disabled": []\n  }\n}\n';
  const { text: connected, made } = settings.connected(text, CALL);
  expect(settings.found(connected)).toMatchObject({
    missing: [],
    off: ["hooks are turned off (hooks.enabled)"],
  });
  expect(settings.disconnected(connected, made)).toBe(text);
  expect(settings.found('{"hooksConfig": {"enabled": false}}').off).toHaveLength(1);
});

test("its own variable names the folder above its own", () => {
  expect(gemini({ home: "/h", environment: { GEMINI_CLI_HOME: "/g" } }).folder).toBe("/g/.gemini");
});
