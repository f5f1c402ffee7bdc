import { describe, expect, test } from "vitest";
import { cursor } from "../../../src/adapters/cursor/settings.js";
import { CALL, conforms, valueIn } from "../host-settings.js";

const EVENTS = ["sessionStart", "beforeSubmitPrompt", "afterAgentResponse"];
const host = cursor({ home: "/h", environment: {} });
const [hooks, tools] = host.files as [(typeof host.files)[0], (typeof host.files)[0]];

describe("hooks.json", () => {
  conforms(hooks, { hooks: { events: EVENTS, foreign: { command: "./audit.sh" } }, servers: undefined });

  test("it is of version 1, and a flat list for each event", () => {
    const command: unknown = expect.stringContaining("' hook cursor --workspace '");
    expect(valueIn(hooks.connected(undefined, CALL).text)).toEqual({
      version: 1,
      hooks: Object.fromEntries(EVENTS.map((event) => [event, [{ command }]])),
    });
  });

  test("the version stays where another hook does, and goes with the last", () => {
    const { text, made } = hooks.connected(undefined, CALL);
    const other = text.replace('"sessionStart": [', '"sessionStart": [\n      {"command": "./audit.sh"},');
    expect(valueIn(hooks.disconnected(other, made) ?? "")).toEqual({
      version: 1,
      hooks: { sessionStart: [{ command: "./audit.sh" }] },
    });
    const own = '{ "version": 1 }\n';
    const again = hooks.connected(own, CALL);
    expect(hooks.disconnected(again.text, again.made)).toBe(own);
  });
});

describe("mcp.json", () => {
  conforms(tools, { hooks: undefined, servers: ["mcpServers"] });
});
