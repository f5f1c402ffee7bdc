import { describe, expect, test } from "vitest";
import { claudeCode } from "../../../src/adapters/claude-code/settings.js";
import { CALL, conforms, valueIn } from "../host-settings.js";

const host = claudeCode({ home: "/h", environment: {} });
const [settings, tools] = host.files as [(typeof host.files)[0], (typeof host.files)[0]];
const EVENTS = ["SessionStart", "UserPromptSubmit", "Stop"];
const FOREIGN = { matcher: "Bash", hooks: [{ type: "command", command: "lint.sh memd hook" }] };

describe("settings.json", () => {
  conforms(settings, { hooks: { events: EVENTS, foreign: FOREIGN }, servers: undefined });

  test("memd is called at each event, with a timeout in seconds", () => {
    const command = String.raw`'/opt/node/bin/node' '/opt/memd/bin/memd.js' hook claude-code --workspace '/home/alice/it'\''s mine'`;
    const entry = [{ hooks: [{ type: "command", command, timeout: 10 }] }];
    expect(valueIn(settings.connected("{}", CALL).text)).toEqual({
      hooks: Object.fromEntries(EVENTS.map((event) => [event, entry])),
    });
  });

  test("what a person has set of an entry stays when memd has moved", () => {
    const own = { type: "command", command: "/old/node /old/memd.js hook claude-code -w /w", timeout: 99 };
    const text = JSON.stringify({ hooks: { Stop: [{ matcher: "x", hooks: [FOREIGN.hooks[0], own] }] } });
    const { hooks } = valueIn(settings.connected(text, CALL).text) as { hooks: { Stop: unknown[] } };
    const command: unknown = expect.stringContaining("/opt/memd/bin/memd.js");
    expect(hooks.Stop).toEqual([{ matcher: "x", hooks: [FOREIGN.hooks[0], { ...own, command }] }]);
  });

  test("an entry is known wherever it has got to, and one that only speaks of memd is not", () => {
    const call = (command: string, args?: string[]) => ({ hooks: [{ type: "command", command, args }] });
    const own = [
      call("memd hook claude-code"),
      call("npx -y memd hook claude-code"),
      call("A=1 exec node --no-warnings /x/memd.js hook claude-code --workspace='/a b'"),
      call('"/a b/memd" hook claude-code'),
      call("memd", ["hook", "claude-code"]),
    ];
    const foreign = [
      call("echo memd hook claude-code"),
      call("memd hook claude-code && say done"),
      call("memd status"),
      call("/x/notmemd hook claude-code"),
      call("run 'memd hook claude-code'"),
      { hooks: [] },
      "memd hook claude-code",
      7,
    ];
    const text = JSON.stringify({ hooks: { PreCompact: [...own, ...foreign], Stop: 7 } }, null, 2);
    expect(settings.found(text).calls).toHaveLength(own.length);
    expect(settings.found(text).calls.map(({ workspace }) => workspace)).toContain("/a b");
    expect(settings.disconnected(text)).toBe(
      JSON.stringify({ hooks: { PreCompact: foreign, Stop: 7 } }, null, 2),
    );
  });

  test("hooks that are turned off are told", () => {
    expect(settings.found('{"disableAllHooks": true}').off).toEqual([
      "hooks are turned off (disableAllHooks)",
    ]);
  });
});

describe(".claude.json", () => {
  conforms(tools, { hooks: undefined, servers: ["mcpServers"] });

  test("memd's tools are a server of all projects", () => {
    expect(valueIn(tools.connected(undefined, CALL).text)).toEqual({
      mcpServers: {
        memd: {
          type: "stdio",
          command: "/opt/node/bin/node",
          args: ["/opt/memd/bin/memd.js", "mcp", "--workspace", "/home/alice/it's mine"],
        },
      },
    });
  });

  test("somebody else's server of that name is left, and arguments that were added stay", () => {
    const other = { mcpServers: { memd: { url: "http://127.0.0.1:7337/mcp" } } };
    const { text, made } = tools.connected(JSON.stringify(other), CALL);
    expect(valueIn(text)["mcpServers"]).toMatchObject({ ...other.mcpServers, "memd-2": { type: "stdio" } });
    expect(tools.disconnected(text, made)).toBe(JSON.stringify(other));
    const args = ["/old/memd.js", "mcp", "-w", "/old", "--tools", "all"];
    const own = JSON.stringify({ mcpServers: { mine: { command: "node", args, env: { A: "1" } } } });
    expect(valueIn(tools.connected(own, CALL).text)["mcpServers"]).toEqual({
      mine: {
        command: "/opt/node/bin/node",
        args: ["/opt/memd/bin/memd.js", "mcp", "--workspace", "/home/alice/it's mine", "--tools", "all"],
        env: { A: "1" },
      },
    });
  });
});

test("its own variable names its folder", () => {
  const elsewhere = claudeCode({ home: "/h", environment: { CLAUDE_CONFIG_DIR: "/c" } });
  expect(elsewhere.files.map(({ path }) => path)).toEqual(["/c/settings.json", "/c/.claude.json"]);
  expect(host.files.map(({ path }) => path)).toEqual(["/h/.claude/settings.json", "/h/.claude.json"]);
  expect(claudeCode({ home: "/h", environment: { CLAUDE_CONFIG_DIR: "" } }).folder).toBe(host.folder);
});
